/* Games as they are stored: whether their rows make sense, and agree with one another. */
#include "play/game.h"

#include <string.h>

#include "play/past.h"

static bool
read_position(const char *text, enum variant variant, struct position *position)
{
	struct text_fault fault;
	return notation_read_position(text, strlen(text), position, &fault) && position->variant == variant;
}

/* Sets what a position text does not tell from the row, and compares what both tell. */
static bool
agree_with_row(struct game *game)
{
	const struct game_row *row = &game->row;
	struct position *position = &game->position;
	bool finished = strcmp(row->status, "finished") == 0;
	enum reason reason = REASON_NONE;
	if (row->reason != NULL && !reason_find(row->reason, strlen(row->reason), &reason))
		return false;
	if (row->ply > PLIES_MAX || row->winner > game->seat_count || finished != (position->turn == 0))
		return false;
	if (finished != (reason != REASON_NONE) || (!finished && row->winner != 0))
		return false;
	/* Nobody is to move in a game that is not under way, whatever its position says. */
	if (row->turn != (strcmp(row->status, "active") == 0 ? position->turn : 0))
		return false;
	position->ply = (uint16_t)row->ply;
	position->winner = (uint8_t)row->winner;
	position->reason = (uint8_t)reason;
	return true;
}

/* A game that waits for its start has an open seat; in one that goes on a handover may have opened one. */
static bool
agree_with_seats(const struct game *game)
{
	return strcmp(game->row.status, "open") != 0 || game_open_seats(game) != 0;
}

/* Whether a word that others compare with is one of those that there are; ends with NULL. */
static bool
is_word(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(word, *words) != 0)
		words++;
	return *words != NULL;
}

static bool
has_known_words(const struct game *game)
{
	static const char *const status[] = {"open", "active", "finished", "withdrawn", NULL};
	static const char *const kinds[] = {"player", "open", "engine", NULL};
	static const char *const clocks[] = {"none", "per_move", "budget", NULL};
	static const char *const ends[] = {"forfeit", "claim", NULL};
	for (unsigned i = 0; i < game->seat_count; i++)
		if (!is_word(game->seats[i].kind, kinds))
			return false;
	return is_word(game->row.status, status) && is_word(game->row.clock_type, clocks) &&
	       is_word(game->row.on_timeout, ends);
}

/* Makes sense of the rows. */
static enum fault
read_rows(struct arena *arena, struct game *game)
{
	const struct game_row *row = &game->row;
	if (!variant_find(row->variant, strlen(row->variant), &game->variant))
		return FAULT_DAMAGED_GAME;
	if (game->seat_count != variant_row(game->variant)->seats)
		return FAULT_DAMAGED_GAME;
	for (unsigned i = 0; i < game->seat_count; i++)
		if (game->seats[i].seat != i + 1)
			return FAULT_DAMAGED_GAME;
	if (!has_known_words(game) || !agree_with_seats(game))
		return FAULT_DAMAGED_GAME;
	if (!read_position(row->position, game->variant, &game->position) || !agree_with_row(game))
		return FAULT_DAMAGED_GAME;
	return past_read(arena, row->twice, row->twice_len, &game->past);
}

unsigned
game_open_seats(const struct game *game)
{
	unsigned open = 0;
	for (unsigned i = 0; i < game->seat_count; i++)
		if (strcmp(game->seats[i].kind, "open") == 0)
			open |= 1U << i;
	return open;
}

unsigned
game_free_seats(const struct game *game)
{
	bool waiting = strcmp(game->row.status, "open") == 0;
	return game_open_seats(game) & ~(waiting ? 0U : game->position.out);
}

static enum fault
read_offers(struct db *db, struct arena *arena, struct game *game)
{
	unsigned count = 0;
	if (game->row.offers == 0)
		return FAULT_NONE;
	enum fault fault = offers_of(db, arena, game->row.game, game->offers, OFFERS_MAX, &count);
	return fault == FAULT_NONE && count != game->row.offers ? FAULT_DAMAGED_GAME : fault;
}

enum fault
game_load(struct db *db, struct arena *arena, const char *id, struct game *game)
{
	struct game_row row;
	enum fault fault = games_by_id(db, arena, id, &row);
	if (fault == FAULT_NONE)
		return game_load_row(db, arena, &row, game);
	return fault == FAULT_DAMAGED_DATA ? FAULT_DAMAGED_GAME : fault;
}

enum fault
game_load_row(struct db *db, struct arena *arena, const struct game_row *row, struct game *game)
{
	struct game loaded = {.arena = arena, .row = *row};
	enum fault fault = seats_of(db, arena, row->game, loaded.seats, SEATS_MAX, &loaded.seat_count);
	if (fault == FAULT_NONE)
		fault = read_offers(db, arena, &loaded);
	if (fault == FAULT_NONE)
		fault = read_rows(arena, &loaded);
	if (fault == FAULT_NONE)
		fault = games_agree(db, &loaded.row);
	if (fault == FAULT_NONE)
		*game = loaded;
	return fault == FAULT_DAMAGED_DATA ? FAULT_DAMAGED_GAME : fault;
}

/* How many endings a game must have: each is of a seat, or the draw that all have agreed on. */
static unsigned
expected_endings(const struct game *game)
{
	unsigned count = game->position.reason == REASON_AGREEMENT;
	for (unsigned i = 0; i < game->seat_count; i++) {
		const char *reason = game->seats[i].out_reason;
		count += reason != NULL && (strcmp(reason, "resigned") == 0 || strcmp(reason, "timeout") == 0);
	}
	return count;
}

enum fault
game_endings(
    struct db *db, struct arena *arena, const struct game *game, struct ending_row rows[SEATS_MAX], unsigned *count)
{
	unsigned found = 0;
	enum fault fault = endings_of(db, arena, game->row.game, rows, SEATS_MAX, &found);
	if (fault == FAULT_NONE && found != expected_endings(game))
		fault = FAULT_DAMAGED_GAME;
	if (fault == FAULT_NONE)
		*count = found;
	return fault;
}

enum fault
game_move_at(struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct move_row *row)
{
	struct move_row found;
	if (ply == 0 || ply > game->row.ply)
		return FAULT_NO_SUCH_PLY;
	enum fault fault = moves_at(db, arena, game->row.game, ply, &found);
	if (fault == FAULT_NO_SUCH_PLY || (fault == FAULT_NONE && !found.agrees))
		fault = FAULT_DAMAGED_GAME;
	if (fault == FAULT_NONE)
		*row = found;
	return fault;
}

enum fault
game_read_position(const struct game *game, const char *text, unsigned ply, struct position *position)
{
	struct position read;
	if (!read_position(text, game->variant, &read))
		return FAULT_DAMAGED_GAME;
	read.ply = (uint16_t)ply;
	*position = read;
	return FAULT_NONE;
}

enum fault
game_position_at(struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct position *position)
{
	struct position at;
	struct move_row row;
	const char *text = game->row.start;
	enum fault fault;
	if (ply > game->row.ply)
		return FAULT_NO_SUCH_PLY;
	if (ply > 0) {
		fault = game_move_at(db, arena, game, ply, &row);
		if (fault != FAULT_NONE)
			return fault;
		text = row.position;
	}
	fault = game_read_position(game, text, ply, &at);
	if (fault != FAULT_NONE)
		return fault;
	if (at.turn == 0) {
		at.winner = game->position.winner;
		at.reason = game->position.reason;
	}
	*position = at;
	return FAULT_NONE;
}

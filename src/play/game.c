#include "play/game.h"

#include <string.h>

#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/opponent.h"
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

void
game_secrets_new(struct game_secrets *secrets)
{
	token_new_id(secrets->id);
	token_new(secrets->creator_token);
	for (unsigned i = 0; i < SEATS_MAX; i++)
		token_new(secrets->seat_tokens[i]);
}

/* The seat of a rematch that is that number: whoever sat before it sits there now. */
static struct seat_row
move_seat(const struct game *before, unsigned i)
{
	struct seat_row seat = before->seats[(i + before->seat_count - 1) % before->seat_count];
	seat.seat = i + 1;
	seat.out_reason = NULL;
	seat.remaining_ms = -1;
	seat.due_ms = 0;
	return seat;
}

/* A seat of a new game. */
static struct seat_row
lay_seat(const struct game_plan *plan, unsigned i)
{
	const struct seat_owner *owner = &plan->owners[i];
	struct seat_row seat = {.seat = i + 1, .kind = "open", .remaining_ms = -1};
	if (plan->open[i])
		return seat;
	if (plan->rematch_of != NULL)
		return move_seat(plan->rematch_of, i);
	if (plan->levels[i] != 0) {
		seat.kind = "engine";
		seat.level = plan->levels[i];
		return seat;
	}
	seat.kind = "player";
	seat.name = plan->names[i];
	seat.own = true;
	seat.player = owner->player;
	seat.namesake = owner->namesake;
	if (owner->player != 0)
		memcpy(seat.player_id, owner->id, sizeof seat.player_id);
	return seat;
}

/* The game that a plan describes, at its start, not yet stored. */
static enum fault
lay_out(struct arena *arena, int64_t now_ms, const struct game_plan *plan, const char *id, struct game *game)
{
	struct position start;
	char text[POSITION_TEXT_MAX];
	if (plan->start == NULL)
		position_start(plan->variant, &start);
	else
		start = *plan->start;
	start.ply = 0;
	char *copy = arena_copy(arena, text, notation_position(&start, text));
	if (copy == NULL)
		return FAULT_OUT_OF_MEMORY;

	*game = (struct game){
	    .row = {.variant = variant_row(plan->variant)->id,
		.status = "active",
		.listed = plan->listed,
		.imported = plan->imported,
		.start = copy,
		.position = copy,
		.turn = start.turn,
		.tags = plan->tags,
		.creator = plan->creator,
		.created_ms = now_ms,
		.updated_ms = now_ms},
	    .variant = plan->variant,
	    .position = start,
	    .seat_count = variant_row(plan->variant)->seats,
	    .arena = arena,
	    .hushed = plan->imported,
	};
	memcpy(game->row.id, id, sizeof game->row.id);
	for (unsigned i = 0; i < game->seat_count; i++)
		game->seats[i] = lay_seat(plan, i);
	if (plan->rematch_of != NULL) {
		game->row.creator = plan->rematch_of->row.creator;
		game->row.rematch_of = plan->rematch_of->row.id;
	}
	if (game_open_seats(game) != 0) {
		game->row.status = "open";
		game->row.turn = 0;
	}
	clock_set(game, &plan->clock);
	clock_start(game, now_ms);
	game->row.due_ms = clock_due(&game->row);
	game->row.thinks = opponent_wanted(game);
	return FAULT_NONE;
}

static enum fault
write_token(struct db *db, int64_t game, unsigned seat, const char token[TOKEN_LEN + 1])
{
	unsigned char hash[TOKEN_HASH_LEN];
	token_hash(token, TOKEN_LEN, hash);
	return tokens_insert(db, hash, &(struct token_row){game, seat});
}

static enum fault
write_seats(struct db *db, const struct game *game)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		fault = seats_insert(db, game->row.game, game->row.listed, &game->seats[i]);
	return fault;
}

/* The tokens of the seats that are filled, and the creator's own. */
static enum fault
write_tokens(struct db *db, const struct game *game, const struct game_secrets *secrets)
{
	enum fault fault = write_token(db, game->row.game, 0, secrets->creator_token);
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		if (game->seats[i].own)
			fault = write_token(db, game->row.game, i + 1, secrets->seat_tokens[i]);
	return fault;
}

enum fault
game_create(struct db *db, struct arena *arena, int64_t now_ms, const struct game_plan *plan,
    const struct game_secrets *secrets, struct game *game)
{
	struct game made;
	enum fault fault = lay_out(arena, now_ms, plan, secrets->id, &made);
	if (fault != FAULT_NONE)
		return fault;
	bool starts = game_open_seats(&made) == 0;
	/* The row counts the events below, so that it need not be written twice. */
	made.row.seq = starts ? 2 : 1;
	fault = games_insert(db, &made.row);
	made.row.seq = 0;
	if (fault == FAULT_NONE)
		fault = write_seats(db, &made);
	if (fault == FAULT_NONE && plan->rematch_of == NULL)
		fault = write_tokens(db, &made, secrets);
	if (fault == FAULT_NONE && plan->rematch_of != NULL)
		fault = tokens_move_on(db, plan->rematch_of->row.game, made.row.game, made.seat_count);
	if (fault == FAULT_NONE)
		fault = event_created(db, now_ms, &made);
	if (fault == FAULT_NONE && starts)
		fault = event_started(db, now_ms, &made);
	if (fault == FAULT_NONE)
		fault = game_wait(db, &made);
	if (fault == FAULT_NONE)
		*game = made;
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

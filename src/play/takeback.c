#include "play/takeback.h"

#include "play/clock.h"
#include "play/event.h"
#include "play/past.h"
#include "play/review.h"

/* The last resignation or timeout of the game; its ply is 0 and its position NULL if there was none. */
static enum fault
last_ending(struct db *db, struct arena *arena, const struct game *game, struct ending_row *last)
{
	struct ending_row rows[SEATS_MAX];
	unsigned count;
	enum fault fault = game_endings(db, arena, game, rows, &count);
	if (fault == FAULT_NONE)
		*last = count == 0 ? (struct ending_row){0} : rows[count - 1];
	return fault;
}

enum fault
takeback_lowest(struct db *db, struct arena *arena, const struct game *game, unsigned *ply)
{
	struct ending_row last;
	enum fault fault = last_ending(db, arena, game, &last);
	if (fault == FAULT_NONE)
		*ply = last.ply;
	return fault;
}

enum fault
takeback_position(struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct position *position)
{
	struct ending_row last;
	enum fault fault = last_ending(db, arena, game, &last);
	if (fault != FAULT_NONE)
		return fault;
	if (last.position == NULL || last.ply != ply)
		return game_position_at(db, arena, game, ply, position);
	return game_read_position(game, last.position, ply, position);
}

/* The past as the plies up to this one have made it, and their keys in order, in the arena. */
static enum fault
read_past(struct db *db, struct game *game, unsigned ply, const uint64_t **left)
{
	struct history *history = arena_take(game->arena, sizeof *history);
	enum fault fault = history == NULL ? FAULT_OUT_OF_MEMORY : review_past(db, game->arena, game, ply, history);
	if (fault != FAULT_NONE)
		return fault;
	game->past = history_past(history);
	/* Where the start counts, its key is before them. */
	*left = history->keys + (history->count - ply);
	game->row.twice_len = game->past.count * sizeof(uint64_t);
	return past_write(game->arena, &game->past, &game->row.twice);
}

/* Seats that the moves put out are in again. */
static enum fault
bring_in(struct db *db, struct game *game)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++) {
		if (game->seats[i].out_reason == NULL || position_out(&game->position, i + 1))
			continue;
		game->seats[i].out_reason = NULL;
		fault = seats_out(db, game->row.game, i + 1, NULL);
	}
	return fault;
}

static enum fault
stand_at(struct game *game, const struct position *position, int64_t now_ms)
{
	char text[POSITION_TEXT_MAX];
	game->row.position = arena_copy(game->arena, text, notation_position(position, text));
	game->row.ply = position->ply;
	game->row.turn = position->turn;
	game->row.updated_ms = now_ms;
	game->position = *position;
	return game->row.position == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
}

enum fault
takeback_run(struct db *db, int64_t now_ms, struct game *game, unsigned ply)
{
	struct position position;
	const uint64_t *left = NULL;
	int64_t remaining_ms[SEATS_MAX];
	enum fault fault = takeback_position(db, game->arena, game, ply, &position);
	if (fault == FAULT_NONE)
		fault = read_past(db, game, ply, &left);
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		fault = moves_remaining(db, game->row.game, ply, i + 1, &remaining_ms[i]);
	if (fault == FAULT_NONE)
		fault = moves_take_back(db, game->arena, game->row.game, ply, left);
	if (fault == FAULT_NONE)
		fault = stand_at(game, &position, now_ms);
	if (fault == FAULT_NONE)
		fault = bring_in(db, game);
	if (fault != FAULT_NONE)
		return fault;
	clock_restore(game, remaining_ms, now_ms);
	return event_taken_back(db, now_ms, game);
}

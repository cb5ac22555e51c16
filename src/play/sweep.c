#include "play/sweep.h"

#include <string.h>

#include "base/limits.h"
#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/offer.h"
#include "play/timeout.h"

static bool
is_due(const struct sweep *sweep, int64_t due_ms)
{
	return due_ms != 0 && due_ms <= sweep->now_ms;
}

/* Does what is due in a game.  What is due once more must lie ahead, or it would be done for ever. */
static enum fault
act(const struct sweep *sweep, struct arena *arena, struct game *game)
{
	const struct game_row *row = &game->row;
	enum fault fault = FAULT_NONE;
	if (strcmp(row->status, "open") == 0 && is_due(sweep, clock_due(row)))
		fault = game_withdraw_unfilled(sweep->db, sweep->now_ms, game);
	else if (clock_is_up(row, sweep->now_ms))
		fault = timeout_forfeit(sweep->db, arena, sweep->now_ms, game);
	if (fault == FAULT_NONE && is_due(sweep, offer_due(game)))
		fault = offer_pass(sweep->db, sweep->now_ms, game);
	return fault == FAULT_NONE && is_due(sweep, row->due_ms) ? FAULT_INTERNAL : fault;
}

/* Time that is given back: so much, to what ran at a time; ms 0: none. */
struct payment {
	int64_t since_ms, ms;
};

/* Nothing takes effect by that: more may be owed still. */
static enum fault
credit(const struct sweep *sweep, const struct payment *payment, struct game *game)
{
	struct game next = *game;
	bool ran = next.row.deadline_ms > payment->since_ms;
	if (ran)
		clock_credit(&next, payment->ms);
	if (strcmp(next.row.status, "open") == 0)
		clock_credit_open(&next, payment->ms);
	next.row.updated_ms = sweep->now_ms;
	enum fault fault = offer_credit(sweep->db, &next, payment->ms);
	if (fault == FAULT_NONE)
		fault = event_credited(sweep->db, sweep->now_ms, &next, ran ? next.row.turn : 0, payment->ms);
	if (fault == FAULT_NONE)
		fault = game_write_times(sweep->db, game, &next);
	if (fault == FAULT_NONE)
		*game = next;
	return fault;
}

/* Loads a game, and gives it time back or does what is due. */
static enum fault
change(const struct sweep *sweep, const char *id, const struct payment *payment)
{
	struct game game;
	struct arena *arena = arena_open(LIMIT_ARENA);
	if (arena == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = game_load(sweep->db, arena, id, &game);
	if (fault == FAULT_NONE && payment->ms != 0)
		fault = credit(sweep, payment, &game);
	else if (fault == FAULT_NONE)
		fault = act(sweep, arena, &game);
	if (fault == FAULT_NONE)
		sweep->changed(sweep->arg, &game);
	arena_close(arena);
	return fault;
}

static bool
is_left_out(const struct sweep_damaged *damaged, int64_t game)
{
	for (unsigned i = 0; damaged != NULL && i < damaged->count; i++)
		if (damaged->games[i] == game)
			return true;
	return false;
}

static void
leave_out(struct sweep_damaged *damaged, int64_t game)
{
	if (damaged != NULL && damaged->count < SWEEP_DAMAGED_MOST)
		damaged->games[damaged->count++] = game;
}

/* The same in a savepoint, and a game that cannot be changed keeps nobody from the others. */
static enum fault
change_one(const struct sweep *sweep, const struct game_key *key, const struct payment *payment)
{
	enum fault fault = db_savepoint(sweep->db);
	if (fault != FAULT_NONE)
		return fault;
	fault = change(sweep, key->id, payment);
	if (fault == FAULT_NONE)
		return db_release(sweep->db);
	if (fault == FAULT_STORAGE || fault == FAULT_OUT_OF_MEMORY || !db_in_transaction(sweep->db))
		return fault;
	sweep->failed(sweep->arg, key->id, fault);
	/* Nothing of this transaction will be kept, not even that the game is to be left alone. */
	if (db_damaged(sweep->db)) {
		leave_out(sweep->damaged, key->game);
		return FAULT_DAMAGED_DATA;
	}
	fault = db_rollback_to(sweep->db);
	return fault == FAULT_NONE ? games_leave_alone(sweep->db, key->game) : fault;
}

static enum fault
change_all(
    const struct sweep *sweep, const struct game_key keys[SWEEP_MOST], unsigned count, const struct payment *payment)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++)
		if (!is_left_out(sweep->damaged, keys[i].game))
			fault = change_one(sweep, &keys[i], payment);
	return fault;
}

enum fault
sweep_due(const struct sweep *sweep, unsigned *count)
{
	struct game_key keys[SWEEP_MOST];
	unsigned found;
	enum fault fault = games_overdue(sweep->db, sweep->now_ms, keys, SWEEP_MOST, &found);
	if (fault == FAULT_NONE)
		fault = change_all(sweep, keys, found, &(struct payment){0});
	if (fault != FAULT_NONE)
		return fault;
	*count = 0;
	for (unsigned i = 0; i < found; i++)
		*count += !is_left_out(sweep->damaged, keys[i].game);
	return FAULT_NONE;
}

enum fault
sweep_credit(const struct sweep *sweep, int64_t since_ms, int64_t ms, int64_t *after, unsigned *count)
{
	struct game_key keys[SWEEP_MOST];
	unsigned found;
	enum fault fault = games_running(sweep->db, since_ms, *after, keys, SWEEP_MOST, &found);
	if (fault == FAULT_NONE)
		fault = change_all(sweep, keys, found, &(struct payment){since_ms, ms});
	if (fault != FAULT_NONE)
		return fault;
	if (found > 0)
		*after = keys[found - 1].game;
	*count = found;
	return FAULT_NONE;
}

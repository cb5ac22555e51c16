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

/* Whether anything ran in it: a walk finds games in which nothing did. */
static bool
runs(const struct game *game, int64_t since_ms)
{
	const struct game_row *row = &game->row;
	bool open = strcmp(row->status, "open") == 0;
	bool ran = (open ? row->due_ms : row->deadline_ms) > since_ms;
	for (unsigned i = 0; i < row->offers; i++)
		ran |= game->offers[i].due_ms > since_ms;
	return ran;
}

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

/* Loads a game, and gives it time back or does what is due.  FAULT_NO_SUCH_GAME: nothing is asked for in it. */
static enum fault
change(const struct sweep *sweep, const char *id, const struct payment *payment)
{
	struct game game;
	struct arena *arena = arena_open(LIMIT_ARENA);
	if (arena == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = game_load(sweep->db, arena, id, &game);
	bool asked =
	    fault != FAULT_NONE || (payment->ms != 0 ? runs(&game, payment->since_ms) : is_due(sweep, game.row.due_ms));
	if (!asked)
		fault = FAULT_NO_SUCH_GAME;
	if (fault == FAULT_NONE)
		fault = payment->ms != 0 ? credit(sweep, payment, &game) : act(sweep, arena, &game);
	if (fault == FAULT_NONE)
		sweep->changed(sweep->arg, &game);
	arena_close(arena);
	return fault;
}

/* An index has led to a game in which nothing is to be done, or to none; of a walk that is no news. */
static enum fault
pass_over(const struct sweep *sweep, const struct payment *payment)
{
	if (sweep->damaged != NULL && payment->ms == 0)
		sweep->damaged->due = true;
	return db_release(sweep->db);
}

/* The same in a savepoint, and a game that cannot be changed keeps nobody from the others. */
static enum fault
change_one(const struct sweep *sweep, int64_t game, const struct payment *payment, unsigned *count)
{
	char id[ID_LEN + 1] = "";
	enum fault fault = db_savepoint(sweep->db);
	if (fault != FAULT_NONE)
		return fault;
	fault = games_id(sweep->db, game, id);
	if (fault == FAULT_NONE)
		fault = change(sweep, id, payment);
	if (fault == FAULT_NO_SUCH_GAME)
		return pass_over(sweep, payment);
	++*count;
	if (fault == FAULT_NONE)
		return db_release(sweep->db);
	if (fault == FAULT_STORAGE || fault == FAULT_OUT_OF_MEMORY || !db_in_transaction(sweep->db))
		return fault;
	sweep->failed(sweep->arg, id, fault);
	/* Nothing of this transaction will be kept, not even that the game is to be left alone. */
	if (db_damaged(sweep->db)) {
		sweep_find_leave_out(sweep->damaged, game);
		return FAULT_DAMAGED_DATA;
	}
	fault = db_rollback_to(sweep->db);
	return fault == FAULT_NONE ? games_leave_alone(sweep->db, game) : fault;
}

static enum fault
change_all(const struct sweep *sweep, const struct sweep_list *list, const struct payment *payment, unsigned *count)
{
	enum fault fault = FAULT_NONE;
	unsigned changed = 0;
	for (unsigned i = 0; i < list->count && fault == FAULT_NONE; i++)
		fault = change_one(sweep, list->games[i], payment, &changed);
	if (fault == FAULT_NONE)
		*count = changed;
	return fault;
}

enum fault
sweep_these(const struct sweep *sweep, const struct sweep_list *list, unsigned *count)
{
	return change_all(sweep, list, &(struct payment){0}, count);
}

enum fault
sweep_due(const struct sweep *sweep, unsigned *count)
{
	struct sweep_list list;
	enum fault fault = sweep_find_due(sweep->db, sweep->now_ms, sweep->damaged, &list);
	/* Damage that was met inside of a transaction takes it along, whatever was found. */
	if (fault == FAULT_NONE && db_damaged(sweep->db))
		fault = FAULT_DAMAGED_DATA;
	return fault == FAULT_NONE ? sweep_these(sweep, &list, count) : fault;
}

enum fault
sweep_pay(const struct sweep *sweep, const struct sweep_list *list, int64_t since_ms, int64_t ms)
{
	unsigned count;
	return change_all(sweep, list, &(struct payment){since_ms, ms}, &count);
}

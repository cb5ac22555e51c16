#include "play/sweep_find.h"

#include "store/games.h"
#include "store/walk.h"

enum {
	STEP = 256,      /* games of a step of a walk */
	STEPS = 8,       /* steps of a walk at a time */
	SKIP_MOST = 4096 /* keys that a walk tries one after the other where nothing can be read */
};

struct walk {
	struct db *db;
	const struct sweep_damaged *damaged;
	bool (*wanted)(const struct walk_row *row, int64_t at_ms);
	int64_t at_ms;
};

static bool
is_left_out(const struct sweep_damaged *damaged, int64_t game)
{
	for (unsigned i = 0; damaged != NULL && i < damaged->count; i++)
		if (damaged->games[i] == game)
			return true;
	return false;
}

bool
sweep_find_leave_out(struct sweep_damaged *damaged, int64_t game)
{
	if (damaged == NULL || damaged->count == SWEEP_DAMAGED_MOST)
		return false;
	damaged->games[damaged->count++] = game;
	return true;
}

/* Takes what is wanted of a step; false if the list is full, and the rest is for the next one. */
static bool
take(const struct walk *walk, const struct walk_row *rows, unsigned count, struct sweep_list *list)
{
	for (unsigned i = 0; i < count; i++) {
		bool wanted = walk->wanted(&rows[i], walk->at_ms) && !is_left_out(walk->damaged, rows[i].game);
		if (wanted && list->count == SWEEP_MOST)
			return false;
		if (wanted)
			list->games[list->count++] = rows[i].game;
		list->to = rows[i].game;
	}
	return true;
}

/* Over what cannot be read: key by key, since nothing tells where it ends. */
static enum fault
go_on(const struct walk *walk, int64_t after, struct sweep_list *list)
{
	struct walk_row rows[STEP];
	unsigned skipped = 0;
	list->to = after;
	for (unsigned step = 0; step < STEPS;) {
		unsigned count = 0;
		enum fault fault = walk_games(walk->db, list->to, rows, STEP, &count);
		if (fault != FAULT_NONE && fault != FAULT_DAMAGED_DATA)
			return fault;
		if (!take(walk, rows, count, list))
			return FAULT_NONE;
		step += count > 0;
		skipped = count > 0 ? 0 : skipped + 1;
		list->last = fault == FAULT_NONE ? count < STEP : skipped == SKIP_MOST;
		if (list->last)
			return FAULT_NONE;
		if (fault != FAULT_NONE)
			list->to++;
	}
	return FAULT_NONE;
}

static bool
is_due(const struct walk_row *row, int64_t now_ms)
{
	return row->due_ms != 0 && row->due_ms <= now_ms;
}

/* What the notice of an offer is, its game alone tells. */
static bool
may_run(const struct walk_row *row, int64_t since_ms)
{
	return (row->clock && row->deadline_ms > since_ms) || (row->open && row->due_ms > since_ms) || row->offers;
}

static enum fault
find_due(struct db *db, int64_t now_ms, const struct sweep_damaged *damaged, struct sweep_list *list)
{
	int64_t games[SWEEP_MOST + SWEEP_DAMAGED_MOST];
	unsigned count, max = SWEEP_MOST + (damaged == NULL ? 0 : damaged->count);
	enum fault fault = games_overdue(db, now_ms, games, max, &count);
	for (unsigned i = 0; fault == FAULT_NONE && i < count && list->count < SWEEP_MOST; i++)
		if (!is_left_out(damaged, games[i]))
			list->games[list->count++] = games[i];
	list->last = list->count < SWEEP_MOST;
	return fault;
}

enum fault
sweep_find_due(struct db *db, int64_t now_ms, struct sweep_damaged *damaged, struct sweep_list *list)
{
	const struct walk walk = {db, damaged, is_due, now_ms};
	enum fault fault = FAULT_DAMAGED_DATA;
	*list = (struct sweep_list){0};
	if (damaged == NULL || !damaged->due)
		fault = find_due(db, now_ms, damaged, list);
	if (fault != FAULT_DAMAGED_DATA || damaged == NULL)
		return fault;
	damaged->due = true;
	return go_on(&walk, damaged->walked, list);
}

static enum fault
find_running(
    struct db *db, int64_t since_ms, int64_t after, const struct sweep_damaged *damaged, struct sweep_list *list)
{
	struct game_key keys[SWEEP_MOST];
	unsigned count;
	enum fault fault = games_running(db, since_ms, after, keys, SWEEP_MOST, &count);
	if (fault != FAULT_NONE)
		return fault;
	for (unsigned i = 0; i < count; i++)
		if (!is_left_out(damaged, keys[i].game))
			list->games[list->count++] = keys[i].game;
	list->to = count == 0 ? after : keys[count - 1].game;
	list->last = count < SWEEP_MOST;
	return fault;
}

enum fault
sweep_find_running(
    struct db *db, int64_t since_ms, int64_t after, struct sweep_damaged *damaged, struct sweep_list *list)
{
	const struct walk walk = {db, damaged, may_run, since_ms};
	enum fault fault = FAULT_DAMAGED_DATA;
	*list = (struct sweep_list){0};
	if (damaged == NULL || !damaged->running)
		fault = find_running(db, since_ms, after, damaged, list);
	if (fault != FAULT_DAMAGED_DATA || damaged == NULL)
		return fault;
	damaged->running = true;
	return go_on(&walk, after, list);
}

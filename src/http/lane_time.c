#include "http/lane_time.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "play/sweep.h"
#include "store/games.h"

enum {
	TICK_MS = 1000,      /* the longest wait while something may become due */
	AWAY_MS = 5000,      /* a gap between two turns that no wait explains */
	SIGN_MS = 1000,      /* how often a batch that is written anyway says that the service is alive */
	SIGN_IDLE_MS = 5000, /* how often that is written for its own sake */
	RETRY_MS = 500,      /* when it is tried again after a failure */
	STEP_MS = 50         /* between the steps of a walk to games that are due, which others wait for */
};

/* What has gone by since the service was last seen is owed; nothing is if it never was, or hardly was away. */
static void
owe(struct lane_time *time)
{
	struct alive_row *alive = &time->alive;
	if (alive->owed_ms == 0 && alive->at_ms != 0 && time->back_ms - alive->at_ms >= time->downtime_ms)
		*alive = (struct alive_row){.at_ms = alive->at_ms, .owed_ms = time->back_ms - alive->at_ms};
}

/* Looks for what comes next. */
static void
look(struct lane_time *time, struct db *db)
{
	if (time->damaged.due)
		time->due_ms = clock_now_ms(); /* nothing tells but the walk, which rests between its steps */
	else if (games_next_due(db, &time->due_ms) != FAULT_NONE)
		time->due_ms = clock_now_ms() + RETRY_MS;
	if (games_any_clock(db, &time->clocks) != FAULT_NONE)
		time->clocks = true;
}

bool
lane_time_open(struct lane_time *time, struct db *db, int64_t downtime_ms)
{
	*time = (struct lane_time){.arena = arena_open(LIMIT_ARENA), .downtime_ms = downtime_ms};
	if (time->arena == NULL)
		return false;
	if (alive_read(db, &time->alive) != FAULT_NONE)
		time->alive = (struct alive_row){0};
	time->back_ms = clock_now_ms();
	owe(time);
	look(time, db);
	return true;
}

void
lane_time_close(struct lane_time *time)
{
	arena_close(time->arena);
}

void
lane_time_turn(struct lane_time *time)
{
	int64_t now_us = clock_boot_us(), away_ms = (now_us - time->seen_us) / 1000;
	/* Where time stands still, it does so too while nobody runs. */
	if (time->seen_us != 0 && away_ms >= AWAY_MS && !clock_is_test()) {
		log_line(LOG_WARN, "was_away", "ms=%" PRId64, away_ms);
		time->back_ms = clock_now_ms();
		if (time->alive.owed_ms == 0)
			time->alive.at_ms = time->back_ms - away_ms;
		owe(time);
	}
	time->seen_us = now_us;
}

static bool
must_sign(const struct lane_time *time, int64_t now_ms, int64_t every_ms)
{
	if (clock_is_test())
		return now_ms != time->alive.at_ms;
	return now_ms - time->alive.at_ms >= every_ms || now_ms < time->alive.at_ms;
}

bool
lane_time_calls(const struct lane_time *time)
{
	int64_t now_ms = clock_now_ms();
	if (clock_mono_us() < time->rest_until_us)
		return false;
	return time->alive.owed_ms != 0 || (time->due_ms != 0 && time->due_ms <= now_ms) ||
	       (time->clocks && !clock_is_test() && must_sign(time, now_ms, SIGN_IDLE_MS));
}

int64_t
lane_time_wait_us(struct lane_time *time)
{
	int64_t wait_us = TICK_MS * 1000, now_us = clock_mono_us(), due_us = (time->due_ms - clock_now_ms()) * 1000;
	if (now_us < time->rest_until_us)
		return time->rest_until_us - now_us;
	if ((time->due_ms == 0 && !time->clocks) || clock_is_test()) {
		time->seen_us = 0;
		return -1;
	}
	if (time->due_ms != 0 && due_us < wait_us)
		wait_us = due_us;
	return wait_us < 0 ? 0 : wait_us;
}

/* What has happened to a game. */

static void
note_changed(void *arg, const struct game *game)
{
	struct lane_time *time = arg;
	struct changed_game *changed = arena_take(time->arena, sizeof *changed);
	time->short_of_memory |= changed == NULL;
	if (changed == NULL)
		return;
	memcpy(changed->id, game->row.id, sizeof changed->id);
	changed->thinks = game->row.thinks;
	changed->next = time->changed;
	time->changed = changed;
}

static void
note_failed(void *arg, const char id[ID_LEN + 1], enum fault fault)
{
	(void)arg;
	log_line(LOG_ERROR, "sweep_failed", "game=%s fault=%s", id, fault_row(fault)->slug);
}

/* A change that nobody could be told of must not be kept. */
static enum fault
all_noted(const struct lane_time *time, enum fault fault)
{
	return fault == FAULT_NONE && time->short_of_memory ? FAULT_OUT_OF_MEMORY : fault;
}

static struct sweep
sweep_of(struct lane_time *time, struct db *db)
{
	return (struct sweep){.db = db,
	    .now_ms = clock_now_ms(),
	    .changed = note_changed,
	    .failed = note_failed,
	    .arg = time,
	    .damaged = &time->damaged};
}

static void
tell_of_index(const char *event, bool before, bool now)
{
	if (now && !before)
		log_line(LOG_ERROR, event, "meanwhile=walk");
}

enum fault
lane_time_look_to_pay(struct lane_time *time, struct db *db)
{
	const struct alive_row *alive = &time->alive;
	bool before = time->damaged.running;
	enum fault fault = sweep_find_running(db, alive->at_ms, alive->given, &time->damaged, &time->found);
	tell_of_index("running_index_damaged", before, time->damaged.running);
	return fault;
}

void
lane_time_look_to_sweep(struct lane_time *time, struct db *db)
{
	int64_t now_ms = clock_now_ms();
	struct sweep_damaged *damaged = &time->damaged;
	bool before = damaged->due, resting = clock_mono_us() < time->rest_until_us;
	time->looked = time->due_ms != 0 && time->due_ms <= now_ms && !(damaged->due && resting);
	if (!time->looked)
		return;
	time->looked = sweep_find_due(db, now_ms, damaged, &time->found) == FAULT_NONE;
	tell_of_index("due_index_damaged", before, damaged->due);
	if (damaged->due)
		time->rest_until_us = clock_mono_us() + (time->found.last ? RETRY_MS : STEP_MS) * 1000;
}

bool
lane_time_got_further(const struct lane_time *time)
{
	return time->damaged.count > time->left_out;
}

enum fault
lane_time_pay(struct lane_time *time, struct db *db)
{
	struct sweep sweep = sweep_of(time, db);
	struct alive_row *alive = &time->alive;
	enum fault fault = sweep_pay(&sweep, &time->found, alive->at_ms, alive->owed_ms);
	if (fault == FAULT_NONE)
		alive->given = time->found.to;
	if (fault == FAULT_NONE && time->found.last) {
		log_line(LOG_INFO, "time_credited", "ms=%" PRId64, alive->owed_ms);
		*alive = (struct alive_row){.at_ms = alive->at_ms + alive->owed_ms};
		/* What an earlier start did not come to the end of went first. */
		owe(time);
	}
	fault = all_noted(time, fault);
	return fault == FAULT_NONE ? alive_write(db, alive) : fault;
}

/* All that a call has made due by moving time on; where that takes a walk, in what follows. */
static enum fault
sweep_all(struct lane_time *time, struct db *db)
{
	struct sweep sweep = sweep_of(time, db);
	unsigned count = 0;
	enum fault fault = FAULT_NONE;
	do
		fault = time->damaged.due ? FAULT_NONE : sweep_due(&sweep, &count);
	while (fault == FAULT_NONE && !time->damaged.due && count > 0);
	return fault;
}

enum fault
lane_time_sweep(struct lane_time *time, struct db *db, bool all)
{
	struct sweep sweep = sweep_of(time, db);
	unsigned count = 0;
	bool before = time->damaged.due;
	if (!all && !time->looked)
		return FAULT_NONE;
	enum fault fault = all ? sweep_all(time, db) : sweep_these(&sweep, &time->found, &count);
	tell_of_index("due_index_damaged", before, time->damaged.due);
	/* What is left out stays due: nobody is to run after it all the time. */
	if (fault == FAULT_NONE && count == 0 && time->damaged.count > 0 && !time->damaged.due)
		time->rest_until_us = clock_mono_us() + RETRY_MS * 1000;
	if (fault == FAULT_NONE && time->damaged.due && !all)
		time->damaged.walked = time->found.last ? 0 : time->found.to;
	return all_noted(time, fault);
}

enum fault
lane_time_sign(struct lane_time *time, struct db *db)
{
	int64_t now_ms = clock_now_ms();
	if (!must_sign(time, now_ms, SIGN_MS))
		return FAULT_NONE;
	time->alive.at_ms = now_ms;
	return alive_write(db, &time->alive);
}

void
lane_time_begin(struct lane_time *time)
{
	time->before = time->alive;
	time->left_out = time->damaged.count;
	time->changed = NULL;
	time->short_of_memory = false;
	arena_reset(time->arena);
}

void
lane_time_kept(struct lane_time *time, struct db *db)
{
	time->changed = NULL;
	look(time, db);
}

void
lane_time_lost(struct lane_time *time)
{
	time->changed = NULL;
	time->alive = time->before;
	time->rest_until_us = lane_time_got_further(time) ? 0 : clock_mono_us() + RETRY_MS * 1000;
	time->left_out = time->damaged.count;
}

void
lane_time_reopened(struct lane_time *time, struct db *db)
{
	struct alive_row stored;
	const struct alive_row *alive = &time->alive;
	bool read = alive_read(db, &stored) == FAULT_NONE;
	if (read && (stored.at_ms > alive->at_ms || (stored.at_ms == alive->at_ms && stored.given > alive->given)))
		time->alive = stored;
	look(time, db);
}

/* A batch of the write lane: run in one transaction, made durable, told of, and given back. */
#include "api/reply.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/figures.h"
#include "http/lane_private.h"
#include "http/statistics.h"
#include "store/retries.h"

enum {
	EXPIRE_MORE = 4,               /* kept answers that a batch may drop, beyond as many as it has calls */
	EXPIRE_EVERY_US = 1000 * 1000, /* how long none are looked for when all that had expired are gone */
	REOPEN_EVERY_US = 200 * 1000   /* how often a file that could not be opened again is tried */
};

/* After a failed COMMIT nobody knows what the file holds until it is opened anew. */
void
lane_reopen(struct lane_writer *lane)
{
	char why[256], quoted[256];
	int64_t now = clock_mono_us();
	if (lane->db == NULL && now - lane->reopened_us < REOPEN_EVERY_US)
		return;
	statistics_log(lane->db);
	db_close(lane->db);
	lane->db = db_open(lane->options.path, DB_WRITE, why, sizeof why);
	lane->reopened_us = now;
	if (lane->db == NULL) {
		log_line(LOG_ERROR, "store_reopen_failed", "why=%s", log_quote(why, quoted, sizeof quoted));
		return;
	}
	lane_time_reopened(&lane->time, lane->db);
	log_line(LOG_WARN, "store_reopened", "after=commit_failed");
}

void
lane_log_failure(struct lane_writer *lane, const char *event)
{
	char quoted[256];
	log_line(LOG_ERROR, event, "why=%s",
	    log_quote(lane->db == NULL ? "not open" : db_error(lane->db), quoted, sizeof quoted));
}

/* Runs one call inside its savepoint; false if the whole transaction is lost. */
static bool
run_one(struct lane_writer *lane, struct lane_entry *entry)
{
	struct call *call = entry->call;
	entry->keep = false;
	if (db_savepoint(lane->db) != FAULT_NONE)
		return false;
	call->db = lane->db;
	call->now_ms = clock_now_ms();
	entry->keep = entry->run != NULL ? entry->run(call) : call_run(call);
	call->db = NULL;
	if (!db_in_transaction(lane->db))
		return false;
	return (entry->keep ? db_release(lane->db) : db_rollback_to(lane->db)) == FAULT_NONE;
}

/* The games that an entry has changed, if its effect is kept. */
static const struct changed_game *
changed(const struct lane_entry *entry)
{
	return entry->keep ? entry->call->changed : NULL;
}

static void
hold_changes(struct lane_writer *lane, const struct lane_entry *batch)
{
	changes_begin(&lane->changes);
	for (const struct changed_game *game = lane->time.changed; game != NULL; game = game->next)
		changes_hold(&lane->changes, changes_slot(game->id));
	for (; batch != NULL; batch = batch->next)
		for (const struct changed_game *game = changed(batch); game != NULL; game = game->next)
			changes_hold(&lane->changes, changes_slot(game->id));
}

static void
publish_changes(struct lane_writer *lane, const struct lane_entry *batch)
{
	uint64_t epoch = changes_next(&lane->changes);
	for (const struct changed_game *game = lane->time.changed; game != NULL; game = game->next)
		changes_publish(&lane->changes, changes_slot(game->id), epoch);
	for (; batch != NULL; batch = batch->next)
		for (const struct changed_game *game = changed(batch); game != NULL; game = game->next)
			changes_publish(&lane->changes, changes_slot(game->id), epoch);
	changes_tell(&lane->changes);
}

/* Of some games, those in which an engine must do something. */
static void
tell_of(struct lane_writer *lane, const struct changed_game *game)
{
	for (; game != NULL; game = game->next) {
		if (game->thinks == 0)
			continue;
		pthread_mutex_lock(&lane->lock);
		void (*hear)(void *, const struct changed_game *) = lane->hear;
		void *arg = lane->hear_arg;
		pthread_mutex_unlock(&lane->lock);
		if (hear != NULL)
			hear(arg, game);
	}
}

static void
tell_engines(struct lane_writer *lane, const struct lane_entry *batch)
{
	tell_of(lane, lane->time.changed);
	for (; batch != NULL; batch = batch->next)
		tell_of(lane, changed(batch));
}

/*
 * Housekeeping goes with what is written anyway: a few more are dropped than
 * may have been added, so that it comes to an end, and then it rests a while.
 */
static enum fault
drop_expired(struct lane_writer *lane, const struct lane_entry *batch)
{
	unsigned most = EXPIRE_MORE, dropped;
	int64_t now = clock_mono_us();
	if (now < lane->expire_us)
		return FAULT_NONE;
	for (; batch != NULL; batch = batch->next)
		most++;
	enum fault fault = retries_expire(lane->db, clock_now_ms(), most, &dropped);
	if (fault == FAULT_NONE && dropped < most)
		lane->expire_us = now + EXPIRE_EVERY_US;
	return fault;
}

/* Makes what was written durable and tells of it. */
static bool
commit(struct lane_writer *lane, const struct lane_entry *batch)
{
	hold_changes(lane, batch);
	int64_t began_us = clock_mono_us();
	bool good = db_commit(lane->db) == FAULT_NONE;
	figures_commit((uint64_t)(clock_mono_us() - began_us), good);
	if (!good)
		lane_log_failure(lane, "commit_failed");
	publish_changes(lane, batch);
	if (good) {
		tell_engines(lane, batch);
		lane_time_kept(&lane->time, lane->db);
	} else {
		lane_time_lost(&lane->time);
		lane_reopen(lane);
	}
	return good;
}

/* Begins a transaction; false if the file is not open, or cannot be written. */
static bool
begin(struct lane_writer *lane)
{
	if (lane->db == NULL)
		lane_reopen(lane);
	lane_time_begin(&lane->time);
	return lane->db != NULL && db_write_begin(lane->db) == FAULT_NONE;
}

/* What was written is lost. */
static void
abandon(struct lane_writer *lane)
{
	lane_log_failure(lane, "batch_failed");
	lane_time_lost(&lane->time);
	if (lane->db != NULL)
		db_end(lane->db);
}

/* Gives back some of the time that is owed. */
static bool
pay_some(struct lane_writer *lane)
{
	if (lane->db == NULL || lane_time_look_to_pay(&lane->time, lane->db) != FAULT_NONE)
		return false;
	return begin(lane) && lane_time_pay(&lane->time, lane->db) == FAULT_NONE && commit(lane, NULL);
}

/* Gives back all of it, before anything else is written; a game that is damaged keeps nobody from his. */
static bool
pay(struct lane_writer *lane)
{
	if (lane->db == NULL)
		lane_reopen(lane);
	while (lane->time.alive.owed_ms != 0) {
		if (pay_some(lane))
			continue;
		if (!lane_time_got_further(&lane->time))
			return false;
		abandon(lane);
	}
	return true;
}

/* Runs what is due and the calls; *kept tells whether anything was written. */
static bool
run_all(struct lane_writer *lane, struct lane_entry *batch, bool *kept)
{
	if (lane_time_sweep(&lane->time, lane->db, false) != FAULT_NONE)
		return false;
	*kept = batch == NULL || lane->time.changed != NULL;
	for (struct lane_entry *entry = batch; entry != NULL; entry = entry->next) {
		if (!run_one(lane, entry))
			return false;
		*kept |= entry->keep;
	}
	/* A call may have moved time on, and wants to see what comes of it. */
	return !clock_is_test() || lane_time_sweep(&lane->time, lane->db, true) == FAULT_NONE;
}

/* All of the batch, or nothing: false if nothing of it may be believed.  Without calls: what passing time asks for. */
static bool
run_batch(struct lane_writer *lane, struct lane_entry *batch)
{
	bool kept;
	if (!pay(lane))
		return false;
	if (lane->db != NULL)
		lane_time_look_to_sweep(&lane->time, lane->db);
	if (!begin(lane) || !run_all(lane, batch, &kept))
		return false;
	if (db_damaged(lane->db))
		return false;
	if (!kept && lane->time.changed == NULL) {
		db_end(lane->db); /* refusals only: there is nothing to make durable */
		return true;
	}
	if (drop_expired(lane, batch) != FAULT_NONE || lane_time_sign(&lane->time, lane->db) != FAULT_NONE)
		return false;
	return commit(lane, batch);
}

void
lane_pass_time(struct lane_writer *lane)
{
	if (!run_batch(lane, NULL))
		abandon(lane);
	if (lane->db != NULL)
		db_checkpoint(lane->db);
}

/* From here on the entries are not ours. */
static void
give_back(struct lane_writer *lane, struct lane_entry *batch)
{
	struct lane_entry *rest = NULL, **end = &rest;
	for (struct lane_entry *next; batch != NULL; batch = next) {
		next = batch->next;
		if (batch->done != NULL) {
			batch->done(batch);
			continue;
		}
		*end = batch;
		end = &batch->next;
	}
	*end = NULL;
	if (rest != NULL)
		lane->options.done(rest);
}

static void
fail_entry(struct lane_entry *entry, enum fault fault)
{
	entry->keep = false;
	entry->call->db = NULL;
	entry->call->changed = NULL;
	call_fail(entry->call, fault, NULL);
}

/* An entry in a transaction of its own; what met damage has its answer, and has done nothing. */
static void
run_alone(struct lane_writer *lane, struct lane_entry *entry)
{
	reply_reset(entry->call);
	entry->call->changed = NULL;
	if (!begin(lane) || !run_one(lane, entry)) {
		abandon(lane);
		fail_entry(entry, FAULT_STORAGE);
		return;
	}
	bool damaged = db_damaged(lane->db);
	if (damaged || !entry->keep)
		db_end(lane->db);
	if (damaged && entry->keep)
		fail_entry(entry, FAULT_DAMAGED_DATA);
	else if (entry->keep && !commit(lane, entry))
		fail_entry(entry, FAULT_STORAGE);
}

/* One of them has met a damaged page, and with it all are undone: each is done again, apart from the others. */
static void
run_apart(struct lane_writer *lane, struct lane_entry *batch)
{
	for (struct lane_entry *next; batch != NULL; batch = next) {
		next = batch->next;
		batch->next = NULL;
		run_alone(lane, batch);
		batch->next = next;
	}
}

void
lane_answer(struct lane_writer *lane, struct lane_entry *batch)
{
	if (!run_batch(lane, batch)) {
		bool damaged = lane->db != NULL && db_damaged(lane->db);
		abandon(lane);
		if (damaged)
			run_apart(lane, batch);
		for (struct lane_entry *entry = damaged ? NULL : batch; entry != NULL; entry = entry->next)
			fail_entry(entry, FAULT_STORAGE);
	}
	give_back(lane, batch);
	if (lane->db != NULL)
		db_checkpoint(lane->db);
}

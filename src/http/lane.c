#include "http/lane.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "api/reply.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/pulse.h"
#include "http/figures.h"
#include "http/lane_time.h"
#include "http/statistics.h"
#include "store/db.h"
#include "store/retries.h"

enum {
	EXPIRE_MORE = 4,               /* kept answers that a batch may drop, beyond as many as it has calls */
	EXPIRE_EVERY_US = 1000 * 1000, /* how long none are looked for when all that had expired are gone */
	PROBE_FRESH_US = 1000 * 1000,  /* how long the answer of a probe stands */
	PROBE_WAIT_US = 250 * 1000,    /* how long one who asks waits for it */
	REOPEN_EVERY_US = 200 * 1000   /* how often a file that could not be opened again is tried */
};

struct lane_writer {
	struct lane_options options;
	pthread_t thread;
	struct changes changes;
	unsigned schema;
	struct pulse pulse;

	/* The writer's own. */
	struct db *db; /* NULL while it cannot be opened */
	int64_t reopened_us;
	int64_t expire_us; /* when kept answers are dropped again */
	struct lane_time time;

	pthread_mutex_t lock;  /* guards all that follows */
	pthread_cond_t work;   /* to the writer: calls, a probe or the end */
	pthread_cond_t probed; /* from the writer */
	struct lane_entry *first, **last;
	unsigned queued;
	bool closing;
	bool probe_wanted;
	bool probe_good;
	int64_t probe_asked_us;                                   /* of the probe that is wanted */
	int64_t probe_us;                                         /* of the last one that ended */
	void (*hear)(void *arg, const struct changed_game *game); /* lane_tell */
	void *hear_arg;
};

/*
 * On a kernel without preemption a thread that comes back from a sync may wait
 * for the end of another's time slice, up to 4 ms.  One with a short slice of
 * its own is let in at once (SCHED_OTHER with a runtime, Linux 6.12); where the
 * kernel does not know that, nothing happens.
 */
static void
take_short_slices(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} wanted = {.size = sizeof wanted, .policy = SCHED_OTHER, .runtime = 100 * 1000};
	syscall(SYS_sched_setattr, 0, &wanted, 0);
}

/* After a failed COMMIT nobody knows what the file holds until it is opened anew. */
static void
reopen(struct lane_writer *lane)
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

static void
log_failure(struct lane_writer *lane, const char *event)
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
		log_failure(lane, "commit_failed");
	publish_changes(lane, batch);
	if (good) {
		tell_engines(lane, batch);
		lane_time_kept(&lane->time, lane->db);
	} else {
		lane_time_lost(&lane->time);
		reopen(lane);
	}
	return good;
}

/* Begins a transaction; false if the file is not open, or cannot be written. */
static bool
begin(struct lane_writer *lane)
{
	if (lane->db == NULL)
		reopen(lane);
	lane_time_begin(&lane->time);
	return lane->db != NULL && db_write_begin(lane->db) == FAULT_NONE;
}

/* Gives back all the time that is owed, before anything else is written. */
static bool
pay(struct lane_writer *lane)
{
	while (lane->time.alive.owed_ms != 0)
		if (!begin(lane) || lane_time_pay(&lane->time, lane->db) != FAULT_NONE || !commit(lane, NULL))
			return false;
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
	if (!pay(lane) || !begin(lane) || !run_all(lane, batch, &kept))
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

/* What was written is lost. */
static void
abandon(struct lane_writer *lane)
{
	log_failure(lane, "batch_failed");
	lane_time_lost(&lane->time);
	if (lane->db != NULL)
		db_end(lane->db);
}

/* Nobody calls, but time passes. */
static void
pass_time(struct lane_writer *lane)
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

static void
answer_batch(struct lane_writer *lane, struct lane_entry *batch)
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

static void
probe(struct lane_writer *lane)
{
	if (lane->db == NULL)
		reopen(lane);
	bool good = lane->db != NULL && db_probe(lane->db) == FAULT_NONE;
	if (!good)
		log_failure(lane, "probe_failed");
	pthread_mutex_lock(&lane->lock);
	lane->probe_wanted = false;
	lane->probe_good = good;
	lane->probe_us = clock_mono_us();
	pthread_cond_broadcast(&lane->probed);
	pthread_mutex_unlock(&lane->lock);
}

/* Takes up to batch_max entries off the queue.  Under the lock. */
static struct lane_entry *
take_batch(struct lane_writer *lane)
{
	struct lane_entry *batch = lane->first, **end = &lane->first;
	unsigned count = 0;
	for (; *end != NULL && count < lane->options.batch_max; count++)
		end = &(*end)->next;
	lane->first = *end;
	*end = NULL;
	if (lane->first == NULL)
		lane->last = &lane->first;
	lane->queued -= count;
	if (count > 0)
		figures_batch(count);
	return count == 0 ? NULL : batch;
}

/* Waits for calls, or until time asks for something.  Under the lock. */
static void
wait_for_work(struct lane_writer *lane)
{
	int64_t wait_us = lane_time_wait_us(&lane->time), until = clock_mono_us() + wait_us;
	struct timespec limit = {.tv_sec = until / 1000000, .tv_nsec = until % 1000000 * 1000};
	if (wait_us < 0)
		pthread_cond_wait(&lane->work, &lane->lock);
	else
		pthread_cond_timedwait(&lane->work, &lane->lock, &limit);
}

static void *
run(void *arg)
{
	struct lane_writer *lane = arg;
	take_short_slices();
	pthread_mutex_lock(&lane->lock);
	for (;;) {
		pulse_answer(&lane->pulse);
		lane_time_turn(&lane->time);
		bool called = lane->first != NULL || lane->probe_wanted;
		if (!called && lane->closing)
			break;
		if (!called && !lane_time_calls(&lane->time)) {
			wait_for_work(lane);
			continue;
		}
		bool probing = lane->probe_wanted;
		struct lane_entry *batch = take_batch(lane);
		pthread_mutex_unlock(&lane->lock);
		if (batch != NULL)
			answer_batch(lane, batch);
		else if (!probing)
			pass_time(lane);
		if (probing)
			probe(lane);
		log_flush();
		pthread_mutex_lock(&lane->lock);
	}
	pthread_mutex_unlock(&lane->lock);
	if (lane->time.clocks)
		pass_time(lane);
	statistics_log(lane->db);
	db_close(lane->db);
	log_flush();
	return NULL;
}

struct lane_writer *
lane_open(const struct lane_options *options, char *why, size_t room)
{
	struct lane_writer *lane = calloc(1, sizeof *lane);
	if (lane == NULL) {
		snprintf(why, room, "no memory");
		return NULL;
	}
	lane->options = *options;
	lane->last = &lane->first;
	lane->changes.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	lane->probe_us = -PROBE_FRESH_US;
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&lane->lock, NULL);
	pthread_cond_init(&lane->work, &attributes);
	pthread_cond_init(&lane->probed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (lane->changes.event < 0) {
		snprintf(why, room, "no file descriptors");
		goto failed;
	}
	lane->db = db_open(options->path, DB_WRITE, why, room);
	if (lane->db == NULL)
		goto failed;
	lane->schema = db_schema(lane->db);
	if (!lane_time_open(
		&lane->time, lane->db, options->downtime_ms > 0 ? options->downtime_ms : LANE_DOWNTIME_MS)) {
		snprintf(why, room, "no memory");
		goto failed_open;
	}
	/* Before anybody asks: whoever comes first sees his time given back. */
	if (lane_time_calls(&lane->time))
		pass_time(lane);
	if (pthread_create(&lane->thread, NULL, run, lane) == 0)
		return lane;
	snprintf(why, room, "cannot start a thread");
failed_open:
	db_close(lane->db);
failed:
	lane_free(lane);
	return NULL;
}

bool
lane_append(struct lane_writer *lane, struct lane_entry *entry, enum fault *fault)
{
	bool taken = false;
	pthread_mutex_lock(&lane->lock);
	if (lane->closing) {
		*fault = FAULT_STOPPING;
	} else if (lane->queued >= LIMIT_WRITE_QUEUE) {
		*fault = FAULT_OVERLOADED;
		figures_refused(FIGURES_WRITER_QUEUE);
	} else {
		taken = true;
		entry->next = NULL;
		*lane->last = entry;
		lane->last = &entry->next;
		/* A queue that was not empty has its signal already. */
		if (lane->queued++ == 0)
			pthread_cond_signal(&lane->work);
	}
	pthread_mutex_unlock(&lane->lock);
	return taken;
}

void
lane_tell(struct lane_writer *lane, void (*hear)(void *arg, const struct changed_game *game), void *arg)
{
	pthread_mutex_lock(&lane->lock);
	lane->hear = hear;
	lane->hear_arg = arg;
	pthread_mutex_unlock(&lane->lock);
}

void
lane_close(struct lane_writer *lane)
{
	pthread_mutex_lock(&lane->lock);
	lane->closing = true;
	pthread_cond_signal(&lane->work);
	pthread_mutex_unlock(&lane->lock);
}

bool
lane_turns(struct lane_writer *lane)
{
	bool turned = pulse_ask(&lane->pulse);
	pthread_mutex_lock(&lane->lock);
	pthread_cond_signal(&lane->work);
	pthread_mutex_unlock(&lane->lock);
	return turned;
}

void
lane_join(struct lane_writer *lane)
{
	pthread_join(lane->thread, NULL);
}

void
lane_free(struct lane_writer *lane)
{
	lane_time_close(&lane->time);
	pthread_cond_destroy(&lane->probed);
	pthread_cond_destroy(&lane->work);
	pthread_mutex_destroy(&lane->lock);
	if (lane->changes.event >= 0)
		close(lane->changes.event);
	free(lane);
}

struct changes *
lane_changes(struct lane_writer *lane)
{
	return &lane->changes;
}

unsigned
lane_schema(const struct lane_writer *lane)
{
	return lane->schema;
}

unsigned
lane_queued(struct lane_writer *lane)
{
	pthread_mutex_lock(&lane->lock);
	unsigned queued = lane->queued;
	pthread_mutex_unlock(&lane->lock);
	return queued;
}

bool
lane_ready(struct lane_writer *lane)
{
	pthread_mutex_lock(&lane->lock);
	int64_t now = clock_mono_us();
	bool fresh = now - lane->probe_us < PROBE_FRESH_US;
	if (!fresh && !lane->probe_wanted && !lane->closing) {
		lane->probe_wanted = true;
		lane->probe_asked_us = now;
		pthread_cond_signal(&lane->work);
	}
	/* All who ask while one probe is under way give up at the same moment: together they wait once. */
	int64_t until = lane->probe_asked_us + PROBE_WAIT_US;
	struct timespec limit = {.tv_sec = until / 1000000, .tv_nsec = until % 1000000 * 1000};
	while (!fresh && lane->probe_wanted)
		if (pthread_cond_timedwait(&lane->probed, &lane->lock, &limit) != 0)
			break;
	bool ready = lane->probe_good && !lane->closing && clock_mono_us() - lane->probe_us < PROBE_FRESH_US;
	pthread_mutex_unlock(&lane->lock);
	return ready;
}

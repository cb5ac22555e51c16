#include "http/lane.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "http/figures.h"
#include "http/lane_private.h"
#include "http/statistics.h"

enum {
	PROBE_FRESH_US = 1000 * 1000, /* how long the answer of a probe stands */
	PROBE_WAIT_US = 250 * 1000    /* how long one who asks waits for it */
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

static void
probe(struct lane_writer *lane)
{
	if (lane->db == NULL)
		lane_reopen(lane);
	bool good = lane->db != NULL && db_probe(lane->db) == FAULT_NONE;
	if (!good)
		lane_log_failure(lane, "probe_failed");
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
			lane_answer(lane, batch);
		else if (!probing)
			lane_pass_time(lane);
		if (probing)
			probe(lane);
		log_flush();
		pthread_mutex_lock(&lane->lock);
	}
	pthread_mutex_unlock(&lane->lock);
	if (lane->time.clocks)
		lane_pass_time(lane);
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
		snprintf(why, room, "no memory for the writer");
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
		snprintf(why, room, "no memory for the writer");
		goto failed_open;
	}
	/* Before anybody asks: whoever comes first sees his time given back. */
	if (lane_time_calls(&lane->time))
		lane_pass_time(lane);
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

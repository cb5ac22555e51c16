/* Inside the write lane only: the queue and its thread (lane.c), and what is done with a batch (lane_batch.c). */
#ifndef IUVOD_HTTP_LANE_PRIVATE_H
#define IUVOD_HTTP_LANE_PRIVATE_H

#include <pthread.h>

#include "base/pulse.h"
#include "http/lane.h"
#include "http/lane_time.h"
#include "store/db.h"

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
 * All on the writer's thread, without the lock.
 */

/* Opens the data file anew, if it is time to try that. */
void lane_reopen(struct lane_writer *lane);

/* Logs what the data file says is wrong. */
void lane_log_failure(struct lane_writer *lane, const char *event);

/* Runs the calls of a batch in a transaction, commits it and gives them back, each with its answer. */
void lane_answer(struct lane_writer *lane, struct lane_entry *batch);

/* Nobody calls, but time passes: what it asks for is done. */
void lane_pass_time(struct lane_writer *lane);

#endif

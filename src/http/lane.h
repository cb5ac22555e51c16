/*
 * The write lane: one thread that takes all that is queued, runs it in one
 * transaction and answers after COMMIT (group commit).  Everything that changes
 * the store goes through it.
 */
#ifndef IUVOD_HTTP_LANE_H
#define IUVOD_HTTP_LANE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/call.h"

struct lane_writer;

/* One entry of the queue: embedded in whatever owns the call. */
struct lane_entry {
	struct lane_entry *next;
	struct call *call;
	/* Called on the writer thread once the call is replied and durable, the last touch of the entry. */
	void (*done)(struct lane_entry *entry);
};

/* Starts the thread on a database file.  batch_max 1 commits each call by itself (for the benchmark). */
struct lane_writer *lane_open(const char *path, unsigned batch_max, char *why, size_t room);

/*
 * Appends a call.  `suspend` is called under the lane's lock, if and only if the
 * call is taken, before the writer can see it.  False if the lane is closing
 * (FAULT_STOPPING) or full (FAULT_OVERLOADED): then nothing was suspended.
 */
bool lane_append(struct lane_writer *lane, struct lane_entry *entry, void (*suspend)(void *arg), void *arg, enum fault *fault);

/* Refuses further calls from now on. */
void lane_close(struct lane_writer *lane);

/* After lane_close: waits until all that was taken is answered, and ends the thread. */
void lane_join(struct lane_writer *lane);

/* GET /readyz: whether the disk took the last probe, at most a second old.  Any thread. */
bool lane_ready(struct lane_writer *lane);

#endif

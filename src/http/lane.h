/*
 * The write lane: one thread that takes all that is queued, runs it in one
 * transaction and answers after COMMIT (group commit).  Everything that changes
 * the store goes through it: what is due by itself, too, and time given back to
 * clocks (lane_time.h); and it drops kept answers that have expired.
 */
#ifndef IUVOD_HTTP_LANE_H
#define IUVOD_HTTP_LANE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/call.h"
#include "http/changes.h"

struct lane_writer;

/*
 * One entry of the queue: embedded in whatever owns the call.  A call that nobody
 * sent, as the move of an engine, is zero but for its arena and service; it has a
 * run and a done of its own.
 */
struct lane_entry {
	struct lane_entry *next;
	struct call *call;
	bool (*run)(
	    struct call *call); /* as call_run, which NULL stands for; what it changes it tells by call_changed */
	void (*done)(struct lane_entry *entry); /* NULL: it goes with its batch to lane_options.done */
	bool keep;                              /* the writer's: call_run asked for its effect to be kept */
};

struct lane_options {
	const char *path;    /* the data file */
	unsigned batch_max;  /* calls in one transaction; 1 commits each by itself */
	int64_t downtime_ms; /* the shortest time of not running that is given back; 0: LANE_DOWNTIME_MS */
	/*
	 * Called on the writer thread with the entries of a batch that have no done of
	 * their own, each replied and durable, linked by next; those that have are told first.  Then they belong to the
	 * callee: the writer does not touch them again.
	 */
	void (*done)(struct lane_entry *batch);
};

/* Opens the data file, creates or migrates it, and starts the thread.  On failure NULL with a line in why[room]. */
struct lane_writer *lane_open(const struct lane_options *options, char *why, size_t room);

/*
 * Appends a call.  From then on it belongs to the writer until it comes back by
 * `done`.  False with a fault if the lane is closing (FAULT_STOPPING) or full
 * (FAULT_OVERLOADED): then the call is still the caller's.  Any thread.
 */
bool lane_append(struct lane_writer *lane, struct lane_entry *entry, enum fault *fault);

/*
 * Whom the writer tells, on its thread, of each game that a durable change has
 * left with something for an engine to do.  NULL: nobody, as at first.  Any thread.
 */
void lane_tell(struct lane_writer *lane, void (*hear)(void *arg, const struct changed_game *game), void *arg);

/* Whether the writer has done a turn since this was asked before (base/pulse.h). */
bool lane_turns(struct lane_writer *lane);

/* Refuses further calls from now on.  Any thread. */
void lane_close(struct lane_writer *lane);

/* After lane_close: waits until all that was taken is answered, ends the thread and closes the data file. */
void lane_join(struct lane_writer *lane);

/* Frees it, after lane_join and when nobody asks it any more. */
void lane_free(struct lane_writer *lane);

/* The games that changed: written by the lane, read by caches and whoever waits.  Lives as long as the lane. */
struct changes *lane_changes(struct lane_writer *lane);

/* The schema of the data file. */
unsigned lane_schema(const struct lane_writer *lane);

/* How many calls wait for the writer.  Any thread. */
unsigned lane_queued(struct lane_writer *lane);

/*
 * GET /readyz: whether the disk took the last probe, which is at most a second
 * old and shared by all who ask.  Waits for a probe under way, but not long: a
 * disk that takes longer is not ready.  Any thread.
 */
bool lane_ready(struct lane_writer *lane);

#endif

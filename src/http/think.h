/*
 * The engine's threads.  Whoever wants something thought about submits a job: a
 * call that asks for a hint (exchange.c), a seat that an engine holds.  Each
 * thread owns the memory of one search; nothing is ever searched on a thread that
 * serves or writes.
 *
 * A job is done in steps, of one search each.  Between two steps others have their
 * turn, so that a long job holds nobody up for longer than a step.  There are four
 * classes of jobs, each a queue, and the threads go round them: people who wait come
 * first, a quick question comes before the next dear one, and games of engines
 * against engines never come to a stop.  Within a class it is first come, first
 * served, whoever asks: nothing is shared out by address here.
 *
 * A job that ends in a change of the store, from its submission to its COMMIT:
 *
 *     think_submit     with a class, step and done; position and past are the job's own
 *     step             on an engine thread: level_run(search, …, &job->stop, …)
 *     done             on an engine thread: if the job was not stopped, lane_append of an
 *                      entry with run and done of its own (lane.h)
 *     entry->run       in the writer's transaction: looks whether the game still stands
 *                      where it stood, and plays
 *     entry->done      on the writer's thread, after COMMIT: frees the job
 */
#ifndef IUVOD_HTTP_THINK_H
#define IUVOD_HTTP_THINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"
#include "engine/search.h"

struct think;

enum think_class {
	THINK_QUICK,    /* hints, analyses and reports with a small budget in all (question.h) */
	THINK_QUESTION, /* all others of them */
	THINK_PERSON,   /* moves in games in which a person sits */
	THINK_ENGINE,   /* moves in games of engines alone */
	THINK_CLASSES
};

enum think_place { THINK_AWAY, THINK_QUEUED, THINK_RUNNING };

/* One job: embedded in whatever owns it, and zero but for what its owner fills in. */
struct think_job {
	/* The owner's, untouched by the pool. */
	enum think_class class;
	/* One search, on an engine thread; true if there is another to come.  It ends soon after job->stop turns true.
	 */
	bool (*step)(struct think_job *job, struct search *search);
	/*
	 * The job is over: all its steps were done, or job->stop is true and they need
	 * not have been.  Called with no lock held, on an engine thread; or, if no step of
	 * it was under way, on the thread that called think_cancel or think_end.  From then on the
	 * job belongs to the callee, and `next` is his to use.
	 */
	void (*done)(struct think_job *job);

	/* Set by think_cancel and think_end; to be handed to the search. */
	_Atomic bool stop;

	struct think_job *next;
	/* The pool's. */
	struct think_job *before;
	enum think_place place;
};

struct think_options {
	unsigned threads;   /* 0: there is no engine, and every job is refused */
	size_t memory;      /* bytes of each thread's search */
	unsigned questions; /* most jobs of the two classes of questions together, those under way included */
	unsigned moves;     /* the same of each of the two classes of moves */
};

enum { THINK_THREADS_MAX = 64 };

/* Starts the threads; on failure NULL with a line in why[room]. */
struct think *think_open(const struct think_options *options, char *why, size_t room);

/*
 * Takes a job.  From then on it belongs to the pool until it comes back by `done`,
 * perhaps before this returns.  False with a fault if there is no engine
 * (FAULT_NO_ENGINE), there are as many as there may be (FAULT_ENGINE_BUSY) or the
 * pool is ending (FAULT_STOPPING): then it is still the caller's.  Any thread.
 */
bool think_submit(struct think *think, struct think_job *job, enum fault *fault);

/* How many jobs of each class wait, and how many searches are under way. */
struct think_count {
	unsigned waiting[THINK_CLASSES], running;
};

void think_count(struct think *think, struct think_count *count);

/*
 * Nobody wants it any more: it comes back by `done` at once, or soon if a step of
 * it is under way.  The caller sees to it that the job has not been freed meanwhile.
 * Any thread.
 */
void think_cancel(struct think *think, struct think_job *job);

/* Takes no more jobs, stops all that there are, and waits until each has come back: some milliseconds. */
void think_end(struct think *think);

/* Frees it, after think_end and when nobody asks it any more.  NULL is allowed. */
void think_close(struct think *think);

#endif

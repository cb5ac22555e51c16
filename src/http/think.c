#include "http/think.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "http/figures.h"

enum {
	STACK_BYTES = 8 << 20, /* search_run wants 2 MiB; sanitizers several times as much */
};

/* The order in which the threads go round the classes.  No dear question has its turn twice before a quick one has. */
static const enum think_class rounds[] = {
    THINK_PERSON, THINK_QUICK, THINK_QUESTION, THINK_PERSON, THINK_QUICK, THINK_QUESTION, THINK_ENGINE};

enum { ROUNDS = sizeof rounds / sizeof *rounds };

struct queue {
	struct think_job *first, *last;
	unsigned count; /* those that a step is done of included */
};

struct worker {
	struct think *think;
	pthread_t thread;
	struct search *search;
	void *memory;
	struct think_job *job; /* of which it does a step; guarded by the pool's lock */
};

struct think {
	pthread_mutex_t lock; /* guards what follows, and the places of jobs */
	pthread_cond_t work;
	struct queue queues[THINK_CLASSES];
	unsigned questions, moves; /* caps */
	unsigned round;
	bool ending;

	unsigned worker_count, started;
	struct worker workers[];
};

/* ---- queues; under the lock ---- */

static void
append(struct think *think, struct think_job *job)
{
	struct queue *queue = &think->queues[job->class];
	job->place = THINK_QUEUED;
	job->next = NULL;
	job->before = queue->last;
	if (queue->last != NULL)
		queue->last->next = job;
	else
		queue->first = job;
	queue->last = job;
}

static void
take_out(struct think *think, struct think_job *job)
{
	struct queue *queue = &think->queues[job->class];
	if (job->before != NULL)
		job->before->next = job->next;
	else
		queue->first = job->next;
	if (job->next != NULL)
		job->next->before = job->before;
	else
		queue->last = job->before;
	job->next = job->before = NULL;
}

/* Whether there are as many of a class as there may be. */
static bool
full(const struct think *think, enum think_class class)
{
	const struct queue *queues = think->queues;
	if (class == THINK_QUICK || class == THINK_QUESTION)
		return queues[THINK_QUICK].count + queues[THINK_QUESTION].count >= think->questions;
	return queues[class].count >= think->moves;
}

/* It leaves the pool, from wherever it was. */
static void
leave(struct think *think, struct think_job *job)
{
	job->place = THINK_AWAY;
	think->queues[job->class].count--;
}

/* The next job to do a step of; NULL if there is none. */
static struct think_job *
next_job(struct think *think)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned round = (think->round + i) % ROUNDS;
		struct think_job *job = think->queues[rounds[round]].first;
		if (job == NULL)
			continue;
		think->round = (round + 1) % ROUNDS;
		take_out(think, job);
		job->place = THINK_RUNNING;
		return job;
	}
	return NULL;
}

/* ---- the threads ---- */

/* One step of a job.  The lock is let go meanwhile. */
static void
do_step(struct worker *worker, struct think_job *job)
{
	struct think *think = worker->think;
	worker->job = job;
	pthread_mutex_unlock(&think->lock);
	int64_t began_us = clock_mono_us();
	bool more = job->step(job, worker->search);
	pthread_mutex_lock(&think->lock);
	figures_search((uint64_t)(clock_mono_us() - began_us));
	worker->job = NULL;
	if (more && !job->stop) {
		append(think, job);
		return;
	}
	leave(think, job);
	pthread_mutex_unlock(&think->lock);
	job->done(job);
	pthread_mutex_lock(&think->lock);
}

static void *
run(void *arg)
{
	struct worker *worker = arg;
	struct think *think = worker->think;
	pthread_mutex_lock(&think->lock);
	while (!think->ending) {
		struct think_job *job = next_job(think);
		if (job != NULL)
			do_step(worker, job);
		else
			pthread_cond_wait(&think->work, &think->lock);
	}
	pthread_mutex_unlock(&think->lock);
	return NULL;
}

/* ---- opening and closing ---- */

static bool
start_worker(struct think *think, size_t memory)
{
	struct worker *worker = &think->workers[think->started];
	pthread_attr_t attributes;
	worker->think = think;
	worker->memory = memory_take_table(memory);
	if (worker->memory == NULL)
		return false;
	worker->search = search_open(worker->memory, memory);
	if (pthread_attr_init(&attributes) != 0)
		return false;
	bool good = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
		    pthread_create(&worker->thread, &attributes, run, worker) == 0;
	pthread_attr_destroy(&attributes);
	return good;
}

struct think *
think_open(const struct think_options *options, char *why, size_t room)
{
	struct think *think = calloc(1, sizeof *think + options->threads * sizeof *think->workers);
	if (think == NULL) {
		snprintf(why, room, "no memory for the engine");
		return NULL;
	}
	pthread_mutex_init(&think->lock, NULL);
	pthread_cond_init(&think->work, NULL);
	think->questions = options->questions;
	think->moves = options->moves;
	think->worker_count = options->threads;
	for (; think->started < think->worker_count; think->started++)
		if (!start_worker(think, options->memory)) {
			snprintf(why, room, "no memory for %u engine threads with %zu MiB each", think->worker_count,
			    options->memory >> 20);
			think_end(think);
			think_close(think);
			return NULL;
		}
	return think;
}

/* All that are queued, linked by next, and the flag for those that run.  Under the lock. */
static struct think_job *
stop_all(struct think *think)
{
	struct think_job *stopped = NULL;
	for (unsigned class = 0; class < THINK_CLASSES; class ++)
		for (struct think_job *job; (job = think->queues[class].first) != NULL; stopped = job) {
			take_out(think, job);
			leave(think, job);
			job->next = stopped;
			job->stop = true;
		}
	for (unsigned i = 0; i < think->started; i++)
		if (think->workers[i].job != NULL)
			think->workers[i].job->stop = true;
	return stopped;
}

void
think_end(struct think *think)
{
	pthread_mutex_lock(&think->lock);
	think->ending = true;
	struct think_job *stopped = stop_all(think);
	pthread_cond_broadcast(&think->work);
	pthread_mutex_unlock(&think->lock);
	for (struct think_job *next; stopped != NULL; stopped = next) {
		next = stopped->next;
		stopped->done(stopped);
	}
	for (unsigned i = 0; i < think->started; i++)
		pthread_join(think->workers[i].thread, NULL);
}

void
think_close(struct think *think)
{
	if (think == NULL)
		return;
	for (unsigned i = 0; i < think->worker_count; i++)
		free(think->workers[i].memory);
	pthread_cond_destroy(&think->work);
	pthread_mutex_destroy(&think->lock);
	free(think);
}

/* ---- from other threads ---- */

bool
think_submit(struct think *think, struct think_job *job, enum fault *fault)
{
	bool taken = false;
	pthread_mutex_lock(&think->lock);
	if (think->worker_count == 0) {
		*fault = FAULT_NO_ENGINE;
	} else if (think->ending) {
		*fault = FAULT_STOPPING;
	} else if (full(think, job->class)) {
		*fault = FAULT_ENGINE_BUSY;
		figures_refused(FIGURES_ENGINE_QUEUE);
	} else {
		taken = true;
		job->stop = false;
		think->queues[job->class].count++;
		append(think, job);
		pthread_cond_signal(&think->work);
	}
	pthread_mutex_unlock(&think->lock);
	return taken;
}

void
think_cancel(struct think *think, struct think_job *job)
{
	pthread_mutex_lock(&think->lock);
	job->stop = true;
	bool queued = job->place == THINK_QUEUED;
	if (queued) {
		take_out(think, job);
		leave(think, job);
	}
	pthread_mutex_unlock(&think->lock);
	if (queued)
		job->done(job);
}

void
think_count(struct think *think, struct think_count *count)
{
	*count = (struct think_count){0};
	pthread_mutex_lock(&think->lock);
	for (unsigned class = 0; class < THINK_CLASSES; class ++)
		count->waiting[class] = think->queues[class].count;
	for (unsigned i = 0; i < think->worker_count; i++) {
		const struct think_job *job = think->workers[i].job;
		if (job == NULL)
			continue;
		count->running++;
		count->waiting[job->class]--;
	}
	pthread_mutex_unlock(&think->lock);
}

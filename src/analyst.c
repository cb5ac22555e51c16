#include "analyst.h"

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/level.h"
#include "engine/notation.h"

enum { GLANCE_MS = 20 }; /* how often one looks whether a search that is waited for is done */

struct analyst {
	struct search *search;
	void *memory;

	/* Of the search that runs. */
	const struct position *position;
	const struct history *history;
	pthread_t thread;
	bool running;
	_Atomic bool done; /* the thread has but its last word to say */
	_Atomic bool stop;
	bool endless;     /* its move is held until somebody asks for it */
	sem_t asked;      /* who asks */
	int64_t started;  /* microseconds */
	int64_t deadline; /* microseconds; 0: none */
	unsigned level;   /* 0: by the limits */
	struct search_limits limits;
	struct search_result result;
	bool told;           /* some iteration was */
	uint64_t told_nodes; /* and at how many nodes the last one was */
};

struct analyst *
analyst_open(size_t bytes)
{
	struct analyst *analyst = calloc(1, sizeof *analyst);
	if (analyst == NULL)
		return NULL;
	analyst->memory = memory_take_table(bytes);
	if (analyst->memory == NULL) {
		free(analyst);
		return NULL;
	}
	sem_init(&analyst->asked, 0, 0);
	analyst->search = search_open(analyst->memory, bytes);
	return analyst;
}

void
analyst_close(struct analyst *analyst)
{
	analyst_stop(analyst);
	sem_destroy(&analyst->asked);
	free(analyst->memory);
	free(analyst);
}

static void
put_score(struct text *text, const struct search_line *line)
{
	if (line->plies == 0)
		text_printf(text, " score %d", line->score);
	else
		text_printf(text, " score %s %d%s", line->plies > 0 ? "win" : "loss", abs(line->plies),
		    line->shortest ? " exact" : "");
}

/* The lines of a result, written at once so that no other answer comes between. */
static void
tell(const struct analyst *analyst, const struct search_result *result)
{
	struct text text = TEXT_EMPTY;
	int64_t ms = (clock_mono_us() - analyst->started) / 1000;
	for (unsigned i = 0; i < result->count; i++) {
		const struct search_line *line = &result->lines[i];
		text_printf(&text, "info depth %u line %u", result->depth, i + 1);
		put_score(&text, line);
		text_printf(&text, " nodes %" PRIu64 " time %" PRId64 " nps %" PRIu64 " pv", result->nodes, ms,
		    result->nodes * 1000 / (uint64_t)(ms > 0 ? ms : 1));
		for (unsigned at = 0; at < line->count; at++) {
			char move[MOVE_TEXT_MAX];
			notation_move(line->moves[at], move);
			text_printf(&text, " %s", move);
		}
		text_char(&text, '\n');
	}
	if (!text_failed(&text) && text.len > 0)
		fwrite(text.bytes, 1, text.len, stdout);
	fflush(stdout);
	text_free(&text);
}

static void
report(void *reader, const struct search_result *result)
{
	struct analyst *analyst = reader;
	tell(analyst, result);
	analyst->told = true;
	analyst->told_nodes = result->nodes;
}

static void
search(struct analyst *analyst)
{
	if (analyst->level)
		level_run(analyst->search, analyst->position, analyst->history, analyst->level,
		    level_seed(analyst->position, analyst->limits.seed), &analyst->stop, &analyst->result);
	else
		search_run(analyst->search, analyst->position, analyst->history, &analyst->limits, &analyst->result);
}

static void *
think(void *argument)
{
	struct analyst *analyst = argument;
	char move[MOVE_TEXT_MAX];
	search(analyst);
	/* Of an iteration that was told nothing new can be said, but where the search went on behind it. */
	if (!analyst->told || analyst->told_nodes != analyst->result.nodes)
		tell(analyst, &analyst->result);
	notation_move(analyst->result.lines[0].moves[0], move);
	while (analyst->endless && sem_wait(&analyst->asked) != 0)
		;
	/* Before the line is out: who reads it may answer at once, and whoever sees this waits for the thread, so for
	 * the line. */
	analyst->done = true;
	printf("bestmove %s\n", move);
	fflush(stdout);
	return NULL;
}

bool
analyst_go(struct analyst *analyst, const struct position *position, const struct history *history,
    const struct analyst_order *order)
{
	analyst->position = position;
	analyst->history = history;
	analyst->started = clock_mono_us();
	analyst->deadline = order->movetime_ms ? analyst->started + order->movetime_ms * 1000 : 0;
	analyst->level = order->level;
	analyst->limits = (struct search_limits){
	    .nodes = order->nodes,
	    .depth = order->depth,
	    .lines = order->lines,
	    .seed = order->seed,
	    .stop = &analyst->stop,
	    .report = report,
	    .reader = analyst,
	};
	analyst->endless = order->endless;
	analyst->told = false;
	while (sem_trywait(&analyst->asked) == 0) /* who asked for a move that was not held */
		;
	analyst->stop = false;
	analyst->done = false;
	analyst->running = pthread_create(&analyst->thread, NULL, think, analyst) == 0;
	return analyst->running;
}

static void
join(struct analyst *analyst)
{
	if (analyst->running)
		pthread_join(analyst->thread, NULL);
	analyst->running = false;
}

bool
analyst_runs(struct analyst *analyst)
{
	if (analyst->done)
		join(analyst);
	return analyst->running;
}

int
analyst_left(const struct analyst *analyst)
{
	if (!analyst->running || !analyst->deadline || analyst->stop)
		return -1;
	int64_t left = analyst->deadline - clock_mono_us();
	return left <= 0 ? 0 : left / 1000 < INT_MAX ? (int)(left / 1000) + 1 : INT_MAX;
}

void
analyst_hurry(struct analyst *analyst)
{
	analyst->stop = true;
}

void
analyst_stop(struct analyst *analyst)
{
	analyst_hurry(analyst);
	if (analyst->running)
		sem_post(&analyst->asked);
	join(analyst);
}

void
analyst_finish(struct analyst *analyst)
{
	int left;
	while (!analyst->endless && !analyst->done && (left = analyst_left(analyst)) > 0)
		poll(NULL, 0, left < GLANCE_MS ? left : GLANCE_MS);
	if (analyst->endless || analyst->deadline)
		analyst_stop(analyst);
	join(analyst);
}

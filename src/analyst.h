/*
 * A search in a thread of its own, so that `stop` is heard.  What it finds goes to
 * standard output in the manner of UCI: info lines after each iteration, each
 * iteration in one piece, and once more where the search was cut off behind it;
 * bestmove at the end.  All functions: one thread.
 */
#ifndef IUVOD_ANALYST_H
#define IUVOD_ANALYST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/search.h"

struct analyst;

/* What is to be searched. */
struct analyst_order {
	uint64_t nodes; /* as in search_limits, and so are the next three */
	unsigned depth; /* 0: no end */
	unsigned lines;
	uint64_t seed;
	unsigned level;      /* instead of nodes, depth and lines; 0: none */
	int64_t movetime_ms; /* 0: none */
	bool endless;        /* bestmove is held until analyst_stop or analyst_finish, whatever stands above */
};

/* With so many bytes of memory for the search, or NULL if there are none. */
struct analyst *analyst_open(size_t bytes);
void analyst_close(struct analyst *analyst); /* stops what runs */

/*
 * Begins a search, where none runs; position and history must stay as they are
 * while it does.  False if there is no thread for it.
 */
bool analyst_go(struct analyst *analyst, const struct position *position, const struct history *history,
    const struct analyst_order *order);

/* Whether one runs: no more once its bestmove is out. */
bool analyst_runs(struct analyst *analyst);

/* How many milliseconds it may still take; -1: as many as it likes, or none runs. */
int analyst_left(const struct analyst *analyst);

/* Tells it to search no longer; analyst_stop waits until its bestmove is out, too.  Nothing if none runs. */
void analyst_hurry(struct analyst *analyst);
void analyst_stop(struct analyst *analyst);

/* Waits for its bestmove as long as its order allows; an endless one is stopped. */
void analyst_finish(struct analyst *analyst);

#endif

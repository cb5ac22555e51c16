/*
 * Levels of strength: how far the engine looks, and how often it does not look
 * at all.  One table for all variants; README.md tells what it was measured
 * to be worth in each.
 */
#ifndef IUVOD_ENGINE_LEVEL_H
#define IUVOD_ENGINE_LEVEL_H

#include "engine/search.h"

/* clang-format off */
/*        level  nodes  chance of a weaker move, in thousandths; the same with more than two seats */
#define LEVEL_TABLE(L) \
	L( 1,       50, 500,      20, 1000) \
	L( 2,       50, 300,      20,  990) \
	L( 3,      100, 180,      80,  630) \
	L( 4,      200, 100,      92,  608) \
	L( 5,      600,  50,     400,  325) \
	L( 6,     2000,  20,     590,  293) \
	L( 7,     6000,   0,    2500,  105) \
	L( 8,    14000,   0,    4900,   78) \
	L( 9,    80000,   0,   80000,    0) \
	L(10,   300000,   0,  600000,    0)
/* clang-format on */

enum { LEVEL_LEAST = 1, LEVEL_MOST = 10 };

struct level {
	uint64_t nodes;  /* the budget of a search */
	unsigned weaker; /* in so many plies of a thousand any legal move is played, each as likely as the others */
};

/* A level from LEVEL_LEAST to LEVEL_MOST in a variant; static. */
const struct level *level_row(enum variant variant, unsigned level);

/*
 * The seed of a level for who asks with one seed in many positions: a position
 * has its part in it, or the chance of a weaker move would be the same in all.
 */
uint64_t level_seed(const struct position *position, uint64_t seed);

/*
 * What a level plays in a position: the first move of result->lines[0], and what
 * the search knows of it; no line where there is no legal move.  The seed stands for all
 * chance; with a new one for each ply no two games need be the same.  A weaker
 * move is a line of that move alone, with the score 0.  The stop flag may be NULL.
 */
void level_run(struct search *search, const struct position *position, const struct history *history, unsigned level,
    uint64_t seed, const _Atomic bool *stop, struct search_result *result);

#endif

/*
 * Levels of strength: how far the engine looks, and how often it does not look
 * at all.  With more than two seats the steps are made of more, since thinking
 * longer gains less there.  README.md tells what each was measured to be worth.
 */
#ifndef IUVOD_ENGINE_LEVEL_H
#define IUVOD_ENGINE_LEVEL_H

#include "engine/search.h"

/* clang-format off */
/*
 *        level  nodes  chance of a weaker move, in thousandths;
 *                      the same with more than two seats;
 *                      and with those where a group may be split (I9L)
 */
#define LEVEL_TABLE(L) \
	L( 1,       50, 500,      20, 940,      20, 950) \
	L( 2,       50, 300,      20, 890,      20, 910) \
	L( 3,      100, 180,      80, 650,      80, 655) \
	L( 4,      200, 100,      92, 605,      92, 600) \
	L( 5,      600,  50,     300, 325,     400, 375) \
	L( 6,     2000,  20,     350, 320,     590, 333) \
	L( 7,     6000,   0,     460,  76,    1000, 132) \
	L( 8,    14000,   0,     490,  75,    1480, 102) \
	L( 9,    80000,   0,   80000,   0,  150000,   0) \
	L(10,   300000,   0,  300000,   0,  300000,   0)
/* clang-format on */

enum { LEVEL_LEAST = 1, LEVEL_MOST = 10, LEVEL_DRAWS_MANY = 2 };

struct level {
	uint64_t nodes;  /* the budget of a search */
	unsigned weaker; /* in so many plies of a thousand a move is played that is drawn by lot */
	unsigned draws;  /* of so many that are drawn, each as likely as the others, the worst: LEVEL_DRAWS_MANY or 1 */
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

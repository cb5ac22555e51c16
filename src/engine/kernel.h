/*
 * The loops over the generators, compiled twice: for any machine, and for
 * those with instructions that count and find bits, and that compare several
 * numbers at a time, which the oldest x86-64 has not.  Which one runs is asked
 * of the machine, so an installed binary is as fast as one built for it.
 */
#ifndef IUVOD_ENGINE_KERNEL_H
#define IUVOD_ENGINE_KERNEL_H

#include "engine/memo.h"
#include "engine/position.h"

struct weigher;

/* What an evaluation sees of the seat to move beyond any doubt, whatever the past forbids (I16) apart. */
enum forecast {
	FORECAST_QUIET,    /* nothing */
	FORECAST_CAPTURES, /* it may capture, so the estimate may not last */
	FORECAST_BLOCKED,  /* it has no move (I12, H9) */
	FORECAST_WINS      /* it has a move that wins the game at once */
};

/* What is found of a few moves that are asked for by their ends (weigh.h), and on the way there. */
enum { FOUND_MAX = 3 };
struct found {
	struct move moves[FOUND_MAX]; /* in the order in which they were asked for, */
	unsigned legal;               /* but for those without their bit */
	bool captures;                /* some move of the position captures */
	bool chained;                 /* what position.chained may be, here and after any move */
};

/* The seat to move must not be 0, the moves are without regard to a past, perft's depth is at least 1. */
struct kernel {
	unsigned (*iuvo_moves)(const struct position *position, struct move *moves);
	void (*iuvo_weigh)(const struct position *position, struct weigher *weigher);
	void (*iuvo_find)(const struct position *position, const unsigned *ends, unsigned count, struct found *found);
	unsigned (*iuvo_captures)(const struct position *position, struct move *moves);
	unsigned (*iuvo_count)(const struct position *position);
	uint64_t (*iuvo_perft)(const struct position *position, unsigned depth);
	enum forecast (*iuvo_evaluate)(
	    const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX]);
	unsigned (*halma_moves)(const struct position *position, struct move *moves);
	void (*halma_weigh)(const struct position *position, struct weigher *weigher);
	unsigned (*halma_count)(const struct position *position);
	uint64_t (*halma_perft)(const struct position *position, unsigned depth);
	void (*halma_terms)(const struct position *position, unsigned seat, int *terms);
	void (*halma_costs)(unsigned seat, const int *weights, int cost[256]);
	enum forecast (*halma_evaluate)(
	    const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX]);
	unsigned (*best)(
	    const int *numbers, unsigned count); /* index of the first of the greatest; count is 1 or more */
};

extern const struct kernel kernel_plain;
#if defined __x86_64__ && defined __GNUC__
#define KERNEL_HAS_POPCNT 1
extern const struct kernel kernel_popcnt;
#else
#define KERNEL_HAS_POPCNT 0
#endif

/* The kernel for this machine; static.  Any thread. */
static inline const struct kernel *
kernel_here(void)
{
#if KERNEL_HAS_POPCNT
	if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	    __builtin_cpu_supports("avx2"))
		return &kernel_popcnt;
#endif
	return &kernel_plain;
}

#endif

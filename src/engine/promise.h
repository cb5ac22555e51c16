/*
 * What a move promises the seat that makes it, for the order in which a search
 * tries moves: by how much the cell where a stone lands is better than the one
 * that it leaves.  What cells are worth is drawn once for a search, since it
 * asks for every move of a node.
 */
#ifndef IUVOD_ENGINE_PROMISE_H
#define IUVOD_ENGINE_PROMISE_H

#include "engine/rules.h"

/* No promise is greater, or less but that of a move that only waits. */
enum { PROMISE_MAX = 1023, PROMISE_SIXTEENTHS = 16 };

struct promises {
	int cost[SEATS_MAX][256];                       /* in sixteenths, by cell: the less the better */
	uint64_t home[SEATS_MAX][4];                    /* cells where a stone may wait, as bits, by seat */
	bool (*waits)(const struct position *position); /* of struct rules */
};

/* Draws what the cells are worth by an evaluation's weights. */
void promise_draw(struct promises *promises, enum variant variant, const int *weights);

/* Whether stones at home wait in a position: to be asked once for all its moves. */
static inline bool
promise_waits(const struct promises *promises, const struct position *position)
{
	return promises->waits && promises->waits(position);
}

/* Whether a stone of a seat on a cell is at home. */
BITS_INLINE bool
promise_at_home(const struct promises *promises, unsigned seat, cell_t cell)
{
	return promises->home[seat - 1][cell / 64] >> cell % 64 & 1;
}

/* What a gain in cost promises, for a stone that waits unless it gains something. */
BITS_INLINE int
promise_gain(int gain, bool waits)
{
	if (waits && gain <= 0)
		return -PROMISE_MAX;
	gain /= PROMISE_SIXTEENTHS;
	return gain > PROMISE_MAX ? PROMISE_MAX : gain <= -PROMISE_MAX ? 1 - PROMISE_MAX : gain;
}

/* What a move promises a seat; `waits` as promise_waits says. */
static inline int
promise_of(const struct promises *promises, unsigned seat, struct move move, bool waits)
{
	const int *cost = promises->cost[seat - 1];
	if (move.kind == MOVE_NEUTRAL)
		return 0;
	return promise_gain(cost[move.from] - cost[move.to], waits && promise_at_home(promises, seat, move.from));
}

#endif

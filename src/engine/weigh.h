/*
 * How the moves of a node are weighed for the order in which a search tries
 * them.  The generators hand each move over as they find it, stone by stone, so
 * that what a stone's moves have in common is looked up once, and no move is
 * touched twice.
 */
#ifndef IUVOD_ENGINE_WEIGH_H
#define IUVOD_ENGINE_WEIGH_H

#include "engine/promise.h"

/* The table's move, then captures, then killers, and then by history and promise. */
enum { WEIGH_TABLE = 1 << 28, WEIGH_CAPTURE = 1 << 20, WEIGH_KILLER = 1 << 18, WEIGH_LEAST = -(1 << 28) };

struct weigher {
	const struct promises *promises;
	const int16_t *history; /* of the seat, by the ends of moves */
	unsigned seat;          /* to move, from 1 */
	bool waits;             /* promise_waits of the position */
	int least;              /* moves that promise less are left out, but for the table's */
	unsigned table;         /* ends of its move, or a number that is none */
	unsigned killers[2];

	/* Room for all moves, and what was found. */
	struct move *moves;
	int *worth;
	unsigned count;
	unsigned left_out;
	unsigned best; /* index of the first of those that are worth most */
	int best_worth;
	bool chained; /* what position.chained may be after each of the moves */
};

/* What the moves of a stone have in common. */
struct weigh_stone {
	struct move move; /* its start and kind */
	const int16_t *history;
	const int *cost;
	int here;
	bool waits;
	bool named; /* the table's move or a killer may be among them */
};

/* A move by its ends, as one number. */
BITS_INLINE unsigned
weigh_ends(cell_t from, cell_t to)
{
	return (unsigned)from << 8 | to;
}

BITS_INLINE struct weigh_stone
weigh_from(const struct weigher *weigher, cell_t from, enum move_kind kind)
{
	const int *cost = weigher->promises->cost[weigher->seat - 1];
	return (struct weigh_stone){
	    .move = {.from = from, .kind = (uint8_t)kind},
	    .history = weigher->history + weigh_ends(from, 0),
	    .cost = cost,
	    .here = cost[from],
	    .waits = weigher->waits && promise_at_home(weigher->promises, weigher->seat, from),
	    .named =
		weigher->table >> 8 == from || weigher->killers[0] >> 8 == from || weigher->killers[1] >> 8 == from,
	};
}

/* What the table and the killers say of a quiet move that is worth so much otherwise. */
BITS_INLINE int
weigh_named(const struct weigher *weigher, unsigned ends, int worth)
{
	if (ends == weigher->killers[0])
		return WEIGH_KILLER;
	return ends == weigher->killers[1] ? WEIGH_KILLER - 1 : worth;
}

/* Takes a move of a stone. */
BITS_INLINE void
weigh_add(struct weigher *weigher, const struct weigh_stone *stone, cell_t to, bool captures)
{
	int promise = stone->move.kind == MOVE_NEUTRAL ? 0 : promise_gain(stone->here - stone->cost[to], stone->waits);
	int worth = stone->history[to] + promise;
	unsigned ends = weigh_ends(stone->move.from, to);
	bool known = stone->named && ends == weigher->table;

	if (promise < weigher->least && !known) {
		weigher->left_out++;
		return;
	}
	if (stone->named)
		worth = weigh_named(weigher, ends, worth);
	worth = known ? WEIGH_TABLE : captures ? WEIGH_CAPTURE : worth;
	if (worth > weigher->best_worth) {
		weigher->best_worth = worth;
		weigher->best = weigher->count;
	}
	weigher->worth[weigher->count] = worth;
	weigher->moves[weigher->count++] = (struct move){stone->move.from, to, stone->move.kind, captures};
}

#endif

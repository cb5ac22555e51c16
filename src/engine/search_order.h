/* The order in which a search tries the moves of a node: what is likely best comes first. */
#ifndef IUVOD_ENGINE_SEARCH_ORDER_H
#define IUVOD_ENGINE_SEARCH_ORDER_H

#include "engine/search_inside.h"
#include "engine/weigh.h"

enum { SEARCH_ORDER_ALL = -SEARCH_INFINITE }; /* every move promises more */

/* A node's moves, handed out one by one. */
struct search_order {
	unsigned count;
	unsigned next;
	unsigned best;     /* index of what is handed out first */
	bool chained;      /* what position.chained may be */
	unsigned left_out; /* moves that are not handed out, since they promise too little */
	struct move moves[MOVES_MAX];
	int worth[MOVES_MAX];
};

/*
 * Lists the moves without regard to a past, and weighs them; *best (NULL: none)
 * is the table's.  Others that promise less than `least` are left out.
 */
void search_order_begin(struct search_order *order, const struct search *search, const struct position *position,
    unsigned ply, const struct table_hit *best, int least);

/* The next move; there must be one. */
struct move search_order_next(struct search_order *order);

/* The last move that was handed out was so good that the others need not be tried. */
void search_order_learn(
    const struct search_order *order, struct search *search, const struct position *position, unsigned ply, int depth);

#endif

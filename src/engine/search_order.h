/* The order in which a search tries the moves of a node: what is likely best comes first. */
#ifndef IUVOD_ENGINE_SEARCH_ORDER_H
#define IUVOD_ENGINE_SEARCH_ORDER_H

#include "engine/search_inside.h"
#include "engine/weigh.h"

enum { SEARCH_ORDER_ALL = -SEARCH_INFINITE }; /* every move promises more */

enum { SEARCH_ORDER_NAMED = 1 + SEARCH_KILLERS };
_Static_assert((int)SEARCH_ORDER_NAMED <= (int)FOUND_MAX, "they are found at once");

/* A node's moves, handed out one by one. */
struct search_order {
	const struct search *search;
	struct position *position;
	int least;
	unsigned named[SEARCH_ORDER_NAMED]; /* the table's move and the killers, by their ends (weigh_ends) */
	unsigned named_count;               /* so many of them are handed out before the list is made */
	bool listed;
	unsigned next;     /* moves handed out, which stand first */
	unsigned count;    /* of the list */
	unsigned best;     /* index of the first; of the list */
	unsigned left_out; /* moves that are not handed out, since they promise too little; of the list */
	struct move moves[MOVES_MAX];
	int worth[MOVES_MAX];
};

/*
 * The moves of a position, which must stay, without regard to a past; *best
 * (NULL: none) is the table's.  Others that promise less than `least` are left
 * out.  Before a move is handed out position->chained is set, if it may be.
 *
 * depth is the node's: on the last ply, where most nodes are, the list is not
 * made before it is needed, since the table's move or a killer often settles
 * the node.  Higher up what is searched below them would change the history, by
 * which the list is ordered.
 */
void search_order_begin(struct search_order *order, const struct search *search, struct position *position,
    unsigned ply, const struct table_hit *best, int least, int depth);

/* The next move; false if there is none. */
bool search_order_next(struct search_order *order, struct move *move);

/* The last move that was handed out was so good that the others need not be tried. */
void search_order_learn(
    const struct search_order *order, struct search *search, const struct position *position, unsigned ply, int depth);

#endif

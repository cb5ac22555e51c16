/*
 * The leaves of the search for two seats: what a node is worth where it looks no
 * further.  search_two.c has the tree above them.
 */
#ifndef IUVOD_ENGINE_SEARCH_LEAF_H
#define IUVOD_ENGINE_SEARCH_LEAF_H

#include "engine/search_inside.h"

/* A position on the way from the root, and how far from it. */
struct search_node {
	struct position position;
	unsigned ply;
	uint64_t salt; /* of what the game left once and the way left again */
};

/* What a seat without a move has, at its turn. */
static inline int
search_leaf_blocked(const struct search *search, unsigned ply)
{
	return search->rules->blocked_lose ? -(SEARCH_WON - (int)ply) : 0;
}

/* The value of a game that is over, to the seat that moved last. */
static inline int
search_leaf_ended(const struct position *after, unsigned mover, unsigned ply)
{
	if (after->winner == 0)
		return 0;
	return after->winner == mover ? SEARCH_WON - (int)ply : (int)ply - SEARCH_WON;
}

/* The node after a move. */
static inline void
search_node_make(struct search *search, const struct search_node *node, struct move move, struct search_node *child)
{
	search->rules->make(&node->position, move, &child->position);
	child->ply = node->ply + 1;
	child->salt = node->salt;
	search->line_count[child->ply] = 0;
	search_count(search);
}

/* What the evaluation makes of a node; *score is what it estimates, or knows.  line: what it sees to win goes to the
 * best line. */
enum forecast search_leaf_estimate(struct search *search, const struct search_node *node, bool line, int *score);

/* The value of a leaf within a window: captures are still looked at, and while proving only what is certain counts. */
int search_leaf(struct search *search, const struct search_node *node, int alpha, int beta);

#endif

/*
 * The sparring partner: a plain UCT tree search over the engine's own
 * generator, what a level's strength is measured against.  It knows nothing of
 * the engine's evaluation.  Each node keeps what every seat has won below it
 * and the seat to move chooses by its own share, so with four seats the same
 * tree is one of max^n.  (Kocsis and Szepesvari, Bandit based Monte-Carlo
 * planning, 2006; for more seats Sturtevant, An analysis of UCT in
 * multi-player games, 2008.)
 *
 * Playouts are of bounded length and lightly guided: of a few moves drawn the
 * one is played that brings the mover's stones furthest.  One that is cut off
 * is shared out by how far the stones of each seat still have to go.
 */
#ifndef IUVOD_TESTS_SPARRING_H
#define IUVOD_TESTS_SPARRING_H

#include "engine/position.h"

struct sparring; /* a tree and its memory, on the heap */

/* It stops at whichever comes first; 0 is no bound, and one of the two must be given. */
struct sparring_budget {
	uint64_t playouts;
	uint64_t nanoseconds; /* of the thread's processor time; with this the same seed may give other moves */
};

/* A tree of so many nodes, 44 bytes each; when it is full, playouts start from its leaves. */
struct sparring *sparring_new(unsigned nodes);
void sparring_free(struct sparring *sparring);

/*
 * The move it would play; the seat to move must have one.  Each call grows a
 * new tree.  *playouts (may be NULL) is how many there were.
 */
struct move sparring_think(struct sparring *sparring, const struct position *position, const struct past *past,
    struct sparring_budget budget, uint64_t seed, uint64_t *playouts);

#endif

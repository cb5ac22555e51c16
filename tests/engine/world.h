/*
 * A solver that sees everything that can come of a position of two seats: where
 * few stones are left, all positions fit into a table, and who wins in how many
 * plies is found from the end backwards.  It plays with position_moves and
 * position_play, and knows nothing but the rules.
 */
#ifndef IUVOD_TESTS_WORLD_H
#define IUVOD_TESTS_WORLD_H

#include "engine/position.h"

enum { WORLD_PLACES_MAX = 12000, WORLD_EDGES_MAX = 1 << 18, WORLD_SLOTS = 1 << 15, WORLD_NEVER = 255 };

struct world_place {
	struct position position;
	unsigned edges, edge_count;
	uint8_t wins[2]; /* plies in which the seat at the index can force a win; WORLD_NEVER */
};

/* A move: what it leaves (I16), and the place it leads to. */
struct world_edge {
	uint64_t left;
	unsigned to;
};

/* What was seen last; the position asked about is the first place. */
extern struct world {
	unsigned count, edge_count;
	struct world_place places[WORLD_PLACES_MAX];
	struct world_edge edges[WORLD_EDGES_MAX];
	unsigned slots[WORLD_SLOTS]; /* index and 1, by key */
} world;

/* Sees all that can come of a position, where the past forbids what it forbids from the first ply on; false if that is
 * too much. */
bool world_see(const struct position *position, const struct past *past);

/* The index of a position that was seen. */
unsigned world_place(const struct position *position);

#endif

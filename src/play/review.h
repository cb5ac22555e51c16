/* A game looked at again: what the engine needs to think about it, or about what was played in it. */
#ifndef IUVOD_PLAY_REVIEW_H
#define IUVOD_PLAY_REVIEW_H

#include "engine/history.h"
#include "play/game.h"

/* A ply as it was played. */
struct review_ply {
	struct position
	    before; /* as its seat found it: what followed from the ply before, and endings after that, are in it */
	struct move move;
	uint64_t left; /* what it adds to the past */
};

/*
 * The past of a game up to a ply, as a search wants it: the start and what each
 * ply has left.  FAULT_NO_SUCH_PLY, FAULT_DAMAGED_GAME.
 */
enum fault review_past(
    struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct history *history);

/* The plies from first on (from 1): count of them, which the game must have.  FAULT_NO_SUCH_PLY, FAULT_DAMAGED_GAME. */
enum fault review_plies(struct db *db, struct arena *arena, const struct game *game, unsigned first, unsigned count,
    struct review_ply *plies);

#endif

/*
 * Writing the row of a game that has changed.  All that changes a game ends here,
 * so whatever follows from its state, and is stored beside it, is worked out in
 * this one place.
 */
#ifndef IUVOD_PLAY_GAME_WRITE_H
#define IUVOD_PLAY_GAME_WRITE_H

#include "play/game.h"

/*
 * Of game_write, the part about whom the game waits for: the seats of players
 * that must move or answer an offer, each with the game's deadline.  A game that
 * was just created is its own before.
 */
enum fault game_needs(struct db *db, const struct game *before, struct game *after);

/* Writes what a change has made of a game; before is as it was.  After its last event. */
enum fault game_write(struct db *db, const struct game *before, struct game *after);

#endif

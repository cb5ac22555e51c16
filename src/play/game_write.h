/*
 * Writing the row of a game that has changed.  All that changes a game ends here,
 * so whatever follows from its state, and is stored beside it, is worked out in
 * this one place.
 */
#ifndef IUVOD_PLAY_GAME_WRITE_H
#define IUVOD_PLAY_GAME_WRITE_H

#include "play/game.h"

/* The seats that must move or answer an offer, as bits. */
unsigned game_waits_for(const struct game *game);

/* Of game_write, the part that notes for whom the game waits: those of these seats that players have. */
enum fault game_wait(struct db *db, struct game *game);

/* When the service must look at the game by itself; 0: never. */
int64_t game_due(const struct game *game);

/* Writes times that were moved, and nothing else: no offer takes effect by that. */
enum fault game_write_times(struct db *db, const struct game *before, struct game *after);

/* Writes what a change has made of a game; before is as it was.  After its last event. */
enum fault game_write(struct db *db, const struct game *before, struct game *after);

/* The same, and *game is what became of it; on a fault it is untouched. */
enum fault game_become(struct db *db, struct game *game, struct game *next);

#endif

/* Takebacks: a game goes back to a ply at which it has stood. */
#ifndef IUVOD_PLAY_TAKEBACK_H
#define IUVOD_PLAY_TAKEBACK_H

#include "play/game.h"

/* The lowest ply to which a game can go back: behind no resignation and no timeout. */
enum fault takeback_lowest(struct db *db, struct arena *arena, const struct game *game, unsigned *ply);

/* The position as it stood when the move after a ply was made: with the endings of that ply.  FAULT_DAMAGED_GAME. */
enum fault takeback_position(
    struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct position *position);

/*
 * Takes the game back to a ply that is not below takeback_lowest and below the
 * game's own: moves, position, past, turn, seats that were in, and the clock.  The
 * events of the moves stay in the log, to which this is added.  The game's row is
 * the caller's to write; on a fault the game is spoilt: work on a copy.
 */
enum fault takeback_run(struct db *db, int64_t now_ms, struct game *game, unsigned ply);

#endif

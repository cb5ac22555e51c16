/*
 * A seat oversteps its time: it goes out, and what follows from that follows
 * (I12-I15, H10).  Like all that changes a game (play/game.h): in the write lane.
 */
#ifndef IUVOD_PLAY_TIMEOUT_H
#define IUVOD_PLAY_TIMEOUT_H

#include "play/game.h"

/* The seat to move, whose clock must have run out, goes out. */
enum fault timeout_forfeit(struct db *db, struct arena *arena, int64_t now_ms, struct game *game);

/*
 * Another seat claims it: a seat of the holder (holder_seat), and only if the
 * clock of the seat to move has run out, whatever the clock says of forfeits.
 *
 *     FAULT_GAME_NOT_STARTED, FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER
 *     FAULT_SEAT_OUT
 *     FAULT_NOTHING_TO_CLAIM   the seat to move has time left, or it is the claimant
 */
enum fault timeout_claim(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, unsigned seat);

#endif

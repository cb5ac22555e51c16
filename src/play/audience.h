/*
 * The players who sit in a game, and hear of all that happens in it: each event
 * gets an entry in the feed of every one of them (store/feed.h).
 */
#ifndef IUVOD_PLAY_AUDIENCE_H
#define IUVOD_PLAY_AUDIENCE_H

#include "play/game.h"

/*
 * Tells them of an event that was just written, with the game as it is after it,
 * unless the game is hushed.
 */
enum fault audience_tell(struct db *db, const struct game *game, unsigned seq, unsigned ply);

#endif

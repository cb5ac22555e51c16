/* `iuvod verify`: replays every stored game and compares it with what is stored. */
#ifndef IUVOD_PLAY_VERIFY_H
#define IUVOD_PLAY_VERIFY_H

#include "play/game.h"

struct verify_count {
	uint64_t games, plies, differences;
};

/*
 * Replays all games of an open database; calls `difference` with the id of the
 * game and a line of text for each difference.  FAULT_STORAGE if the file cannot be read.
 */
enum fault verify_all(struct db *db, struct verify_count *count,
    void (*difference)(void *arg, const char *id, const char *line), void *arg);

#endif

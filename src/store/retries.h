/* Rows of `retries`: answers that were kept for calls that come again, sealed. */
#ifndef IUVOD_STORE_RETRIES_H
#define IUVOD_STORE_RETRIES_H

#include "base/arena.h"
#include "base/seal.h"
#include "store/db.h"

/* Whom an answer tells of: keys of the store, 0 for none. */
struct retry_about {
	int64_t game;
	int64_t player;
};

/* Adds one; about NULL: it tells of nobody.  FAULT_INTERNAL if there is one of this hash. */
enum fault retries_insert(struct db *db, const unsigned char hash[SEAL_KEY_LEN], int64_t expires_ms,
    const struct retry_about *about, const void *sealed, size_t len);

/* Looks one up, expired or not; *sealed is NULL if there is none, and *len 0 if it was erased. */
enum fault retries_find(struct db *db, struct arena *arena, const unsigned char hash[SEAL_KEY_LEN],
    const unsigned char **sealed, size_t *len);

/*
 * Empties those that tell of a game, or of a player.  They stay, so that their
 * calls are known to have been done.
 */
enum fault retries_erase_game(struct db *db, int64_t game);
enum fault retries_erase_player(struct db *db, int64_t player);

/* Deletes those that have expired by now, at most max of them, the oldest first; *count tells how many. */
enum fault retries_expire(struct db *db, int64_t now_ms, unsigned max, unsigned *count);

#endif

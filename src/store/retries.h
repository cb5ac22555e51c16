/* Rows of `retries`: answers that were kept for calls that come again, sealed. */
#ifndef IUVOD_STORE_RETRIES_H
#define IUVOD_STORE_RETRIES_H

#include "base/arena.h"
#include "base/seal.h"
#include "store/db.h"

/* Adds one; FAULT_INTERNAL if there is one of this hash. */
enum fault retries_insert(
    struct db *db, const unsigned char hash[SEAL_KEY_LEN], int64_t expires_ms, const void *sealed, size_t len);

/* Looks one up, expired or not; *sealed is NULL if there is none. */
enum fault retries_find(struct db *db, struct arena *arena, const unsigned char hash[SEAL_KEY_LEN],
    const unsigned char **sealed, size_t *len);

/* Deletes those that have expired by now, at most max of them, the oldest first; *count tells how many. */
enum fault retries_expire(struct db *db, int64_t now_ms, unsigned max, unsigned *count);

#endif

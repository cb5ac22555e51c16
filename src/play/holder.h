/*
 * Who asks: what a token may do in a game.  A token is for seats of one game or
 * of several (a rematch keeps those of the game before), for its creator, or for
 * a player, who has all the seats that are his.
 */
#ifndef IUVOD_PLAY_HOLDER_H
#define IUVOD_PLAY_HOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"
#include "base/token.h"
#include "store/db.h"

struct game;

struct holder {
	bool known; /* a token was sent, and is alive */
	unsigned char hash[TOKEN_HASH_LEN];
	int64_t player; /* whose it is, as a key of the store; 0: of no player */
	/* What it is in the game that holder_resolve was last called with. */
	unsigned seats; /* as bits: 1 for seat 1 */
	bool creator;
};

/* Looks a token up.  FAULT_TOKEN_UNKNOWN.  *holder is for no game yet. */
enum fault holder_find(struct db *db, const char *token, size_t len, struct holder *holder);

/* Looks the token of a known holder up again, which may have died since: FAULT_TOKEN_UNKNOWN.  What he is in a game
 * stays as it was resolved. */
enum fault holder_again(struct db *db, struct holder *holder);

/* Finds what the holder is in a game; nothing happens if he is not known. */
enum fault holder_resolve(struct db *db, const struct game *game, struct holder *holder);

/*
 * The seat for which the holder acts in the game that he was resolved for: the
 * one that he asks for, or the only one that he has (asked 0).
 *
 *     FAULT_TOKEN_REQUIRED   he is not known
 *     FAULT_NOT_YOUR_SEAT    he has none, or not this one
 *     FAULT_WHICH_SEAT       he has several and asks for none
 */
enum fault holder_seat(const struct holder *holder, unsigned asked, unsigned *seat);

/* Whether he has this seat. */
bool holder_has(const struct holder *holder, unsigned seat);

#endif

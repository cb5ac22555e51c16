/*
 * Players: a lasting name, and one token for all the seats that are theirs.  In
 * the write lane, like all that changes a game (play/game.h).
 */
#ifndef IUVOD_PLAY_PLAYER_H
#define IUVOD_PLAY_PLAYER_H

#include "play/game.h"
#include "store/players.h"

/* Makes one: row has id, name and time, and gets the key. */
enum fault player_create(struct db *db, const char token[TOKEN_LEN + 1], struct player_row *row);

/* Replaces his token: the old one is dead at once. */
enum fault player_rekey(struct db *db, int64_t player, const char token[TOKEN_LEN + 1]);

/*
 * Erases him.  His running games are resigned, the seats of those that have not
 * begun left; his name is gone from the games, their logs and the answers that
 * were kept for retries, and so are his tokens, those of his seats too.  The games
 * stay, and replay; each says so by an event name_erased.  changed is called with
 * the id of each.
 */
enum fault player_erase(struct db *db, int64_t now_ms, const struct player_row *row,
    enum fault (*changed)(void *arg, const char id[ID_LEN + 1]), void *arg);

#endif

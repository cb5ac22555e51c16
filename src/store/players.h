/*
 * Rows of `players`, who have a lasting name, and of `sat`: the games that a
 * player has had to do with, by a seat or as their creator.
 */
#ifndef IUVOD_STORE_PLAYERS_H
#define IUVOD_STORE_PLAYERS_H

#include "base/arena.h"
#include "base/token.h"
#include "store/db.h"

struct player_row {
	int64_t player; /* key inside the store; never shown */
	char id[ID_LEN + 1];
	const char *name;
	int64_t created_ms;
	int64_t seq; /* of the newest entry of his feed */
};

/* Adds a player and sets row->player. */
enum fault players_insert(struct db *db, struct player_row *row);

/* FAULT_NO_SUCH_PLAYER if there is none. */
enum fault players_by_id(struct db *db, struct arena *arena, const char *id, struct player_row *row);
enum fault players_by_key(struct db *db, struct arena *arena, int64_t player, struct player_row *row);

/* From now on; seats keep the name under which they were taken. */
enum fault players_rename(struct db *db, int64_t player, const char *name);

/* Notes that he has something to do with a game; once is enough. */
enum fault players_note(struct db *db, int64_t player, int64_t game);

/* The key of the first game after this one that he has had to do with; *game is 0 if there is none. */
enum fault players_sat(struct db *db, int64_t player, int64_t after, int64_t *game);

/*
 * Takes a player out of a game, whatever state it is in: his seats have no name
 * and nobody's token, nothing that he created is his any more, the tags of a
 * record that he imported are gone, and so is his name from the data of events.
 */
enum fault players_leave(struct db *db, const struct player_row *row, int64_t game);

/* The last of him: his row, his token, his feed, and the list of his games; none of these may refer to him any more. */
enum fault players_delete(struct db *db, int64_t player);

#endif

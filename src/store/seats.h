/* Rows of `seats` and of `tokens`. */
#ifndef IUVOD_STORE_SEATS_H
#define IUVOD_STORE_SEATS_H

#include "base/arena.h"
#include "base/token.h"
#include "store/db.h"

struct seat_row {
	unsigned seat;
	const char *name;           /* NULL if none was given */
	const char *kind;           /* player, open, engine */
	unsigned level;             /* of an engine; 0 otherwise */
	bool own;                   /* made by the creator as his own, and re-keyed by nobody else */
	const char *out_reason;     /* NULL while it is in */
	int64_t remaining_ms;       /* of a budget clock; -1 otherwise */
	int64_t player;             /* whose it is, as a key; 0: of no player */
	int64_t due_ms;             /* while its player must move or answer an offer: games_due; else 0 */
	bool namesake;              /* it has its name of its player, not of who asked for it */
	char player_id[ID_LEN + 1]; /* whose it is, for all to see; empty: of no player */
};

/*
 * Adds a seat for which nobody is waited yet; listed copies the game's, since the
 * lists are served from the index alone.  Here and in seats_hold its player is
 * noted as one who has had to do with the game.
 */
enum fault seats_insert(struct db *db, int64_t game, bool listed, const struct seat_row *row);

/* Marks a seat as out. */
enum fault seats_out(struct db *db, int64_t game, unsigned seat, const char *reason);

/* Writes who holds a seat: name, kind, own, player and namesake of row->seat. */
enum fault seats_hold(struct db *db, int64_t game, const struct seat_row *row);

/* Writes row->due_ms. */
enum fault seats_due(struct db *db, int64_t game, const struct seat_row *row);

/* Writes what a seat has left: row->remaining_ms. */
enum fault seats_remaining(struct db *db, int64_t game, const struct seat_row *row);

/* Reads the seats of a game in order into rows[max]; *count tells how many. */
enum fault seats_of(
    struct db *db, struct arena *arena, int64_t game, struct seat_row *rows, unsigned max, unsigned *count);

/* Whom a token is for: a seat of a game, or seat 0: the game's creator. */
struct token_row {
	int64_t game;
	unsigned seat;
};

/* FAULT_INTERNAL if that seat has a token.  One token may have seats of several games. */
enum fault tokens_insert(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], const struct token_row *row);

/* Nobody is let in by the token of this seat any more, if there was one. */
enum fault tokens_delete(struct db *db, const struct token_row *row);

/* Another token in place of this seat's, in all games in which that one has seats; added if there is none. */
enum fault tokens_replace(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], const struct token_row *row);

/* The seats of a game that have a token, as bits: 1 for seat 1. */
enum fault tokens_of(struct db *db, int64_t game, unsigned *seats);

/* The tokens of a game are for one of its kind too, each for the seat behind its own, that of the last for seat 1. */
enum fault tokens_move_on(struct db *db, int64_t game, int64_t next, unsigned seat_count);

/* One of those whom it is for.  FAULT_TOKEN_UNKNOWN if there is none.  The hash is compared in constant time. */
enum fault tokens_find(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], struct token_row *row);

/* The same for a player's token.  He has one at a time; FAULT_INTERNAL for a second. */
enum fault tokens_insert_player(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t player);
enum fault tokens_delete_player(struct db *db, int64_t player);
enum fault tokens_find_player(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t *player);

/* Which seats of a game it is for, as bits (1 for seat 1), and whether it is the creator's. */
enum fault tokens_in(
    struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t game, unsigned *seats, bool *creator);

#endif

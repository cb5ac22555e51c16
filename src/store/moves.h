/* Rows of `moves` (primary key game, ply: no ply can have two) and of `endings`. */
#ifndef IUVOD_STORE_MOVES_H
#define IUVOD_STORE_MOVES_H

#include "base/arena.h"
#include "store/db.h"

struct move_row {
	unsigned ply; /* from 1 */
	unsigned seat;
	const char *move;     /* T1 */
	const char *path;     /* H11, as text; NULL where it is from and to alone */
	const char *kind;     /* own, shared, neutral */
	uint64_t left;        /* the key that counts for repetition (I16, H8) */
	const char *position; /* after the ply and all that follows from it */
	const char *out;      /* seats that it made go out, as "2 captured,3 blocked"; NULL if none */
	int64_t at_ms;
	int64_t remaining_ms; /* what a budget had left after the move; -1 otherwise */
	unsigned seq;         /* of its event, move_played, which lies in the same row (events.h); not read back */
	const char *event;    /* the event's data, a JSON object; not read back */
	bool agrees;          /* read back: the event tells of the same position */
};

enum { MOVES_MARK_LEN = 4 };

/* What games_update is to add to the game's marks for a key that a move has left. */
void moves_mark(uint64_t left, unsigned char mark[MOVES_MARK_LEN]);

enum fault moves_insert(struct db *db, int64_t game, const struct move_row *row);

/* FAULT_NO_SUCH_PLY if there is none. */
enum fault moves_at(struct db *db, struct arena *arena, int64_t game, unsigned ply, struct move_row *row);

/* Up to max rows with first <= ply, in order; *count tells how many. */
enum fault moves_of(struct db *db, struct arena *arena, int64_t game, unsigned first, struct move_row *rows,
    unsigned max, unsigned *count);

/* How many plies before this one have left this key, of those whose marks games_update has written. */
enum fault moves_left_count(struct db *db, int64_t game, unsigned ply, uint64_t left, unsigned *count);

/* The keys that the plies up to this one have left, in order: into keys[ply].  FAULT_DAMAGED_GAME if one is missing. */
enum fault moves_left(struct db *db, int64_t game, unsigned ply, uint64_t *keys);

/* What a seat's budget had left after its last move up to a ply; -1 if it had not moved, or none was counted. */
enum fault moves_remaining(struct db *db, int64_t game, unsigned ply, unsigned seat, int64_t *remaining_ms);

/*
 * Takes the moves after a ply out: their rows are gone, their events stay in the
 * log, in rows of their own from now on (events.h).  keys: those of the plies
 * that stay (moves_left); their marks alone are in the game's row afterwards.
 */
enum fault moves_take_back(struct db *db, struct arena *arena, int64_t game, unsigned ply, const uint64_t *keys);

/* What ended a seat's part or the game other than a move: resigned, timeout; seat 0: an agreed draw. */
struct ending_row {
	unsigned ply; /* plies played before */
	unsigned seat;
	const char *reason;
	const char *position; /* after it */
	int64_t at_ms;
};

enum fault endings_insert(
    struct db *db, int64_t game, unsigned n, const struct ending_row *row); /* n from 0, in order */
enum fault endings_of(
    struct db *db, struct arena *arena, int64_t game, struct ending_row *rows, unsigned max, unsigned *count);

#endif

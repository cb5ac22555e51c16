/* Rows of `events`: the log of each game, seq from 1 without gaps, never cut. */
#ifndef IUVOD_STORE_EVENTS_H
#define IUVOD_STORE_EVENTS_H

#include "base/arena.h"
#include "store/db.h"

struct event_row {
	unsigned seq;
	const char *type;
	int64_t at_ms;
	unsigned ply;     /* the game's, after the event */
	unsigned seat;    /* 0: of no seat */
	const char *data; /* a JSON object */
	bool taken_back;  /* read: move_played of a move that a takeback took out (moves_take_back) */
};

/*
 * All but the events move_played: each of those lies in the row of its move
 * (moves_insert), which is written anyway: one of its own would be a page more.
 * When the move is taken back the event gets one (moves_take_back).
 */
enum fault events_insert(struct db *db, int64_t game, const struct event_row *row);

/* Up to max rows with seq > after, in order, those of moves among them. */
enum fault events_of(struct db *db, struct arena *arena, int64_t game, unsigned after, struct event_row *rows,
    unsigned max, unsigned *count);

/* Where the log of a game ends. */
struct event_tip {
	unsigned seq;
	unsigned ply; /* the game's */
	bool over;    /* it is finished or withdrawn */
};

enum fault events_tip(struct db *db, int64_t game, struct event_tip *tip);

#endif

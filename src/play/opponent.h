/*
 * Engines that sit at the board: what one must do in a game, what it thinks of
 * it, and that this is done.  The three parts run apart, since thinking takes
 * long: a task is read from a game, thought about without the store, and done
 * in the write lane if the game still stands where it stood.
 *
 * An engine moves when it is its turn.  It agrees to all offers beforehand
 * (play/offer.h) but to a draw: to that it agrees unless it stands better, as soon
 * as it can tell; that is when it is to move itself, or one of two.  It offers
 * nothing, never resigns, and its clock runs like others.
 */
#ifndef IUVOD_PLAY_OPPONENT_H
#define IUVOD_PLAY_OPPONENT_H

#include "engine/history.h"
#include "engine/search.h"
#include "play/game.h"

/* Games in which an engine must do something, as games.thinks has it: 0 where none must. */
enum opponent_among { OPPONENT_AMONG_PEOPLE = 1, OPPONENT_AMONG_ENGINES = 2 };

/* What games.thinks must be for the game as it stands. */
unsigned opponent_wanted(const struct game *game);

/* The seats that engines have, as bits: 1 for seat 1. */
unsigned opponent_seats(const struct game *game);

enum opponent_act { OPPONENT_NOTHING, OPPONENT_MOVES, OPPONENT_ANSWERS };

struct opponent_task {
	enum opponent_act act;
	char game[ID_LEN + 1];
	unsigned seat, level;
	struct position position; /* as the game stood */
	uint64_t seed;            /* follows from the game's id and ply */
	char offer[ID_LEN + 1];   /* of a draw, that is to be answered */
	/* By opponent_think. */
	struct move move;
	bool accepts;
};

/*
 * What an engine must do in a game as it stands, and the game's past.  On any
 * connection, in a transaction.  FAULT_DAMAGED_GAME; the faults of game_load.
 */
enum fault opponent_read(
    struct db *db, struct arena *arena, const char *id, struct opponent_task *task, struct history *history);

/* Finds out how to do it; soon after stop turns true it ends with what it has.  No store; any thread. */
void opponent_think(
    struct opponent_task *task, struct search *search, const struct history *history, const _Atomic bool *stop);

/*
 * Does it, in the write lane.  If the game has gone on meanwhile, or the seat's
 * time is up, nothing happens and *done is false; else *game is the game after it.
 * FAULT_INTERNAL: it was no legal move.
 */
enum fault opponent_do(struct db *db, struct arena *arena, int64_t now_ms, const struct opponent_task *task,
    struct game *game, bool *done);

#endif

/*
 * What the service does by itself as time goes by: seats that overstep their time
 * go out, games that nobody joins are withdrawn; and time in which it did not run
 * is given back.  On the writer's connection, inside a transaction of the caller;
 * each game has a savepoint of its own.
 */
#ifndef IUVOD_PLAY_SWEEP_H
#define IUVOD_PLAY_SWEEP_H

#include "play/game.h"

enum {
	SWEEP_MOST = 256,       /* games that one call changes */
	SWEEP_DAMAGED_MOST = 64 /* games that are left out because the file is damaged where they lie */
};

/* Games at which damage was met: that a game is to be left alone cannot always be written. */
struct sweep_damaged {
	unsigned count;
	int64_t games[SWEEP_DAMAGED_MOST];
};

struct sweep {
	struct db *db;
	int64_t now_ms;
	/* Called for each game that has changed. */
	void (*changed)(void *arg, const struct game *game);
	/* Called for one that could not be, and is left alone from now on. */
	void (*failed)(void *arg, const char id[ID_LEN + 1], enum fault fault);
	void *arg;
	struct sweep_damaged *damaged; /* left out, and added to; NULL: none is remembered */
};

/*
 * Does what is due in up to SWEEP_MOST games, the longest due first; *count tells
 * in how many.  FAULT_STORAGE, FAULT_OUT_OF_MEMORY and FAULT_DAMAGED_DATA: the caller rolls all of it back.
 */
enum fault sweep_due(const struct sweep *sweep, unsigned *count);

/*
 * Gives ms back in up to SWEEP_MOST games in which a clock ran at the time
 * `since`, or the notice of an offer, or which waited for seats, in the order of their keys from after *after on, and
 * moves *after behind them; *count tells in how many.  Faults as above.
 */
enum fault sweep_credit(const struct sweep *sweep, int64_t since_ms, int64_t ms, int64_t *after, unsigned *count);

#endif

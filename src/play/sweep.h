/*
 * What the service does by itself as time goes by: seats that overstep their time
 * go out, games that nobody joins are withdrawn; and time in which it did not run
 * is given back.  On the writer's connection, inside a transaction of the caller;
 * each game has a savepoint of its own.
 */
#ifndef IUVOD_PLAY_SWEEP_H
#define IUVOD_PLAY_SWEEP_H

#include "play/game.h"
#include "play/sweep_find.h"

struct sweep {
	struct db *db;
	int64_t now_ms;
	/* Called for each game that has changed. */
	void (*changed)(void *arg, const struct game *game);
	/* Called for one that could not be, and is left alone from now on. */
	void (*failed)(void *arg, const char id[ID_LEN + 1], enum fault fault);
	void *arg;
	struct sweep_damaged *damaged; /* added to; NULL: nothing is remembered */
};

/*
 * Does what is due in the games of a list that was found before the transaction; *count tells in how many.
 * FAULT_STORAGE, FAULT_OUT_OF_MEMORY and FAULT_DAMAGED_DATA: the caller rolls all of it back.
 */
enum fault sweep_these(const struct sweep *sweep, const struct sweep_list *list, unsigned *count);

/* The same of games that it finds itself. */
enum fault sweep_due(const struct sweep *sweep, unsigned *count);

/* Gives ms back in the games of a list of sweep_find_running.  Faults as above. */
enum fault sweep_pay(const struct sweep *sweep, const struct sweep_list *list, int64_t since_ms, int64_t ms);

#endif

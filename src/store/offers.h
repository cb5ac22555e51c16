/* Rows of `offers`: those that are open.  What became of the others, the log tells. */
#ifndef IUVOD_STORE_OFFERS_H
#define IUVOD_STORE_OFFERS_H

#include "base/arena.h"
#include "base/token.h"
#include "store/db.h"

enum { OFFERS_MAX = 5 }; /* of a game: one of a kind */

struct offer_row {
	char id[ID_LEN + 1];
	const char *kind; /* draw, takeback, pause, resume, handover: a game has one of each at most */
	unsigned seat;    /* that made it */
	unsigned ply;     /* of a takeback: to which; 0 otherwise */
	unsigned subject; /* of a handover: the seat that is to be handed over; 0 otherwise */
	/* Seats as bits, 1 for seat 1: whose acceptance is wanted, and what was answered. */
	unsigned asked, accepted, declined;
	int64_t at_ms;
	int64_t due_ms; /* when it takes effect by itself; 0: never */
};

/* FAULT_INTERNAL if the game has an open offer of that kind. */
enum fault offers_insert(struct db *db, int64_t game, const struct offer_row *row);

/* Writes asked, accepted, declined and due of the offer. */
enum fault offers_update(struct db *db, int64_t game, const struct offer_row *row);

enum fault offers_delete(struct db *db, int64_t game, const char *id);

/* Reads the open offers of a game in the order in which they were made into rows[max]; *count tells how many. */
enum fault offers_of(
    struct db *db, struct arena *arena, int64_t game, struct offer_row *rows, unsigned max, unsigned *count);

#endif

/*
 * Which games passing time asks for.  Indexes tell; where one of them is damaged,
 * a walk over all games finds those that it does not lead to any more, some
 * thousand games at a time.
 *
 * What is found before a transaction is not spoilt by damage that is met on the
 * way; inside of one that damage takes the transaction along (store/db.h).
 */
#ifndef IUVOD_PLAY_SWEEP_FIND_H
#define IUVOD_PLAY_SWEEP_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

enum {
	SWEEP_MOST = 256,         /* games that one call changes */
	SWEEP_DAMAGED_MOST = 1024 /* games that are left out because the file is damaged where they lie */
};

/* What damage was met: that a game is to be left alone cannot always be written. */
struct sweep_damaged {
	unsigned count;
	int64_t games[SWEEP_DAMAGED_MOST];
	bool due, running; /* what leads to games that are due, or in which something runs: they are walked to */
	int64_t walked;    /* how far the walk to those that are due has come; 0: it begins anew */
};

/* Games to be changed, by their keys. */
struct sweep_list {
	unsigned count;
	int64_t games[SWEEP_MOST];
	int64_t to; /* all up to this one were looked at */
	bool last;  /* there are no others for now */
};

/*
 * Those that are due and not left out, the longest due first, or in the order of
 * their keys where they are walked to: then it is an empty list now and then.
 * damaged may be NULL, and damage is a fault then: FAULT_DAMAGED_DATA.
 */
enum fault sweep_find_due(struct db *db, int64_t now_ms, struct sweep_damaged *damaged, struct sweep_list *list);

/*
 * Those behind `after` in which a clock ran at the time `since`, or the notice of an offer, or which
 * waited for seats, in the order of their keys.  Walked to, they may be such.
 */
enum fault sweep_find_running(
    struct db *db, int64_t since_ms, int64_t after, struct sweep_damaged *damaged, struct sweep_list *list);

/* Leaves a game out from now on; false if too many are. */
bool sweep_find_leave_out(struct sweep_damaged *damaged, int64_t game);

#endif

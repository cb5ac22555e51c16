/*
 * A walk over all games by their keys, for when an index that would lead to some
 * of them is damaged: slower, and it needs nothing but the rows themselves.
 */
#ifndef IUVOD_STORE_WALK_H
#define IUVOD_STORE_WALK_H

#include "store/db.h"

/* What of a game tells whether something is to be done in it; times in ms, 0: none. */
struct walk_row {
	int64_t game;
	bool open;   /* waits for players */
	bool clock;  /* is under way with a clock */
	bool offers; /* has open offers */
	int64_t deadline_ms, due_ms;
};

/*
 * Up to max games behind `after`, in the order of their keys.  *count is set on
 * FAULT_DAMAGED_DATA, too: as many were read before the damage.
 */
enum fault walk_games(struct db *db, int64_t after, struct walk_row *rows, unsigned max, unsigned *count);

#endif

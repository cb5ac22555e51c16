/*
 * The past of a game that is replayed or searched: every key that its plies
 * left, and from them the keys left twice (I16, H8).  A value of about 48 KiB
 * with no heap; any thread.
 */
#ifndef IUVOD_ENGINE_HISTORY_H
#define IUVOD_ENGINE_HISTORY_H

#include "engine/position.h"

struct history {
	unsigned count;
	unsigned twice_count;
	uint64_t keys[PLIES_MAX + 1];
	uint64_t twice[(PLIES_MAX + 1) / 2 + 1];
};

/* Begins a history at a starting position (H8 counts the start, I16 does not). */
void history_begin(struct history *history, const struct position *start);

/* Adds what a ply left (change.left).  At most PLIES_MAX of them. */
void history_add(struct history *history, uint64_t left);

/* Forgets all keys but the first count of them: the plies behind were taken back. */
void history_cut(struct history *history, unsigned count);

/* The past as the functions of position.h take it: a view, good until the next change; NULL: there is none. */
struct past history_past(const struct history *history);

#endif

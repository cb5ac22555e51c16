/*
 * Repetition as a search sees it: how often a position was left before, in the
 * game (I16, H8) and on the way from the root.
 */
#ifndef IUVOD_ENGINE_SEARCH_PAST_H
#define IUVOD_ENGINE_SEARCH_PAST_H

#include "engine/history.h"
#include "engine/search.h"

enum { SEARCH_PAST_SLOTS = 1 << 14, SEARCH_PAST_SIEVE = 1 << 16 };

/* Keys are those of what a ply leaves (change.left). */
struct search_past {
	uint64_t sieve[SEARCH_PAST_SIEVE / 64]; /* by the low bits of keys: what is not in it was not left */
	uint64_t keys[SEARCH_PAST_SLOTS];       /* a hash of what the game left; 0: free */
	uint8_t times[SEARCH_PAST_SLOTS];
	bool empty;                            /* the game left nothing before */
	uint64_t way[SEARCH_DEPTH_MAX + 2];    /* what the plies from the root left; the root's own first */
	uint64_t passed[SEARCH_DEPTH_MAX + 2]; /* a sieve of the way up to each ply, by bits of keys */
};

/* Takes the game's past; what its last ply left is the root itself, and counts for the way. */
void search_past_begin(struct search_past *past, const struct history *history, uint64_t root);

/* How often the game left a key before the root. */
static inline unsigned
search_past_game(const struct search_past *past, uint64_t key)
{
	if (!(past->sieve[key % SEARCH_PAST_SIEVE / 64] >> key % 64 & 1))
		return 0;
	for (unsigned at = key >> 50;; at = (at + 1) % SEARCH_PAST_SLOTS)
		if (past->keys[at] == key || !past->keys[at])
			return past->times[at];
}

static inline uint64_t
search_past_bit(uint64_t key)
{
	return UINT64_C(1) << (key >> 58);
}

/* Takes a step on the way: what the ply left. */
static inline void
search_past_go(struct search_past *past, unsigned ply, uint64_t key)
{
	past->way[ply] = key;
	past->passed[ply] = past->passed[ply - 1] | search_past_bit(key);
}

/*
 * The ply on the way that left the key, for a move that would be made at ply
 * `ply` by a seat that moves every `step` plies; -1 if none did.
 */
static inline int
search_past_way(const struct search_past *past, uint64_t key, unsigned ply, unsigned step)
{
	if (!(past->passed[ply] & search_past_bit(key)))
		return -1;
	for (int at = (int)(ply + 1 - step); at >= 0; at -= (int)step)
		if (past->way[at] == key)
			return at;
	return -1;
}

#endif

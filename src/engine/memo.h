/*
 * What an evaluation found of a seat's stones by themselves, for the next time:
 * in a search a seat has the same stones on the same cells again and again,
 * whatever the others do meanwhile.  It makes nothing but haste: what is found
 * again is what would be found anew.
 *
 * Of one variant and one set of weights; to be filled with zeros when either
 * changes.  Of fixed size, in memory of its owner; used by one thread.
 */
#ifndef IUVOD_ENGINE_MEMO_H
#define IUVOD_ENGINE_MEMO_H

#include <stdint.h>

#include "engine/variant.h"

enum { MEMO_SLOTS = 2048, MEMO_SUMS = 1024 }; /* powers of two */

struct memo_entry {
	uint64_t stones;  /* the seat's; 0 in a free entry, and a seat without stones is worth nothing by itself */
	int16_t worth[4]; /* by stage, as the evaluation tells them apart */
};

/* The same of Halma, whose stones are four words (halma_board) and whose terms are added all at once. */
struct memo_sum {
	uint64_t of[4];
	uint64_t sum;
};

struct memo {
	union {
		struct memo_entry entries[SEATS_MAX][MEMO_SLOTS];
		struct memo_sum sums[2][MEMO_SUMS];
	};
};

/* Where a set of stones of the seat at an index is kept, if it is. */
static inline struct memo_entry *
memo_at(struct memo *memo, unsigned seat, uint64_t stones)
{
	return &memo->entries[seat][stones * UINT64_C(0x9e3779b97f4a7c15) / (UINT64_MAX / MEMO_SLOTS + 1)];
}

static inline struct memo_sum *
memo_sum_at(struct memo *memo, unsigned seat, const uint64_t of[4])
{
	uint64_t mixed = (of[0] * 3 + of[1]) * UINT64_C(0xbf58476d1ce4e5b9) + of[2] * 3 + of[3];
	return &memo->sums[seat][mixed * UINT64_C(0x9e3779b97f4a7c15) / (UINT64_MAX / MEMO_SUMS + 1)];
}

#endif

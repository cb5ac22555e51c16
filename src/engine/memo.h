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

enum { MEMO_SLOTS = 2048 }; /* a power of two */

struct memo_entry {
	uint64_t stones; /* the seat's; 0 in a free entry, and a seat without stones is worth nothing by itself */
	int16_t worth[4]; /* by stage, as the evaluation tells them apart */
};

struct memo {
	struct memo_entry entries[SEATS_MAX][MEMO_SLOTS];
};

/* Where a set of stones of the seat at an index is kept, if it is. */
static inline struct memo_entry *
memo_at(struct memo *memo, unsigned seat, uint64_t stones)
{
	return &memo->entries[seat][stones * UINT64_C(0x9e3779b97f4a7c15) / (UINT64_MAX / MEMO_SLOTS + 1)];
}

#endif

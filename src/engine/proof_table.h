/*
 * What the proof search (search_proof.c) found out about positions that it may
 * meet again.  Of fixed size, in memory of its owner; used by one thread.
 */
#ifndef IUVOD_ENGINE_PROOF_TABLE_H
#define IUVOD_ENGINE_PROOF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROOF_INFINITE = (1 << 24) - 1, /* no proof number is greater */
	PROOF_PLIES_MAX = 250,          /* no proof is longer */
	PROOF_TABLE_WAYS = 4
};

/*
 * How far a position is from being proved to be won for the attacker.  Proof
 * number 0: it is, within so many plies; disproof number 0: this search will
 * not prove it.
 */
struct proof {
	uint32_t proof;
	uint32_t disproof;
	uint8_t plies; /* of what is proved: the attacker has won after so many, or sooner */
};

struct proof_table_entry {
	uint64_t key;
	uint64_t packed; /* 0: free */
};

/* Entries of a key stand in one bucket, a line of the cache. */
struct proof_table {
	struct proof_table_entry (*buckets)[PROOF_TABLE_WAYS];
	uint64_t mask; /* buckets in use less one */
};

/* Takes and empties as much of a memory, aligned to a bucket and of one at least, as a search of so many nodes
 * (0: no limit) has use for. */
void proof_table_open(struct proof_table *table, void *memory, size_t size, uint64_t nodes);

/* False, with *proof untouched, if nothing is known. */
bool proof_table_find(const struct proof_table *table, uint64_t key, struct proof *proof);

/* Keeps what so many nodes found; may push out what was found with fewer, but what is proved last. */
void proof_table_keep(struct proof_table *table, uint64_t key, const struct proof *proof, uint64_t nodes);

#endif

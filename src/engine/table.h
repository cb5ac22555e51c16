/*
 * A transposition table: what a search found out about positions that it may
 * meet again.  Of fixed size, in memory of its owner; used by one thread.
 */
#ifndef IUVOD_ENGINE_TABLE_H
#define IUVOD_ENGINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cell.h"

enum table_bound { TABLE_NONE, TABLE_UPPER, TABLE_LOWER, TABLE_EXACT };

/* Entries of a key stand in one bucket, a line of the cache. */
enum { TABLE_WAYS = 4 };

struct table_entry {
	uint64_t key;
	uint64_t packed; /* 0: free */
};

struct table {
	struct table_entry (*buckets)[TABLE_WAYS];
	uint64_t mask; /* buckets in use less one */
	size_t room;   /* buckets, a power of two */
	unsigned age;  /* of the iteration: what is older is given up first */
};

/* What is known about a position. */
struct table_hit {
	int score;
	unsigned depth; /* searched so deep */
	enum table_bound bound;
	bool whole;      /* nothing was left out and nothing hangs on the way there: it may prove (search_two.c) */
	cell_t from, to; /* the best move; both 0 for none */
};

/* Takes memory that is aligned to a bucket; it holds at least one. */
void table_open(struct table *table, void *memory, size_t size);

/* Empties it for a search of so many nodes (0: no limit): of a small one it uses, and empties, a part. */
void table_clear(struct table *table, uint64_t nodes);

/* Brings a key's bucket nearer, soon to be asked for. */
static inline void
table_prefetch(const struct table *table, uint64_t key)
{
	__builtin_prefetch(table->buckets[key & table->mask]);
}

/* False, with *hit untouched, if nothing is known. */
bool table_find(const struct table *table, uint64_t key, struct table_hit *hit);

/* Keeps what was found; may push out what is older or less deep. */
void table_keep(struct table *table, uint64_t key, const struct table_hit *hit);

#endif

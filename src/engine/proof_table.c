#include "engine/proof_table.h"

#include <string.h>

/*
 * An entry's word: proof number 24, disproof number (of what is proved: plies)
 * 24, worth 8, in use 1.
 */
enum { AT_SECOND = 24, AT_WORTH = 48, AT_USED = 56, NUMBER = PROOF_INFINITE };

enum { WORTH_PROVED = 64 };

static uint64_t
pack(const struct proof *proof, unsigned worth)
{
	uint64_t second = proof->proof != 0 ? proof->disproof : proof->plies;
	return proof->proof | second << AT_SECOND | (uint64_t)worth << AT_WORTH | UINT64_C(1) << AT_USED;
}

void
proof_table_open(struct proof_table *table, void *memory, size_t size, uint64_t nodes)
{
	size_t used = 1;
	while (used * 2 * sizeof *table->buckets <= size && (nodes == 0 || used < nodes / PROOF_TABLE_WAYS))
		used *= 2;
	*table = (struct proof_table){.buckets = memory, .mask = used - 1};
	memset(table->buckets, 0, used * sizeof *table->buckets);
}

bool
proof_table_find(const struct proof_table *table, uint64_t key, struct proof *proof)
{
	const struct proof_table_entry *bucket = table->buckets[key & table->mask];
	for (unsigned i = 0; i < PROOF_TABLE_WAYS; i++) {
		uint64_t packed = bucket[i].packed;
		if (bucket[i].key != key || !packed)
			continue;
		uint32_t first = packed & NUMBER, second = packed >> AT_SECOND & NUMBER;
		*proof =
		    first != 0 ? (struct proof){first, second, 0} : (struct proof){0, PROOF_INFINITE, (uint8_t)second};
		return true;
	}
	return false;
}

static unsigned
worth_of(uint64_t packed)
{
	return packed ? 1 + (packed >> AT_WORTH & 0xff) : 0;
}

void
proof_table_keep(struct proof_table *table, uint64_t key, const struct proof *proof, uint64_t nodes)
{
	struct proof_table_entry *bucket = table->buckets[key & table->mask], *least = bucket;
	unsigned worth = proof->proof == 0 ? WORTH_PROVED : 0;
	for (; nodes > 1; nodes /= 2)
		worth++;
	for (unsigned i = 0; i < PROOF_TABLE_WAYS; i++) {
		if (bucket[i].key == key && bucket[i].packed) {
			least = &bucket[i];
			unsigned known = worth_of(least->packed) - 1;
			worth = known > worth ? known : worth;
			break;
		}
		if (worth_of(bucket[i].packed) < worth_of(least->packed))
			least = &bucket[i];
	}
	*least = (struct proof_table_entry){key, pack(proof, worth)};
}

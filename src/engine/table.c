#include "engine/table.h"

#include <string.h>

/* An entry's word: score 16, from 8, to 8, depth 8, age 8, bound 2, whole 1, in use 1. */
enum { AT_FROM = 16, AT_TO = 24, AT_DEPTH = 32, AT_AGE = 40, AT_BOUND = 48, AT_WHOLE = 50, AT_USED = 51 };

static uint64_t
pack(const struct table_hit *hit, unsigned age)
{
	return (uint64_t)(uint16_t)hit->score | (uint64_t)hit->from << AT_FROM | (uint64_t)hit->to << AT_TO |
	       (uint64_t)(hit->depth & 0xff) << AT_DEPTH | (uint64_t)(age & 0xff) << AT_AGE |
	       (uint64_t)hit->bound << AT_BOUND | (uint64_t)hit->whole << AT_WHOLE | UINT64_C(1) << AT_USED;
}

void
table_open(struct table *table, void *memory, size_t size)
{
	size_t room = 1;
	while (room * 2 * sizeof *table->buckets <= size)
		room *= 2;
	*table = (struct table){.buckets = memory, .mask = room - 1, .room = room};
}

/* Of eight nodes at most four are kept: the others are leaves, which nobody looks up. */
void
table_clear(struct table *table, uint64_t nodes)
{
	size_t used = table->room;
	while (nodes != 0 && used > 1 && used / 2 >= nodes / 8)
		used /= 2;
	table->mask = used - 1;
	table->age = 0;
	memset(table->buckets, 0, used * sizeof *table->buckets);
}

bool
table_find(const struct table *table, uint64_t key, struct table_hit *hit)
{
	const struct table_entry *bucket = table->buckets[key & table->mask];
	for (unsigned i = 0; i < TABLE_WAYS; i++) {
		uint64_t packed = bucket[i].packed;
		if (bucket[i].key != key || !packed)
			continue;
		*hit = (struct table_hit){
		    .score = (int16_t)(packed & 0xffff),
		    .depth = packed >> AT_DEPTH & 0xff,
		    .bound = (enum table_bound)(packed >> AT_BOUND & 3),
		    .whole = packed >> AT_WHOLE & 1,
		    .from = (cell_t)(packed >> AT_FROM),
		    .to = (cell_t)(packed >> AT_TO),
		};
		return true;
	}
	return false;
}

/* What an entry is worth keeping: its depth, less what it has aged. */
static int
weigh(const struct table *table, uint64_t packed)
{
	int aged = (int)(uint8_t)(table->age - (packed >> AT_AGE));
	return packed ? (int)(packed >> AT_DEPTH & 0xff) - 4 * aged : -4096;
}

void
table_keep(struct table *table, uint64_t key, const struct table_hit *hit)
{
	struct table_entry *bucket = table->buckets[key & table->mask], *least = bucket;
	for (unsigned i = 0; i < TABLE_WAYS; i++) {
		if (bucket[i].key == key && bucket[i].packed) {
			least = &bucket[i];
			break;
		}
		if (weigh(table, bucket[i].packed) < weigh(table, least->packed))
			least = &bucket[i];
	}
	*least = (struct table_entry){key, pack(hit, table->age)};
}

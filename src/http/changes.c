#include "http/changes.h"

#include <unistd.h>

unsigned
changes_slot(const char *game)
{
	uint32_t hash = 2166136261u; /* FNV-1a; ids are random, nobody chooses their slot */
	for (; *game != '\0'; game++)
		hash = (hash ^ (unsigned char)*game) * 16777619u;
	return (hash ^ hash >> 16) % CHANGES_SLOTS;
}

uint64_t
changes_now(const struct changes *changes)
{
	return atomic_load_explicit(&changes->epoch, memory_order_seq_cst);
}

bool
changes_none_since(const struct changes *changes, uint64_t epoch)
{
	return atomic_load_explicit(&changes->begun, memory_order_seq_cst) == epoch;
}

bool
changes_fresh(const struct changes *changes, unsigned slot, uint64_t epoch)
{
	return atomic_load_explicit(&changes->slot[slot], memory_order_seq_cst) <= epoch;
}

void
changes_begin(struct changes *changes)
{
	atomic_fetch_add_explicit(&changes->begun, 1, memory_order_seq_cst);
}

void
changes_hold(struct changes *changes, unsigned slot)
{
	atomic_store_explicit(&changes->slot[slot], UINT64_MAX, memory_order_seq_cst);
}

uint64_t
changes_next(struct changes *changes)
{
	return atomic_fetch_add_explicit(&changes->epoch, 1, memory_order_seq_cst) + 1;
}

static void
note(struct changes *changes, unsigned slot)
{
	if (atomic_load_explicit(&changes->watched[slot], memory_order_seq_cst) > 0)
		atomic_fetch_or_explicit(&changes->news[slot / 64], UINT64_C(1) << slot % 64, memory_order_seq_cst);
}

void
changes_publish(struct changes *changes, unsigned slot, uint64_t epoch)
{
	atomic_store_explicit(&changes->slot[slot], epoch, memory_order_seq_cst);
	note(changes, slot);
	note(changes, CHANGES_ANY);
}

void
changes_tell(struct changes *changes)
{
	uint64_t one = 1;
	for (unsigned i = 0; i < CHANGES_WORDS; i++) {
		if (atomic_load_explicit(&changes->news[i], memory_order_relaxed) == 0)
			continue;
		(void)!write(changes->event, &one, sizeof one);
		return;
	}
}

void
changes_watch(struct changes *changes, unsigned slot)
{
	atomic_fetch_add_explicit(&changes->watched[slot], 1, memory_order_seq_cst);
}

void
changes_unwatch(struct changes *changes, unsigned slot)
{
	atomic_fetch_sub_explicit(&changes->watched[slot], 1, memory_order_seq_cst);
}

void
changes_take(struct changes *changes, uint64_t news[CHANGES_WORDS])
{
	for (unsigned i = 0; i < CHANGES_WORDS; i++)
		news[i] = atomic_exchange_explicit(&changes->news[i], 0, memory_order_seq_cst);
}

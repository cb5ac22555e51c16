#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK_FIRST = 4096, CHUNK_LARGEST = 64 * 1024 };

struct chunk {
	struct chunk *before;
	_Alignas(max_align_t) unsigned char bytes[];
};

/* Lies at the beginning of its first chunk, so that most calls take one malloc. */
struct arena {
	struct chunk *newest;
	size_t used, room; /* of the newest chunk */
	size_t cap, left;  /* what may be handed out in all, and what is left of it */
	size_t next_room;
	bool capped;
};

static size_t
aligned(size_t size)
{
	return (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
}

static struct chunk *
chunk_new(size_t room, struct chunk *before)
{
	struct chunk *chunk = memory_take(sizeof *chunk + room);
	if (chunk != NULL)
		chunk->before = before;
	return chunk;
}

static void
begin(struct arena *arena, struct chunk *first, size_t cap)
{
	*arena = (struct arena){
	    .newest = first,
	    .used = aligned(sizeof *arena),
	    .room = CHUNK_FIRST,
	    .cap = cap,
	    .left = cap,
	    .next_room = CHUNK_FIRST * 2,
	};
}

struct arena *
arena_open(size_t cap)
{
	struct chunk *first = chunk_new(CHUNK_FIRST, NULL);
	if (first == NULL)
		return NULL;
	struct arena *arena = (void *)first->bytes;
	begin(arena, first, cap);
	return arena;
}

void
arena_reset(struct arena *arena)
{
	struct chunk *chunk = arena->newest;
	while (chunk->before != NULL) {
		struct chunk *before = chunk->before;
		free(chunk);
		chunk = before;
	}
	begin(arena, chunk, arena->cap);
}

void
arena_close(struct arena *arena)
{
	if (arena == NULL)
		return;
	/* The arena itself lies in the last of them. */
	for (struct chunk *chunk = arena->newest; chunk != NULL;) {
		struct chunk *before = chunk->before;
		free(chunk);
		chunk = before;
	}
}

static bool
grow(struct arena *arena, size_t size)
{
	size_t room = size > arena->next_room ? size : arena->next_room;
	struct chunk *chunk = chunk_new(room, arena->newest);
	if (chunk == NULL)
		return false;
	arena->newest = chunk;
	arena->used = 0;
	arena->room = room;
	if (arena->next_room < CHUNK_LARGEST)
		arena->next_room *= 2;
	return true;
}

void *
arena_take(struct arena *arena, size_t size)
{
	/* Compared before it is rounded up: no size can wrap around. */
	if (size > arena->left || aligned(size) > arena->left) {
		arena->capped = true;
		return NULL;
	}
	size_t whole = aligned(size);
	if (whole > arena->room - arena->used && !grow(arena, whole))
		return NULL;
	void *memory = arena->newest->bytes + arena->used;
	arena->used += whole;
	arena->left -= whole;
	return memory;
}

void *
arena_zero(struct arena *arena, size_t size)
{
	void *memory = arena_take(arena, size);
	if (memory != NULL)
		memset(memory, 0, size);
	return memory;
}

char *
arena_copy(struct arena *arena, const void *bytes, size_t len)
{
	if (len == SIZE_MAX) {
		arena->capped = true;
		return NULL;
	}
	char *copy = arena_take(arena, len + 1);
	if (copy == NULL)
		return NULL;
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	return copy;
}

bool
arena_capped(const struct arena *arena)
{
	return arena->capped;
}

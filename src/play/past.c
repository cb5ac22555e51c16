#include "play/past.h"

#include <string.h>

enum { KEY_LEN = 8 };

enum fault
past_read(struct arena *arena, const void *bytes, size_t len, struct past *past)
{
	if (len % KEY_LEN != 0)
		return FAULT_DAMAGED_GAME;
	size_t count = len / KEY_LEN;
	if (count == 0) {
		*past = (struct past){0};
		return FAULT_NONE;
	}
	uint64_t *keys = arena_zero(arena, count * sizeof *keys);
	if (keys == NULL)
		return FAULT_OUT_OF_MEMORY;
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < len; i++)
		keys[i / KEY_LEN] |= (uint64_t)byte[i] << (i % KEY_LEN * 8);
	*past = (struct past){keys, count};
	return FAULT_NONE;
}

enum fault
past_write(struct arena *arena, const struct past *past, const void **bytes)
{
	size_t len = past->count * KEY_LEN;
	unsigned char *to = NULL;
	if (len > 0 && (to = arena_take(arena, len)) == NULL)
		return FAULT_OUT_OF_MEMORY;
	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)(past->twice[i / KEY_LEN] >> (i % KEY_LEN * 8));
	*bytes = to;
	return FAULT_NONE;
}

/* Strikes a key that has been left a third time: the past holds those left exactly twice. */
static size_t
strike(uint64_t *keys, size_t count, uint64_t left)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (keys[i] != left)
			keys[kept++] = keys[i];
	return kept;
}

enum fault
past_add(struct arena *arena, uint64_t left, unsigned times, struct past *past)
{
	if (times < 2)
		return FAULT_NONE;
	uint64_t *keys = arena_take(arena, (past->count + 1) * sizeof *keys);
	if (keys == NULL)
		return FAULT_OUT_OF_MEMORY;
	size_t count = past->count;
	if (count > 0)
		memcpy(keys, past->twice, count * sizeof *keys);
	if (times == 2)
		keys[count++] = left;
	else
		count = strike(keys, count, left);
	*past = (struct past){keys, count};
	return FAULT_NONE;
}

/*
 * The past of a stored game: the keys that it has left exactly twice (I16, H8),
 * kept in its row as 8 bytes each, lowest first, on every machine.
 */
#ifndef IUVOD_PLAY_PAST_H
#define IUVOD_PLAY_PAST_H

#include "base/arena.h"
#include "base/fault.h"
#include "engine/position.h"

/* From the row's bytes into the arena.  FAULT_DAMAGED_GAME, FAULT_OUT_OF_MEMORY. */
enum fault past_read(struct arena *arena, const void *bytes, size_t len, struct past *past);

/* To bytes in the arena, 8 for each key; *bytes is NULL if there is none.  FAULT_OUT_OF_MEMORY. */
enum fault past_write(struct arena *arena, const struct past *past, const void **bytes);

/*
 * A ply has left the key, for the times-th time: the past after it, in the
 * arena where it differs.  FAULT_OUT_OF_MEMORY.
 */
enum fault past_add(struct arena *arena, uint64_t left, unsigned times, struct past *past);

#endif

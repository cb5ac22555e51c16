/*
 * An arena: memory that lives as long as one call and is freed at once.  Capped,
 * so that no client can make a call eat more than the limits allow.  Used by one
 * thread at a time; it may be handed from one to another.
 */
#ifndef IUVOD_BASE_ARENA_H
#define IUVOD_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Opens an arena that hands out at most cap bytes.  NULL if there is no memory. */
struct arena *arena_open(size_t cap);

/* Frees the arena and all that came from it.  NULL is allowed. */
void arena_close(struct arena *arena);

/*
 * Frees all that came from the arena, which is then as newly opened with the
 * same cap, but for the block that it lies in: the next user needs no malloc.
 */
void arena_reset(struct arena *arena);

/*
 * size bytes, not cleared, aligned for any type; NULL if memory fails or the cap
 * is reached (arena_capped tells which).  arena_zero clears them.
 */
void *arena_take(struct arena *arena, size_t size);
void *arena_zero(struct arena *arena, size_t size);

/* A NUL-terminated copy of len bytes; NULL as arena_take. */
char *arena_copy(struct arena *arena, const void *bytes, size_t len);

/* Whether a request was refused because of the cap: a limit, not a lack of memory. */
bool arena_capped(const struct arena *arena);

#endif

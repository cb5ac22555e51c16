/*
 * Rendered documents, ready to be sent again.  Each loop thread has a cache of
 * its own: no locks.  A document stands until its game changes (changes.h), or
 * until the room is needed for one that was used later.
 */
#ifndef IUVOD_HTTP_CACHE_H
#define IUVOD_HTTP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/changes.h"

struct MHD_Response;
struct resource;
struct cache;

struct cache_document {
	struct MHD_Response *response;
	const struct resource *resource; /* that it is of */
	size_t bytes;                    /* of the body */
};

/* A cache of at most room bytes; NULL if there is no memory.  The changes are borrowed. */
struct cache *cache_open(size_t room, const struct changes *changes);
void cache_close(struct cache *cache);

/* The fresh document for a target as it was sent and an Accept header (NULL: none), or NULL.  Borrowed until the next
 * call. */
const struct cache_document *cache_find(struct cache *cache, const char *target, const char *accept);

/*
 * Keeps a document of a game that was read at an epoch.  True if it was taken:
 * then the caller's reference to the response belongs to the cache.  False if it
 * does not fit or memory fails.
 */
bool cache_keep(struct cache *cache, const char *target, const char *accept, const char *game, uint64_t epoch,
    const struct cache_document *document);

#endif

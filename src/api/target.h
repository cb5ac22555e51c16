/*
 * The request target as it was sent: split, then decoded, by us and not by the
 * HTTP library, which decodes %2F and cuts at %00 (HTTP.md rule 2).
 */
#ifndef IUVOD_API_TARGET_H
#define IUVOD_API_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/limits.h"

struct target_segment {
	const char *bytes; /* decoded, NUL-terminated */
	size_t len;
};

/* A path: what stands between its slashes.  / is one empty segment. */
struct target_path {
	unsigned count; /* LIMIT_SEGMENTS + 1: more than any resource has */
	struct target_segment segments[LIMIT_SEGMENTS];
	const char *query; /* behind the ?, as sent; NULL if there is none */
};

/*
 * Splits and decodes the path of a target in origin form, or of an http URI.
 * FAULT_MALFORMED_TARGET with *why for a bad escape, %00, %2F, a raw control
 * character, invalid UTF-8 or no slash at the beginning; FAULT_OUT_OF_MEMORY.
 */
enum fault target_path(struct arena *arena, const char *target, struct target_path *path, const char **why);

/* Parts of a base path at most: with them no resource has more than LIMIT_SEGMENTS. */
enum { TARGET_BASE_PARTS = 4 };

/* Whether a text can be a base path: /a or /a/b, of characters that stand for themselves everywhere. */
bool target_is_base(const char *text);

/*
 * Reads the next parameter of a query and moves *query behind it; *name is NULL
 * at the end.  A + is a space.  Fails like target_path, though %2F may stand here.
 */
enum fault target_parameter(
    struct arena *arena, const char **query, const char **name, const char **value, const char **why);

#endif

/* What the files of the scanner share; nobody else includes it. */
#ifndef IUVOD_API_SCAN_INSIDE_H
#define IUVOD_API_SCAN_INSIDE_H

#include <stdbool.h>

#include "api/scan.h"

struct scan_key;

struct scan {
	struct arena *arena;
	const char *bytes;
	size_t len, at;
	unsigned depth;
	unsigned values;
	const char *why;       /* set once, by whoever fails first; at is then the place */
	bool memory;           /* what failed was memory */
	struct scan_key *keys; /* of all open objects, the innermost last */
	unsigned key_count, key_room;
};

/* Each returns false: what is wrong, at a place or where the scan stands. */
bool scan_fail_at(struct scan *scan, size_t at, const char *why);
bool scan_fail(struct scan *scan, const char *why);

/* The next byte, or -1 at the end. */
static inline int
scan_peek(const struct scan *scan)
{
	return scan->at < scan->len ? (unsigned char)scan->bytes[scan->at] : -1;
}

static inline bool
scan_take(struct scan *scan, char byte)
{
	if (scan_peek(scan) != byte)
		return false;
	scan->at++;
	return true;
}

/*
 * A string, from its quote on.  With out, which has scan_string_room, what it
 * stands for is put there: never longer than it is written.
 */
bool scan_string(struct scan *scan, char *out, size_t *out_len);

/* How long the string that begins here can be at most: up to the next quote that no backslash stands before. */
size_t scan_string_room(const struct scan *scan);

/* A number, from its first character on, if it lies between -2^53 and 2^53 and a double keeps all its digits. */
bool scan_number(struct scan *scan);

#endif

/* The strict scanner of JSON: checks a text without making anything of it (see json.h). */
#ifndef IUVOD_API_SCAN_H
#define IUVOD_API_SCAN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/fault.h"

/*
 * FAULT_NONE if the bytes are one JSON value as json.h says.  Else
 * FAULT_MALFORMED_JSON with the byte at which it goes wrong and a static clause
 * that says why, or FAULT_OUT_OF_MEMORY.  The arena keeps the keys.
 */
enum fault scan_json(struct arena *arena, const char *bytes, size_t len, size_t *at, const char **why);

#endif

/*
 * Reads JSON strictly (HTTP.md rule 10).  A scanner of our own goes over the
 * bytes before cJSON sees them: UTF-8, the grammar to the letter, no duplicate
 * keys (compared after unescaping), no \u0000 and no lone surrogates, bounded
 * depth and number of values, numbers below 2^53, nothing behind the value.
 */
#ifndef IUVOD_API_JSON_H
#define IUVOD_API_JSON_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"

/* Where and why a text is not JSON. */
struct json_fault {
	unsigned line, column; /* from 1; columns are counted in characters */
	const char *why;       /* static, a clause in English */
};

/*
 * Reads one value into the arena.  FAULT_MALFORMED_JSON with *where, or
 * FAULT_OUT_OF_MEMORY; then *value is untouched.
 */
enum fault json_read(struct arena *arena, const char *bytes, size_t len, const cJSON **value, struct json_fault *where);

/* A member of an object by its exact name; NULL if there is none, or if object is NULL. */
const cJSON *json_member(const cJSON *object, const char *name);

/* The same for a string; NULL if there is none or it is null. */
const char *json_text(const cJSON *object, const char *name);

/* The same of an integer that was checked; none if there is no such member. */
int64_t json_int(const cJSON *object, const char *name, int64_t none);

#endif

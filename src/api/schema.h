/*
 * Checks a body against a description of it and collects every fault, each with
 * a JSON pointer (HTTP.md rule 1), so that a sender learns all at once.
 */
#ifndef IUVOD_API_SCHEMA_H
#define IUVOD_API_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "api/json.h"
#include "base/limits.h"

enum schema_type {
	SCHEMA_STRING,
	SCHEMA_NAME,
	SCHEMA_INTEGER,
	SCHEMA_BOOLEAN,
	SCHEMA_TRUE,
	SCHEMA_ARRAY,
	SCHEMA_OBJECT,
	SCHEMA_MAP
};

struct schema_member;

/* What one value must be. */
struct schema {
	enum schema_type
	    type; /* SCHEMA_NAME: a string that may be a name (rule 10); SCHEMA_MAP: an object with any keys */
	bool nullable;
	int64_t min, max;          /* code points of a string, entries of an array or map, value of an integer; most of
				      its members that an object may have, if not 0 */
	const char *const *words;  /* the strings that are allowed, ending with NULL; NULL: any; of an object:
				      those that may stand in its place, NULL: none */
	const struct schema *each; /* of the entries of an array or map */
	const struct schema *keys; /* what the keys of a map must be */
	const struct schema_member *members; /* of an object, ending with a member without a name */
};

struct schema_member {
	const char *name;
	bool required;
	struct schema value;
};

struct schema_fault {
	const char *pointer; /* RFC 6901; "" is the whole body */
	const char *why;
};

/* What was found.  Zero it but for the arena. */
struct schema_faults {
	struct arena *arena;
	unsigned count; /* of list; further ones are dropped */
	struct schema_fault list[LIMIT_JSON_ERRORS];
	bool memory; /* there was no memory for one of them */
};

/* Checks a value.  FAULT_INVALID_BODY if there are faults; FAULT_OUT_OF_MEMORY. */
enum fault schema_check(const struct schema *schema, const cJSON *value, struct schema_faults *faults);

/* Adds a fault that a handler found; the pointer is copied, why must outlive the call. */
void schema_add(struct schema_faults *faults, const char *pointer, const char *why);

#endif

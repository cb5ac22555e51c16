/*
 * Errors as application/problem+json (RFC 9457), made from the table of faults
 * (base/fault.h) and that of verdicts (engine/verdict.h).  A problem is begun,
 * members of its own may follow, and it is ended; it replaces any reply there was.
 */
#ifndef IUVOD_API_PROBLEM_H
#define IUVOD_API_PROBLEM_H

#include "api/call.h"
#include "api/schema.h"
#include "api/writer.h"

/* detail: what is wrong this time, in UTF-8; NULL takes the table's advice. */
struct writer problem_begin(struct call *call, enum fault fault, const char *detail);
struct writer problem_begin_verdict(struct call *call, enum verdict verdict, const char *detail);
enum fault problem_end(struct call *call, struct writer *writer);

/* The whole of a problem without members of its own. */
enum fault problem_plain(struct call *call, enum fault fault, const char *detail);

/* A problem with one text as its own member. */
enum fault problem_with(struct call *call, enum fault fault, const char *detail, const char *key, const char *value);

/* Text for details, in the arena; never NULL. */
const char *problem_text(struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What schema_check found, as the reply. */
enum fault problem_schema(struct call *call, enum fault fault, const struct schema_faults *faults);

/* What json_read found. */
enum fault problem_json(struct call *call, const struct json_fault *where);

/* A position text that could not be read. */
enum fault problem_position(struct call *call, const char *pointer, const struct text_fault *where);

/* A move text that could not be read; index -1: it is the body's `move`. */
enum fault problem_move(struct call *call, const char *pointer, int index, const struct text_fault *where);

#endif

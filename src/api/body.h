/* The body and the query of a call, read by the rules of its route.  Without a database. */
#ifndef IUVOD_API_BODY_H
#define IUVOD_API_BODY_H

#include "api/call.h"
#include "api/schema.h"

/*
 * Reads the body as JSON and checks it.  *value is NULL if there is none and the
 * route wants none.  If it is refused, call->replied is set and FAULT_NONE returned.
 */
enum fault body_json(struct call *call, const struct schema *schema, const cJSON **value);

/* Refuses the call with one fault of the body. */
enum fault body_refuse(struct call *call, const char *pointer, const char *why);

/* Refuses the call because its `seats` are not as many as the variant has. */
enum fault body_refuse_seats(struct call *call, unsigned wanted);

/* The value of a query parameter; NULL if it was not sent. */
const char *body_parameter(const struct call *call, const char *name);

/* Refuses the call because of a query parameter; what: what is allowed there. */
enum fault body_refuse_parameter(struct call *call, const char *name, const char *what);

/* A query parameter as a number from min to max; *value is untouched if it was not sent.  Replies with a refusal if it
 * is none. */
enum fault body_number(struct call *call, const char *name, uint64_t min, uint64_t max, uint64_t *value);

/* A query parameter that is one of some words, ending with NULL; *index is untouched if it was not sent. */
enum fault body_word(struct call *call, const char *name, const char *const *words, unsigned *index);

#endif

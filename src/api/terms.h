/* How much time there is to play, as a body says it: `clock` of a new game. */
#ifndef IUVOD_API_TERMS_H
#define IUVOD_API_TERMS_H

#include "api/call.h"
#include "api/schema.h"

/* What `clock` may be: an object of these members, or one of these words in its place. */
extern const struct schema_member terms_members[];
extern const char *const terms_words[];

/*
 * Reads it; value NULL: it was not said.  Replies with a refusal if members
 * contradict each other.
 */
enum fault terms_read(struct call *call, const cJSON *value, struct clock_terms *terms);

#endif

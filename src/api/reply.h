/* Building the reply of a call: headers, links, and the JSON body. */
#ifndef IUVOD_API_REPLY_H
#define IUVOD_API_REPLY_H

#include "api/call.h"
#include "api/writer.h"

/* Forgets whatever reply there was. */
void reply_reset(struct call *call);

/* Adds a header; name and value are static or in the arena.  More than there is room for are dropped. */
void reply_header(struct call *call, const char *name, const char *value);

/* Begins a body with this status; the caller writes one value and ends it. */
struct writer reply_begin(struct call *call, unsigned status);

/*
 * Ends the reply: its media type and the headers that stand on every reply.
 * media NULL: no body.  FAULT_OUT_OF_MEMORY if the body could not be kept.
 */
enum fault reply_end(struct call *call, const char *media);

/* Cache-Control and Vary for a reply that is of the one who asked alone and not to be kept (creations, changes,
 * errors). */
void reply_no_store(struct call *call);

/* The same for a document that changes with the program alone. */
void reply_public(struct call *call);

/* A path of this service in the arena, with the base path before it; NULL without memory. */
const char *reply_path(const struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a member `key` with a link: the base path and the parts after it (NULL parts are left out). */
void reply_link(const struct call *call, struct writer *writer, const char *key, const char *part1, const char *part2,
    const char *part3);

#endif

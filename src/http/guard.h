/*
 * How many connections and streams are open, in all and from each address, over
 * all loops.  Past the limits a connection is still let in, up to a reserve, to be told
 * that there are too many; past the reserve nothing is accepted for a while.
 * A connection that has become a stream counts as a stream alone.  Any thread.
 */
#ifndef IUVOD_HTTP_GUARD_H
#define IUVOD_HTTP_GUARD_H

#include <stdbool.h>

#include "http/ip.h"

enum { GUARD_RESERVE = 64 };

struct guard;
struct guard_place;

struct guard_limits {
	unsigned connections, connections_address;
	unsigned streams, streams_address; /* and answers that wait */
};

/* NULL if there is no memory. */
struct guard *guard_open(const struct guard_limits *limits);
void guard_close(struct guard *guard);

/* Whether one more may be accepted at all. */
bool guard_has_room(struct guard *guard);

/*
 * Counts a connection; NULL if there is no memory.  *served is false if it is
 * one too many.
 */
struct guard_place *guard_enter(struct guard *guard, struct ip ip, bool *served);
void guard_leave(struct guard *guard, struct guard_place *place);

/* Counts a stream of a client, whose place it is then; false with why there may be no more of them, or NULL: no memory.
 */
bool guard_enter_stream(struct guard *guard, struct ip ip, struct guard_place **place, const char **why);
void guard_leave_stream(struct guard *guard, struct guard_place *place);

/* How many are open now. */
void guard_count(struct guard *guard, unsigned *connections, unsigned *streams);

#endif

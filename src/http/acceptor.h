/*
 * The thread that accepts connections on some listeners, one from each of them in
 * turn, and hands each to that of its loops which has the fewest.
 */
#ifndef IUVOD_HTTP_ACCEPTOR_H
#define IUVOD_HTTP_ACCEPTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "http/guard.h"
#include "http/listeners.h"
#include "http/loop.h"
#include "http/tls.h"

struct acceptor {
	struct listeners listeners; /* its own, to be opened before it starts */
	struct guard *guard;        /* counts the connections */
	struct tls *tls;            /* of the listeners that speak it; NULL if none does */
	struct loop *loops;         /* which have started */
	unsigned loop_count;
	int stop; /* an event for the thread */
	pthread_t thread;
	bool runs;
};

/* Makes what the thread needs; false without descriptors, and acceptor_stop may be called. */
bool acceptor_open(struct acceptor *acceptor, struct guard *guard);

/* Starts the thread; on failure false with a line in why[room]. */
bool acceptor_start(struct acceptor *acceptor, struct loop *loops, unsigned loop_count, char *why, size_t room);

/* Whoever has connected by now is given to a loop; then the thread ends, and nobody listens any more. */
void acceptor_stop(struct acceptor *acceptor);

#endif

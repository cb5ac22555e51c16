/*
 * TLS in front of the loops, by GnuTLS: the library that libmicrohttpd itself is
 * built on, so that it is in the process anyway.  Its own way of using it
 * (MHD_USE_TLS) does not fit here, for three reasons: a stream is taken from the library as a
 * bare socket (takeover.h), which a session of the library's cannot follow; handshakes, a
 * millisecond of arithmetic each, would run on the loops, and a crowd of them hold up
 * every call; and what looks at the socket to tell a slow client (connection.c) would
 * see ciphertext.  So each connection is carried by a thread of its own between its
 * socket and a pair of sockets, whose other end a loop serves as any connection:
 * limits, guards and streams know nothing of TLS.
 */
#ifndef IUVOD_HTTP_TLS_H
#define IUVOD_HTTP_TLS_H

#include <stdbool.h>
#include <stddef.h>

#include "http/certificate.h"
#include "http/loop.h"

struct tls;

struct tls_options {
	struct certificate *certificate; /* what is shown; outlives it */
	unsigned silence_ms;             /* a client that confirms nothing for so long is given up */
};

/* Starts the thread; on failure NULL with a line in why[room]. */
struct tls *tls_open(const struct tls_options *options, char *why, size_t room);

/*
 * Puts TLS in front of a connection that was accepted: its descriptor is then the plain
 * end, and its inflow counts what comes.  False with errno if there are no means, and
 * the arrival is as it was.  Any thread.
 */
bool tls_wrap(struct tls *tls, struct arrival *arrival);

/*
 * Waits until what has reached the clients' sockets by now is with the loops, but no longer
 * than a second.  The thread that asks tls_turns.
 */
void tls_settle(struct tls *tls);

/* Whether the thread has done a turn since this was asked before (base/pulse.h). */
bool tls_turns(struct tls *tls);

/* Tells of the connections and handshakes in the metrics.  Any thread; NULL is allowed. */
void tls_tell(const struct tls *tls, struct text *out);

/*
 * Ends: the loops have closed their ends.  What they have sent still has a second and a half to be taken.
 * NULL is allowed.
 */
void tls_close(struct tls *tls);

#endif

/*
 * A connection that comes by TLS, between the client's socket (the wire) and one
 * end of a pair of sockets (plain), at whose other end a loop or the watch sees
 * what any client would send.  What one side does not take, the other is not asked for,
 * so that a slow reader is the server's to notice, and no more than a record waits
 * here each way.  The TLS thread's own.
 */
#ifndef IUVOD_HTTP_TLS_LINK_H
#define IUVOD_HTTP_TLS_LINK_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/certificate.h"
#include "http/figures.h"
#include "http/inflow.h"
#include "http/ip.h"

enum tls_state {
	TLS_HANDSHAKE,
	TLS_OPEN,  /* both ways */
	TLS_FLUSH, /* the server has closed: what it has sent is still delivered */
	TLS_DRAIN, /* the client has been told so: closing while it writes would reset what it has yet to read */
	TLS_OVER,  /* to be freed */
	TLS_STATES
};

struct tls_link;

/* One of the two sockets, as epoll knows it. */
struct tls_end {
	struct tls_link *link;
	int fd;
	uint32_t wants; /* the events that it is in the set for; 0: it is not there */
};

/* Bytes that were not taken. */
struct tls_rest {
	char *bytes; /* NULL: none */
	size_t from, to;
};

struct tls_link {
	struct tls_link *next, **at; /* its list's */
	int epoll;
	struct tls_end wire, plain;
	gnutls_session_t session;
	struct certificate_reading *reading;
	struct inflow *inflow;
	enum tls_state state;
	int64_t since_us;               /* when the state began */
	bool wire_ended;                /* the client's socket has nothing more; GnuTLS is not told (pull) */
	bool heard_all;                 /* nothing more comes from the client, or nobody wants it */
	bool sending;                   /* GnuTLS has a record that the wire has not taken */
	struct tls_rest in;             /* for plain */
	struct tls_rest out;            /* for the wire, with the record that GnuTLS has at its beginning */
	size_t drained;                 /* bytes thrown away */
	const char *why;                /* its handshake failed: for the log; NULL: it did not */
	enum figures_handshake outcome; /* of its handshake, once that is over */
	char address[IP_PEER_MAX];
};

/* What a new link takes over, even if there is none in the end. */
struct tls_parts {
	int wire, plain;
	struct inflow *inflow;
	struct certificate_reading *reading;
	gnutls_priority_t priority; /* not taken: outlives the link */
	const char *address;        /* copied */
};

/* NULL, and the parts are closed, if there is no memory. */
struct tls_link *tls_link_open(const struct tls_parts *parts, int epoll, int64_t now_us);

/* Does what can be done after such events of epoll at that end, and looks at its state. */
void tls_link_ready(struct tls_link *link, const struct tls_end *end, uint32_t events, int64_t now_us);

/* Ends it, if its state has lasted too long; at the end of the server it has no time to drain. */
void tls_link_look(struct tls_link *link, int64_t now_us, bool ending);

/* Another state, from now on. */
void tls_link_enter(struct tls_link *link, enum tls_state state, int64_t now_us);

/* It is over, and nobody is told; in its handshake that is why. */
void tls_link_fail(struct tls_link *link, enum figures_handshake outcome, const char *why);

/* The same, by an error of GnuTLS: the client is told by an alert, and has time to read it, unless he is gone. */
void tls_link_refuse(struct tls_link *link, int error, int64_t now_us);

/* One end alone; closed already, nothing. */
void tls_link_close_end(struct tls_link *link, struct tls_end *end);

/* Closes and frees all of it. */
void tls_link_close(struct tls_link *link);

#endif

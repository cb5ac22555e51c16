/*
 * A connection: one accepted socket and the exchange that runs on it, if any.
 * HTTP/1.1 has one at a time.  Belongs to its loop's thread.
 *
 * The library knows idle time only: a byte now and then would hold a connection
 * for ever.  So each connection has a phase and when it began, and a sweep cuts
 * off those that have been too long in theirs.
 */
#ifndef IUVOD_HTTP_CONNECTION_H
#define IUVOD_HTTP_CONNECTION_H

#include "http/exchange.h"
#include "http/loop.h"

enum connection_phase {
	PHASE_WAIT, /* no request has begun */
	PHASE_HEAD, /* a part of one has arrived */
	PHASE_BODY,
	PHASE_CALL,  /* ours: handler or lane */
	PHASE_THINK, /* the engine's */
	PHASE_HELD,  /* the reply is there, and held back */
	PHASE_SEND,  /* the reply is queued */
	PHASE_CUT    /* past a deadline: the socket is shut down */
};

struct connection {
	struct loop *loop;
	struct connection *next, **at;
	struct MHD_Connection *mhd;
	int fd;
	bool served; /* false: one too many, and told so */
	bool linger; /* the sender may still be writing when it is closed */
	bool taken;  /* its socket has become a stream's: only the library's side of it ends */
	bool fresh;  /* no request was completed yet */
	enum connection_phase phase;
	int64_t since_us; /* when the phase began */
	struct guard_place *place;
	struct inflow *inflow; /* of what came by TLS; NULL: its socket is the client's */
	struct ip peer;
	char address[IP_PEER_MAX]; /* for the log, with the port */
	struct exchange exchange;
};

/* Called by the library when a connection begins and ends (MHD_OPTION_NOTIFY_CONNECTION); cls is the loop. */
void connection_notify(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_ConnectionNotificationCode code);

/* The connection of a library's one; NULL if there was no memory for it. */
struct connection *connection_of(struct MHD_Connection *mhd);

void connection_enter(struct connection *connection, enum connection_phase phase);

/* Cuts off the loop's connections that are past a deadline. */
void connection_sweep(struct loop *loop);

#endif

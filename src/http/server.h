/*
 * The HTTP server: one thread accepts, a few loop threads serve (loop.h), and
 * the write lane gives its calls back to them.
 */
#ifndef IUVOD_HTTP_SERVER_H
#define IUVOD_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/call.h"
#include "api/quota.h"
#include "http/certificate.h"
#include "http/forwarded.h"
#include "http/lane.h"
#include "http/listeners.h"
#include "http/think.h"

enum { SERVER_LOOPS_MAX = 64 };

struct server_options {
	struct listeners *listeners;     /* where to listen, as it was read */
	struct listeners *admin;         /* the same, of the operator's (admin.h); none: he has no listener */
	unsigned socket_mode;            /* of the files of Unix-domain sockets */
	int first_socket;                /* of those that are listening already, in place of all that */
	unsigned sockets;                /* how many there are */
	unsigned sockets_tls;            /* bit i: the one i behind the first speaks TLS */
	struct certificate *certificate; /* what those that speak TLS show; NULL: none do */
	const char *database;
	unsigned loops;                        /* loop threads */
	unsigned connections;                  /* open connections in all; may be fewer after server_prepare */
	unsigned connections_address;          /* of one address */
	unsigned streams;                      /* open streams and answers that wait, in all; likewise */
	bool connections_fixed, streams_fixed; /* somebody has said so: never fewer */
	unsigned streams_game;                 /* of one game */
	unsigned streams_address;              /* from one address */
	struct trust trust;                    /* proxies that say where a request comes from */
	enum forwarded_header proxy_header;
	unsigned minute[QUOTA_COUNT]; /* so many of each in a minute from one address; 0: without a limit */
	bool limit_loopback;          /* from this machine, too */
	unsigned beat_ms, stall_ms;   /* of streams (watch.h) */
	unsigned send_ms, idle_ms;    /* of connections (loop.h) */
	unsigned held_ms;             /* of answers to one refusal too many (loop.h); 0: they are sent at once */
	size_t cache_bytes;           /* of rendered documents in all; 0: no cache */
};

struct server;

/*
 * What a start may fail for though the data file is fine, before that is opened or made: takes the
 * addresses and the descriptors.  Where so many are not allowed, connections and streams that nobody has
 * fixed become fewer, and the log says so.  False with a line in why[room].
 */
bool server_prepare(struct server_options *options, char *why, size_t room);

/* Gives the addresses back, if server_open was not called or has failed. */
void server_release(struct server_options *options);

/* Listens and starts, after server_prepare; on failure NULL with a line for the operator in why[room].  All that is
 * passed outlives the server.
 */
struct server *server_open(const struct server_options *options, const struct service *service,
    struct lane_writer *lane, struct think *think, char *why, size_t room);

/* http://ADDRESS:PORT with the port that was bound, or unix:PATH, of each socket; NULL after the last. */
const char *server_url(const struct server *server, unsigned index);

/* The same, of the operator's listeners. */
const char *server_admin_url(const struct server *server, unsigned index);

/*
 * Reads again what can be changed while the server serves: the certificate, if there is
 * one.  False with a line in why[room], and all is as it was.  One thread asks.
 */
bool server_reload(struct server *server, char *why, size_t room);

/*
 * For a watchdog: whether the writer, the watch, TLS and the loops have all done a turn since this was
 * asked before; if not, the name of one that has not.  NULL: all have.  One thread asks.
 */
const char *server_sleeper(struct server *server);

/* For lane_options.done: gives a batch back to the loops that its calls came from. */
void server_finish(struct lane_entry *batch);

/*
 * Stops in order: no new connections and no new requests; what is in flight is
 * answered, a body that still arrives within a few seconds included, but nothing is
 * thought about any more; the lane is closed, drained and joined; streams end with a goodbye; all connections are
 * closed, those of the operator last, and everything is freed but the lane and the engine's threads.
 */
void server_close(struct server *server);

#endif

/* The HTTP server: loop threads, each with a libmicrohttpd daemon of its own on one listening socket. */
#ifndef IUVOD_HTTP_SERVER_H
#define IUVOD_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/call.h"
#include "http/lane.h"

struct server_options {
	const char *listen;          /* ADDRESS:PORT, [v6]:PORT */
	const char *database;
	unsigned loops;              /* loop threads */
	unsigned connections;        /* open connections in all */
	unsigned connections_address;/* of one address */
	size_t cache_bytes;          /* of rendered documents in all; 0: no cache */
	bool log_requests;
};

struct server;

/* Binds and starts; on failure NULL with a line for the operator in why[room]. */
struct server *server_open(const struct server_options *options, const struct service *service,
    struct lane_writer *lane, char *why, size_t room);

/* http://ADDRESS:PORT with the port that was bound; lives as long as the server. */
const char *server_url(const struct server *server);

/* Stops in order: no new connections, the lane drains, what is in flight is answered, everything is closed. */
void server_close(struct server *server);

#endif

/*
 * The operator's listeners (--admin-listen): a loop of their own, with limits of
 * their own, so that they answer when all connections are taken, and go on until
 * the service has stopped.  Here are the metrics, and whether the service is ready.
 */
#ifndef IUVOD_HTTP_ADMIN_H
#define IUVOD_HTTP_ADMIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/certificate.h"
#include "http/listeners.h"
#include "http/loop.h"

struct admin;
struct tls;

/* All of it outlives the listeners, and so does what the loops tell of. */
struct admin_options {
	struct listeners *listeners;      /* which are bound; taken over */
	const struct loop_shared *shared; /* of the loops that serve everybody */
	struct certificate *certificate;  /* NULL: no TLS */
	const struct tls *tls;            /* likewise */
	struct loop *loops;
	unsigned loop_count;
};

/* Listens and starts; on failure NULL with a line for the operator in why[room]. */
struct admin *admin_open(const struct admin_options *options, char *why, size_t room);

/* As server_url. */
const char *admin_url(const struct admin *admin, unsigned index);

/* Whether its loop has done a turn since this was asked before (base/pulse.h). */
bool admin_turns(struct admin *admin);

/* What is in flight is answered, but not for long.  NULL is allowed. */
void admin_close(struct admin *admin);

#endif

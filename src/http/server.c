#include "config.h"

#include "http/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "http/acceptor.h"
#include "http/admin.h"
#include "http/connection.h"
#include "http/exchange.h"
#include "http/loop.h"
#include "http/takeover.h"
#include "http/tls.h"

enum {
	GRACE_MS = 5000,      /* for bodies that are on their way when the server stops */
	LAST_BYTES_MS = 5000, /* for replies to be taken by their readers after that */
	SETTLE_US = 20 * 1000,
	STEP_US = 2000
};

struct server {
	struct loop_shared shared;
	struct guard *guard;
	struct meter *meter;
	struct certificate *certificate;
	struct tls *tls; /* NULL: no listener speaks TLS */
	struct acceptor acceptor;
	struct admin *admin; /* NULL: the operator has no listener */
	unsigned loop_count, started;
	struct loop loops[];
};

/* Nothing may be in the lane any more.  Frees the server. */
static void
end_loops(struct server *server)
{
	for (unsigned i = 0; i < server->started; i++)
		loop_end(&server->loops[i]);
	for (unsigned i = 0; i < server->loop_count; i++)
		loop_close(&server->loops[i]);
	tls_close(server->tls);
	guard_close(server->guard);
	meter_close(server->meter);
	free(server);
}

/* ---- opening ---- */

static bool
open_loops(struct server *server, unsigned count, char *why, size_t room)
{
	for (; server->loop_count < count; server->loop_count++) {
		struct loop *loop = &server->loops[server->loop_count];
		if (!loop_open(loop, server->loop_count, &server->shared, why, room)) {
			loop_close(loop);
			return false;
		}
	}
	return true;
}

static bool
start_threads(struct server *server, char *why, size_t room)
{
	for (; server->started < server->loop_count; server->started++)
		if (!loop_start(&server->loops[server->started])) {
			snprintf(why, room, "cannot start a thread");
			return false;
		}
	return acceptor_start(&server->acceptor, server->loops, server->loop_count, why, room);
}

static bool
open_watch(struct server *server, const struct server_options *options, char *why, size_t room)
{
	const struct watch_options watch = {
	    .database = options->database,
	    .service = server->shared.service,
	    .guard = server->guard,
	    .changes = lane_changes(server->shared.lane),
	    .streams_game = options->streams_game,
	    .beat_ms = options->beat_ms,
	    .stall_ms = options->stall_ms,
	    .woken = takeover_woken,
	};
	server->shared.watch = watch_open(&watch, why, room);
	return server->shared.watch != NULL;
}

static bool
open_admin(struct server *server, const struct server_options *options, char *why, size_t room)
{
	const struct admin_options admin = {
	    .listeners = options->admin,
	    .shared = &server->shared,
	    .certificate = server->certificate,
	    .tls = server->tls,
	    .loops = server->loops,
	    .loop_count = server->loop_count,
	};
	if (options->admin->count == 0)
		return true;
	server->admin = admin_open(&admin, why, room);
	return server->admin != NULL;
}

static bool
open_tls(struct server *server, const struct server_options *options, char *why, size_t room)
{
	const struct tls_options tls = {.certificate = options->certificate, .silence_ms = options->send_ms};
	if (!listeners_have_tls(&server->acceptor.listeners))
		return true;
	server->certificate = options->certificate;
	certificate_log(server->certificate);
	server->acceptor.tls = server->tls = tls_open(&tls, why, room);
	return server->tls != NULL;
}

struct server *
server_open(const struct server_options *options, const struct service *service, struct lane_writer *lane,
    struct think *think, char *why, size_t room)
{
	struct server *server = calloc(1, sizeof *server + options->loops * sizeof(struct loop));
	if (server == NULL) {
		snprintf(why, room, "no memory for the server");
		return NULL;
	}
	server->guard = guard_open(&(struct guard_limits){
	    .connections = options->connections,
	    .connections_address = options->connections_address,
	    .streams = options->streams,
	    .streams_address = options->streams_address,
	});
	server->meter = meter_open(options->minute);
	server->shared = (struct loop_shared){
	    .service = service,
	    .lane = lane,
	    .think = think,
	    .guard = server->guard,
	    .meter = server->meter,
	    .limit_loopback = options->limit_loopback,
	    .trust = options->trust,
	    .proxy_header = options->proxy_header,
	    .database = options->database,
	    .connections = options->connections + GUARD_RESERVE + 1,
	    .send_ms = options->send_ms,
	    .idle_ms = options->idle_ms,
	    .held_ms = options->held_ms,
	    .cache_room = options->cache_bytes / options->loops,
	};
	if (!acceptor_open(&server->acceptor, server->guard) || server->guard == NULL || server->meter == NULL) {
		snprintf(why, room, "no memory for the server");
		goto failed;
	}
	if (!open_watch(server, options, why, room))
		goto failed;
	server->acceptor.listeners = listeners_move(options->listeners);
	if (!listeners_listen(&server->acceptor.listeners, why, room) || !open_tls(server, options, why, room))
		goto failed;
	if (open_loops(server, options->loops, why, room) && open_admin(server, options, why, room) &&
	    start_threads(server, why, room))
		return server;
failed:
	admin_close(server->admin);
	acceptor_stop(&server->acceptor);
	watch_close(server->shared.watch);
	end_loops(server);
	return NULL;
}

const char *
server_url(const struct server *server, unsigned index)
{
	return index < server->acceptor.listeners.count ? server->acceptor.listeners.all[index].url : NULL;
}

bool
server_reload(struct server *server, char *why, size_t room)
{
	static const char *const files[CERTIFICATE_FILES] = {"--tls-certificate", "--tls-key"};
	enum certificate_file wrong;
	char what[256];
	if (server->certificate == NULL)
		return true;
	if (!certificate_read(server->certificate, &wrong, what, sizeof what)) {
		snprintf(why, room, "%s: %s", files[wrong], what);
		return false;
	}
	certificate_log(server->certificate);
	return true;
}

const char *
server_admin_url(const struct server *server, unsigned index)
{
	return server->admin == NULL ? NULL : admin_url(server->admin, index);
}

const char *
server_sleeper(struct server *server)
{
	const char *sleeper = NULL;
	/* All are asked, whatever the first says. */
	if (!lane_turns(server->shared.lane))
		sleeper = "writer";
	if (!watch_turns(server->shared.watch))
		sleeper = "watch";
	if (server->tls != NULL && !tls_turns(server->tls))
		sleeper = "tls";
	for (unsigned i = 0; i < server->started; i++)
		if (!loop_turns(&server->loops[i]))
			sleeper = "loop";
	if (server->admin != NULL && !admin_turns(server->admin))
		sleeper = "admin";
	return sleeper;
}

/* ---- the way back from the lane ---- */

void
server_finish(struct lane_entry *batch)
{
	struct loop *loops[SERVER_LOOPS_MAX];
	unsigned count = 0;
	/* All are sorted before the first is given away: from then on it may be gone. */
	for (struct lane_entry *next; batch != NULL; batch = next) {
		struct loop *loop = exchange_of(batch)->connection->loop;
		next = batch->next;
		if (loop->batch == NULL)
			loops[count++] = loop;
		batch->next = loop->batch;
		loop->batch = batch;
	}
	for (unsigned i = 0; i < count; i++) {
		struct lane_entry *entries = loops[i]->batch;
		loops[i]->batch = NULL;
		loop_finish(loops[i], entries);
	}
}

/* ---- closing ---- */

/* Waits until nothing is in flight, but no longer than that. */
static void
wait_for_exchanges(struct server *server, int64_t ms)
{
	int64_t until = clock_mono_us() + ms * 1000;
	usleep(SETTLE_US); /* what has reached the socket only is answered too */
	while (atomic_load(&server->shared.active) > 0 && clock_mono_us() < until)
		usleep(STEP_US);
}

void
server_close(struct server *server)
{
	acceptor_stop(&server->acceptor);
	if (server->tls != NULL)
		tls_settle(server->tls);
	atomic_store(&server->shared.stopping, true);
	watch_end_waits(server->shared.watch);
	/* What was thought is answered or in the lane now, and nothing follows. */
	think_end(server->shared.think);
	wait_for_exchanges(server, GRACE_MS);
	lane_close(server->shared.lane);
	lane_join(server->shared.lane);
	/* Streams tell of all that was done. */
	watch_close(server->shared.watch);
	wait_for_exchanges(server, LAST_BYTES_MS);
	admin_close(server->admin);
	end_loops(server);
}

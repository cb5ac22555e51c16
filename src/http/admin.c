#include "http/admin.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/acceptor.h"
#include "http/figures.h"
#include "http/process.h"
#include "http/server.h"
#include "http/tls.h"
#include "store/db.h"
#include "store/games.h"

enum {
	LAST_BYTES_US = 2 * 1000 * 1000, /* for replies to be taken by their readers at the end */
	STEP_US = 2000,
	WAL_NAME_MAX = 4096
};

struct admin {
	struct admin_options options;
	struct service service; /* that of all, but for what is served */
	struct loop_shared shared;
	struct guard *guard;
	struct acceptor acceptor;
	struct loop loop;
	bool loop_opened, loop_started;
	int64_t started_us; /* of the process */
};

/* ---- what is told; on the loop's thread ---- */

static void
tell_requests(struct admin *admin, struct text *out)
{
	struct tally *tallies[1 + SERVER_LOOPS_MAX];
	tallies[0] = admin->loop.tally;
	for (unsigned i = 0; i < admin->options.loop_count; i++)
		tallies[1 + i] = admin->options.loops[i].tally;
	tally_tell(tallies, 1 + admin->options.loop_count, out);
}

/* Where the file cannot be read there is no sample. */
static void
tell_games(struct admin *admin, struct text *out)
{
	struct games_counts counts;
	struct db *db = admin->loop.db;
	metric_begin(out, METRIC_GAMES);
	if (db_read_begin(db) == FAULT_NONE && games_counts(db, &counts) == FAULT_NONE) {
		const struct {
			const char *status;
			int64_t count;
		} all[] = {{"open", counts.open}, {"active", counts.active}, {"finished", counts.finished},
		    {"withdrawn", counts.withdrawn}};
		for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
			metric_count(out, METRIC_GAMES, &all[i].status, (uint64_t)all[i].count);
	}
	db_end(db);
}

static void
tell_gauge(struct text *out, enum metric metric, uint64_t value)
{
	metric_begin(out, metric);
	metric_count(out, metric, NULL, value);
}

static void
tell_connections(struct admin *admin, struct text *out)
{
	unsigned connections, streams;
	guard_count(admin->options.shared->guard, &connections, &streams);
	tell_gauge(out, METRIC_CONNECTIONS, connections);
	tell_gauge(out, METRIC_STREAMS, streams);
}

static void
tell_size(struct text *out, const char *path, const char *label)
{
	struct stat file;
	if (stat(path, &file) == 0)
		metric_count(out, METRIC_DATABASE_BYTES, &label, (uint64_t)file.st_size);
}

static void
tell_database(struct admin *admin, struct text *out)
{
	char wal[WAL_NAME_MAX];
	const char *path = admin->options.shared->database;
	metric_begin(out, METRIC_DATABASE_BYTES);
	tell_size(out, path, "data");
	if (snprintf(wal, sizeof wal, "%s-wal", path) < (int)sizeof wal)
		tell_size(out, wal, "wal");
}

static void
tell_engine(struct admin *admin, struct text *out)
{
	static const char *const classes[THINK_CLASSES] = {[THINK_QUICK] = "quick",
	    [THINK_QUESTION] = "question",
	    [THINK_PERSON] = "person",
	    [THINK_ENGINE] = "engine"};
	struct think_count count;
	think_count(admin->options.shared->think, &count);
	metric_begin(out, METRIC_ENGINE_QUEUE);
	for (unsigned class = 0; class < THINK_CLASSES; class ++)
		metric_count(out, METRIC_ENGINE_QUEUE, &classes[class], count.waiting[class]);
	tell_gauge(out, METRIC_ENGINE_RUNNING, count.running);
	figures_tell_engine(out);
}

static void
tell_certificate(struct admin *admin, struct text *out)
{
	struct certificate *certificate = admin->options.certificate;
	metric_begin(out, METRIC_CERTIFICATE_END);
	if (certificate != NULL)
		metric_us(out, METRIC_CERTIFICATE_END, NULL, (uint64_t)certificate_until_ms(certificate) * 1000);
}

static void
tell_build(struct admin *admin, struct text *out)
{
	char schema[16];
	snprintf(schema, sizeof schema, "%u", admin->service.schema);
	metric_begin(out, METRIC_BUILD);
	metric_count(out, METRIC_BUILD, (const char *[]){admin->service.version, schema}, 1);
}

static void
tell(void *arg, struct text *out)
{
	struct admin *admin = arg;
	tell_games(admin, out);
	tell_requests(admin, out);
	figures_tell_refusals(out);
	tell_connections(admin, out);
	tell_gauge(out, METRIC_WRITER_QUEUE, lane_queued(admin->options.shared->lane));
	figures_tell_writer(out);
	tell_database(admin, out);
	tell_engine(admin, out);
	tell_certificate(admin, out);
	tls_tell(admin->options.tls, out);
	tell_build(admin, out);
	process_tell(admin->started_us, out);
	metric_end(out);
}

/* ---- opening and closing ---- */

static struct loop_shared
shared_of(struct admin *admin)
{
	const struct loop_shared *all = admin->options.shared;
	return (struct loop_shared){
	    .service = &admin->service,
	    .lane = all->lane,
	    .guard = admin->guard,
	    .database = all->database,
	    .connections = LIMIT_ADMIN_CONNECTIONS + GUARD_RESERVE + 1,
	    .send_ms = all->send_ms,
	    .idle_ms = all->idle_ms,
	};
}

static bool
start(struct admin *admin, char *why, size_t room)
{
	admin->acceptor.listeners = listeners_move(admin->options.listeners);
	if (!listeners_listen(&admin->acceptor.listeners, why, room))
		return false;
	admin->loop_opened = true;
	if (!loop_open(&admin->loop, admin->options.loop_count, &admin->shared, why, room))
		return false;
	admin->loop_started = loop_start(&admin->loop);
	if (!admin->loop_started) {
		snprintf(why, room, "cannot start a thread");
		return false;
	}
	return acceptor_start(&admin->acceptor, &admin->loop, 1, why, room);
}

struct admin *
admin_open(const struct admin_options *options, char *why, size_t room)
{
	struct admin *admin = calloc(1, sizeof *admin);
	snprintf(why, room, "no memory for the operator's listener");
	if (admin == NULL)
		return NULL;
	admin->options = *options;
	admin->started_us = process_started_us();
	admin->service = *options->shared->service;
	admin->service.site = SITE_ADMIN;
	admin->service.base_path = "";
	admin->service.tell = tell;
	admin->service.tell_arg = admin;
	admin->guard = guard_open(&(struct guard_limits){
	    .connections = LIMIT_ADMIN_CONNECTIONS, .connections_address = LIMIT_ADMIN_CONNECTIONS});
	admin->shared = shared_of(admin);
	if (acceptor_open(&admin->acceptor, admin->guard) && admin->guard != NULL && start(admin, why, room))
		return admin;
	admin_close(admin);
	return NULL;
}

const char *
admin_url(const struct admin *admin, unsigned index)
{
	return index < admin->acceptor.listeners.count ? admin->acceptor.listeners.all[index].url : NULL;
}

bool
admin_turns(struct admin *admin)
{
	return loop_turns(&admin->loop);
}

static void
wait_for_exchanges(struct admin *admin)
{
	int64_t until = clock_mono_us() + LAST_BYTES_US;
	while (atomic_load(&admin->shared.active) > 0 && clock_mono_us() < until)
		usleep(STEP_US);
}

void
admin_close(struct admin *admin)
{
	if (admin == NULL)
		return;
	acceptor_stop(&admin->acceptor);
	atomic_store(&admin->shared.stopping, true);
	if (admin->loop_started) {
		wait_for_exchanges(admin);
		loop_end(&admin->loop);
	}
	if (admin->loop_opened)
		loop_close(&admin->loop);
	guard_close(admin->guard);
	free(admin);
}

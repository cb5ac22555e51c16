#include "http/loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/token.h"
#include "http/answer.h"
#include "http/connection.h"
#include "http/exchange.h"
#include "http/statistics.h"
#include "http/thought.h"
#include "store/db.h"

enum { SWEEP_US = 500 * 1000, EVENTS_MAX = 16 };

__attribute__((format(printf, 2, 0))) static void
log_library(void *cls, const char *format, va_list values)
{
	char text[512], quoted[600];
	(void)cls;
	vsnprintf(text, sizeof text, format, values);
	text[strcspn(text, "\n")] = '\0';
	log_line(LOG_DEBUG, "library", "text=%s", log_quote(text, quoted, sizeof quoted));
}

static struct MHD_Daemon *
start_daemon(struct loop *loop)
{
	/* TURBO: closing its side of a connection that has become a stream must not shut the socket down. */
	unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
	if (log_enabled(LOG_DEBUG))
		flags |= MHD_USE_ERROR_LOG;
	/* The library's memory of a connection; the head of a request gets about half of it. */
	size_t pool = 2 * loop->shared->service->limits.head;
	return MHD_start_daemon(flags, 0, NULL, NULL, exchange_handle, loop, MHD_OPTION_EXTERNAL_LOGGER, log_library,
	    NULL, MHD_OPTION_NOTIFY_CONNECTION, connection_notify, loop, MHD_OPTION_NOTIFY_COMPLETED,
	    exchange_completed, loop, MHD_OPTION_URI_LOG_CALLBACK, exchange_uri, loop,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool, MHD_OPTION_CONNECTION_LIMIT, loop->shared->connections,
	    MHD_OPTION_CONNECTION_TIMEOUT, loop->shared->idle_ms / 1000, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	    MHD_OPTION_END);
}

/* The addresses of daemon and event tell their events from those of what lingers. */
static bool
watch(struct loop *loop, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
	return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool
open_daemon(struct loop *loop)
{
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	loop->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	loop->daemon = start_daemon(loop);
	if (loop->epoll < 0 || loop->event < 0 || loop->daemon == NULL)
		return false;
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	loop->lingering.epoll = loop->epoll;
	return info != NULL && watch(loop, info->epoll_fd, loop->daemon) && watch(loop, loop->event, &loop->event);
}

bool
loop_open(struct loop *loop, unsigned index, struct loop_shared *shared, char *why, size_t room)
{
	char id[ID_LEN + 1];
	*loop = (struct loop){.shared = shared, .index = index, .epoll = -1, .event = -1};
	pthread_mutex_init(&loop->lock, NULL);
	token_new_id(id);
	snprintf(loop->id_prefix, sizeof loop->id_prefix, "%.8s", id);
	loop->now_us = clock_mono_us();
	if (shared->database != NULL)
		loop->db = db_open(shared->database, DB_READ, why, room);
	if (shared->database != NULL && loop->db == NULL)
		return false;
	loop->tally = tally_open();
	if (shared->cache_room > 0)
		loop->cache = cache_open(shared->cache_room, lane_changes(shared->lane));
	loop->last_resort = answer_last_resort(shared->service, &loop->last_resort_len);
	if (loop->tally != NULL && loop->last_resort != NULL && open_daemon(loop) &&
	    (loop->cache != NULL || shared->cache_room == 0))
		return true;
	snprintf(why, room, "cannot start the HTTP library: %s", strerror(errno));
	return false;
}

void
loop_close(struct loop *loop)
{
	if (loop->daemon != NULL)
		MHD_stop_daemon(loop->daemon);
	linger_close_all(&loop->lingering);
	if (loop->last_resort != NULL)
		MHD_destroy_response(loop->last_resort);
	cache_close(loop->cache);
	tally_close(loop->tally);
	arena_close(loop->spare);
	statistics_log(loop->db);
	db_close(loop->db);
	if (loop->event >= 0)
		close(loop->event);
	if (loop->epoll >= 0)
		close(loop->epoll);
	pthread_mutex_destroy(&loop->lock);
}

/* ---- the inbox ---- */

void
loop_wake(struct loop *loop)
{
	uint64_t one = 1;
	(void)!write(loop->event, &one, sizeof one);
}

void
loop_give(struct loop *loop, struct arrival *arrival)
{
	atomic_fetch_add_explicit(&loop->load, 1, memory_order_relaxed);
	pthread_mutex_lock(&loop->lock);
	arrival->next = loop->arrivals;
	loop->arrivals = arrival;
	pthread_mutex_unlock(&loop->lock);
	loop_wake(loop);
}

void
loop_finish(struct loop *loop, struct lane_entry *entries)
{
	struct lane_entry **end = &entries;
	while (*end != NULL)
		end = &(*end)->next;
	pthread_mutex_lock(&loop->lock);
	bool quiet = loop->finished == NULL;
	*end = loop->finished;
	loop->finished = entries;
	pthread_mutex_unlock(&loop->lock);
	if (quiet)
		loop_wake(loop);
}

void
loop_woken(struct loop *loop, struct watch_wait *wait)
{
	pthread_mutex_lock(&loop->lock);
	bool quiet = loop->woken == NULL;
	wait->next = loop->woken;
	loop->woken = wait;
	pthread_mutex_unlock(&loop->lock);
	if (quiet)
		loop_wake(loop);
}

void
loop_thought(struct loop *loop, struct think_job *job)
{
	pthread_mutex_lock(&loop->lock);
	bool quiet = loop->thought == NULL;
	job->next = loop->thought;
	loop->thought = job;
	pthread_mutex_unlock(&loop->lock);
	if (quiet)
		loop_wake(loop);
}

static void
take_arrival(struct loop *loop, struct arrival *arrival)
{
	loop->arriving = arrival;
	/* connection_notify takes the place over; the library closes the socket, whatever happens. */
	bool added = MHD_add_connection(
			 loop->daemon, arrival->fd, (const void *)&arrival->address, arrival->address_len) == MHD_YES;
	loop->arriving = NULL;
	if (arrival->place != NULL) {
		guard_leave(loop->shared->guard, arrival->place);
		atomic_fetch_sub_explicit(&loop->load, 1, memory_order_relaxed);
	}
	inflow_release(arrival->inflow);
	if (!added)
		log_line(LOG_WARN, "connection_dropped", "error=%d", errno);
	free(arrival);
}

/* False once the loop shall end. */
static bool
empty_inbox(struct loop *loop)
{
	uint64_t count;
	(void)!read(loop->event, &count, sizeof count);
	pthread_mutex_lock(&loop->lock);
	struct arrival *arrivals = loop->arrivals;
	struct lane_entry *finished = loop->finished;
	struct watch_wait *woken = loop->woken;
	struct think_job *thought = loop->thought;
	bool ended = loop->ended;
	loop->arrivals = NULL;
	loop->finished = NULL;
	loop->woken = NULL;
	loop->thought = NULL;
	pthread_mutex_unlock(&loop->lock);
	for (struct arrival *next; arrivals != NULL; arrivals = next) {
		next = arrivals->next;
		take_arrival(loop, arrivals);
	}
	for (struct lane_entry *next; finished != NULL; finished = next) {
		next = finished->next;
		exchange_resume(exchange_of(finished), false);
	}
	for (struct watch_wait *next; woken != NULL; woken = next) {
		next = woken->next;
		exchange_wake(woken);
	}
	for (struct think_job *next; thought != NULL; thought = next) {
		next = thought->next;
		thought_end(thought);
	}
	return !ended;
}

/* ---- the loop ---- */

/* How long to wait: no longer than the library says, or what it has half received hangs. */
static int
wait_ms(const struct loop *loop)
{
	MHD_UNSIGNED_LONG_LONG library;
	int64_t ms = -1;
	if (loop->connections != NULL || loop->lingering.first != NULL)
		ms = (loop->swept_us + SWEEP_US - loop->now_us) / 1000 + 1;
	if (MHD_get_timeout(loop->daemon, &library) == MHD_YES && (ms < 0 || library < (MHD_UNSIGNED_LONG_LONG)ms))
		ms = (int64_t)library;
	return ms < 0 && loop->connections != NULL ? 0 : (int)ms;
}

static void
sweep(struct loop *loop)
{
	if (loop->now_us - loop->swept_us < SWEEP_US)
		return;
	loop->swept_us = loop->now_us;
	connection_sweep(loop);
	linger_sweep(&loop->lingering, loop->now_us);
}

static bool
turn(struct loop *loop)
{
	struct epoll_event events[EVENTS_MAX];
	bool going = true;
	pulse_answer(&loop->pulse);
	int ms = wait_ms(loop);
	if (ms != 0)
		log_flush();
	int count = epoll_wait(loop->epoll, events, EVENTS_MAX, ms);
	loop->now_us = clock_mono_us();
	for (int i = 0; i < count; i++) {
		void *what = events[i].data.ptr;
		if (what == &loop->event)
			going = empty_inbox(loop);
		else if (what != loop->daemon)
			linger_ready(&loop->lingering, what);
	}
	MHD_run(loop->daemon);
	if (loop->db != NULL)
		db_end(loop->db); /* what its calls have read in (exchange.c) */
	sweep(loop);
	return going;
}

static void *
run(void *arg)
{
	struct loop *loop = arg;
	while (turn(loop))
		continue;
	log_flush();
	return NULL;
}

bool
loop_start(struct loop *loop)
{
	return pthread_create(&loop->thread, NULL, run, loop) == 0;
}

bool
loop_turns(struct loop *loop)
{
	bool turned = pulse_ask(&loop->pulse);
	loop_wake(loop);
	return turned;
}

void
loop_end(struct loop *loop)
{
	pthread_mutex_lock(&loop->lock);
	loop->ended = true;
	pthread_mutex_unlock(&loop->lock);
	loop_wake(loop);
	pthread_join(loop->thread, NULL);
}

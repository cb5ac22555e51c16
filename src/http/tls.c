#include "http/tls.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/pulse.h"
#include "http/tls_list.h"

enum {
	EVENTS_MAX = 256,
	HANDSHAKES_A_TURN = 2, /* steps of them: a crowd of newcomers must not hold up who is there */
	SWEEP_MS = 500,
	ENDING_MS = 1500,
	ENDING_LOOK_MS = 50,
	SETTLE_STEPS = 500,
	SETTLE_STEP_US = 2000,
	/* Of sockets; the kernel doubles them.  A pair is small: only when most of it has gone does the server see that
	   a slow reader has taken something. */
	SEND_BUFFER = 32 * 1024,
	PAIR_BUFFER = 8 * 1024
};

/* 1.3 and 1.2, with keys that are gone with the session, and ciphers that notice each changed byte. */
static const char priorities[] = "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA"
				 ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD";

struct newcomer {
	struct newcomer *next;
	int wire, plain;
	struct inflow *inflow;
	char address[IP_PEER_MAX];
};

struct tls {
	struct tls_options options;
	gnutls_priority_t priority;
	int epoll, event;
	pthread_t thread;
	bool runs;
	struct tls_list open, closing, over; /* those that are over, until the end of the turn */
	int64_t now_us, swept_us;
	struct pulse pulse;
	_Atomic uint64_t links[TLS_STATES]; /* in each state; what is over is not told */

	pthread_mutex_t lock; /* guards what follows */
	bool ended;
	struct newcomer *newcomers;
};

static struct tls_list *
list_of(struct tls *tls, enum tls_state state)
{
	switch (state) {
	case TLS_HANDSHAKE:
	case TLS_OPEN:
		return &tls->open;
	case TLS_FLUSH:
	case TLS_DRAIN:
		return &tls->closing;
	case TLS_OVER:
	case TLS_STATES:
		break;
	}
	return &tls->over;
}

/* One more or one less in a state; the thread alone adds to it. */
static void
count(struct tls *tls, enum tls_state state, int by)
{
	metric_bump(&tls->links[state], (uint64_t)(int64_t)by);
}

/* After its state may have become another. */
static void
settle(struct tls *tls, struct tls_link *link, enum tls_state before)
{
	char why[160];
	if (link->why != NULL)
		log_line(LOG_INFO, "handshake_failed", "address=%s reason=%s", link->address,
		    log_quote(link->why, why, sizeof why));
	link->why = NULL;
	if (before == link->state)
		return;
	count(tls, link->state, 1);
	count(tls, before, -1);
	if (before == TLS_HANDSHAKE)
		figures_handshake(link->outcome);
	if (list_of(tls, before) == list_of(tls, link->state))
		return;
	tls_list_take(list_of(tls, before), link);
	tls_list_append(list_of(tls, link->state), link);
	if (tls->closing.count <= LIMIT_CLOSING)
		return;
	struct tls_link *oldest = tls->closing.first;
	tls_list_take(&tls->closing, oldest);
	count(tls, oldest->state, -1);
	count(tls, TLS_OVER, 1);
	oldest->state = TLS_OVER;
	tls_list_append(&tls->over, oldest);
}

/* ---- turns ---- */

static void
take_newcomer(struct tls *tls, const struct newcomer *newcomer)
{
	const struct tls_parts parts = {
	    .wire = newcomer->wire,
	    .plain = newcomer->plain,
	    .inflow = newcomer->inflow,
	    .reading = certificate_hold(tls->options.certificate),
	    .priority = tls->priority,
	    .address = newcomer->address,
	};
	struct tls_link *link = tls_link_open(&parts, tls->epoll, tls->now_us);
	if (link != NULL) {
		tls_list_append(&tls->open, link);
		count(tls, TLS_HANDSHAKE, 1);
		return;
	}
	log_line(LOG_WARN, "connection_dropped", "error=%d", ENOMEM);
}

/* False once it shall end. */
static bool
empty_inbox(struct tls *tls)
{
	uint64_t count;
	(void)!read(tls->event, &count, sizeof count);
	pthread_mutex_lock(&tls->lock);
	struct newcomer *newcomers = tls->newcomers;
	bool ended = tls->ended;
	tls->newcomers = NULL;
	pthread_mutex_unlock(&tls->lock);
	for (struct newcomer *next; newcomers != NULL; newcomers = next) {
		next = newcomers->next;
		take_newcomer(tls, newcomers);
		free(newcomers);
	}
	return !ended;
}

static void
serve(struct tls *tls, const struct epoll_event *event)
{
	const struct tls_end *end = event->data.ptr;
	enum tls_state before = end->link->state;
	if (before == TLS_OVER)
		return; /* by an event of its other end */
	tls_link_ready(end->link, end, event->events, tls->now_us);
	settle(tls, end->link, before);
}

static bool
is_newcomer(const struct epoll_event *event)
{
	return event->data.ptr != NULL && ((const struct tls_end *)event->data.ptr)->link->state == TLS_HANDSHAKE;
}

/* What those who shake hands are not given now is told again. */
static void
serve_all(struct tls *tls, struct epoll_event *events, int count)
{
	unsigned steps = 0;
	for (int i = 0; i < count; i++)
		if (is_newcomer(&events[i]))
			continue;
		else if (events[i].data.ptr != NULL)
			serve(tls, &events[i]);
	for (int i = 0; i < count && steps < HANDSHAKES_A_TURN; i++)
		if (is_newcomer(&events[i])) {
			serve(tls, &events[i]);
			steps++;
		}
}

static void
look_at(struct tls *tls, struct tls_list *list, bool ending)
{
	for (struct tls_link *link = list->first, *next; link != NULL; link = next) {
		enum tls_state before = link->state;
		next = link->next;
		tls_link_look(link, tls->now_us, ending);
		settle(tls, link, before);
	}
}

static void
close_over(struct tls *tls)
{
	for (struct tls_link *link; (link = tls->over.first) != NULL;) {
		tls_list_take(&tls->over, link);
		tls_link_close(link);
	}
}

/* False once it shall end. */
static bool
turn(struct tls *tls, int ms, bool ending)
{
	struct epoll_event events[EVENTS_MAX];
	bool going = true;
	pulse_answer(&tls->pulse);
	log_flush();
	int count = epoll_wait(tls->epoll, events, EVENTS_MAX, ms);
	tls->now_us = clock_mono_us();
	serve_all(tls, events, count);
	for (int i = 0; i < count; i++)
		if (events[i].data.ptr == NULL)
			going = empty_inbox(tls);
	if (ending || tls->now_us - tls->swept_us >= SWEEP_MS * INT64_C(1000)) {
		tls->swept_us = tls->now_us;
		look_at(tls, &tls->open, ending);
		look_at(tls, &tls->closing, ending);
	}
	close_over(tls);
	return going;
}

static void *
run(void *arg)
{
	struct tls *tls = arg;
	while (turn(tls, tls->open.count + tls->closing.count > 0 ? SWEEP_MS : -1, false))
		continue;
	int64_t until_us = tls->now_us + ENDING_MS * INT64_C(1000);
	while (tls->open.count + tls->closing.count > 0 && tls->now_us < until_us)
		turn(tls, ENDING_LOOK_MS, true);
	log_flush();
	return NULL;
}

/* ---- from other threads ---- */

static void
wake(struct tls *tls)
{
	uint64_t one = 1;
	(void)!write(tls->event, &one, sizeof one);
}

/* None of it is worth failing for. */
static void
prepare(const struct tls *tls, int wire, const int pair[2])
{
	int on = 1, room = SEND_BUFFER, pair_room = PAIR_BUFFER;
	unsigned silence_ms = tls->options.silence_ms;
	(void)setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	(void)setsockopt(wire, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms);
	(void)setsockopt(wire, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
	for (unsigned i = 0; i < 2; i++)
		(void)setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &pair_room, sizeof pair_room);
}

bool
tls_wrap(struct tls *tls, struct arrival *arrival)
{
	int pair[2];
	struct newcomer *newcomer = malloc(sizeof *newcomer);
	struct inflow *inflow = inflow_open();
	if (newcomer == NULL || inflow == NULL ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
		int error = newcomer == NULL || inflow == NULL ? ENOMEM : errno;
		free(newcomer);
		free(inflow);
		errno = error;
		return false;
	}
	prepare(tls, arrival->fd, pair);
	*newcomer = (struct newcomer){.wire = arrival->fd, .plain = pair[0], .inflow = inflow};
	ip_write_peer(&arrival->address, newcomer->address);
	arrival->fd = pair[1];
	arrival->inflow = inflow;
	pthread_mutex_lock(&tls->lock);
	newcomer->next = tls->newcomers;
	tls->newcomers = newcomer;
	pthread_mutex_unlock(&tls->lock);
	wake(tls);
	return true;
}

void
tls_tell(const struct tls *tls, struct text *out)
{
	static const char *const names[] = {
	    [TLS_HANDSHAKE] = "handshake", [TLS_OPEN] = "open", [TLS_FLUSH] = "closing"};
	uint64_t links[TLS_STATES];
	metric_begin(out, METRIC_TLS_HANDSHAKES);
	if (tls != NULL)
		figures_tell_handshakes(out);
	metric_begin(out, METRIC_TLS_CONNECTIONS);
	if (tls == NULL)
		return;
	for (unsigned i = 0; i < TLS_STATES; i++)
		links[i] = atomic_load_explicit(&tls->links[i], memory_order_relaxed);
	links[TLS_FLUSH] += links[TLS_DRAIN];
	for (unsigned i = 0; i <= TLS_FLUSH; i++)
		metric_count(out, METRIC_TLS_CONNECTIONS, &names[i], links[i]);
}

bool
tls_turns(struct tls *tls)
{
	bool turned = pulse_ask(&tls->pulse);
	wake(tls);
	return turned;
}

void
tls_settle(struct tls *tls)
{
	/* The first may be of a turn that was over, and the second of one that has begun. */
	unsigned turns = 0;
	for (unsigned i = 0; i < SETTLE_STEPS && turns < 3; i++)
		if (tls_turns(tls))
			turns++;
		else
			usleep(SETTLE_STEP_US);
}

/* ---- opening and closing ---- */

static bool
open_epoll(struct tls *tls)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
	tls->epoll = epoll_create1(EPOLL_CLOEXEC);
	tls->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return tls->epoll >= 0 && tls->event >= 0 && epoll_ctl(tls->epoll, EPOLL_CTL_ADD, tls->event, &event) == 0;
}

struct tls *
tls_open(const struct tls_options *options, char *why, size_t room)
{
	struct tls *tls = calloc(1, sizeof *tls);
	if (tls == NULL) {
		snprintf(why, room, "no memory for TLS");
		return NULL;
	}
	*tls = (struct tls){.options = *options, .epoll = -1, .event = -1};
	tls_list_begin(&tls->open);
	tls_list_begin(&tls->closing);
	tls_list_begin(&tls->over);
	pthread_mutex_init(&tls->lock, NULL);
	if (gnutls_priority_init(&tls->priority, priorities, NULL) >= 0 && open_epoll(tls) &&
	    pthread_create(&tls->thread, NULL, run, tls) == 0) {
		tls->runs = true;
		return tls;
	}
	snprintf(why, room, "cannot start TLS: %s", strerror(errno));
	tls_close(tls);
	return NULL;
}

static void
end_thread(struct tls *tls)
{
	if (!tls->runs)
		return;
	pthread_mutex_lock(&tls->lock);
	tls->ended = true;
	pthread_mutex_unlock(&tls->lock);
	wake(tls);
	pthread_join(tls->thread, NULL);
}

void
tls_close(struct tls *tls)
{
	if (tls == NULL)
		return;
	end_thread(tls);
	while (tls->open.first != NULL || tls->closing.first != NULL) {
		struct tls_list *list = tls->open.first != NULL ? &tls->open : &tls->closing;
		struct tls_link *link = list->first;
		tls_list_take(list, link);
		tls_link_close(link);
	}
	if (tls->event >= 0)
		close(tls->event);
	if (tls->epoll >= 0)
		close(tls->epoll);
	if (tls->priority != NULL)
		gnutls_priority_deinit(tls->priority);
	pthread_mutex_destroy(&tls->lock);
	free(tls);
}

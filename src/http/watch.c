#include "http/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/statistics.h"
#include "http/watch_private.h"

enum {
	EVENTS_MAX = 64,
	ALIKE_US = 20 * 1000,    /* what is due within so long is done at once */
	GOODBYE_US = 2000 * 1000 /* how long the last words of all streams may take */
};

/* ---- the inbox ---- */

static void
wake(struct watch *watch)
{
	uint64_t one = 1;
	(void)!write(watch->event, &one, sizeof one);
}

static void
empty_inbox(struct watch *watch)
{
	uint64_t count;
	(void)!read(watch->event, &count, sizeof count);
	pthread_mutex_lock(&watch->lock);
	struct watcher *arrivals = watch->arrivals;
	struct watch_wait *arriving = watch->arriving;
	bool news = watch->ends_waits != watch->waits_ended || watch->closing != watch->ending;
	watch->arrivals = NULL;
	watch->arriving = NULL;
	watch->waits_ended = watch->ends_waits;
	watch->ending = watch->closing;
	pthread_mutex_unlock(&watch->lock);
	db_end(watch->db); /* what was read until now may be older than that they are told of news */
	for (struct watcher *next; arrivals != NULL; arrivals = next) {
		next = arrivals->next;
		watch_read_tip(watch, arrivals->topic);
		watcher_begin(watch, arrivals);
	}
	for (struct watch_wait *next; arriving != NULL; arriving = next) {
		next = arriving->next;
		watch_begin_wait(watch, arriving);
	}
	if (news)
		watch_pend_all(watch);
}

/* ---- what is due ---- */

static void
sweep(struct watch *watch)
{
	struct due_entry *due;
	for (unsigned left = WATCH_SLICE; left > 0 && (due = due_first(&watch->beats, watch->now_us)) != NULL; left--)
		watcher_beat(watch, watcher_of(due));
	while ((due = due_first(&watch->stalls, watch->now_us)) != NULL)
		watcher_cut(watch, watcher_of(due), "stalled");
	watch_sweep_waits(watch);
}

/* How long to wait for events. */
static int
wait_ms(const struct watch *watch)
{
	int64_t at = watch_next_wait(watch, due_next(&watch->stalls, due_next(&watch->beats, -1)));
	if (watch->pending != NULL || (at >= 0 && at <= watch->now_us))
		return 0;
	if (watch->ending)
		return ALIKE_US / 1000;
	return at < 0 ? -1 : (int)((at - watch->now_us + ALIKE_US) / 1000);
}

/* ---- the thread ---- */

/* The end of a turn: what was kept for others to look at is let go. */
static void
tidy(struct watch *watch)
{
	db_end(watch->db);
	for (struct watcher *next; watch->dead != NULL; watch->dead = next) {
		next = watch->dead->next;
		guard_leave_stream(watch->options.guard, watch->dead->place);
		topic_leave(&watch->topics, watch->dead->topic);
		watcher_free(watch->dead);
	}
	for (struct topic *next; watch->cached != NULL; watch->cached = next) {
		next = watch->cached->cached_next;
		watch->cached->cached = false;
		topic_forget(watch->cached);
		topic_tidy(&watch->topics, watch->cached);
	}
}

static void
handle(struct watch *watch, const struct epoll_event *event)
{
	const enum watch_kind *kind = event->data.ptr;
	struct watcher *watcher = event->data.ptr;
	if (event->data.ptr == &watch->event) {
		empty_inbox(watch);
	} else if (event->data.ptr == watch->options.changes) {
		watch_take_news(watch);
	} else if (*kind == WATCH_WAIT) {
		watch_hear_wait(watch, event->data.ptr, event->events);
	} else {
		if (!watcher->dead && (event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
			watcher_hear(watch, watcher, event->events);
		if (!watcher->dead && (event->events & EPOLLOUT) != 0 && watcher->block != NULL)
			watcher_serve(watch, watcher);
	}
}

static void
turn(struct watch *watch)
{
	struct epoll_event events[EVENTS_MAX];
	pulse_answer(&watch->pulse);
	int ms = wait_ms(watch);
	if (ms != 0)
		log_flush();
	int count = epoll_wait(watch->epoll, events, EVENTS_MAX, ms);
	watch->now_us = clock_mono_us();
	for (int i = 0; i < count; i++)
		handle(watch, &events[i]);
	watch_serve_pending(watch);
	sweep(watch);
	tidy(watch);
}

/* Whoever has not taken his last words by now will not. */
static void
cut_all(void *arg, struct topic *topic)
{
	while (topic->watchers != NULL)
		watcher_cut(arg, topic->watchers, "stopping");
}

static void *
run(void *arg)
{
	struct watch *watch = arg;
	while (!watch->ending)
		turn(watch);
	for (int64_t until = watch->now_us + GOODBYE_US; watch->count > 0 && watch->now_us < until;)
		turn(watch);
	for (unsigned slot = 0; slot < CHANGES_SLOTS; slot++)
		topic_each(&watch->topics, slot, cut_all, watch);
	/* Topics that are pending still are out of line now. */
	while (watch->pending != NULL)
		watch_serve_pending(watch);
	tidy(watch);
	statistics_log(watch->db);
	log_flush();
	return NULL;
}

/* ---- opening and closing ---- */

static bool
listen_to(struct watch *watch, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
	return epoll_ctl(watch->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool
make_beats(struct watch *watch)
{
	for (unsigned form = 0; form < STREAM_FORMS; form++) {
		const char *text = stream_beat((enum stream_form)form);
		watch->beat[form] = block_new(text, strlen(text), false);
		if (watch->beat[form] == NULL)
			return false;
		watch->beat[form]->to = -1;
	}
	return true;
}

static void
free_watch(struct watch *watch)
{
	for (unsigned form = 0; form < STREAM_FORMS; form++)
		block_release(watch->beat[form]);
	topic_close(&watch->topics);
	db_close(watch->db);
	arena_close(watch->arena);
	if (watch->epoll >= 0)
		close(watch->epoll);
	if (watch->event >= 0)
		close(watch->event);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

static bool
open_all(struct watch *watch, char *why, size_t room)
{
	watch->db = db_open(watch->options.database, DB_READ, why, room);
	if (watch->db == NULL)
		return false;
	watch->arena = arena_open(LIMIT_ARENA);
	watch->epoll = epoll_create1(EPOLL_CLOEXEC);
	watch->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (watch->arena != NULL && watch->epoll >= 0 && watch->event >= 0 && make_beats(watch) &&
	    listen_to(watch, watch->event, &watch->event) &&
	    listen_to(watch, watch->options.changes->event, watch->options.changes) &&
	    pthread_create(&watch->thread, NULL, run, watch) == 0)
		return true;
	snprintf(why, room, "cannot start the thread for streams: %s", strerror(errno));
	return false;
}

struct watch *
watch_open(const struct watch_options *options, char *why, size_t room)
{
	struct watch *watch = calloc(1, sizeof *watch);
	if (watch == NULL) {
		snprintf(why, room, "no memory for the streams");
		return NULL;
	}
	watch->options = *options;
	watch->epoll = watch->event = -1;
	watch->pending_end = &watch->pending;
	watch->now_us = clock_mono_us();
	pthread_mutex_init(&watch->lock, NULL);
	topic_open(&watch->topics, options->changes, options->streams_game);
	if (open_all(watch, why, room))
		return watch;
	free_watch(watch);
	return NULL;
}

static void
set_flag(struct watch *watch, bool *flag)
{
	pthread_mutex_lock(&watch->lock);
	watch->ends_waits = true;
	*flag = true;
	pthread_mutex_unlock(&watch->lock);
	wake(watch);
}

bool
watch_turns(struct watch *watch)
{
	bool turned = pulse_ask(&watch->pulse);
	wake(watch);
	return turned;
}

void
watch_end_waits(struct watch *watch)
{
	set_flag(watch, &watch->ends_waits);
}

void
watch_close(struct watch *watch)
{
	if (watch == NULL)
		return;
	set_flag(watch, &watch->closing);
	pthread_join(watch->thread, NULL);
	free_watch(watch);
}

/* ---- from other threads ---- */

/* Counts one more in every way; NULL with a fault. */
static struct topic *
enter(struct watch *watch, struct ip client, struct guard_place **place, const struct stream *stream, enum fault *fault,
    const char **why)
{
	if (!guard_enter_stream(watch->options.guard, client, place, why)) {
		*fault = *why == NULL ? FAULT_OUT_OF_MEMORY : FAULT_TOO_MANY_STREAMS;
		return NULL;
	}
	struct topic *topic = topic_enter(&watch->topics, stream, fault, why);
	if (topic == NULL)
		guard_leave_stream(watch->options.guard, *place);
	return topic;
}

bool
watch_stream(struct watch *watch, const struct watch_order *order, enum fault *fault, const char **why)
{
	struct watcher *watcher = watcher_new(order, fault);
	*why = NULL;
	if (watcher == NULL)
		return false;
	pthread_mutex_lock(&watch->lock);
	bool closing = watch->closing;
	if (closing)
		*fault = FAULT_STOPPING;
	else
		watcher->topic = enter(watch, order->client, &watcher->place, order->stream, fault, why);
	bool taken = watcher->topic != NULL;
	if (taken) {
		watcher->next = watch->arrivals;
		watch->arrivals = watcher;
	}
	pthread_mutex_unlock(&watch->lock);
	if (taken)
		wake(watch);
	else
		watcher_free(watcher);
	return taken;
}

bool
watch_wait(
    struct watch *watch, struct watch_wait *wait, const struct stream *stream, enum fault *fault, const char **why)
{
	*why = NULL;
	*fault = FAULT_STOPPING;
	wait->after = stream->after;
	pthread_mutex_lock(&watch->lock);
	wait->topic = watch->ends_waits ? NULL : enter(watch, wait->client, &wait->place, stream, fault, why);
	bool taken = wait->topic != NULL;
	if (taken) {
		wait->next = watch->arriving;
		watch->arriving = wait;
	}
	pthread_mutex_unlock(&watch->lock);
	if (taken)
		wake(watch);
	return taken;
}

#include "http/watch.h"

#include <errno.h>
#include <stddef.h>
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
#include "store/feed.h"

enum {
	EVENTS_MAX = 64,
	SLICE = 256,          /* watchers that are served before others have their turn */
	ALIKE_US = 20 * 1000, /* what is due within so long is done at once */
	FEED_PAGE = 256,
	GOODBYE_US = 2000 * 1000 /* how long the last words of all streams may take */
};

/* ---- reading ---- */

enum fault
watch_read(struct watch *watch)
{
	return db_in_transaction(watch->db) ? FAULT_NONE : db_read_begin(watch->db);
}

/* Reads where the log ends now. */
static void
read_tip(struct watch *watch, struct topic *topic)
{
	enum fault fault = watch_read(watch);
	if (fault == FAULT_NONE)
		fault = stream_tip(watch->db, watch->arena, &topic->about, &topic->tip);
	arena_reset(watch->arena);
	topic->broken = fault != FAULT_NONE;
	if (topic->broken)
		log_line(LOG_ERROR, "stream_failed", "fault=%s", fault_row(fault)->slug);
	topic_forget(topic);
}

void
watch_join(struct watch *watch, const struct topic *topic)
{
	if (topic->about.source != STREAM_PLAYER)
		return;
	/* While there was none, nobody kept count. */
	if (watch->players++ == 0 &&
	    (watch_read(watch) != FAULT_NONE || feed_last(watch->db, &watch->fed) != FAULT_NONE))
		log_line(LOG_ERROR, "stream_failed", "fault=storage");
}

void
watch_part(struct watch *watch, const struct topic *topic)
{
	watch->players -= topic->about.source == STREAM_PLAYER;
}

/* ---- waits ---- */

static struct watch_wait *
wait_of(struct due_entry *due)
{
	return (struct watch_wait *)(void *)((char *)due - offsetof(struct watch_wait, due));
}

static void
wake_wait(struct watch *watch, struct watch_wait *wait)
{
	*wait->topic_at = wait->topic_next;
	if (wait->topic_next != NULL)
		wait->topic_next->topic_at = wait->topic_at;
	due_remove(&watch->waits[wait->seconds], &wait->due);
	watch_part(watch, wait->topic);
	topic_leave(&watch->topics, wait->topic);
	guard_leave_stream(watch->options.guard, wait->place);
	watch->options.woken(wait);
}

static bool
has_news(const struct watch *watch, const struct watch_wait *wait)
{
	const struct topic *topic = wait->topic;
	return topic->tip.seq > wait->after || topic->tip.over || topic->broken || watch->waits_ended;
}

static void
begin_wait(struct watch *watch, struct watch_wait *wait)
{
	struct topic *topic = wait->topic;
	wait->topic_at = &topic->waits;
	wait->topic_next = topic->waits;
	if (wait->topic_next != NULL)
		wait->topic_next->topic_at = &wait->topic_next;
	topic->waits = wait;
	watch_join(watch, topic);
	due_add(&watch->waits[wait->seconds], &wait->due, watch->now_us + wait->seconds * INT64_C(1000000));
	read_tip(watch, topic);
	if (has_news(watch, wait))
		wake_wait(watch, wait);
}

static void
wake_waits(struct watch *watch, struct topic *topic)
{
	for (struct watch_wait *wait = topic->waits, *next; wait != NULL; wait = next) {
		next = wait->topic_next;
		if (has_news(watch, wait))
			wake_wait(watch, wait);
	}
}

/* ---- topics with news ---- */

/* Its watchers are to be served: from the first again, if they are being served. */
static void
pend(void *arg, struct topic *topic)
{
	struct watch *watch = arg;
	topic->again = true;
	if (topic->pending)
		return;
	topic->pending = true;
	topic->at = NULL;
	topic->pending_next = NULL;
	*watch->pending_end = topic;
	watch->pending_end = &topic->pending_next;
}

static void
pend_slot(struct watch *watch, unsigned slot)
{
	topic_each(&watch->topics, slot, pend, watch);
}

static void
pend_all(struct watch *watch)
{
	for (unsigned slot = 0; slot < CHANGES_SLOTS; slot++)
		pend_slot(watch, slot);
}

/* A pass over the watchers of a topic begins. */
static void
begin_pass(struct watch *watch, struct topic *topic)
{
	topic->again = false;
	read_tip(watch, topic);
	wake_waits(watch, topic);
	topic->at = topic->watchers;
}

/* Serves some watchers of the first topic, and lets it stand in line again if there are more. */
static void
serve_pending(struct watch *watch)
{
	struct topic *topic = watch->pending;
	if (topic == NULL)
		return;
	watch->pending = topic->pending_next;
	if (watch->pending == NULL)
		watch->pending_end = &watch->pending;
	if (topic->at == NULL)
		begin_pass(watch, topic);
	for (unsigned left = SLICE; topic->at != NULL && left > 0; left--) {
		struct watcher *watcher = topic->at;
		topic->at = watcher->topic_next;
		watcher_renew(watch, watcher);
		watcher_serve(watch, watcher);
	}
	topic->pending = false;
	if (topic->at == NULL && !topic->again) {
		topic_tidy(&watch->topics, topic);
		return;
	}
	struct watcher *at = topic->at;
	bool again = topic->again;
	pend(watch, topic);
	topic->at = at;
	topic->again = again;
}

/* Those whose feeds have new entries. */
static void
pend_players(struct watch *watch)
{
	struct feed_news news[FEED_PAGE];
	unsigned count = FEED_PAGE;
	while (count == FEED_PAGE) {
		enum fault fault = watch_read(watch);
		if (fault == FAULT_NONE)
			fault = feed_since(watch->db, watch->fed, news, FEED_PAGE, &count);
		if (fault != FAULT_NONE) {
			pend_all(watch); /* and each will find out for itself */
			return;
		}
		for (unsigned i = 0; i < count; i++) {
			topic_each_of_player(&watch->topics, news[i].player, pend, watch);
			watch->fed = news[i].entry;
		}
	}
}

static void
take_news(struct watch *watch)
{
	uint64_t news[CHANGES_WORDS], count;
	(void)!read(watch->options.changes->event, &count, sizeof count);
	changes_take(watch->options.changes, news);
	db_end(watch->db); /* what was read until now may be older than the news */
	if (news[CHANGES_ANY / 64] != 0)
		pend_players(watch);
	for (unsigned i = 0; i < CHANGES_ANY / 64; i++)
		for (; news[i] != 0; news[i] &= news[i] - 1)
			pend_slot(watch, i * 64 + (unsigned)__builtin_ctzll(news[i]));
}

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
		read_tip(watch, arrivals->topic);
		watcher_begin(watch, arrivals);
	}
	for (struct watch_wait *next; arriving != NULL; arriving = next) {
		next = arriving->next;
		begin_wait(watch, arriving);
	}
	if (news)
		pend_all(watch);
}

/* ---- what is due ---- */

static void
sweep(struct watch *watch)
{
	struct due_entry *due;
	for (unsigned left = SLICE; left > 0 && (due = due_first(&watch->beats, watch->now_us)) != NULL; left--)
		watcher_beat(watch, watcher_of(due));
	while ((due = due_first(&watch->stalls, watch->now_us)) != NULL)
		watcher_cut(watch, watcher_of(due), "stalled");
	for (unsigned i = 0; i <= LIMIT_WAIT_SECONDS; i++)
		while ((due = due_first(&watch->waits[i], watch->now_us)) != NULL)
			wake_wait(watch, wait_of(due));
}

/* How long to wait for events. */
static int
wait_ms(const struct watch *watch)
{
	int64_t at = due_next(&watch->stalls, due_next(&watch->beats, -1));
	for (unsigned i = 0; i <= LIMIT_WAIT_SECONDS; i++)
		at = due_next(&watch->waits[i], at);
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
	struct watcher *watcher = event->data.ptr;
	if (event->data.ptr == &watch->event) {
		empty_inbox(watch);
	} else if (event->data.ptr == watch->options.changes) {
		take_news(watch);
	} else {
		if (!watcher->dead && (event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
			watcher_hear(watch, watcher);
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
	serve_pending(watch);
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
		serve_pending(watch);
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
		snprintf(why, room, "no memory");
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

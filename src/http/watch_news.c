/* What there is in the logs that somebody watches: where they end, and who is to be served. */
#include <unistd.h>

#include "base/log.h"
#include "http/watch_private.h"
#include "store/feed.h"

enum { FEED_PAGE = 256 };

enum fault
watch_read(struct watch *watch)
{
	return db_in_transaction(watch->db) ? FAULT_NONE : db_read_begin(watch->db);
}

void
watch_read_tip(struct watch *watch, struct topic *topic)
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

void
watch_pend_all(struct watch *watch)
{
	for (unsigned slot = 0; slot < CHANGES_SLOTS; slot++)
		pend_slot(watch, slot);
}

/* A pass over the watchers of a topic begins. */
static void
begin_pass(struct watch *watch, struct topic *topic)
{
	topic->again = false;
	watch_read_tip(watch, topic);
	watch_wake_waits(watch, topic);
	topic->at = topic->watchers;
}

void
watch_serve_pending(struct watch *watch)
{
	struct topic *topic = watch->pending;
	if (topic == NULL)
		return;
	watch->pending = topic->pending_next;
	if (watch->pending == NULL)
		watch->pending_end = &watch->pending;
	if (topic->at == NULL)
		begin_pass(watch, topic);
	for (unsigned left = WATCH_SLICE; topic->at != NULL && left > 0; left--) {
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
			watch_pend_all(watch); /* and each will find out for itself */
			return;
		}
		for (unsigned i = 0; i < count; i++) {
			topic_each_of_player(&watch->topics, news[i].player, pend, watch);
			watch->fed = news[i].entry;
		}
	}
}

void
watch_take_news(struct watch *watch)
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

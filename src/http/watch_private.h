/* Inside the watch only: what its thread has at hand. */
#ifndef IUVOD_HTTP_WATCH_PRIVATE_H
#define IUVOD_HTTP_WATCH_PRIVATE_H

#include "base/arena.h"
#include "base/pulse.h"
#include "http/topic.h"
#include "http/watch.h"
#include "http/watcher.h"
#include "store/db.h"

enum { WATCH_SLICE = 256 }; /* watchers that are served before others have their turn */

struct watch {
	struct watch_options options;
	pthread_t thread;
	struct topic_table topics;
	int event; /* wakes the thread */
	struct pulse pulse;

	pthread_mutex_t lock; /* guards what follows */
	struct watcher *arrivals;
	struct watch_wait *arriving;
	bool ends_waits, closing;

	/* The thread's own. */
	struct db *db;
	struct arena *arena;
	int epoll;
	int64_t now_us;
	bool waits_ended, ending; /* ends_waits and closing, as they were last seen */
	unsigned count;           /* of watchers */
	unsigned players;         /* of watchers and waits of players' logs */
	int64_t fed;              /* entry of the feeds up to which these were told, if there are any */
	struct due_list beats, stalls;
	struct due_list waits[LIMIT_WAIT_SECONDS + 1];
	struct block *beat[STREAM_FORMS];
	struct topic *pending, **pending_end;
	struct topic *cached;
	struct watcher *dead;
};

/* One more watches a topic, from what is read in this turn on, or one less. */
void watch_join(struct watch *watch, const struct topic *topic);
void watch_part(struct watch *watch, const struct topic *topic);

/* Begins a read transaction, if the turn has none yet. */
enum fault watch_read(struct watch *watch);

/* Reads where the log of a topic ends now. */
void watch_read_tip(struct watch *watch, struct topic *topic);

/* There is news: takes the changes, and puts topics into the line; all of them; serves some watchers of the first,
 * and lets it stand in line again if there are more. */
void watch_take_news(struct watch *watch);
void watch_pend_all(struct watch *watch);
void watch_serve_pending(struct watch *watch);

/* Its client has said or done something. */
void watch_hear_wait(struct watch *watch, struct watch_wait *wait, uint32_t events);

/* A wait has arrived; its topic has news perhaps; those whose time is up; when the next one's is, or `at` if sooner. */
void watch_begin_wait(struct watch *watch, struct watch_wait *wait);
void watch_wake_waits(struct watch *watch, struct topic *topic);
void watch_sweep_waits(struct watch *watch);
int64_t watch_next_wait(const struct watch *watch, int64_t at);

#endif

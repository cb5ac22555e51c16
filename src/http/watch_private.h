/* Inside the watch only: what its thread has at hand. */
#ifndef IUVOD_HTTP_WATCH_PRIVATE_H
#define IUVOD_HTTP_WATCH_PRIVATE_H

#include "base/arena.h"
#include "base/pulse.h"
#include "http/topic.h"
#include "http/watch.h"
#include "http/watcher.h"
#include "store/db.h"

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

#endif

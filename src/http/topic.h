/*
 * Topics: the logs that somebody watches, each with those who do.  A topic is
 * there as long as there is one of them.  How many there are is counted here, and
 * may be asked by any thread; all else of a topic is the watch thread's own.
 */
#ifndef IUVOD_HTTP_TOPIC_H
#define IUVOD_HTTP_TOPIC_H

#include <pthread.h>

#include "api/stream.h"
#include "http/block.h"
#include "http/changes.h"

struct watcher;
struct watch_wait;

struct topic {
	struct topic *next;     /* of its slot */
	unsigned slot, watched; /* in the table; of the changes */
	unsigned count;         /* streams and waits, those on their way included */
	struct stream about;    /* which log: source, id and key */

	/* The watch thread's own. */
	struct stream_tip tip;
	bool broken; /* the tip could not be read */
	struct watcher *watchers;
	struct watch_wait *waits;
	/* While its watchers are served: the next of them, and whether there was news since the first. */
	bool pending, again;
	struct watcher *at;
	struct topic *pending_next, **pending_end;
	/* Pages that several watchers may want, of this turn. */
	bool cached;
	struct topic *cached_next;
	struct block *cache[STREAM_FORMS][2];
};

struct topic_table {
	struct changes *changes;
	unsigned most; /* in one topic */
	pthread_mutex_t lock;
	struct topic *slots[CHANGES_SLOTS];
};

void topic_open(struct topic_table *table, struct changes *changes, unsigned most);
void topic_close(struct topic_table *table);

/* Counts one more who watches this log, and makes its topic if need be.  NULL with a fault, and why.  Any thread. */
struct topic *topic_enter(struct topic_table *table, const struct stream *stream, enum fault *fault, const char **why);

/* One less.  The topic is gone with the last, or as soon as it is tidied, while it is pending or has pages.  The watch
 * thread. */
void topic_leave(struct topic_table *table, struct topic *topic);
void topic_tidy(struct topic_table *table, struct topic *topic);

/* Calls back for each topic of a slot.  The watch thread. */
void topic_each(struct topic_table *table, unsigned slot, void (*each)(void *arg, struct topic *topic), void *arg);

/* The same for those of a player, by his key; one, unless the key was given again. */
void topic_each_of_player(
    struct topic_table *table, int64_t player, void (*each)(void *arg, struct topic *topic), void *arg);

/* Lets go of the pages. */
void topic_forget(struct topic *topic);

#endif

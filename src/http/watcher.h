/* A watcher: one reader of a stream.  The watch thread's own, once it was handed over. */
#ifndef IUVOD_HTTP_WATCHER_H
#define IUVOD_HTTP_WATCHER_H

#include "http/due.h"
#include "http/sink.h"
#include "http/watch.h"

enum { WATCHER_ADDRESS_MAX = 56 };

struct watcher {
	enum watch_kind kind;
	struct watcher *next; /* on its way in, and when it is dead */
	struct watcher *topic_next, **topic_at;
	struct topic *topic;
	struct guard_place *place;
	struct sink sink;
	struct stream stream;
	struct block *block; /* that is being sent; NULL: it has all */
	size_t sent;         /* of it */
	bool chunked;
	bool stalled; /* in the list of those who take nothing */
	bool dead;
	bool ended;           /* its reader has closed his side, and is asked whether he is there */
	const char *farewell; /* why it is to end; NULL: it is not */
	struct due_entry due;
	int64_t began_us;
	uint64_t bytes;
	const char *template;
	char address[WATCHER_ADDRESS_MAX];
};

/* A watcher that nobody knows of yet; NULL with a fault.  Any thread. */
struct watcher *watcher_new(const struct watch_order *order, enum fault *fault);
void watcher_free(struct watcher *watcher);

/* Joins its topic, and is sent its first bytes. */
void watcher_begin(struct watch *watch, struct watcher *watcher);

/* Sends what there is and the socket takes. */
void watcher_serve(struct watch *watch, struct watcher *watcher);

/* There is news: looks whether its token is still alive, and what it may see.  If it is dead, it is to end. */
void watcher_renew(struct watch *watch, struct watcher *watcher);

/* Says that the stream is alive, or ends it if its token is not. */
void watcher_beat(struct watch *watch, struct watcher *watcher);

/* The other side has sent something, or closed its side, or left. */
void watcher_hear(struct watch *watch, struct watcher *watcher, uint32_t events);

/* Ends it at once; why: a word for the log. */
void watcher_cut(struct watch *watch, struct watcher *watcher, const char *why);

/* The watcher of an entry of a list. */
struct watcher *watcher_of(struct due_entry *due);

#endif

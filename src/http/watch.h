/*
 * The watch: one thread for all who wait for events.  Streams are its own: their
 * connections were taken from the library when the call had been answered with
 * "yes", and it writes to their sockets itself.  Answers that wait (Prefer: wait)
 * stay where they are, suspended, and are told when there is news.
 *
 * It learns from the changes (changes.h) which games to look at, reads what is
 * new from the store by a connection of its own, and writes it once for all who
 * want the same.  It holds no more for a slow reader than one page of his log.
 */
#ifndef IUVOD_HTTP_WATCH_H
#define IUVOD_HTTP_WATCH_H

#include "api/call.h"
#include "api/stream.h"
#include "http/due.h"
#include "http/guard.h"

struct changes;
struct topic;
struct watch;

/* Whose socket told of something: what a wait and the reader of a stream begin with. */
enum watch_kind { WATCH_STREAM, WATCH_WAIT };

/*
 * An answer that waits: embedded in whatever owns it.  Its wait is over early when its client
 * leaves; one that has closed his side alone may still read, and is answered with what there is.
 */
struct watch_wait {
	enum watch_kind kind;
	struct watch_wait *next; /* on its way in and out */
	struct watch_wait *topic_next, **topic_at;
	struct due_entry due;
	struct topic *topic;
	struct ip client;
	int fd;                    /* of its client, borrowed */
	bool gone;                 /* told with its end: nobody is there to be answered */
	struct guard_place *place; /* the watch's */
	int64_t after;
	unsigned seconds;
};

struct watch_options {
	const char *database;
	const struct service *service;
	struct guard *guard;
	struct changes *changes;
	unsigned streams_game; /* of one game, at most */
	unsigned beat_ms;      /* after so long without a word a stream says that it is alive */
	unsigned stall_ms;     /* a reader that takes nothing for so long is cut off */
	/* Called on the watch thread when a wait is over; from then on it belongs to the callee. */
	void (*woken)(struct watch_wait *wait);
};

/* Opens it and starts the thread; on failure NULL with a line in why[room]. */
struct watch *watch_open(const struct watch_options *options, char *why, size_t room);

/* A connection that is to become a stream.  All of it is borrowed. */
struct watch_order {
	int fd; /* a duplicate is kept */
	struct ip client;
	const struct stream *stream;
	const char *head; /* of the reply */
	size_t head_len;
	bool chunked;         /* HTTP/1.1 */
	const char *template; /* static; for the log */
	const char *address;  /* for the log */
};

/* False with a fault, and why or NULL.  Any thread. */
bool watch_stream(struct watch *watch, const struct watch_order *order, enum fault *fault, const char **why);

/*
 * Takes a wait for what comes after stream->after in its log; client, fd and seconds
 * are filled in.  It comes back by `woken`, perhaps before this returns.  False
 * with a fault, and why or NULL; FAULT_STOPPING: there is nothing to wait for any more.
 */
bool watch_wait(
    struct watch *watch, struct watch_wait *wait, const struct stream *stream, enum fault *fault, const char **why);

/* Wakes all waits, and takes no more. */
void watch_end_waits(struct watch *watch);

/* Whether the thread has done a turn since this was asked before (base/pulse.h). */
bool watch_turns(struct watch *watch);

/* The streams get what is left of their logs and a goodbye, but not for ever; then the thread ends.  NULL is allowed.
 */
void watch_close(struct watch *watch);

#endif

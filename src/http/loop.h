/*
 * A loop thread: a libmicrohttpd daemon without threads and without a listening
 * socket, its connections, its read connection to the store, its cache.  The
 * daemon's functions are called on this thread alone, so nothing here races: a
 * suspended connection is resumed where it was suspended.  From other threads
 * come accepted sockets and finished calls, through one inbox.
 */
#ifndef IUVOD_HTTP_LOOP_H
#define IUVOD_HTTP_LOOP_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "api/call.h"
#include "base/pulse.h"
#include "http/cache.h"
#include "http/forwarded.h"
#include "http/guard.h"
#include "http/inflow.h"
#include "http/lane.h"
#include "http/linger.h"
#include "http/meter.h"
#include "http/tally.h"
#include "http/think.h"
#include "http/watch.h"

struct connection;
struct exchange;
struct loop;

/* A socket on its way to the loop that will serve it. */
struct arrival {
	struct arrival *next;
	int fd;
	bool served; /* false: one too many, to be told so */
	struct guard_place *place;
	struct inflow *inflow; /* NULL, unless it comes by TLS */
	socklen_t address_len;
	struct sockaddr_storage address;
};

/* What all loops share.  Filled by the server before they start. */
struct loop_shared {
	const struct service *service;
	struct lane_writer *lane;
	struct think *think;
	struct guard *guard;
	struct meter *meter;
	struct trust trust; /* in proxies, and in what they say in which header */
	enum forwarded_header proxy_header;
	bool limit_loopback; /* calls from this machine are counted too */
	struct watch *watch;
	const char *database;    /* NULL: what is served needs none */
	unsigned connections;    /* the most that one loop may get */
	unsigned send_ms;        /* from the beginning of a reply to its last byte */
	unsigned idle_ms;        /* of a connection without a request; the library counts whole seconds */
	unsigned held_ms;        /* for so long an answer is held back to whoever is refused too often */
	size_t cache_room;       /* of one loop; 0: no cache */
	_Atomic bool stopping;   /* every reply closes, every new request is refused */
	_Atomic unsigned active; /* exchanges between head and completion, in all loops */
	_Atomic size_t bodies;   /* bytes that large bodies take, in all loops */
};

struct loop {
	struct loop_shared *shared;
	unsigned index;
	pthread_t thread;
	struct MHD_Daemon *daemon;
	struct db *db;
	uint64_t read_epoch; /* of its read transaction, while it is in one */
	struct cache *cache; /* NULL: none */
	struct tally *tally;
	struct arena *spare;              /* for the next call; NULL: none */
	struct MHD_Response *last_resort; /* answer_last_resort */
	size_t last_resort_len;
	int epoll; /* holds the daemon's epoll, the event and what lingers */
	int event;
	struct linger_list lingering;
	int64_t now_us; /* of the last wake-up */
	int64_t swept_us;
	struct connection *connections;
	struct arrival *arriving; /* the one that the daemon is being given */
	char id_prefix[9];        /* of request ids */
	uint64_t id_count;

	struct pulse pulse;
	_Atomic unsigned load; /* connections, those on their way included */

	pthread_mutex_t lock; /* guards what follows */
	bool ended;
	struct arrival *arrivals;
	struct lane_entry *finished;
	struct watch_wait *woken;
	struct think_job *thought;

	struct lane_entry *batch; /* the writer's: entries of a batch for this loop */
};

/* Opens all but the thread; on failure false with a line in why[room], and loop_close may be called. */
bool loop_open(struct loop *loop, unsigned index, struct loop_shared *shared, char *why, size_t room);
bool loop_start(struct loop *loop);

/* Hands an accepted socket over.  Any thread. */
void loop_give(struct loop *loop, struct arrival *arrival);

/* Hands finished calls back, linked by next.  The writer. */
void loop_finish(struct loop *loop, struct lane_entry *entries);

/* Hands back a wait that is over.  The watch. */
void loop_woken(struct loop *loop, struct watch_wait *wait);

/* Hands back a job that is over.  The engine's threads, and whoever cancels. */
void loop_thought(struct loop *loop, struct think_job *job);

/* Wakes the loop, so that it looks at what is shared. */
void loop_wake(struct loop *loop);

/* Whether the thread has done a turn since this was asked before (base/pulse.h). */
bool loop_turns(struct loop *loop);

/* Ends the thread: no call may be in the lane any more.  Open connections are closed. */
void loop_end(struct loop *loop);
void loop_close(struct loop *loop);

#endif

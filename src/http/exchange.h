/*
 * One request from its first line to the completion of its reply.  An exchange
 * is a part of its connection and is used for one request after the other.
 *
 *     URI known       exchange_uri: remembers the target as it was sent
 *     head complete   counts and collects the headers; a document of the cache, or call_begin
 *     body            into the call's arena, up to its limit; beyond it is drained
 *     complete        call_prepare; on the read lane call_run at once, on the write
 *                     lane suspended until the writer gives it back; where the engine is asked,
 *                     suspended until it has thought (thought.h)
 *     completed       logged, and everything is freed
 */
#ifndef IUVOD_HTTP_EXCHANGE_H
#define IUVOD_HTTP_EXCHANGE_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/call.h"
#include "api/quota.h"
#include "http/cache.h"
#include "http/head.h"
#include "http/lane.h"
#include "http/think.h"
#include "http/watch.h"

struct connection;

enum stage {
	STAGE_IDLE,    /* no request */
	STAGE_URI,     /* the request line is there */
	STAGE_BODY,    /* the head was looked at, the body comes */
	STAGE_LANE,    /* suspended; the writer has it */
	STAGE_THINK,   /* suspended; the engine has it (thought.h) */
	STAGE_HELD,    /* suspended; its answer is held back */
	STAGE_READY,   /* to be answered */
	STAGE_WAIT,    /* suspended; the watch has it */
	STAGE_WOKEN,   /* to be run again */
	STAGE_LEFT,    /* not to be answered: its client is gone */
	STAGE_ANSWERED /* a response is queued */
};

enum { REQUEST_ID_MAX = 32, EXCHANGE_ADDRESS_MAX = IP_PEER_MAX };

struct exchange {
	struct lane_entry entry;
	struct watch_wait wait;
	struct think_job job;
	struct connection *connection;
	enum stage stage;
	int64_t began_us;
	uint64_t id; /* of the request, within the loop */
	char request_id[REQUEST_ID_MAX];
	struct head head;
	struct ip client; /* who sent it */
	enum method method;
	const char *method_text; /* the library's, while the request lasts */
	char *target;            /* grows, and is kept for the next request */
	size_t target_room;
	struct arena *arena; /* NULL: no call was begun, only the cache was asked */
	struct call call;
	struct quota_mark mark; /* how its client stands; most is 0: nothing was counted */
	size_t body_room;
	size_t held;                           /* its part of the bodies of all loops */
	size_t received;                       /* bytes of the body, those that nobody wants included */
	const struct cache_document *document; /* to be sent, from the cache */
	uint64_t epoch;                        /* of the store when the call was run (changes.h) */
	bool has_body;                         /* a body was announced */
	bool cacheable;                        /* as far as the request goes */
	bool waited;                           /* for news; it will not again */
	bool charged;                          /* its refusal was counted (charge.h) */
	int64_t counted_us;                    /* when it was, in the loop's tally; 0: it is not yet */

	/* Of the reply, for the log and the tally. */
	unsigned status;
	size_t bytes;
	const struct resource *resource; /* NULL: none */
};

void exchange_attach(struct exchange *exchange, struct connection *connection);

/* Frees what is left of a request that was never completed. */
void exchange_detach(struct exchange *exchange);

/* For the library; cls is the loop. */
void *exchange_uri(void *cls, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result exchange_handle(void *cls, struct MHD_Connection *mhd, const char *url, const char *method,
    const char *version, const char *upload, size_t *upload_len, void **context);
void exchange_completed(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code);

/*
 * The writer or the engine is done with it, or its answer was held back for long enough: goes on on the
 * loop's thread.  left: nobody is there to be answered.
 */
void exchange_resume(struct exchange *exchange, bool left);

/* Its wait is over: the call is run again, on the loop's thread. */
void exchange_wake(struct watch_wait *wait);

/* Forgets the call of a suspended exchange, which will be run again from its head. */
void exchange_forget(struct exchange *exchange);

/* The client's address for the log: with the port, where no proxy stands between.  Returns text. */
const char *exchange_address(const struct exchange *exchange, char text[EXCHANGE_ADDRESS_MAX]);

/* Counts it in the loop's tally, once its status is known. */
void exchange_count(struct exchange *exchange);

/* The exchange of a lane entry. */
struct exchange *exchange_of(struct lane_entry *entry);

#endif

/*
 * A call: one HTTP exchange as a handler sees it.  http/ fills in the request,
 * takes the call through the functions below, and sends the reply.  A call
 * is touched by one thread at a time: the loop thread that received it, and
 * between suspending and resuming the writer.
 *
 *     call_begin     head complete: route, query, Accept, size, type (HTTP.md rule 3 up to 415)
 *     call_prepare   body complete: reads it into what the handler wants; no database
 *     call_run       on the lane that call_prepare named: token, body faults, state, effect, reply
 *
 *     call_answer    on the loop thread, where call_run left a question and it was thought about
 *
 * Whichever of them sets the reply (call->replied) ends the call; call_run does
 * where it leaves no question, and call_answer always.
 */
#ifndef IUVOD_API_CALL_H
#define IUVOD_API_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/limits.h"
#include "base/text.h"
#include "engine/verdict.h"
#include "play/game.h"
#include "store/retries.h"

/* The request headers that are read.  http/ counts each; repeats of those marked once are refused. */
/*       enum                      name                  once */
#define HEADER_TABLE(H) \
	H(HEADER_ACCEPT, "Accept", false) \
	H(HEADER_AUTHORIZATION, "Authorization", true) \
	H(HEADER_CONTENT_LENGTH, "Content-Length", true) \
	H(HEADER_CONTENT_TYPE, "Content-Type", true) \
	H(HEADER_HOST, "Host", true) \
	H(HEADER_IDEMPOTENCY_KEY, "Idempotency-Key", true) \
	H(HEADER_IF_MATCH, "If-Match", false) \
	H(HEADER_IF_NONE_MATCH, "If-None-Match", false) \
	H(HEADER_LAST_EVENT_ID, "Last-Event-ID", true) \
	H(HEADER_PREFER, "Prefer", false) \
	H(HEADER_TRANSFER_ENCODING, "Transfer-Encoding", true)

enum header {
#define H(name, text, once) name,
	HEADER_TABLE(H)
#undef H
	    HEADER_COUNT
};

enum method {
	METHOD_GET,
	METHOD_HEAD,
	METHOD_POST,
	METHOD_PUT,
	METHOD_PATCH,
	METHOD_DELETE,
	METHOD_OPTIONS,
	METHOD_OTHER
};

enum lane {
	LANE_READ,
	LANE_WRITE,
	LANE_NONE /* on the loop thread, without the database */
};

/* A set of listeners, and what is served there. */
enum site {
	SITE_PUBLIC,
	SITE_ADMIN /* the operator's: --admin-listen */
};

enum { CALL_PARAMS_MAX = 3, REPLY_HEADERS_MAX = 16 };

struct question;
struct resource;
struct route;
struct retry;

/* A game that a call has changed, in the arena. */
struct changed_game {
	struct changed_game *next;
	char id[ID_LEN + 1];
	unsigned thinks; /* of its row, as the change left it */
};

/* How large a body a route takes. */
enum body_size {
	SIZE_NONE, /* it reads none */
	SIZE_BODY,
	SIZE_RECORD, /* a record, or an analysis, which may have as many moves */
	SIZE_COUNT
};

/* What clients may send, as the operator has set it. */
struct service_limits {
	size_t body[SIZE_COUNT]; /* bytes; of SIZE_NONE 0 */
	size_t head;             /* bytes of the head of a request, about */
	uint64_t nodes;          /* of a hint or an analysis */
	unsigned connections;    /* open ones in all */
	unsigned streams;        /* likewise, and answers that wait */
};

#define SERVICE_LIMITS_DEFAULT \
	{ \
		.body = {0, LIMIT_BODY, LIMIT_BODY_RECORD}, .head = LIMIT_HEAD, .nodes = LIMIT_ENGINE_NODES, \
		.connections = LIMIT_CONNECTIONS, .streams = LIMIT_STREAMS \
	}

/* What all calls share; filled by main before the threads start, then only read. */
struct service {
	enum site site;
	const char *version;
	const char *base_path; /* "" or "/x": every link and Location begins with it (HTTP.md rule 14) */
	unsigned schema;
	int64_t started_ms;
	bool (*ready)(void *arg); /* GET /readyz: true if the disk takes writes; any thread */
	void *ready_arg;
	bool (*move_clock)(int64_t ms); /* PUT /test-clock: false if that would be back; NULL: time goes its way */
	bool (*stopping)(void *arg);    /* true once the service is on its way down; any thread */
	void *stopping_arg;
	void (*tell)(void *arg, struct text *out); /* GET /metrics: writes the whole; of SITE_ADMIN alone */
	void *tell_arg;
	bool engine; /* there is one: what needs it is not refused with FAULT_NO_ENGINE */
	const char *mind; /* what the engine's answers hang on beside the question, as a word of a tag; NULL: none */
	struct service_limits limits;
};

struct stream;

struct reply_header {
	const char *name;  /* static */
	const char *value; /* in the arena, or static */
};

/* As many numbers there are of problems, with none. */
enum { REPLY_PROBLEMS = FAULT_COUNT + VERDICT_COUNT };

/* The reply, complete: http/ adds nothing but Date, Connection and the length. */
struct reply {
	unsigned status;
	unsigned problem; /* which one it is: a fault, or FAULT_COUNT and a verdict; 0: none */
	struct text body; /* http/ takes its bytes and frees them */
	unsigned header_count;
	struct reply_header headers[REPLY_HEADERS_MAX];
	bool close; /* the connection must not be used again */
	/*
	 * Set by a handler whose reply depends on nothing but the request line, the
	 * Accept header and one game: http/ may serve it again, to calls without
	 * Authorization, If-None-Match and body, until that game changes.  Empty: not so.
	 */
	char cache_game[ID_LEN + 1];
	/*
	 * Set where the log of events that was asked for goes on (stream.h), in the
	 * arena; else NULL.  With wait_seconds there was nothing new: http/ may keep
	 * this reply back for so long, and run the call again when there is something.
	 * Without, this is the head of a stream that http/ sends.
	 */
	const struct stream *stream;
	unsigned wait_seconds;
};

struct call {
	/* The request: filled by http/.  All texts are NUL-terminated and outlive the call. */
	struct arena *arena;
	const struct service *service;
	const char *request_id;
	enum method method;
	const char *method_text;          /* as it was sent */
	const char *target;               /* path and query as sent, undecoded */
	const char *header[HEADER_COUNT]; /* NULL: not sent; several of one name joined by ", " */
	unsigned header_times[HEADER_COUNT];
	uint64_t content_length; /* as declared; 0 if not */
	const char *body;        /* from call_prepare on; NULL if empty */
	size_t body_len;
	int64_t now_ms; /* set before each of the functions */
	struct db *db;  /* of the lane that runs it, in a transaction; only in call_run */

	/* Set by call_begin. */
	const struct resource *resource;    /* NULL: none */
	const struct route *route;          /* NULL: none */
	const char *param[CALL_PARAMS_MAX]; /* variables of the template in order, decoded */
	unsigned query_count;
	struct {
		const char *name, *value;
	} query[LIMIT_QUERY]; /* decoded */
	size_t body_limit;    /* the largest body that this route takes; 0: none is read, but one is drained */
	const char *media;    /* the media type that Accept chose, of those that the route produces */
	bool of_engine;       /* the document hangs on service->mind, too */

	/* Set by call_prepare. */
	enum lane lane;      /* as it was returned */
	void *prepared;      /* belongs to the route's handler */
	struct retry *retry; /* of its Idempotency-Key (retry.h); NULL: it has none that counts */
	bool refused;        /* the reply holds a refusal of body or parameters, sent if the token is good (rule 3) */

	/* Set by call_run. */
	struct holder holder;     /* who asks */
	struct retry_about about; /* what the answer tells of: who asks and the game, if the handler says no other */

	/* Set by call_run in place of a reply: what the engine is to think about first (question.h). */
	struct question *question;

	/* The reply. */
	bool replied;
	struct reply reply;

	/* Set by call_run in the write lane: the games that changed, for caches and watchers. */
	struct changed_game *changed;
};

/* Returns with call->replied set if the call is refused before its body is read. */
void call_begin(struct call *call);

/* Names the lane on which call_run must run. */
enum lane call_prepare(struct call *call);

/*
 * Runs the handler.  In the write lane the caller keeps a savepoint: it returns
 * true if the effect is to be kept (RELEASE) and false if not (ROLLBACK TO).
 */
bool call_run(struct call *call);

/* Replies with what the engine thought about call->question. */
void call_answer(struct call *call);

/* Puts a reply of FAULT_STOPPING, FAULT_OVERLOADED, FAULT_STORAGE, FAULT_INTERNAL … in place of whatever was there. */
void call_fail(struct call *call, enum fault fault, const char *detail);

/* A handler tells that its call has changed this game; or only what is told of it, and not what may be done in it. */
enum fault call_changed(struct call *call, const struct game *game);
enum fault call_retold(struct call *call, const char id[ID_LEN + 1]);

/* The token that was sent; NULL if none was, or something else in its place. */
const char *call_token(const struct call *call);

/* The template of the route, for the log: /v1/games/{game}; "-" if there is none. */
const char *call_template(const struct call *call);

#endif

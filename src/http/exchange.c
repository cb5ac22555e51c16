#include "config.h"

#include "http/exchange.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/route.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/answer.h"
#include "http/charge.h"
#include "http/connection.h"
#include "http/figures.h"
#include "http/takeover.h"
#include "http/thought.h"
#include "store/db.h"

enum { TARGET_ROOM_FIRST = 128, TARGET_ROOM_KEPT = 4096, BODY_ROOM_FIRST = 4 * 1024, BODY_ROOM_UNCOUNTED = 32 * 1024 };

static struct loop *
loop_of(const struct exchange *exchange)
{
	return exchange->connection->loop;
}

struct exchange *
exchange_of(struct lane_entry *entry)
{
	return (struct exchange *)(void *)((char *)entry - offsetof(struct exchange, entry));
}

void
exchange_attach(struct exchange *exchange, struct connection *connection)
{
	*exchange = (struct exchange){.connection = connection};
}

/*
 * Nearly every call ends before the next of its loop begins, so one arena does
 * for most.  Under a sanitizer each gets its own, so that a use after the end is seen.
 */
static struct arena *
take_arena(struct loop *loop)
{
	struct arena *arena = loop->spare;
	loop->spare = NULL;
	return arena != NULL ? arena : arena_open(LIMIT_ARENA);
}

static void
give_arena(struct loop *loop, struct arena *arena)
{
#ifdef IUVOD_SANITIZED
	(void)loop;
#else
	if (loop->spare == NULL) {
		arena_reset(arena);
		loop->spare = arena;
		return;
	}
#endif
	arena_close(arena);
}

static void
free_call(struct exchange *exchange)
{
	if (exchange->arena == NULL)
		return;
	text_free(&exchange->call.reply.body);
	atomic_fetch_sub_explicit(&loop_of(exchange)->shared->bodies, exchange->held, memory_order_relaxed);
	exchange->held = 0;
	give_arena(loop_of(exchange), exchange->arena);
	exchange->arena = NULL;
}

void
exchange_detach(struct exchange *exchange)
{
	free_call(exchange);
	free(exchange->target);
	exchange->target = NULL;
}

/* ---- the request line ---- */

static bool
keep_target(struct exchange *exchange, const char *uri)
{
	size_t len = strlen(uri);
	if (len + 1 > exchange->target_room) {
		size_t room = exchange->target_room == 0 ? TARGET_ROOM_FIRST : exchange->target_room;
		while (room < len + 1)
			room *= 2;
		char *larger = memory_resize(exchange->target, room);
		if (larger == NULL)
			return false;
		exchange->target = larger;
		exchange->target_room = room;
	}
	memcpy(exchange->target, uri, len + 1);
	return true;
}

void *
exchange_uri(void *cls, const char *uri, struct MHD_Connection *mhd)
{
	struct connection *connection = connection_of(mhd);
	(void)cls;
	if (connection == NULL)
		return NULL;
	struct exchange *exchange = &connection->exchange;
	if (!keep_target(exchange, uri))
		return NULL; /* and the connection is closed */
	exchange->began_us = clock_mono_us();
	exchange->stage = STAGE_URI;
	if (connection->phase == PHASE_WAIT)
		connection_enter(connection, PHASE_HEAD);
	return exchange;
}

/* ---- the head ---- */

static const char *
request_id(struct exchange *exchange)
{
	static const char hex[] = "0123456789abcdef";
	char digits[16], *end = stpcpy(exchange->request_id, loop_of(exchange)->id_prefix);
	size_t at = sizeof digits;
	uint64_t rest = exchange->id;
	do
		digits[--at] = hex[rest & 15];
	while ((rest >>= 4) != 0);
	*end++ = '-';
	memcpy(end, digits + at, sizeof digits - at);
	end[sizeof digits - at] = '\0';
	return exchange->request_id;
}

/* One header as a call wants it: all of its values, without the blanks behind them; NULL if memory fails. */
static const char *
take_header(struct exchange *exchange, enum header header)
{
	const char *value = exchange->head.value[header];
	if (exchange->head.times[header] > 1)
		value = head_join(exchange->connection->mhd, header, exchange->arena);
	if (value == NULL)
		return NULL;
	size_t len = head_trimmed(value);
	return value[len] == '\0' ? value : arena_copy(exchange->arena, value, len);
}

/* The headers as a call wants them; false if memory fails. */
static bool
take_headers(struct exchange *exchange)
{
	const struct head *head = &exchange->head;
	struct call *call = &exchange->call;
	for (unsigned i = 0; i < HEADER_COUNT; i++) {
		call->header_times[i] = head->times[i];
		if (head->times[i] == 0)
			continue;
		call->header[i] = take_header(exchange, (enum header)i);
		if (call->header[i] == NULL)
			return false;
	}
	const char *length = head->value[HEADER_CONTENT_LENGTH];
	/* The library has refused what is no number. */
	call->content_length = length == NULL ? 0 : strtoull(length, NULL, 10);
	return true;
}

/* Refusals that need no route. */
static enum fault
fault_of_head(const struct exchange *exchange)
{
	if (!exchange->connection->served)
		return FAULT_OVERLOADED;
	if (atomic_load_explicit(&loop_of(exchange)->shared->stopping, memory_order_relaxed) && !exchange->waited)
		return FAULT_STOPPING;
	if (head_ambiguity(&exchange->head) != NULL)
		return FAULT_AMBIGUOUS_REQUEST;
	return FAULT_NONE;
}

/* Fills in the call and lets it begin; it may be refused here. */
static void
begin_call(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	exchange->arena = take_arena(loop_of(exchange));
	*call = (struct call){
	    .arena = exchange->arena,
	    .service = loop_of(exchange)->shared->service,
	    .request_id = request_id(exchange),
	    .method = exchange->method,
	    .method_text = exchange->method_text,
	    .target = exchange->target,
	    .now_ms = clock_now_ms(),
	};
	if (exchange->arena == NULL || !take_headers(exchange)) {
		call->replied = call->reply.body.failed = true; /* answered by the last resort */
		return;
	}
	enum fault fault = fault_of_head(exchange);
	if (fault == FAULT_NONE) {
		call_begin(call);
		if (!call->replied && call->content_length > call->body_limit + LIMIT_BODY_DRAIN)
			call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
		if (!call->replied)
			charge_take(exchange, call->route->quota);
		return;
	}
	call_fail(call, fault, fault == FAULT_AMBIGUOUS_REQUEST ? head_ambiguity(&exchange->head) : NULL);
	/* Where such a request ends must not be guessed. */
	call->reply.close |= fault == FAULT_AMBIGUOUS_REQUEST;
}

/* Whether a document of the cache may answer, as far as the head tells. */
static bool
is_cacheable(const struct exchange *exchange)
{
	static const enum header none[] = {
	    HEADER_AUTHORIZATION, HEADER_IF_NONE_MATCH, HEADER_IF_MATCH, HEADER_PREFER, HEADER_LAST_EVENT_ID};
	const struct loop *loop = loop_of(exchange);
	const struct head *head = &exchange->head;
	if (loop->cache == NULL || exchange->has_body || !exchange->connection->served ||
	    (exchange->method != METHOD_GET && exchange->method != METHOD_HEAD) ||
	    atomic_load_explicit(&loop->shared->stopping, memory_order_relaxed))
		return false;
	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		if (head->times[none[i]] > 0)
			return false;
	/* The key holds one Accept. */
	return head->times[HEADER_ACCEPT] < 2 && head_ambiguity(head) == NULL;
}

static bool
announces_body(const struct head *head)
{
	const char *length = head->value[HEADER_CONTENT_LENGTH];
	return head->times[HEADER_TRANSFER_ENCODING] > 0 || (length != NULL && strcmp(length, "0") != 0);
}

/* Whether the reply must not wait for the body: it is too long to be thrown away, or waits itself to be asked for. */
static bool
refuse_at_once(const struct exchange *exchange)
{
	const struct call *call = &exchange->call;
	return exchange->has_body && call->replied &&
	       (exchange->head.expects_continue || call->reply.close ||
		   call->content_length > call->body_limit + LIMIT_BODY_DRAIN);
}

static enum MHD_Result run(struct exchange *exchange);

static enum MHD_Result
begin(struct exchange *exchange, const char *method, const char *version)
{
	struct loop *loop = loop_of(exchange);
	head_read(exchange->connection->mhd, version, &exchange->head);
	exchange->client = head_client(
	    exchange->connection->mhd, &loop->shared->trust, loop->shared->proxy_header, exchange->connection->peer);
	atomic_fetch_add_explicit(&loop->shared->active, 1, memory_order_relaxed);
	exchange->stage = STAGE_BODY;
	exchange->id = loop->id_count++;
	exchange->method = head_method(method);
	exchange->method_text = method;
	exchange->document = NULL;
	exchange->mark.most = 0;
	exchange->status = 0;
	exchange->bytes = exchange->received = exchange->body_room = 0;
	exchange->waited = exchange->counted = false;
	exchange->resource = NULL;
	exchange->has_body = announces_body(&exchange->head);
	exchange->cacheable = is_cacheable(exchange);
	connection_enter(exchange->connection, exchange->has_body ? PHASE_BODY : PHASE_CALL);
	/*
	 * Without a body the library calls again at once; but after a 100 it calls
	 * once too often if the next request has come already.
	 */
	if (!exchange->has_body)
		return exchange->head.expects_continue ? run(exchange) : MHD_YES;
	begin_call(exchange);
	if (!refuse_at_once(exchange))
		return MHD_YES;
	exchange->call.reply.close = true;
	exchange->connection->linger = !exchange->head.expects_continue;
	return answer_queue(exchange);
}

/* ---- the body ---- */

/*
 * Counts a large body; false if all of them together are as large as they may be.
 * Those of moves are not counted, so that nobody who sends records slowly keeps
 * others from playing: there are never more of them than connections.
 */
static bool
hold_body(struct exchange *exchange, size_t room)
{
	_Atomic size_t *bodies = &loop_of(exchange)->shared->bodies;
	if (room <= BODY_ROOM_UNCOUNTED)
		return true;
	if (atomic_fetch_add_explicit(bodies, room, memory_order_relaxed) + room > LIMIT_BODIES) {
		figures_refused(FIGURES_BODIES);
		atomic_fetch_sub_explicit(bodies, room, memory_order_relaxed);
		return false;
	}
	exchange->held += room;
	return true;
}

/* Room for len more bytes and a NUL; FAULT_OVERLOADED, FAULT_OUT_OF_MEMORY. */
static enum fault
grow_body(struct exchange *exchange, size_t len)
{
	struct call *call = &exchange->call;
	size_t room = exchange->body_room == 0 ? BODY_ROOM_FIRST : exchange->body_room;
	/* What is announced is believed: it is no more than the route takes, and of large ones there are not many. */
	if (exchange->body_room == 0 && call->content_length > 0)
		room = (size_t)call->content_length + 1;
	while (room < call->body_len + len + 1)
		room *= 2;
	if (!hold_body(exchange, room))
		return FAULT_OVERLOADED;
	char *larger = arena_take(exchange->arena, room);
	if (larger == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (call->body_len > 0)
		memcpy(larger, call->body, call->body_len);
	call->body = larger;
	exchange->body_room = room;
	return FAULT_NONE;
}

static void
keep_body(struct exchange *exchange, const char *bytes, size_t len)
{
	struct call *call = &exchange->call;
	enum fault fault = FAULT_NONE;
	if (exchange->body_room < call->body_len + len + 1)
		fault = grow_body(exchange, len);
	if (fault != FAULT_NONE) {
		call_fail(call, fault, NULL);
		return;
	}
	char *body = (char *)call->body; /* of the arena: nobody else has it yet */
	memcpy(body + call->body_len, bytes, len);
	call->body_len += len;
	body[call->body_len] = '\0';
}

static enum MHD_Result
take_body(struct exchange *exchange, const char *bytes, size_t len)
{
	struct call *call = &exchange->call;
	exchange->received += len;
	if (!call->replied && exchange->received <= call->body_limit) {
		keep_body(exchange, bytes, len);
		return MHD_YES;
	}
	if (!call->replied && call->body_limit > 0)
		call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
	if (exchange->received <= call->body_limit + LIMIT_BODY_DRAIN)
		return MHD_YES;
	/* Only a chunked body comes here: the length of another is known, and was refused at its head. */
	if (!call->replied)
		call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
	answer_raw(exchange);
	return MHD_NO;
}

/* ---- the call ---- */

/*
 * Calls that come in one turn of the loop share a read transaction as long as
 * nothing is committed: beginning and ending one costs as much as a read or two.
 */
static enum fault
begin_read(struct loop *loop)
{
	const struct changes *changes = lane_changes(loop->shared->lane);
	if (db_in_transaction(loop->db) && changes_none_since(changes, loop->read_epoch))
		return FAULT_NONE;
	db_end(loop->db);
	loop->read_epoch = changes_now(changes);
	return db_read_begin(loop->db);
}

static void
run_read(struct exchange *exchange)
{
	struct loop *loop = loop_of(exchange);
	struct call *call = &exchange->call;
	enum fault fault = begin_read(loop);
	exchange->epoch = loop->read_epoch;
	if (fault != FAULT_NONE) {
		log_line(LOG_ERROR, "read_failed", "request_id=%s", call->request_id);
		call_fail(call, fault, NULL);
		return;
	}
	call->db = loop->db;
	call->now_ms = clock_now_ms();
	call_run(call);
	call->db = NULL;
	/* After a failure of the store nothing is shared. */
	if (call->reply.status >= MHD_HTTP_INTERNAL_SERVER_ERROR)
		db_end(loop->db);
}

/* True if the writer has the call now. */
static bool
enter_lane(struct exchange *exchange)
{
	enum fault fault;
	exchange->stage = STAGE_LANE;
	exchange->entry = (struct lane_entry){.call = &exchange->call};
	if (!lane_append(loop_of(exchange)->shared->lane, &exchange->entry, &fault)) {
		call_fail(&exchange->call, fault, NULL);
		return false;
	}
	/* The writer may be done already; but it is this thread that resumes, and it does so later. */
	MHD_suspend_connection(exchange->connection->mhd);
	return true;
}

/* Sends the reply, or lets it wait, or lets it begin a stream, or has the engine think first. */
static enum MHD_Result
answer(struct exchange *exchange)
{
	const struct reply *reply = &exchange->call.reply;
	if (!exchange->call.replied && thought_begin(exchange))
		return MHD_YES;
	if (reply->stream == NULL || exchange->method != METHOD_GET)
		return answer_queue(exchange);
	if (reply->wait_seconds == 0)
		return takeover_stream(exchange);
	if (!exchange->waited && takeover_wait(exchange))
		return MHD_YES;
	return answer_queue(exchange);
}

static enum MHD_Result
run(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	connection_enter(exchange->connection, PHASE_CALL);
	if (exchange->cacheable)
		exchange->document =
		    cache_find(loop_of(exchange)->cache, exchange->target, exchange->head.value[HEADER_ACCEPT]);
	if (exchange->document != NULL)
		return answer_queue(exchange);
	if (!exchange->has_body)
		begin_call(exchange);
	if (call->replied)
		return answer_queue(exchange);
	call->now_ms = clock_now_ms();
	enum lane lane = call_prepare(call);
	if (!call->replied && lane == LANE_WRITE && enter_lane(exchange))
		return MHD_YES;
	if (!call->replied && lane == LANE_NONE)
		call_run(call);
	if (!call->replied)
		run_read(exchange);
	return answer(exchange);
}

void
exchange_forget(struct exchange *exchange)
{
	free_call(exchange);
}

void
exchange_wake(struct watch_wait *wait)
{
	struct exchange *exchange = (struct exchange *)(void *)((char *)wait - offsetof(struct exchange, wait));
	exchange->stage = STAGE_WOKEN;
	exchange->waited = true;
	MHD_resume_connection(exchange->connection->mhd);
}

/* From the head on, as if it came now: a body is not asked for where there is something to wait for. */
static enum MHD_Result
run_again(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	begin_call(exchange);
	if (!call->replied)
		call_prepare(call);
	if (!call->replied)
		run_read(exchange);
	return answer(exchange);
}

void
exchange_resume(struct exchange *exchange)
{
	exchange->stage = STAGE_READY;
	MHD_resume_connection(exchange->connection->mhd);
}

enum MHD_Result
exchange_handle(void *cls, struct MHD_Connection *mhd, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_len, void **context)
{
	struct exchange *exchange = *context;
	(void)cls, (void)mhd, (void)url;
	if (exchange == NULL)
		return MHD_NO;
	switch (exchange->stage) {
	case STAGE_URI:
		return begin(exchange, method, version);
	case STAGE_BODY:
		if (*upload_len == 0)
			return run(exchange);
		size_t len = *upload_len;
		*upload_len = 0;
		return take_body(exchange, upload, len);
	case STAGE_READY:
		return answer_queue(exchange);
	case STAGE_WOKEN:
		return run_again(exchange);
	case STAGE_IDLE:
	case STAGE_LANE:
	case STAGE_THINK:
	case STAGE_WAIT:
	case STAGE_ANSWERED:
		break;
	}
	return MHD_NO;
}

/* ---- the end ---- */

const char *
exchange_address(const struct exchange *exchange, char text[EXCHANGE_ADDRESS_MAX])
{
	const struct connection *connection = exchange->connection;
	if (ip_equal(exchange->client, connection->peer))
		return connection->address;
	return ip_text(exchange->client, text);
}

void
exchange_count(struct exchange *exchange)
{
	bool cached = exchange->document != NULL, of_call = !cached && exchange->status >= MHD_HTTP_BAD_REQUEST;
	const struct tally_request request = {
	    .resource = exchange->resource,
	    .method = exchange->method,
	    .status = exchange->status,
	    .problem = of_call ? exchange->call.reply.problem : 0,
	    .us = (uint64_t)(clock_mono_us() - exchange->began_us),
	    .timed = exchange->status != 0 && !exchange->waited && (cached || exchange->call.route != NULL),
	};
	tally_count(loop_of(exchange)->tally, &request);
	exchange->counted = true;
}

static void
log_request(const struct exchange *exchange, enum MHD_RequestTerminationCode code)
{
	char address[EXCHANGE_ADDRESS_MAX];
	if (!log_begin(LOG_INFO, "request"))
		return;
	bool has_body = exchange->method != METHOD_HEAD && exchange->status != MHD_HTTP_NOT_MODIFIED;
	log_text("method", exchange->method_text);
	log_text("route", exchange->resource == NULL ? NULL : route_template(exchange->resource));
	log_uint("status", exchange->status);
	log_us_as_ms("ms", (uint64_t)(clock_mono_us() - exchange->began_us));
	log_uint("bytes", has_body ? exchange->bytes : 0);
	log_hex("request_id", loop_of(exchange)->id_prefix, exchange->id);
	log_text("address", exchange_address(exchange, address));
	if (!ip_equal(exchange->client, exchange->connection->peer))
		log_text("via", exchange->connection->address);
	if (exchange->connection->taken)
		log_text("end", "stream");
	else if (code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
		log_text("end", "aborted");
	log_end();
}

void
exchange_completed(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code)
{
	struct exchange *exchange = *context;
	(void)cls, (void)mhd;
	if (exchange == NULL || exchange->stage < STAGE_BODY)
		return;
	if (!exchange->counted)
		exchange_count(exchange);
	log_request(exchange, code);
	atomic_fetch_sub_explicit(&loop_of(exchange)->shared->active, 1, memory_order_relaxed);
	free_call(exchange);
	if (exchange->target_room > TARGET_ROOM_KEPT) {
		free(exchange->target);
		exchange->target = NULL;
		exchange->target_room = 0;
	}
	exchange->document = NULL;
	exchange->stage = STAGE_IDLE;
	exchange->connection->fresh = false;
	connection_enter(exchange->connection, PHASE_WAIT);
	*context = NULL;
}

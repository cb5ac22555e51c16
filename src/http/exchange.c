#include "http/exchange.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/answer.h"
#include "http/charge.h"
#include "http/exchange_private.h"
#include "http/takeover.h"
#include "http/thought.h"
#include "store/db.h"

enum { TARGET_ROOM_FIRST = 128, TARGET_ROOM_KEPT = 4096 };

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

void
exchange_detach(struct exchange *exchange)
{
	exchange_free_call(exchange);
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
	struct loop *loop = exchange_loop(exchange);
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
	exchange->waited = exchange->charged = false;
	exchange->counted_us = 0;
	exchange->resource = NULL;
	exchange->has_body = announces_body(&exchange->head);
	exchange->cacheable = exchange_is_cacheable(exchange);
	connection_enter(exchange->connection, exchange->has_body ? PHASE_BODY : PHASE_CALL);
	/*
	 * Without a body the library calls again at once; but after a 100 it calls
	 * once too often if the next request has come already.
	 */
	if (!exchange->has_body)
		return exchange->head.expects_continue ? run(exchange) : MHD_YES;
	exchange_begin_call(exchange);
	if (!refuse_at_once(exchange))
		return MHD_YES;
	exchange->call.reply.close = true;
	exchange->connection->linger = !exchange->head.expects_continue;
	return answer_queue(exchange);
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
	struct loop *loop = exchange_loop(exchange);
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
	if (!lane_append(exchange_loop(exchange)->shared->lane, &exchange->entry, &fault)) {
		call_fail(&exchange->call, fault, NULL);
		return false;
	}
	/* The writer may be done already; but it is this thread that resumes, and it does so later. */
	MHD_suspend_connection(exchange->connection->mhd);
	return true;
}

/*
 * Sends the reply, or holds it back: a client who is refused more often than he may be is answered once or
 * twice a second on each of his connections, and costs no more than that.
 */
static enum MHD_Result
answer_call(struct exchange *exchange)
{
	const struct loop_shared *shared = exchange_loop(exchange)->shared;
	if (!charge_refusal(exchange) || shared->held_ms == 0 ||
	    atomic_load_explicit(&shared->stopping, memory_order_relaxed))
		return answer_queue(exchange);
	exchange->stage = STAGE_HELD;
	MHD_suspend_connection(exchange->connection->mhd);
	connection_enter(exchange->connection, PHASE_HELD);
	return MHD_YES;
}

/* Sends the reply, or lets it wait, or lets it begin a stream, or has the engine think first. */
static enum MHD_Result
answer(struct exchange *exchange)
{
	const struct reply *reply = &exchange->call.reply;
	if (!exchange->call.replied && thought_begin(exchange))
		return MHD_YES;
	if (reply->stream == NULL || exchange->method != METHOD_GET)
		return answer_call(exchange);
	if (reply->wait_seconds == 0)
		return takeover_stream(exchange);
	if (!exchange->waited && takeover_wait(exchange))
		return MHD_YES;
	return answer_call(exchange);
}

static enum MHD_Result
run(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	connection_enter(exchange->connection, PHASE_CALL);
	if (exchange->cacheable)
		exchange->document =
		    cache_find(exchange_loop(exchange)->cache, exchange->target, exchange->head.value[HEADER_ACCEPT]);
	if (exchange->document != NULL)
		return answer_queue(exchange);
	if (!exchange->has_body)
		exchange_begin_call(exchange);
	if (call->replied)
		return answer_call(exchange);
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
	exchange_free_call(exchange);
}

void
exchange_wake(struct watch_wait *wait)
{
	struct exchange *exchange = (struct exchange *)(void *)((char *)wait - offsetof(struct exchange, wait));
	exchange->stage = wait->gone ? STAGE_LEFT : STAGE_WOKEN;
	exchange->waited = true;
	MHD_resume_connection(exchange->connection->mhd);
}

/* From the head on, as if it came now: a body is not asked for where there is something to wait for. */
static enum MHD_Result
run_again(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	exchange_begin_call(exchange);
	if (!call->replied)
		call_prepare(call);
	if (!call->replied)
		run_read(exchange);
	return answer(exchange);
}

void
exchange_resume(struct exchange *exchange, bool left)
{
	exchange->stage = left ? STAGE_LEFT : STAGE_READY;
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
		return exchange_take_body(exchange, upload, len);
	case STAGE_READY:
		return answer_call(exchange);
	case STAGE_WOKEN:
		return run_again(exchange);
	case STAGE_IDLE:
	case STAGE_LANE:
	case STAGE_THINK:
	case STAGE_WAIT:
	case STAGE_LEFT:
	case STAGE_HELD:
	case STAGE_ANSWERED:
		break;
	}
	return MHD_NO;
}

/* ---- the end ---- */

void
exchange_completed(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code)
{
	struct exchange *exchange = *context;
	(void)cls, (void)mhd;
	if (exchange == NULL || exchange->stage < STAGE_BODY)
		return;
	if (exchange->counted_us == 0)
		exchange_count(exchange);
	exchange_log(exchange, code);
	atomic_fetch_sub_explicit(&exchange_loop(exchange)->shared->active, 1, memory_order_relaxed);
	exchange_free_call(exchange);
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

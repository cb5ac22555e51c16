#include "http/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "http/charge.h"
#include "http/connection.h"

/*
 * The answer when there is no memory to write one was written when there was.
 * It belongs to the loop, and is never destroyed with a request.
 */
static struct MHD_Response *
last_resort(struct exchange *exchange)
{
	exchange->status = fault_row(FAULT_OUT_OF_MEMORY)->status;
	exchange->call.reply.problem = FAULT_OUT_OF_MEMORY;
	exchange->bytes = exchange->connection->loop->last_resort_len;
	return exchange->connection->loop->last_resort;
}

static bool
must_close(const struct exchange *exchange)
{
	return exchange->call.reply.close || !exchange->connection->served ||
	       atomic_load_explicit(&exchange->connection->loop->shared->stopping, memory_order_relaxed);
}

/* What a HEAD of a stream would begin: nothing is ever read from it. */
static ssize_t
no_bytes(void *cls, uint64_t at, char *bytes, size_t room)
{
	(void)cls, (void)at, (void)bytes, (void)room;
	return MHD_CONTENT_READER_END_OF_STREAM;
}

/*
 * A 304 whose document was not made: it can tell no length, and without the flag
 * the library would send a last chunk after it.
 */
static struct MHD_Response *
unchanged(void)
{
	struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, no_bytes, NULL, NULL);
	if (response != NULL)
		MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
	return response;
}

static struct MHD_Response *
without_body(const struct reply *reply)
{
	if (reply->status == MHD_HTTP_NOT_MODIFIED)
		return unchanged();
	/* A stream has no length, and a HEAD of it says none. */
	if (reply->stream != NULL && reply->wait_seconds == 0)
		return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, no_bytes, NULL, NULL);
	return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

/* The response takes the bytes over; on failure, NULL, they are freed with the call, and so is an empty body's room. */
static struct MHD_Response *
from_reply(struct reply *reply, bool close)
{
	if (text_failed(&reply->body))
		return NULL;
	/* Room that was taken for a body that never came (204, 304). */
	if (reply->body.len == 0)
		text_free(&reply->body);
	struct MHD_Response *response = reply->body.len == 0 ? without_body(reply)
							     : MHD_create_response_from_buffer(reply->body.len,
								   reply->body.bytes, MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		return NULL;
	if (reply->body.len > 0)
		reply->body = TEXT_EMPTY;
	bool good = true;
	for (unsigned i = 0; i < reply->header_count; i++)
		good &= MHD_add_response_header(response, reply->headers[i].name, reply->headers[i].value) == MHD_YES;
	if (close)
		good &= MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES;
	if (good)
		return response;
	MHD_destroy_response(response);
	return NULL;
}

struct MHD_Response *
answer_last_resort(const struct service *service, size_t *len)
{
	struct MHD_Response *response = NULL;
	struct call call = {.arena = arena_open(LIMIT_ARENA), .service = service};
	if (call.arena == NULL)
		return NULL;
	call_fail(&call, FAULT_OUT_OF_MEMORY, NULL);
	*len = call.reply.body.len;
	response = from_reply(&call.reply, true);
	text_free(&call.reply.body);
	arena_close(call.arena);
	return response;
}

/* Whether the reply may be sent again to others who ask the same. */
static bool
may_be_kept(const struct exchange *exchange)
{
	const struct reply *reply = &exchange->call.reply;
	return exchange->cacheable && exchange->method == METHOD_GET && reply->cache_game[0] != '\0' &&
	       reply->status == MHD_HTTP_OK && !must_close(exchange) && !text_failed(&reply->body);
}

/* A document that stays shall not hold the room that it grew in. */
static void
trim(struct text *text)
{
	char *smaller = text->len == 0 ? NULL : memory_resize(text->bytes, text->len);
	if (smaller == NULL)
		return;
	text->bytes = smaller;
	text->room = text->len;
}

static enum MHD_Result
queue(struct exchange *exchange, struct MHD_Response *response)
{
	exchange_count(exchange);
	connection_enter(exchange->connection, PHASE_SEND);
	exchange->stage = STAGE_ANSWERED;
	return MHD_queue_response(exchange->connection->mhd, exchange->status, response);
}

/* The same document without what is for its first reader alone. */
static struct MHD_Response *
for_others(const struct reply *reply)
{
	struct reply copy = *reply;
	copy.body = TEXT_EMPTY;
	text_put(&copy.body, reply->body.bytes, reply->body.len);
	struct MHD_Response *response = from_reply(&copy, false);
	text_free(&copy.body);
	return response;
}

/* Gives a reference to a response, NULL allowed, to the cache, or away. */
static void
keep(const struct exchange *exchange, struct MHD_Response *response)
{
	const struct call *call = &exchange->call;
	const struct cache_document document = {
	    .response = response, .resource = exchange->resource, .bytes = exchange->bytes};
	if (response != NULL && !cache_keep(exchange->connection->loop->cache, exchange->target,
				    call->header[HEADER_ACCEPT], call->reply.cache_game, exchange->epoch, &document))
		MHD_destroy_response(response);
}

static enum MHD_Result
queue_reply(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	struct MHD_Response *others = NULL;
	bool kept = may_be_kept(exchange), counted = exchange->mark.most > 0;
	exchange->resource = call->resource;
	exchange->status = call->reply.status;
	exchange->bytes = call->reply.body.len;
	if (kept)
		trim(&call->reply.body);
	if (kept && counted)
		others = for_others(&call->reply);
	charge_tell(exchange);
	struct MHD_Response *response = from_reply(&call->reply, must_close(exchange));
	/* What was done is not answered with "nothing was changed": the sender learns it when he asks again. */
	if (response == NULL && call->changed != NULL)
		return MHD_NO;
	if (response == NULL) {
		keep(exchange, others);
		return queue(exchange, last_resort(exchange));
	}
	enum MHD_Result queued = queue(exchange, response);
	keep(exchange, kept && !counted ? response : others);
	if (!kept || counted)
		MHD_destroy_response(response);
	return queued;
}

enum MHD_Result
answer_queue(struct exchange *exchange)
{
	const struct cache_document *document = exchange->document;
	if (document == NULL)
		return queue_reply(exchange);
	exchange->status = MHD_HTTP_OK;
	exchange->bytes = document->bytes;
	exchange->resource = document->resource;
	tally_cached(exchange->connection->loop->tally);
	return queue(exchange, document->response);
}

void
answer_head(const struct reply *reply, struct text *head)
{
	text_printf(
	    head, "HTTP/1.1 %u %s\r\nConnection: close\r\n", reply->status, MHD_get_reason_phrase_for(reply->status));
	for (unsigned i = 0; i < reply->header_count; i++)
		text_printf(head, "%s: %s\r\n", reply->headers[i].name, reply->headers[i].value);
}

void
answer_raw(struct exchange *exchange)
{
	struct reply *reply = &exchange->call.reply;
	struct text out = TEXT_EMPTY;
	charge_tell(exchange);
	answer_head(reply, &out);
	text_printf(&out, "Content-Length: %zu\r\n\r\n", reply->body.len);
	text_put(&out, reply->body.bytes, reply->body.len);
	exchange->status = reply->status;
	exchange->bytes = reply->body.len;
	exchange->resource = exchange->call.resource;
	exchange->stage = STAGE_ANSWERED;
	exchange_count(exchange);
	exchange->connection->linger = true;
	/* Nothing was sent on this connection that was not taken by the kernel long ago: there is room for this. */
	if (!text_failed(&out) && !text_failed(&reply->body))
		(void)!send(exchange->connection->fd, out.bytes, out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	text_free(&out);
}

#include "http/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "http/connection.h"

/* The answer when there is no memory to write one.  The wording is that of the fault table. */
static struct MHD_Response *
last_resort(struct exchange *exchange)
{
	static char body[] = "{\"type\":\"/problems/out-of-memory\",\"title\":\"The service has no memory for this\","
			     "\"status\":503,\"code\":\"out-of-memory\"}\n";
	exchange->status = 503;
	exchange->bytes = sizeof body - 1;
	struct MHD_Response *response = MHD_create_response_from_buffer(sizeof body - 1, body, MHD_RESPMEM_PERSISTENT);
	if (response == NULL)
		return NULL;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/problem+json");
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
	MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	return response;
}

static bool
must_close(const struct exchange *exchange)
{
	return exchange->call.reply.close || !exchange->connection->served ||
	       atomic_load_explicit(&exchange->connection->loop->shared->stopping, memory_order_relaxed);
}

/* The response takes the bytes over; on failure they are freed with the call. */
static struct MHD_Response *
from_reply(struct exchange *exchange)
{
	struct reply *reply = &exchange->call.reply;
	if (text_failed(&reply->body))
		return last_resort(exchange);
	exchange->status = reply->status;
	exchange->bytes = reply->body.len;
	struct MHD_Response *response =
	    reply->body.len == 0
		? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
		: MHD_create_response_from_buffer(reply->body.len, reply->body.bytes, MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		return last_resort(exchange);
	if (reply->body.len > 0)
		reply->body = TEXT_EMPTY;
	bool good = true;
	for (unsigned i = 0; i < reply->header_count; i++)
		good &= MHD_add_response_header(response, reply->headers[i].name, reply->headers[i].value) == MHD_YES;
	if (must_close(exchange))
		good &= MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES;
	if (good)
		return response;
	MHD_destroy_response(response);
	return last_resort(exchange);
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
	connection_enter(exchange->connection, PHASE_SEND);
	exchange->stage = STAGE_ANSWERED;
	return MHD_queue_response(exchange->connection->mhd, exchange->status, response);
}

static enum MHD_Result
queue_reply(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	bool keep = may_be_kept(exchange);
	if (keep)
		trim(&call->reply.body);
	struct MHD_Response *response = from_reply(exchange);
	exchange->template = call_template(call);
	if (response == NULL)
		return MHD_NO;
	enum MHD_Result queued = queue(exchange, response);
	struct cache_document document = {
	    .response = response, .template = exchange->template, .bytes = exchange->bytes};
	keep = keep && exchange->status == MHD_HTTP_OK &&
	       cache_keep(exchange->connection->loop->cache, exchange->target, call->header[HEADER_ACCEPT],
		   call->reply.cache_game, exchange->epoch, &document);
	if (!keep)
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
	exchange->template = document->template;
	return queue(exchange, document->response);
}

void
answer_raw(struct exchange *exchange)
{
	struct reply *reply = &exchange->call.reply;
	struct text out = TEXT_EMPTY;
	text_printf(&out, "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Length: %zu\r\n", reply->status,
	    MHD_get_reason_phrase_for(reply->status), reply->body.len);
	for (unsigned i = 0; i < reply->header_count; i++)
		text_printf(&out, "%s: %s\r\n", reply->headers[i].name, reply->headers[i].value);
	text_puts(&out, "\r\n");
	text_put(&out, reply->body.bytes, reply->body.len);
	exchange->status = reply->status;
	exchange->bytes = reply->body.len;
	exchange->template = call_template(&exchange->call);
	exchange->stage = STAGE_ANSWERED;
	exchange->connection->linger = true;
	/* Nothing was sent on this connection that was not taken by the kernel long ago: there is room for this. */
	if (!text_failed(&out) && !text_failed(&reply->body))
		(void)!send(exchange->connection->fd, out.bytes, out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	text_free(&out);
}

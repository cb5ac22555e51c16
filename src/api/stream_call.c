#include "api/stream_call.h"

#include "api/body.h"
#include "api/prefer.h"
#include "api/problem.h"
#include "api/reply.h"

/* The form that Accept chose, or the query, where a client cannot set headers. */
static enum fault
read_form(struct call *call, struct stream_wish *wish)
{
	static const char *const words[] = {"json", "sse", "ndjson", NULL};
	unsigned form = STREAM_JSON;
	while (stream_media[form] != NULL && strcmp(call->media, stream_media[form]) != 0)
		form++;
	enum fault fault = body_word(call, "format", words, &form);
	wish->form = (enum stream_form)form;
	if (fault == FAULT_NONE && !call->replied && form != STREAM_JSON && body_parameter(call, "limit") != NULL)
		return body_refuse_parameter(call, "limit", "none: a stream has no limit");
	return fault;
}

/*
 * Where the reader is.  The header goes before the parameter: a client that lost
 * its stream asks for the same address again, and names in it what it has read since.
 */
static enum fault
read_cursor(struct call *call, struct stream_wish *wish)
{
	const char *last = call->header[HEADER_LAST_EVENT_ID];
	enum fault fault = body_number(call, "after", 0, INT32_MAX, &wish->after);
	if (fault != FAULT_NONE || call->replied || last == NULL || *last == '\0')
		return fault;
	if (text_read_uint(last, strlen(last), INT32_MAX, &wish->after))
		return FAULT_NONE;
	if (wish->form == STREAM_JSON)
		return problem_with(call, FAULT_INVALID_HEADER, "Last-Event-ID: expected the seq of an event", "header",
		    "Last-Event-ID");
	wish->reset = true;
	return FAULT_NONE;
}

enum fault
stream_call_prepare(struct call *call)
{
	struct stream_wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	wish->limit = LIMIT_EVENTS_DEFAULT;
	enum fault fault = read_form(call, wish);
	if (fault == FAULT_NONE && !call->replied)
		fault = read_cursor(call, wish);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "limit", 1, LIMIT_EVENTS, &wish->limit);
	if (wish->form == STREAM_JSON)
		wish->wait_seconds = prefer_wait(call->header[HEADER_PREFER], LIMIT_WAIT_SECONDS);
	return fault;
}

struct stream *
stream_call_follow(struct call *call, enum stream_source source, const char *id, int64_t key, int64_t last)
{
	const struct stream_wish *wish = call->prepared;
	struct stream *stream = arena_zero(call->arena, sizeof *stream);
	if (stream == NULL)
		return NULL;
	stream->source = source;
	stream->form = wish->form;
	stream->key = key;
	stream->after = (int64_t)wish->after;
	stream->reset = wish->reset || stream->after > last;
	stream->holder = call->holder;
	memcpy(stream->id, id, sizeof stream->id);
	return stream;
}

enum fault
stream_call_begin(struct call *call, const struct stream *stream, bool over)
{
	/* Nothing will follow: with 204 a browser, whose stream has ended, is told not to ask again. */
	reply_begin(call, over ? 204 : 200);
	reply_header(call, "Cache-Control", "no-store");
	reply_header(call, "Vary", "Authorization, Accept");
	reply_header(call, "X-Accel-Buffering", "no");
	enum fault fault = reply_end(call, over ? NULL : stream_media[stream->form]);
	if (fault == FAULT_NONE && !over)
		call->reply.stream = stream;
	return fault;
}

enum fault
stream_call_wait(struct call *call, const struct stream *stream, bool news)
{
	const struct stream_wish *wish = call->prepared;
	if (wish->wait_seconds == 0)
		return FAULT_NONE;
	reply_header(call, "Preference-Applied", problem_text(call, "wait=%u", wish->wait_seconds));
	if (news || stream->reset || call->method != METHOD_GET)
		return FAULT_NONE;
	call->reply.stream = stream;
	call->reply.wait_seconds = wish->wait_seconds;
	return FAULT_NONE;
}

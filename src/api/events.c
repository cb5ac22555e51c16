/* The event log of a game: as JSON, at once or when there is news, and as a stream (stream.h). */
#include "api/body.h"
#include "api/prefer.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/stream.h"
#include "api/subject.h"

struct wish {
	uint64_t after, limit;
	enum stream_form form;
	bool reset; /* the last id that the reader has is none of ours */
	unsigned wait_seconds;
};

/* The form that Accept chose, or the query, where a client cannot set headers. */
static enum fault
read_form(struct call *call, struct wish *wish)
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
read_cursor(struct call *call, struct wish *wish)
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
events_prepare(struct call *call)
{
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
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

static bool
is_over(const struct game *game)
{
	return strcmp(game->row.status, "finished") == 0 || strcmp(game->row.status, "withdrawn") == 0;
}

/* The log as the caller may follow it; NULL without memory. */
static struct stream *
follow(struct call *call, const struct game *game)
{
	const struct wish *wish = call->prepared;
	struct stream *stream = arena_zero(call->arena, sizeof *stream);
	if (stream == NULL)
		return NULL;
	stream->source = STREAM_GAME;
	stream->form = wish->form;
	stream->key = game->row.game;
	stream->after = (int64_t)wish->after;
	stream->reset = wish->reset || wish->after > game->row.seq;
	stream->holder = call->holder;
	memcpy(stream->id, game->row.id, sizeof stream->id);
	return stream;
}

/* ---- as a stream ---- */

static enum fault
run_stream(struct call *call, const struct game *game)
{
	struct stream *stream = follow(call, game);
	if (stream == NULL)
		return FAULT_OUT_OF_MEMORY;
	/* Nothing will follow: with this a browser, whose stream has ended, is told not to ask again. */
	bool ended = is_over(game) && stream->after == game->row.seq && !stream->reset;
	reply_begin(call, ended ? 204 : 200);
	reply_header(call, "Cache-Control", "no-store");
	reply_header(call, "Vary", "Authorization, Accept");
	reply_header(call, "X-Accel-Buffering", "no");
	enum fault fault = reply_end(call, ended ? NULL : stream_media[stream->form]);
	if (fault == FAULT_NONE && !ended)
		call->reply.stream = stream;
	return fault;
}

/* ---- as JSON ---- */

static void
write_events(struct call *call, const struct game *game, const struct event_row *rows, unsigned count, bool seated)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	writer_plain(&writer, game->row.id, ID_LEN);
	writer_key(&writer, "seq");
	writer_int(&writer, game->row.seq);
	writer_key(&writer, "events");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < count; i++)
		stream_event(&writer, &rows[i], seated);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
}

/* Where the caller would rather wait than hear that there is nothing new. */
static enum fault
offer_wait(struct call *call, const struct game *game, const struct stream *stream, unsigned count)
{
	const struct wish *wish = call->prepared;
	const char *applied = problem_text(call, "wait=%u", wish->wait_seconds);
	if (wish->wait_seconds == 0)
		return FAULT_NONE;
	reply_header(call, "Preference-Applied", applied);
	if (count > 0 || is_over(game) || stream->reset || call->method != METHOD_GET)
		return FAULT_NONE;
	call->reply.stream = stream;
	call->reply.wait_seconds = wish->wait_seconds;
	return FAULT_NONE;
}

static enum fault
run_json(struct call *call, const struct game *game)
{
	const struct wish *wish = call->prepared;
	struct stream *stream = follow(call, game);
	struct event_row *rows = arena_take(call->arena, wish->limit * sizeof *rows);
	unsigned count = 0;
	if (rows == NULL || stream == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = events_of(
	    call->db, call->arena, game->row.game, (unsigned)wish->after, rows, (unsigned)wish->limit, &count);
	if (fault != FAULT_NONE)
		return fault;
	write_events(call, game, rows, count, stream_seated(stream));
	fault = subject_headers(call, game, false);
	if (fault == FAULT_NONE)
		fault = offer_wait(call, game, stream, count);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
events_run(struct call *call)
{
	const struct wish *wish = call->prepared;
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	return wish->form == STREAM_JSON ? run_json(call, &game) : run_stream(call, &game);
}

/* The event log of a game: as JSON, at once or when there is news, and as a stream. */
#include "api/reply.h"
#include "api/resources.h"
#include "api/stream_call.h"
#include "api/subject.h"

enum fault
events_prepare(struct call *call)
{
	return stream_call_prepare(call);
}

static bool
is_over(const struct game *game)
{
	return strcmp(game->row.status, "finished") == 0 || strcmp(game->row.status, "withdrawn") == 0;
}

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

static enum fault
run_json(struct call *call, const struct game *game, const struct stream *stream)
{
	const struct stream_wish *wish = call->prepared;
	struct event_row *rows = arena_take(call->arena, wish->limit * sizeof *rows);
	unsigned count = 0;
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = events_of(
	    call->db, call->arena, game->row.game, (unsigned)wish->after, rows, (unsigned)wish->limit, &count);
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++)
		if (rows[i].seq != (unsigned)wish->after + 1 + i)
			fault = FAULT_DAMAGED_GAME; /* a log has no gaps */
	if (fault == FAULT_NONE && count < wish->limit && wish->after + count < game->row.seq)
		fault = FAULT_DAMAGED_GAME;
	if (fault != FAULT_NONE)
		return fault;
	write_events(call, game, rows, count, stream_seated(stream));
	fault = subject_headers(call, game, false);
	if (fault == FAULT_NONE)
		fault = stream_call_wait(call, stream, count > 0 || is_over(game));
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
events_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	const struct stream *stream = stream_call_follow(call, STREAM_GAME, game.row.id, game.row.game, game.row.seq);
	if (stream == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (stream->form == STREAM_JSON)
		return run_json(call, &game, stream);
	return stream_call_begin(call, stream, is_over(&game) && stream->after == game.row.seq && !stream->reset);
}

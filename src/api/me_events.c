/* GET /v1/me/events: a player's own log, of all that happens in his games; in the forms of a game's. */
#include "api/player.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/stream_call.h"

enum fault
me_events_prepare(struct call *call)
{
	return stream_call_prepare(call);
}

static enum fault
run_json(struct call *call, const struct player_row *player, const struct stream *stream)
{
	const struct stream_wish *wish = call->prepared;
	struct feed_row *rows = arena_take(call->arena, wish->limit * sizeof *rows);
	unsigned count = 0;
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault =
	    feed_of(call->db, call->arena, player->player, (int64_t)wish->after, rows, (unsigned)wish->limit, &count);
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++)
		if (rows[i].seq != (int64_t)wish->after + 1 + i)
			fault = FAULT_DAMAGED_DATA; /* a log has no gaps */
	if (fault == FAULT_NONE && count < wish->limit && (int64_t)wish->after + count < player->seq)
		fault = FAULT_DAMAGED_DATA;
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "seq");
	writer_int(&writer, player->seq);
	writer_key(&writer, "events");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < count; i++)
		stream_entry(&writer, &rows[i]);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
	reply_header(call, "Vary", "Authorization, Accept");
	reply_header(call, "Cache-Control", "private, no-cache");
	fault = stream_call_wait(call, stream, count > 0);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
me_events_run(struct call *call)
{
	struct player_row player;
	enum fault fault = player_required(call, &player);
	if (fault != FAULT_NONE)
		return fault;
	const struct stream *stream = stream_call_follow(call, STREAM_PLAYER, player.id, player.player, player.seq);
	if (stream == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (stream->form == STREAM_JSON)
		return run_json(call, &player, stream);
	return stream_call_begin(call, stream, false);
}

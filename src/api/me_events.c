/* GET /v1/me/events: a player's own log, of all that happens in his games. */
#include "api/body.h"
#include "api/player.h"
#include "api/reply.h"
#include "api/resources.h"
#include "store/feed.h"

struct wish {
	uint64_t after, limit;
};

enum fault
me_events_prepare(struct call *call)
{
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	wish->limit = LIMIT_EVENTS_DEFAULT;
	enum fault fault = body_number(call, "after", 0, INT32_MAX, &wish->after);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "limit", 1, LIMIT_EVENTS, &wish->limit);
	return fault;
}

static void
write_seats(struct writer *writer, unsigned seats)
{
	writer_key(writer, "your_seats");
	writer_open(writer, '[');
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if ((seats >> (seat - 1) & 1) != 0)
			writer_int(writer, seat);
	writer_close(writer, ']');
}

static void
write_entry(struct writer *writer, const struct feed_row *row)
{
	const struct event_row *event = &row->event;
	writer_open(writer, '{');
	writer_key(writer, "seq");
	writer_int(writer, row->seq);
	writer_key(writer, "type");
	writer_string(writer, event->type);
	writer_key(writer, "at");
	writer_time(writer, event->at_ms);
	writer_key(writer, "game");
	writer_plain(writer, row->id, ID_LEN);
	writer_key(writer, "game_seq");
	writer_int(writer, event->seq);
	writer_key(writer, "ply");
	writer_int(writer, event->ply);
	writer_key(writer, "seat");
	if (event->seat == 0)
		writer_null(writer);
	else
		writer_int(writer, event->seat);
	writer_key(writer, "data");
	writer_raw(writer, event->data, strlen(event->data));
	write_seats(writer, row->seats);
	writer_key(writer, "your_turn");
	writer_bool(writer, row->turn);
	writer_close(writer, '}');
}

enum fault
me_events_run(struct call *call)
{
	const struct wish *wish = call->prepared;
	struct player_row player;
	unsigned count = 0;
	enum fault fault = player_required(call, &player);
	if (fault != FAULT_NONE)
		return fault;
	struct feed_row *rows = arena_take(call->arena, wish->limit * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	fault =
	    feed_of(call->db, call->arena, player.player, (int64_t)wish->after, rows, (unsigned)wish->limit, &count);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "seq");
	writer_int(&writer, player.seq);
	writer_key(&writer, "events");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < count; i++)
		write_entry(&writer, &rows[i]);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
	reply_header(call, "Vary", "Authorization");
	reply_header(call, "Cache-Control", "private, no-cache");
	return reply_end(call, "application/json");
}

/* The event log of a game, as JSON.  Streams of it come later: they are not among the media types of this route. */
#include "api/body.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"

struct wish {
	uint64_t after, limit;
};

enum fault
events_prepare(struct call *call)
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
write_event(struct writer *writer, const struct event_row *row)
{
	writer_open(writer, '{');
	writer_key(writer, "seq");
	writer_int(writer, row->seq);
	writer_key(writer, "type");
	writer_string(writer, row->type);
	writer_key(writer, "at");
	writer_time(writer, row->at_ms);
	writer_key(writer, "ply");
	writer_int(writer, row->ply);
	writer_key(writer, "seat");
	if (row->seat == 0)
		writer_null(writer);
	else
		writer_int(writer, row->seat);
	writer_key(writer, "data");
	writer_raw(writer, row->data, strlen(row->data));
	writer_close(writer, '}');
}

enum fault
events_run(struct call *call)
{
	const struct wish *wish = call->prepared;
	struct game game;
	unsigned count = 0;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	struct event_row *rows = arena_take(call->arena, wish->limit * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	fault =
	    events_of(call->db, call->arena, game.row.game, (unsigned)wish->after, rows, (unsigned)wish->limit, &count);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	writer_plain(&writer, game.row.id, ID_LEN);
	writer_key(&writer, "seq");
	writer_int(&writer, game.row.seq);
	writer_key(&writer, "events");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < count; i++)
		write_event(&writer, &rows[i]);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

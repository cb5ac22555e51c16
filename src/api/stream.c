#include "api/stream.h"

#include <string.h>

#include "api/document.h"
#include "api/subject.h"
#include "play/event.h"

enum {
	PAGE_EVENTS = 64,
	PAGE_BYTES = 6 * 1024, /* from then on a page is full: a slow reader holds one */
	RETRY_MS = 2000        /* after which a browser whose stream broke off asks again */
};

const char *const stream_media[STREAM_FORMS + 1] = {"application/json", "text/event-stream", "application/x-ndjson"};

/* The members before `data` that every event has; the data, a JSON value, and the end follow. */
static void
begin_event(struct writer *writer, int64_t seq, const char *type, int64_t at_ms, unsigned ply, unsigned seat)
{
	writer_open(writer, '{');
	writer_key(writer, "seq");
	writer_int(writer, seq);
	writer_key(writer, "type");
	writer_string(writer, type);
	writer_key(writer, "at");
	writer_time(writer, at_ms);
	writer_key(writer, "ply");
	writer_int(writer, ply);
	writer_key(writer, "seat");
	if (seat == 0)
		writer_null(writer);
	else
		writer_int(writer, seat);
	writer_key(writer, "data");
}

static void
write_private(struct writer *writer, const struct event_row *row)
{
	writer_open(writer, '{');
	writer_key(writer, "seq");
	writer_int(writer, row->seq);
	writer_key(writer, "type");
	writer_literal(writer, "\"private\"");
	writer_key(writer, "at");
	writer_time(writer, row->at_ms);
	writer_close(writer, '}');
}

void
stream_event(struct writer *writer, const struct event_row *row, bool seated)
{
	if (!event_shown(row->type, seated)) {
		write_private(writer, row);
		return;
	}
	begin_event(writer, row->seq, row->type, row->at_ms, row->ply, row->seat);
	writer_raw(writer, row->data, strlen(row->data));
	writer_close(writer, '}');
}

/* ---- the forms ---- */

/* Before and after the JSON of an event. */
static void
put_begin(enum stream_form form, int64_t seq, const char *type, struct text *out)
{
	if (form != STREAM_SSE)
		return;
	text_puts(out, "id: ");
	text_int(out, seq);
	text_puts(out, "\nevent: ");
	text_puts(out, type);
	text_puts(out, "\ndata: ");
}

static void
put_end(enum stream_form form, struct text *out)
{
	text_puts(out, form == STREAM_SSE ? "\n\n" : "\n");
}

void
stream_hello(enum stream_form form, struct text *out)
{
	if (form == STREAM_SSE)
		text_printf(out, ": iuvod\nretry: %d\n\n", RETRY_MS);
	else
		text_char(out, '\n');
}

const char *
stream_beat(enum stream_form form)
{
	return form == STREAM_SSE ? ":\n\n" : "\n";
}

void
stream_goodbye(
    const struct stream *stream, const struct stream_tip *tip, int64_t now_ms, const char *reason, struct text *out)
{
	put_begin(stream->form, stream->after, "goodbye", out);
	struct writer writer = writer_begin(out);
	begin_event(&writer, stream->after, "goodbye", now_ms, tip->ply, 0);
	writer_open(&writer, '{');
	writer_key(&writer, "reason");
	writer_string(&writer, reason);
	writer_close(&writer, '}');
	writer_close(&writer, '}');
	put_end(stream->form, out);
}

/* ---- the log ---- */

enum fault
stream_tip(struct db *db, const struct stream *stream, struct stream_tip *tip)
{
	struct event_tip last;
	enum fault fault = events_tip(db, stream->key, &last);
	if (fault == FAULT_NONE)
		*tip = (struct stream_tip){.seq = last.seq, .ply = last.ply, .over = last.over};
	return fault;
}

static enum fault
put_events(struct db *db, struct arena *arena, const struct stream *stream, struct text *out, int64_t *to)
{
	unsigned count = 0;
	struct event_row *rows = arena_take(arena, PAGE_EVENTS * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = events_of(db, arena, stream->key, (unsigned)stream->after, rows, PAGE_EVENTS, &count);
	if (fault != FAULT_NONE)
		return fault;
	int64_t end = stream->after;
	for (unsigned i = 0; i < count && out->len < PAGE_BYTES; i++) {
		put_begin(stream->form, rows[i].seq,
		    event_shown(rows[i].type, stream_seated(stream)) ? rows[i].type : "private", out);
		struct writer writer = writer_begin(out);
		stream_event(&writer, &rows[i], stream_seated(stream));
		put_end(stream->form, out);
		end = rows[i].seq;
	}
	if (text_failed(out))
		return FAULT_OUT_OF_MEMORY;
	*to = end;
	return FAULT_NONE;
}

/* The whole game, as the call that opened the stream would be shown it. */
static enum fault
put_reset(const struct service *service, struct db *db, struct arena *arena, const struct stream *stream,
    struct text *out, int64_t *to)
{
	struct call call = {.arena = arena, .service = service, .db = db, .holder = stream->holder};
	struct game game;
	struct move_row row;
	const struct move_row *last;
	enum fault fault = game_load(db, arena, stream->id, &game);
	if (fault == FAULT_NONE)
		fault = subject_last(&call, &game, &row, &last);
	if (fault != FAULT_NONE)
		return fault;
	put_begin(stream->form, game.row.seq, "reset", out);
	struct writer writer = writer_begin(out);
	begin_event(&writer, game.row.seq, "reset", game.row.updated_ms, game.row.ply, 0);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	document_game(&writer, &call, &game, last, NULL);
	writer_close(&writer, '}');
	writer_close(&writer, '}');
	put_end(stream->form, out);
	if (text_failed(out))
		return FAULT_OUT_OF_MEMORY;
	*to = game.row.seq;
	return FAULT_NONE;
}

enum fault
stream_page(const struct service *service, struct db *db, struct arena *arena, const struct stream *stream,
    struct text *out, int64_t *to)
{
	return stream->reset ? put_reset(service, db, arena, stream, out, to) : put_events(db, arena, stream, out, to);
}

bool
stream_seated(const struct stream *stream)
{
	return stream->holder.seats != 0;
}

enum fault
stream_alive(struct db *db, struct stream *stream)
{
	return stream->holder.known ? holder_again(db, &stream->holder) : FAULT_NONE;
}

enum fault
stream_renew(struct db *db, struct arena *arena, struct stream *stream)
{
	struct game game;
	if (!stream->holder.known)
		return FAULT_NONE;
	enum fault fault = holder_again(db, &stream->holder);
	if (fault == FAULT_NONE)
		fault = game_load(db, arena, stream->id, &game);
	return fault != FAULT_NONE ? fault : holder_resolve(db, &game, &stream->holder);
}

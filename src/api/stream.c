#include "api/stream.h"

#include <string.h>

#include "api/document.h"
#include "api/reply.h"
#include "api/subject.h"
#include "play/event.h"
#include "store/players.h"

enum {
	PAGE_EVENTS = 64,
	PAGE_BYTES = 6 * 1024, /* from then on a page is full: a slow reader holds one */
	RETRY_MS = 2000        /* after which a browser whose stream broke off asks again */
};

const char *const stream_media[STREAM_FORMS + 1] = {"application/json", "text/event-stream", "application/x-ndjson"};

/* ---- events as JSON ---- */

/* The members with which every event begins. */
static void
begin_event(struct writer *writer, int64_t seq, const char *type, int64_t at_ms)
{
	writer_open(writer, '{');
	writer_key(writer, "seq");
	writer_int(writer, seq);
	writer_key(writer, "type");
	writer_string(writer, type);
	writer_key(writer, "at");
	writer_time(writer, at_ms);
}

void
stream_event(struct writer *writer, const struct event_row *row, bool seated)
{
	bool shown = event_shown(row->type, row->seat, seated);
	begin_event(writer, row->seq, shown ? row->type : "private", row->at_ms);
	if (shown) {
		writer_key(writer, "ply");
		writer_int(writer, row->ply);
		writer_key(writer, "seat");
		writer_int_or_null(writer, row->seat);
		writer_key(writer, "data");
		writer_raw(writer, row->data, strlen(row->data));
	}
	writer_close(writer, '}');
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

void
stream_entry(struct writer *writer, const struct feed_row *row)
{
	const struct event_row *event = &row->event;
	begin_event(writer, row->seq, event->type, event->at_ms);
	writer_key(writer, "game");
	writer_plain(writer, row->id, ID_LEN);
	writer_key(writer, "game_seq");
	writer_int(writer, event->seq);
	writer_key(writer, "ply");
	writer_int(writer, event->ply);
	writer_key(writer, "seat");
	writer_int_or_null(writer, event->seat);
	writer_key(writer, "data");
	writer_raw(writer, event->data, strlen(event->data));
	write_seats(writer, row->seats);
	writer_key(writer, "your_turn");
	writer_bool(writer, row->turn);
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

/* An event that is in streams alone, up to its data. */
static struct writer
begin_own(const struct stream *stream, const char *type, int64_t seq, int64_t at_ms, unsigned ply, struct text *out)
{
	put_begin(stream->form, seq, type, out);
	struct writer writer = writer_begin(out);
	begin_event(&writer, seq, type, at_ms);
	if (stream->source == STREAM_GAME) {
		writer_key(&writer, "ply");
		writer_int(&writer, ply);
		writer_key(&writer, "seat");
		writer_int_or_null(&writer, 0);
	}
	writer_key(&writer, "data");
	writer_open(&writer, '{');
	return writer;
}

static void
end_own(const struct stream *stream, struct writer *writer)
{
	writer_close(writer, '}');
	writer_close(writer, '}');
	put_end(stream->form, writer->out);
}

void
stream_goodbye(
    const struct stream *stream, const struct stream_tip *tip, int64_t now_ms, const char *reason, struct text *out)
{
	struct writer writer = begin_own(stream, "goodbye", stream->after, now_ms, tip->ply, out);
	writer_key(&writer, "reason");
	writer_string(&writer, reason);
	end_own(stream, &writer);
}

/* ---- the log of a game ---- */

static enum fault
game_tip(struct db *db, const struct stream *stream, struct stream_tip *tip)
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
	bool seated = stream_seated(stream);
	struct event_row *rows = arena_take(arena, PAGE_EVENTS * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = events_of(db, arena, stream->key, (unsigned)stream->after, rows, PAGE_EVENTS, &count);
	for (unsigned i = 0; i < count && fault == FAULT_NONE && out->len < PAGE_BYTES; i++) {
		if (rows[i].seq != *to + 1)
			return i > 0 ? FAULT_NONE : FAULT_DAMAGED_GAME;
		const char *type = event_shown(rows[i].type, rows[i].seat, seated) ? rows[i].type : "private";
		put_begin(stream->form, rows[i].seq, type, out);
		struct writer writer = writer_begin(out);
		stream_event(&writer, &rows[i], seated);
		put_end(stream->form, out);
		*to = rows[i].seq;
	}
	return fault;
}

/* The whole game, as the call that opened the stream would be shown it. */
static enum fault
put_game(const struct service *service, struct db *db, struct arena *arena, const struct stream *stream,
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
	struct writer writer = begin_own(stream, "reset", game.row.seq, game.row.updated_ms, game.row.ply, out);
	writer_key(&writer, "game");
	document_game(&writer, &call, &game, last, NULL);
	end_own(stream, &writer);
	*to = game.row.seq;
	return FAULT_NONE;
}

/* ---- the log of a player ---- */

/* His row, if it is his still: keys of players who are gone are given to others. */
static enum fault
find_player(struct db *db, struct arena *arena, const struct stream *stream, struct player_row *row)
{
	enum fault fault = players_by_key(db, arena, stream->key, row);
	return fault == FAULT_NONE && strcmp(row->id, stream->id) != 0 ? FAULT_NO_SUCH_PLAYER : fault;
}

static enum fault
put_entries(struct db *db, struct arena *arena, const struct stream *stream, struct text *out, int64_t *to)
{
	unsigned count = 0;
	struct player_row row;
	struct feed_row *rows = arena_take(arena, PAGE_EVENTS * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = find_player(db, arena, stream, &row);
	if (fault == FAULT_NONE)
		fault = feed_of(db, arena, stream->key, stream->after, rows, PAGE_EVENTS, &count);
	for (unsigned i = 0; i < count && fault == FAULT_NONE && out->len < PAGE_BYTES; i++) {
		if (rows[i].seq != *to + 1)
			return i > 0 ? FAULT_NONE : FAULT_DAMAGED_DATA;
		put_begin(stream->form, rows[i].seq, rows[i].event.type, out);
		struct writer writer = writer_begin(out);
		stream_entry(&writer, &rows[i]);
		put_end(stream->form, out);
		*to = rows[i].seq;
	}
	return fault;
}

/* All his games may be many: where they are to be read. */
static enum fault
put_games(const struct service *service, struct db *db, struct arena *arena, int64_t now_ms,
    const struct stream *stream, struct text *out, int64_t *to)
{
	struct call call = {.arena = arena, .service = service};
	struct player_row row;
	enum fault fault = find_player(db, arena, stream, &row);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = begin_own(stream, "reset", row.seq, now_ms, 0, out);
	writer_key(&writer, "links");
	writer_open(&writer, '{');
	reply_link(&call, &writer, "games", "/v1/me/games", NULL, NULL);
	reply_link(&call, &writer, "needs_action", "/v1/me/games?needs_action=true", NULL, NULL);
	writer_close(&writer, '}');
	end_own(stream, &writer);
	*to = row.seq;
	return FAULT_NONE;
}

/* ---- either ---- */

enum fault
stream_tip(struct db *db, struct arena *arena, const struct stream *stream, struct stream_tip *tip)
{
	struct player_row row;
	if (stream->source == STREAM_GAME)
		return game_tip(db, stream, tip);
	enum fault fault = find_player(db, arena, stream, &row);
	if (fault == FAULT_NONE)
		*tip = (struct stream_tip){.seq = row.seq};
	return fault;
}

enum fault
stream_page(const struct service *service, struct db *db, struct arena *arena, int64_t now_ms,
    const struct stream *stream, struct text *out, int64_t *to)
{
	enum fault fault;
	int64_t end = stream->after;
	if (stream->source == STREAM_GAME)
		fault = stream->reset ? put_game(service, db, arena, stream, out, &end)
				      : put_events(db, arena, stream, out, &end);
	else
		fault = stream->reset ? put_games(service, db, arena, now_ms, stream, out, &end)
				      : put_entries(db, arena, stream, out, &end);
	if (fault == FAULT_NONE && text_failed(out))
		return FAULT_OUT_OF_MEMORY;
	if (fault == FAULT_NONE)
		*to = end;
	return fault;
}

bool
stream_seated(const struct stream *stream)
{
	return stream->holder.seats != 0;
}

enum fault
stream_alive(struct db *db, struct stream *stream)
{
	if (!stream->holder.known)
		return FAULT_NONE;
	enum fault fault = holder_again(db, &stream->holder);
	if (fault == FAULT_NONE && stream->source == STREAM_PLAYER && stream->holder.player != stream->key)
		return FAULT_TOKEN_UNKNOWN;
	return fault;
}

enum fault
stream_renew(struct db *db, struct arena *arena, struct stream *stream)
{
	struct game game;
	enum fault fault = stream_alive(db, stream);
	if (fault != FAULT_NONE || !stream->holder.known || stream->source != STREAM_GAME)
		return fault;
	fault = game_load(db, arena, stream->id, &game);
	return fault != FAULT_NONE ? fault : holder_resolve(db, &game, &stream->holder);
}

#include "play/event.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "play/audience.h"
#include "play/quote.h"

bool
event_shown(const char *type, unsigned seat, bool seated)
{
	bool offer = strcmp(type, "offer_made") == 0 || strcmp(type, "offer_answered") == 0;
	bool notice = strcmp(type, "time_credited") == 0 && seat == 0;
	return seated || !(offer || notice);
}

/* Appends the event whose data was written, frees the data, counts the event and tells the players of it. */
static enum fault
append(struct db *db, int64_t now_ms, struct game *game, const char *type, unsigned seat, struct text *data)
{
	enum fault fault = FAULT_OUT_OF_MEMORY;
	text_char(data, '}');
	if (text_failed(data))
		goto done;
	struct event_row row = {
	    .seq = game->row.seq + 1,
	    .type = type,
	    .at_ms = now_ms,
	    .ply = game->row.ply,
	    .seat = seat,
	    .data = data->bytes,
	};
	fault = events_insert(db, game->row.game, &row);
	if (fault != FAULT_NONE)
		goto done;
	game->row.seq++;
	fault = audience_tell(db, game, row.seq, row.ply);
done:
	text_free(data);
	return fault;
}

/* How a member of data begins. */
static void
put_name(struct text *data, const char *name)
{
	text_char(data, data->len == 0 ? '{' : ',');
	quote_json(data, name);
	text_char(data, ':');
}

static void
put_string(struct text *data, const char *name, const char *value)
{
	put_name(data, name);
	if (value == NULL)
		text_puts(data, "null");
	else
		quote_json(data, value);
}

/* A seat, or null for 0. */
static void
put_seat(struct text *data, const char *name, unsigned seat)
{
	put_name(data, name);
	if (seat == 0)
		text_puts(data, "null");
	else
		text_int(data, seat);
}

static void
put_literal(struct text *data, const char *name, const char *literal)
{
	put_name(data, name);
	text_puts(data, literal);
}

/* Whose seat it is, if it is a player's: by this his name is found when he is erased (store/players.h). */
static void
put_player(struct text *data, const struct seat_row *seat)
{
	if (seat->player != 0)
		put_string(data, "player", seat->player_id);
}

static void
put_seats(struct text *data, const struct game *game)
{
	put_literal(data, "seats", "[");
	for (unsigned i = 0; i < game->seat_count; i++) {
		text_puts(data, i == 0 ? "{\"seat\":" : ",{\"seat\":");
		text_int(data, game->seats[i].seat);
		put_string(data, "name", game->seats[i].name);
		put_string(data, "kind", game->seats[i].kind);
		put_player(data, &game->seats[i]);
		text_char(data, '}');
	}
	text_char(data, ']');
}

enum fault
event_created(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "variant", game->row.variant);
	put_string(&data, "start", game->row.start);
	put_seats(&data, game);
	put_string(&data, "visibility", game->row.listed ? "public" : "unlisted");
	put_literal(&data, "imported", game->row.imported ? "true" : "false");
	if (game->row.rematch_of != NULL)
		put_string(&data, "rematch_of", game->row.rematch_of);
	return append(db, now_ms, game, "game_created", 0, &data);
}

enum fault
event_started(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "position", game->row.start);
	put_seat(&data, "turn", game->row.turn);
	return append(db, now_ms, game, "game_started", 0, &data);
}

/* Seats, given as bits, as an array. */
static void
put_bits(struct text *data, const char *name, unsigned bits)
{
	put_literal(data, name, "[");
	for (unsigned seat = 1, n = 0; seat <= SEATS_MAX; seat++) {
		if ((bits >> (seat - 1) & 1) == 0)
			continue;
		if (n++ > 0)
			text_char(data, ',');
		text_int(data, seat);
	}
	text_char(data, ']');
}

/* A time, or null for 0. */
static void
put_time(struct text *data, const char *name, int64_t ms)
{
	char text[CLOCK_TEXT_MAX];
	if (ms == 0)
		put_literal(data, name, "null");
	else
		put_string(data, name, (clock_text(ms, text), text));
}

enum fault
event_taken(struct db *db, int64_t now_ms, struct game *game, unsigned seat)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "name", game->seats[seat - 1].name);
	put_player(&data, &game->seats[seat - 1]);
	put_bits(&data, "open_seats", game_free_seats(game));
	return append(db, now_ms, game, "seat_taken", seat, &data);
}

enum fault
event_left(struct db *db, int64_t now_ms, struct game *game, unsigned seat)
{
	struct text data = TEXT_EMPTY;
	put_bits(&data, "open_seats", game_free_seats(game));
	return append(db, now_ms, game, "seat_left", seat, &data);
}

enum fault
event_rekeyed(struct db *db, int64_t now_ms, struct game *game, unsigned seat, bool by_creator)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "by", by_creator ? "creator" : "holder");
	return append(db, now_ms, game, "seat_rekeyed", seat, &data);
}

enum fault
event_erased(struct db *db, int64_t now_ms, struct game *game, unsigned seat)
{
	struct text data = TEXT_EMPTY;
	text_char(&data, '{');
	return append(db, now_ms, game, "name_erased", seat, &data);
}

enum fault
event_withdrawn(struct db *db, int64_t now_ms, struct game *game, bool started, const char *reason)
{
	struct text data = TEXT_EMPTY;
	put_literal(&data, "started", started ? "true" : "false");
	put_string(&data, "reason", reason);
	return append(db, now_ms, game, "game_withdrawn", 0, &data);
}

enum fault
event_credited(struct db *db, int64_t now_ms, struct game *game, unsigned seat, int64_t ms)
{
	struct text data = TEXT_EMPTY;
	put_literal(&data, "ms", "");
	text_int(&data, ms);
	put_time(&data, "deadline", seat == 0 ? 0 : game->row.deadline_ms);
	return append(db, now_ms, game, "time_credited", seat, &data);
}

/* The cells of a path as text, m3-k5-i5 (T1), as an array of strings. */
static void
put_path(struct text *data, const char *path)
{
	put_literal(data, "path", "[\"");
	for (; *path != '\0'; path++) {
		if (*path == '-')
			text_puts(data, "\",\"");
		else
			text_char(data, *path);
	}
	text_puts(data, "\"]");
}

static void
put_ends(struct text *data, struct move move, const char *path)
{
	char from[CELL_TEXT_MAX], to[CELL_TEXT_MAX], both[2 * CELL_TEXT_MAX];
	size_t len = notation_cell(move.from, from);
	notation_cell(move.to, to);
	put_string(data, "from", from);
	put_string(data, "to", to);
	if (path == NULL) {
		memcpy(both, from, len);
		both[len] = '-';
		strcpy(both + len + 1, to);
		path = both;
	}
	put_path(data, path);
}

enum fault
event_moved(struct db *db, struct game *game, const struct move_row *row, struct move move, unsigned captured)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "move", row->move);
	put_ends(&data, move, row->path);
	put_string(&data, "kind", row->kind);
	put_literal(&data, "captures", captured != 0 ? "true" : "false");
	if (captured != 0)
		put_bits(&data, "captured", captured);
	put_string(&data, "position", row->position);
	put_seat(&data, "turn", game->row.turn);
	text_char(&data, '}');
	struct move_row whole = *row;
	whole.seq = game->row.seq + 1;
	whole.event = data.bytes;
	enum fault fault = text_failed(&data) ? FAULT_OUT_OF_MEMORY : moves_insert(db, game->row.game, &whole);
	text_free(&data);
	if (fault != FAULT_NONE)
		return fault;
	game->row.seq++;
	return audience_tell(db, game, whole.seq, whole.ply);
}

enum fault
event_out(struct db *db, int64_t now_ms, struct game *game, unsigned seat, const char *reason)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "reason", reason);
	put_string(&data, "position", game->row.position);
	put_seat(&data, "turn", game->row.turn);
	return append(db, now_ms, game, "seat_out", seat, &data);
}

enum fault
event_finished(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_seat(&data, "winner", game->row.winner);
	put_string(&data, "reason", game->row.reason);
	put_string(&data, "position", game->row.position);
	return append(db, now_ms, game, "game_finished", 0, &data);
}

enum fault
event_offered(struct db *db, int64_t now_ms, struct game *game, const struct offer_row *offer)
{
	struct text data = TEXT_EMPTY;
	bool takeback = strcmp(offer->kind, "takeback") == 0;
	put_string(&data, "offer", offer->id);
	put_string(&data, "kind", offer->kind);
	put_literal(&data, "ply", takeback ? "" : "null");
	if (takeback)
		text_int(&data, offer->ply);
	put_seat(&data, "handover", offer->subject);
	put_bits(&data, "asked", offer->asked);
	put_time(&data, "takes_effect_at", offer->due_ms);
	return append(db, now_ms, game, "offer_made", offer->seat, &data);
}

enum fault
event_answered(struct db *db, int64_t now_ms, struct game *game, const struct offer_row *offer, unsigned seat,
    const char *answer, const char *status)
{
	struct text data = TEXT_EMPTY;
	put_string(&data, "offer", offer->id);
	put_string(&data, "kind", offer->kind);
	put_string(&data, "answer", answer);
	put_string(&data, "status", status);
	put_time(&data, "takes_effect_at", strcmp(status, "open") == 0 ? offer->due_ms : 0);
	return append(db, now_ms, game, "offer_answered", seat, &data);
}

enum fault
event_taken_back(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_literal(&data, "to_ply", "");
	text_int(&data, game->row.ply);
	put_string(&data, "position", game->row.position);
	put_seat(&data, "turn", game->row.turn);
	return append(db, now_ms, game, "takeback_done", 0, &data);
}

enum fault
event_paused(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_literal(&data, "remaining_ms", "");
	text_int(&data, game->row.paused_ms);
	return append(db, now_ms, game, "clock_paused", game->row.turn, &data);
}

enum fault
event_resumed(struct db *db, int64_t now_ms, struct game *game)
{
	struct text data = TEXT_EMPTY;
	put_time(&data, "deadline", game->row.deadline_ms);
	return append(db, now_ms, game, "clock_resumed", game->row.turn, &data);
}

#include "api/document.h"

#include "api/reply.h"

static size_t
put_cell(char *out, cell_t cell)
{
	unsigned rank = cell_rank(cell) + 1;
	size_t len = 0;
	out[len++] = (char)('a' + cell_file(cell));
	if (rank >= 10)
		out[len++] = '1';
	out[len++] = (char)('0' + rank % 10);
	return len;
}

void
document_cell(struct writer *writer, cell_t cell)
{
	char text[CELL_TEXT_MAX];
	writer_plain(writer, text, put_cell(text, cell));
}

static void
write_phase(struct writer *writer, const struct position *position)
{
	writer_key(writer, "phase");
	if (variant_row(position->variant)->family == FAMILY_HALMA)
		writer_null(writer);
	else if (position_chained(position))
		writer_literal(writer, "\"chain\"");
	else
		writer_literal(writer, "\"gathering\"");
}

static void
write_stone(struct writer *writer, cell_t cell, unsigned owners)
{
	static const char before[] = "{\"cell\":\"", between[] = "\",\"owners\":[";
	char text[64];
	size_t len = sizeof before - 1;
	memcpy(text, before, len);
	len += put_cell(text + len, cell);
	memcpy(text + len, between, sizeof between - 1);
	len += sizeof between - 1;
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
		if ((owners & 1u << (seat - 1)) == 0)
			continue;
		text[len++] = (char)('0' + seat);
		text[len++] = ',';
	}
	len -= text[len - 1] == ',';
	text[len++] = ']';
	text[len++] = '}';
	writer_raw(writer, text, len);
}

void
document_stones(struct writer *writer, const struct position *position)
{
	cell_t cells[STONES_MAX];
	unsigned count = position_stones(position, cells);
	write_phase(writer, position);
	writer_key(writer, "stones");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++)
		write_stone(writer, cells[i], (unsigned)position_owners(position, cells[i]));
	writer_close(writer, ']');
}

void
document_turn(struct writer *writer, unsigned turn)
{
	writer_key(writer, "turn");
	if (turn == 0)
		writer_null(writer);
	else
		writer_int(writer, turn);
}

static void
write_reason(struct writer *writer, const char *reason, unsigned winner)
{
	writer_key(writer, "outcome");
	if (reason == NULL) {
		writer_null(writer);
		return;
	}
	writer_open(writer, '{');
	writer_key(writer, "winner");
	if (winner == 0)
		writer_null(writer);
	else
		writer_int(writer, winner);
	writer_key(writer, "reason");
	writer_plain(writer, reason, strlen(reason));
	writer_close(writer, '}');
}

void
document_outcome(struct writer *writer, enum reason reason, unsigned winner)
{
	write_reason(writer, reason == REASON_NONE ? NULL : reason_word(reason), winner);
}

void
document_position(struct writer *writer, const struct position *position)
{
	char text[POSITION_TEXT_MAX];
	writer_key(writer, "position");
	writer_plain(writer, text, notation_position(position, text));
	document_stones(writer, position);
	document_turn(writer, position->turn);
	document_outcome(writer, position->reason, position->winner);
}

/* Whether a move is a jump of Halma: only those have a path worth looking for. */
static bool
may_be_chain(const struct position *position, struct move move)
{
	int files = (int)cell_file(move.to) - (int)cell_file(move.from),
	    ranks = (int)cell_rank(move.to) - (int)cell_rank(move.from);
	return variant_row(position->variant)->family == FAMILY_HALMA &&
	       (files < -1 || files > 1 || ranks < -1 || ranks > 1);
}

/* Room for a legal move with the longest path, and for most. */
enum { LEGAL_MOVE_MAX = 160 + PATH_MAX * 6, LEGAL_MOVE_USUAL = 112 };

/* Text that is put together in place: there may be a thousand moves in one answer. */
#define PUT(at, literal) ((char *)memcpy((at), (literal), sizeof(literal) - 1) + sizeof(literal) - 1)

static char *
put_path(char *at, const struct path *path)
{
	at = PUT(at, "\",\"path\":[");
	for (unsigned i = 0; i < path->count; i++) {
		*at++ = i == 0 ? '"' : ',';
		if (i > 0)
			*at++ = '"';
		at += put_cell(at, path->cells[i]);
		*at++ = '"';
	}
	return at;
}

static char *
put_kind(char *at, enum move_kind kind)
{
	switch (kind) {
	case MOVE_OWN:
		return PUT(at, ",\"kind\":\"own\"}");
	case MOVE_SHARED:
		return PUT(at, ",\"kind\":\"shared\"}");
	default:
		return PUT(at, ",\"kind\":\"neutral\"}");
	}
}

static void
write_legal_move(struct writer *writer, const struct position *position, struct move move)
{
	char text[LEGAL_MOVE_MAX], *at = PUT(text, "{\"move\":\"");
	struct path path = {.count = 2};
	path.cells[0] = move.from;
	path.cells[1] = move.to;
	if (may_be_chain(position, move))
		position_path(position, move, &path);
	at += put_cell(at, move.from);
	*at++ = move.captures ? 'x' : '-';
	at += put_cell(at, move.to);
	at = PUT(at, "\",\"from\":\"");
	at += put_cell(at, move.from);
	at = PUT(at, "\",\"to\":\"");
	at += put_cell(at, move.to);
	at = put_path(at, &path);
	at = move.captures ? PUT(at, "],\"captures\":true") : PUT(at, "],\"captures\":false");
	at = put_kind(at, (enum move_kind)move.kind);
	writer_raw(writer, text, (size_t)(at - text));
}

void
document_legal_moves(struct writer *writer, const struct position *position, const struct past *past,
    cell_or_none_t from, struct move moves[MOVES_MAX])
{
	unsigned count = position_moves(position, past, moves);
	text_reserve(writer->out, count * LEGAL_MOVE_USUAL);
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++) {
		if (from == CELL_NONE || moves[i].from == from)
			write_legal_move(writer, position, moves[i]);
	}
	writer_close(writer, ']');
}

/* Writes what stands between separators as an array of strings. */
static void
write_split(struct writer *writer, const char *text, const char *separators)
{
	writer_open(writer, '[');
	while (*text != '\0') {
		size_t len = strcspn(text, separators);
		writer_plain(writer, text, len);
		text += len;
		text += *text != '\0';
	}
	writer_close(writer, ']');
}

/* "2 captured,3 blocked" as objects. */
static void
write_eliminations(struct writer *writer, const char *out)
{
	writer_key(writer, "eliminations");
	writer_open(writer, '[');
	while (out != NULL && *out != '\0') {
		size_t digits = strcspn(out, " "), len = strcspn(out, ",");
		if (digits >= len)
			break;
		writer_open(writer, '{');
		writer_key(writer, "seat");
		writer_raw(writer, out, digits);
		writer_key(writer, "reason");
		writer_plain(writer, out + digits + 1, len - digits - 1);
		writer_close(writer, '}');
		out += len;
		out += *out == ',';
	}
	writer_close(writer, ']');
}

void
document_played(struct writer *writer, const struct move_row *row)
{
	size_t from = strcspn(row->move, "-x");
	const char *to = row->move + from + (row->move[from] != '\0');
	writer_open(writer, '{');
	writer_key(writer, "ply");
	writer_int(writer, row->ply);
	writer_key(writer, "seat");
	writer_int(writer, row->seat);
	writer_key(writer, "move");
	writer_plain(writer, row->move, strlen(row->move));
	writer_key(writer, "from");
	writer_plain(writer, row->move, from);
	writer_key(writer, "to");
	writer_plain(writer, to, strlen(to));
	writer_key(writer, "path");
	write_split(writer, row->path != NULL ? row->path : row->move, "-x");
	writer_key(writer, "captures");
	writer_bool(writer, row->move[from] == 'x');
	writer_key(writer, "kind");
	writer_plain(writer, row->kind, strlen(row->kind));
	write_eliminations(writer, row->out);
	writer_key(writer, "at");
	writer_time(writer, row->at_ms);
	writer_close(writer, '}');
}

static void
write_seconds(struct writer *writer, int64_t seconds)
{
	if (seconds == 0)
		writer_null(writer);
	else
		writer_int(writer, seconds);
}

static void
write_clock(struct writer *writer, const struct game_row *row)
{
	bool none = row->clock_type == NULL || strcmp(row->clock_type, "none") == 0;
	writer_key(writer, "clock");
	writer_open(writer, '{');
	writer_key(writer, "type");
	writer_string(writer, none ? "none" : row->clock_type);
	writer_key(writer, "per_move_seconds");
	write_seconds(writer, row->per_move_seconds);
	writer_key(writer, "initial_seconds");
	write_seconds(writer, row->initial_seconds);
	writer_key(writer, "increment_seconds");
	write_seconds(writer, row->increment_seconds);
	writer_key(writer, "on_timeout");
	writer_string(writer, none ? NULL : row->on_timeout);
	writer_close(writer, '}');
}

static void
write_seat(struct writer *writer, const struct seat_row *seat, bool out, const char *token)
{
	writer_open(writer, '{');
	writer_key(writer, "seat");
	writer_int(writer, seat->seat);
	writer_key(writer, "name");
	writer_string(writer, seat->name);
	writer_key(writer, "kind");
	writer_string(writer, seat->kind);
	writer_key(writer, "level");
	write_seconds(writer, seat->level);
	writer_key(writer, "status");
	if (out)
		writer_literal(writer, "\"out\"");
	else
		writer_literal(writer, "\"active\"");
	writer_key(writer, "out_reason");
	writer_string(writer, seat->out_reason);
	writer_key(writer, "remaining_ms");
	if (seat->remaining_ms < 0)
		writer_null(writer);
	else
		writer_int(writer, seat->remaining_ms);
	writer_key(writer, "player");
	writer_null(writer);
	if (token != NULL) {
		writer_key(writer, "token");
		writer_plain(writer, token, TOKEN_LEN);
	}
	writer_close(writer, '}');
}

/* The seats that are out stand in the position's text too, after its last space (T2). */
static bool
is_out(const struct game_row *row, const struct seat_row *seat)
{
	const char *out = strrchr(row->position, ' ');
	return seat->out_reason != NULL || (out != NULL && strchr(out, (int)('0' + seat->seat)) != NULL);
}

static void
write_seats(struct writer *writer, const struct game_row *row, const struct seat_row *seats, unsigned count,
    const struct game_secrets *secrets)
{
	writer_key(writer, "seats");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++)
		write_seat(writer, &seats[i], is_out(row, &seats[i]), secrets == NULL ? NULL : secrets->seat_tokens[i]);
	writer_close(writer, ']');
}

#define LINK(writer, call, id, key, rest) \
	do { \
		writer_key(writer, key); \
		write_link(writer, call, id, rest, sizeof rest - 1); \
	} while (0)

static void
write_link(struct writer *writer, const struct call *call, const char *id, const char *rest, size_t len)
{
	static const char games[] = "/v1/games/";
	writer_value(writer);
	writer_bytes(writer, "\"", 1);
	writer_bytes(writer, call->service->base_path, strlen(call->service->base_path));
	writer_bytes(writer, games, sizeof games - 1);
	writer_bytes(writer, id, ID_LEN);
	writer_bytes(writer, rest, len);
	writer_bytes(writer, "\"", 1);
}

static void
write_position_link(struct writer *writer, const struct call *call, const struct game_row *row)
{
	static const char before[] = "/positions/";
	char rest[sizeof before + 8] = "/positions/", digits[8];
	size_t len = sizeof before - 1, at = sizeof digits;
	unsigned ply = row->ply;
	do
		digits[--at] = (char)('0' + ply % 10);
	while ((ply /= 10) != 0 && at > 0);
	memcpy(rest + len, digits + at, sizeof digits - at);
	writer_key(writer, "position");
	write_link(writer, call, row->id, rest, len + sizeof digits - at);
}

static void
write_links(struct writer *writer, const struct call *call, const struct game_row *row)
{
	writer_key(writer, "links");
	writer_open(writer, '{');
	LINK(writer, call, row->id, "self", "");
	reply_link(call, writer, "variant", "/v1/variants/", row->variant, NULL);
	LINK(writer, call, row->id, "legal_moves", "/legal-moves");
	LINK(writer, call, row->id, "moves", "/moves");
	write_position_link(writer, call, row);
	LINK(writer, call, row->id, "board", "/board");
	LINK(writer, call, row->id, "record", "/record");
	LINK(writer, call, row->id, "events", "/events");
	LINK(writer, call, row->id, "resignation", "/resignation");
	writer_close(writer, '}');
}

/* What games and their summaries begin with. */
static void
write_head(struct writer *writer, const struct game_row *row)
{
	writer_key(writer, "id");
	writer_plain(writer, row->id, ID_LEN);
	writer_key(writer, "variant");
	writer_plain(writer, row->variant, strlen(row->variant));
	writer_key(writer, "status");
	writer_plain(writer, row->status, strlen(row->status));
	writer_key(writer, "visibility");
	if (row->listed)
		writer_literal(writer, "\"public\"");
	else
		writer_literal(writer, "\"unlisted\"");
	writer_key(writer, "imported");
	writer_bool(writer, row->imported);
	writer_key(writer, "seq");
	writer_int(writer, row->seq);
	writer_key(writer, "ply");
	writer_int(writer, row->ply);
	document_turn(writer, row->turn);
}

/* What they end with. */
static void
write_tail(struct writer *writer, const struct call *call, const struct game_row *row)
{
	writer_key(writer, "deadline");
	writer_time(writer, row->deadline_ms);
	writer_key(writer, "created_at");
	writer_time(writer, row->created_ms);
	writer_key(writer, "updated_at");
	writer_time(writer, row->updated_ms);
	write_links(writer, call, row);
}

void
document_game(struct writer *writer, const struct call *call, const struct game *game, const struct move_row *last,
    const struct game_secrets *secrets)
{
	const struct game_row *row = &game->row;
	writer_open(writer, '{');
	write_head(writer, row);
	writer_key(writer, "start");
	writer_plain(writer, row->start, strlen(row->start));
	writer_key(writer, "position");
	writer_plain(writer, row->position, strlen(row->position));
	document_stones(writer, &game->position);
	write_seats(writer, row, game->seats, game->seat_count, secrets);
	if (secrets != NULL) {
		writer_key(writer, "creator_token");
		writer_plain(writer, secrets->creator_token, TOKEN_LEN);
	}
	writer_key(writer, "last_move");
	if (last == NULL)
		writer_null(writer);
	else
		document_played(writer, last);
	write_reason(writer, row->reason, row->winner);
	write_clock(writer, row);
	writer_key(writer, "offers");
	writer_literal(writer, "[]");
	write_tail(writer, call, row);
	writer_close(writer, '}');
}

void
document_summary(struct writer *writer, const struct call *call, const struct game_row *row,
    const struct seat_row *seats, unsigned seat_count)
{
	writer_open(writer, '{');
	write_head(writer, row);
	writer_key(writer, "position");
	writer_plain(writer, row->position, strlen(row->position));
	write_seats(writer, row, seats, seat_count, NULL);
	write_reason(writer, row->reason, row->winner);
	write_tail(writer, call, row);
	writer_close(writer, '}');
}

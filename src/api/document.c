/* What documents say of games and of what was played in them. */
#include "api/document.h"

#include "api/reply.h"
#include "play/clock.h"

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

void
document_deadline(struct writer *writer, const struct game_row *row)
{
	writer_key(writer, "deadline");
	writer_time(writer, row->deadline_ms);
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
	writer_int_or_null(writer, row->per_move_seconds);
	writer_key(writer, "initial_seconds");
	writer_int_or_null(writer, row->initial_seconds);
	writer_key(writer, "increment_seconds");
	/* 0 is a number of seconds that a budget may be given. */
	if (row->initial_seconds == 0)
		writer_null(writer);
	else
		writer_int(writer, row->increment_seconds);
	writer_key(writer, "on_timeout");
	writer_string(writer, none ? NULL : row->on_timeout);
	writer_close(writer, '}');
}

bool
document_is_out(const struct game_row *row, const struct seat_row *seat)
{
	const char *out = strrchr(row->position, ' ');
	return seat->out_reason != NULL || (out != NULL && strchr(out, (int)('0' + seat->seat)) != NULL);
}

static void
write_seat(struct writer *writer, const struct game_row *row, const struct seat_row *seat, const char *token)
{
	int64_t remaining_ms = clock_remaining(row, seat);
	writer_open(writer, '{');
	writer_key(writer, "seat");
	writer_int(writer, seat->seat);
	writer_key(writer, "name");
	writer_string(writer, seat->name);
	writer_key(writer, "kind");
	writer_string(writer, seat->kind);
	writer_key(writer, "level");
	writer_int_or_null(writer, seat->level);
	writer_key(writer, "status");
	if (document_is_out(row, seat))
		writer_literal(writer, "\"out\"");
	else
		writer_literal(writer, "\"active\"");
	writer_key(writer, "out_reason");
	writer_string(writer, seat->out_reason);
	writer_key(writer, "remaining_ms");
	if (remaining_ms < 0)
		writer_null(writer);
	else
		writer_int(writer, remaining_ms);
	writer_key(writer, "player");
	if (seat->player_id[0] == '\0')
		writer_null(writer);
	else
		writer_plain(writer, seat->player_id, ID_LEN);
	if (token != NULL) {
		writer_key(writer, "token");
		writer_plain(writer, token, TOKEN_LEN);
	}
	writer_close(writer, '}');
}

static void
write_seats(struct writer *writer, const struct game_row *row, const struct seat_row *seats, unsigned count,
    const struct game_secrets *secrets)
{
	writer_key(writer, "seats");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++)
		write_seat(writer, row, &seats[i], secrets == NULL || !seats[i].own ? NULL : secrets->seat_tokens[i]);
	writer_close(writer, ']');
}

void
document_open_seats(struct writer *writer, const struct game *game)
{
	writer_key(writer, "open_seats");
	writer_open(writer, '[');
	unsigned free = game_free_seats(game);
	for (unsigned i = 0; i < game->seat_count; i++)
		if ((free >> i & 1) != 0)
			writer_int(writer, i + 1);
	writer_close(writer, ']');
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
write_tail(struct writer *writer, const struct call *call, const struct game_row *row, const struct seat_row *seats,
    unsigned count)
{
	document_deadline(writer, row);
	writer_key(writer, "created_at");
	writer_time(writer, row->created_ms);
	writer_key(writer, "updated_at");
	writer_time(writer, row->updated_ms);
	document_links(writer, call, row, seats, count);
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
	document_reason(writer, row->reason, row->winner);
	write_clock(writer, row);
	document_offers(writer, call, game);
	write_tail(writer, call, row, game->seats, game->seat_count);
	writer_close(writer, '}');
}

/* The seats of which a token is issued. */
static void
write_tokens(struct writer *writer, const struct game *game, const struct game_secrets *secrets)
{
	writer_key(writer, "seats");
	writer_open(writer, '[');
	for (unsigned i = 0; i < game->seat_count; i++) {
		if (!game->seats[i].own)
			continue;
		writer_open(writer, '{');
		writer_key(writer, "seat");
		writer_int(writer, i + 1);
		writer_key(writer, "token");
		writer_plain(writer, secrets->seat_tokens[i], TOKEN_LEN);
		writer_close(writer, '}');
	}
	writer_close(writer, ']');
	writer_key(writer, "creator_token");
	writer_plain(writer, secrets->creator_token, TOKEN_LEN);
}

void
document_minimal(struct writer *writer, const struct game *game, const struct game_secrets *secrets)
{
	const struct game_row *row = &game->row;
	writer_open(writer, '{');
	writer_key(writer, "id");
	writer_plain(writer, row->id, ID_LEN);
	writer_key(writer, "status");
	writer_plain(writer, row->status, strlen(row->status));
	writer_key(writer, "seq");
	writer_int(writer, row->seq);
	writer_key(writer, "ply");
	writer_int(writer, row->ply);
	document_turn(writer, row->turn);
	document_reason(writer, row->reason, row->winner);
	if (secrets != NULL)
		write_tokens(writer, game, secrets);
	writer_close(writer, '}');
}

void
document_summary(struct writer *writer, const struct call *call, const struct game *game)
{
	const struct game_row *row = &game->row;
	writer_open(writer, '{');
	write_head(writer, row);
	writer_key(writer, "position");
	writer_plain(writer, row->position, strlen(row->position));
	write_seats(writer, row, game->seats, game->seat_count, NULL);
	document_reason(writer, row->reason, row->winner);
	write_tail(writer, call, row, game->seats, game->seat_count);
	writer_close(writer, '}');
}

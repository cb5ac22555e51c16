/* What a game links to.  Written for each game of a list, so that nothing is printed by a format. */
#include "api/document.h"
#include "api/reply.h"

static bool
is_open(const struct seat_row *seat)
{
	return strcmp(seat->kind, "open") == 0;
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

/* Where a stranger posts to sit down: empty once the game has started, but for seats that were handed over. */
static void
write_open_links(struct writer *writer, const struct call *call, const struct game_row *row,
    const struct seat_row *seats, unsigned count)
{
	static const char before[] = "/seats/";
	char rest[sizeof before + 1] = "/seats/";
	writer_key(writer, "open_seats");
	writer_open(writer, '[');
	bool waiting = strcmp(row->status, "open") == 0, alive = waiting || strcmp(row->status, "active") == 0;
	for (unsigned i = 0; i < count && alive; i++) {
		if (!is_open(&seats[i]) || (!waiting && document_is_out(row, &seats[i])))
			continue;
		rest[sizeof before - 1] = (char)('0' + seats[i].seat);
		write_link(writer, call, row->id, rest, sizeof before);
	}
	writer_close(writer, ']');
}

/* Another game, or null. */
static void
write_game_link(struct writer *writer, const struct call *call, const char *key, const char *id)
{
	writer_key_text(writer, key);
	if (id == NULL)
		writer_null(writer);
	else
		write_link(writer, call, id, "", 0);
}

void
document_links(struct writer *writer, const struct call *call, const struct game_row *row, const struct seat_row *seats,
    unsigned count)
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
	LINK(writer, call, row->id, "hint", "/hint");
	LINK(writer, call, row->id, "analysis", "/analysis");
	LINK(writer, call, row->id, "resignation", "/resignation");
	LINK(writer, call, row->id, "offers", "/offers");
	LINK(writer, call, row->id, "claims", "/claims");
	write_game_link(writer, call, "rematch", row->rematch);
	write_game_link(writer, call, "rematch_of", row->rematch_of);
	write_open_links(writer, call, row, seats, count);
	writer_close(writer, '}');
}

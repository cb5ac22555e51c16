/* What documents say of a position: its stones, whose turn it is, its legal moves. */
#include "api/document.h"

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
	switch (position_phase(position)) {
	case PHASE_NONE:
		writer_null(writer);
		break;
	case PHASE_GATHERING:
		writer_literal(writer, "\"gathering\"");
		break;
	case PHASE_CHAIN:
		writer_literal(writer, "\"chain\"");
		break;
	}
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
	writer_int_or_null(writer, turn);
}

void
document_reason(struct writer *writer, const char *reason, unsigned winner)
{
	writer_key(writer, "outcome");
	if (reason == NULL) {
		writer_null(writer);
		return;
	}
	writer_open(writer, '{');
	writer_key(writer, "winner");
	writer_int_or_null(writer, winner);
	writer_key(writer, "reason");
	writer_plain(writer, reason, strlen(reason));
	writer_close(writer, '}');
}

void
document_outcome(struct writer *writer, enum reason reason, unsigned winner)
{
	document_reason(writer, reason == REASON_NONE ? NULL : reason_word(reason), winner);
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

/* Whether a move is a jump where jumps may go on: only those have a path worth looking for. */
static bool
may_be_chain(const struct position *position, struct move move)
{
	int files = (int)cell_file(move.to) - (int)cell_file(move.from),
	    ranks = (int)cell_rank(move.to) - (int)cell_rank(move.from);
	return position_has_chains((enum variant)position->variant) &&
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

/* Reads the text form of a record: record_read of record.h.  The grammar stands in record_text.c. */
#include "play/record.h"

#include <string.h>

#include "base/limits.h"
#include "play/record_line.h"
#include "play/record_text.h"

struct reader {
	struct arena *arena;
	struct record_fault *where;
	struct record_draft draft;
	struct record_line line;
	unsigned seen; /* bits of the keys that were read */
	bool body;     /* the first ply or the outcome has been read */
	bool done;     /* the outcome has been read */
};

/* Refuses the record at a place of the current line.  why is static. */
static enum fault
refuse(struct reader *reader, const char *at, const char *member, const char *why)
{
	struct record_place from = record_line_place(&reader->line, at);
	*reader->where = (struct record_fault){
	    .line = from.line,
	    .column = from.column,
	    .ply = -1,
	    .ending = -1,
	    .item = -1,
	    .verdict = VERDICT_LEGAL,
	    .member = member,
	    .why = why,
	};
	return FAULT_MALFORMED_RECORD;
}

/* The text must be UTF-8 without control characters but the ends of lines and tabs. */
static enum fault
check_characters(struct reader *reader)
{
	while (record_line_next(&reader->line)) {
		const char *line = reader->line.begin;
		size_t len = (size_t)(reader->line.end - line), valid = text_utf8_prefix(line, len);
		for (const char *at = line; at < line + valid; at++)
			if (((unsigned char)*at < 0x20 && *at != '\t') || *at == 0x7f)
				return refuse(reader, at, "format", "A control character stands here.");
		if (valid < len)
			return refuse(reader, line + valid, "format", "The text is not UTF-8.");
	}
	return FAULT_NONE;
}

static char
escaped(char c)
{
	if (c == 'n')
		return '\n';
	return c == '"' || c == '\\' ? c : '\0';
}

/* A string in quotes, into the arena; *from is where its value begins. */
static enum fault
read_string(struct reader *reader, const char *member, const char **string, const char **from)
{
	if (!record_line_char(&reader->line, '"'))
		return refuse(reader, reader->line.at, member, "A quotation mark is expected here.");
	char *to = arena_take(reader->arena, (size_t)(reader->line.end - reader->line.at) + 1);
	if (to == NULL)
		return FAULT_OUT_OF_MEMORY;
	*string = to;
	*from = reader->line.at;
	while (!record_line_char(&reader->line, '"')) {
		if (record_line_ended(&reader->line))
			return refuse(
			    reader, reader->line.at, member, "The quotation mark that ends the text is missing.");
		char c = *reader->line.at++;
		if (c == '\\') {
			c = record_line_ended(&reader->line) ? '\0' : escaped(*reader->line.at);
			if (c == '\0')
				return refuse(reader, reader->line.at - 1, member,
				    "A backslash stands before a quotation mark, a backslash or n.");
			reader->line.at++;
		}
		*to++ = c;
	}
	*to = '\0';
	return FAULT_NONE;
}

/* The key of a header: a word, or a string, which is always a tag's. */
static enum fault
read_key(struct reader *reader, const char **word, enum record_text_key *key)
{
	const char *from = reader->line.at;
	*key = RECORD_TEXT_TAG;
	if (!record_line_ended(&reader->line) && *from == '"')
		return read_string(reader, "tags", word, &from);
	while (!record_line_ended(&reader->line) && record_text_word_char(*reader->line.at))
		reader->line.at++;
	if (reader->line.at == from)
		return refuse(
		    reader, from, "tags", "A key is expected here: letters, digits, - and _, or a text in quotes.");
	*word = arena_copy(reader->arena, from, (size_t)(reader->line.at - from));
	if (*word == NULL)
		return FAULT_OUT_OF_MEMORY;
	*key = record_text_key(*word);
	return FAULT_NONE;
}

static const char *
key_member(enum record_text_key key)
{
	static const char *const members[] = {"format", "variant", "start"};
	if (key == RECORD_TEXT_TAG)
		return "tags";
	return key < RECORD_TEXT_KEY_SEAT_1 ? members[key] : "seats";
}

static enum fault
add_tag(struct reader *reader, const char *name, const char *value, struct record_place at)
{
	struct record_draft *draft = &reader->draft;
	if (draft->tag_count == LIMIT_TAGS)
		return refuse(reader, reader->line.begin, "tags", "There are too many tags.");
	draft->tags[draft->tag_count] = (struct record_tag){name, value};
	draft->tags_at[draft->tag_count++] = at;
	return FAULT_NONE;
}

/* Puts the value of a header where it belongs; from is where it stands. */
static enum fault
set_value(struct reader *reader, enum record_text_key key, const char *word, const char *value, const char *from)
{
	struct record_draft *draft = &reader->draft;
	struct record_place at = record_line_place(&reader->line, from);
	switch (key) {
	case RECORD_TEXT_TAG:
		return add_tag(reader, word, value, at);
	case RECORD_TEXT_KEY_FORMAT:
		if (strcmp(value, RECORD_FORMAT) != 0)
			return refuse(reader, from, "format", "The format is not " RECORD_FORMAT ".");
		return FAULT_NONE;
	case RECORD_TEXT_KEY_VARIANT:
		draft->variant = value;
		draft->variant_at = at;
		return FAULT_NONE;
	case RECORD_TEXT_KEY_START:
		draft->start = value;
		draft->start_at = at;
		return FAULT_NONE;
	default:
		break;
	}
	unsigned seat = key - RECORD_TEXT_KEY_SEAT_1;
	draft->names[seat] = value;
	draft->names_at[seat] = at;
	if (draft->name_count <= seat)
		draft->name_count = seat + 1;
	return FAULT_NONE;
}

/* A header, behind its bracket. */
static enum fault
read_header(struct reader *reader)
{
	const char *first = reader->line.begin, *word, *value, *from;
	enum record_text_key key;
	if (reader->body)
		return refuse(reader, first, "moves", "Headers stand before the first ply.");
	enum fault fault = read_key(reader, &word, &key);
	if (fault != FAULT_NONE)
		return fault;
	if (key != RECORD_TEXT_TAG && (reader->seen >> key & 1) != 0)
		return refuse(reader, first, key_member(key), "The key stands twice.");
	reader->seen |= 1U << key;
	record_line_skip(&reader->line);
	fault = read_string(reader, key_member(key), &value, &from);
	if (fault != FAULT_NONE)
		return fault;
	record_line_skip(&reader->line);
	if (!record_line_char(&reader->line, ']'))
		return refuse(reader, reader->line.at, key_member(key), "A closing bracket is expected here.");
	record_line_skip(&reader->line);
	if (!record_line_ended(&reader->line))
		return refuse(reader, reader->line.at, key_member(key), "Nothing stands behind the bracket.");
	return set_value(reader, key, word, value, from);
}

/* An ending, behind its number: "seat S resigned", "draw agreement". */
static enum fault
read_ending(struct reader *reader, unsigned ply, bool agreed)
{
	struct record_draft *draft = &reader->draft;
	unsigned seat = 0;
	enum reason reason;
	if (draft->ending_count == SEATS_MAX)
		return refuse(reader, reader->line.begin, "endings", "A game has no more endings than seats.");
	if (!agreed && !record_line_seat(&reader->line, &seat))
		return refuse(reader, reader->line.at, "endings", "The number of a seat is expected here.");
	const char *word = reader->line.at;
	bool known = record_line_reason(&reader->line, &reason) && record_line_ended(&reader->line);
	if (!known || (agreed ? reason != REASON_AGREEMENT : reason != REASON_RESIGNED && reason != REASON_TIMEOUT))
		return refuse(reader, word, "endings",
		    agreed ? "Only agreement is expected here." : "Only resigned or timeout is expected here.");
	if (ply != draft->move_count)
		return refuse(reader, reader->line.begin, "endings", "An ending bears the number of the ply above it.");
	draft->endings[draft->ending_count] = (struct record_ending){ply, seat, reason};
	draft->endings_at[draft->ending_count++] = record_line_place(&reader->line, reader->line.begin);
	return FAULT_NONE;
}

_Static_assert(PLIES_MAX == 4096, "the number that read_move tells");

/* The text of a move, behind its number; whether it is one is for record_check to say. */
static enum fault
read_move(struct reader *reader, unsigned ply)
{
	struct record_draft *draft = &reader->draft;
	const char *to = reader->line.end;
	if (record_line_ended(&reader->line))
		return refuse(reader, reader->line.at, "moves", "A move or an ending is expected here.");
	if (ply != draft->move_count + 1)
		return refuse(reader, reader->line.begin, "moves", "The plies are numbered from 1, without gaps.");
	if (ply > PLIES_MAX)
		return refuse(reader, reader->line.begin, "moves", "A game has at most 4096 plies.");
	while (to[-1] == ' ' || to[-1] == '\t')
		to--;
	const char *move = arena_copy(reader->arena, reader->line.at, (size_t)(to - reader->line.at));
	if (move == NULL)
		return FAULT_OUT_OF_MEMORY;
	draft->moves[draft->move_count] = move;
	draft->moves_at[draft->move_count++] = record_line_place(&reader->line, reader->line.at);
	return FAULT_NONE;
}

static enum fault
read_ply(struct reader *reader)
{
	unsigned ply;
	if (!record_line_number(&reader->line, UINT32_MAX, &ply))
		return refuse(reader, reader->line.at, "moves", "The number of a ply is expected here, and a blank.");
	if (record_line_word(&reader->line, "seat"))
		return read_ending(reader, ply, false);
	if (record_line_word(&reader->line, "draw"))
		return read_ending(reader, ply, true);
	return read_move(reader, ply);
}

/* "seat S wins, REASON", "draw, REASON", "unfinished". */
static bool
take_outcome(struct reader *reader)
{
	struct record_draft *draft = &reader->draft;
	draft->over = !record_line_word(&reader->line, "unfinished");
	if (!draft->over)
		return true;
	if (record_line_word(&reader->line, "draw,"))
		return record_line_reason(&reader->line, &draft->reason);
	return record_line_word(&reader->line, "seat") && record_line_seat(&reader->line, &draft->winner) &&
	       record_line_word(&reader->line, "wins,") && record_line_reason(&reader->line, &draft->reason);
}

static enum fault
read_outcome(struct reader *reader)
{
	reader->draft.outcome_known = true;
	reader->draft.outcome_at = record_line_place(&reader->line, reader->line.at);
	reader->done = true;
	if (take_outcome(reader) && record_line_ended(&reader->line))
		return FAULT_NONE;
	return refuse(reader, reader->line.at, "outcome",
	    "A numbered ply is expected here, or the outcome: seat S wins, REASON; draw, REASON; or unfinished.");
}

static enum fault
read_line(struct reader *reader)
{
	record_line_skip(&reader->line);
	if (record_line_ended(&reader->line))
		return FAULT_NONE;
	if (reader->done)
		return refuse(reader, reader->line.at, "outcome", "Nothing stands behind the outcome.");
	if (record_line_char(&reader->line, '['))
		return read_header(reader);
	reader->body = true;
	return *reader->line.at >= '0' && *reader->line.at <= '9' ? read_ply(reader) : read_outcome(reader);
}

/* Room for all that a draft may hold. */
static bool
take_room(struct reader *reader)
{
	struct record_draft *draft = &reader->draft;
	draft->tags = arena_take(reader->arena, LIMIT_TAGS * sizeof *draft->tags);
	draft->tags_at = arena_take(reader->arena, LIMIT_TAGS * sizeof *draft->tags_at);
	draft->moves = arena_take(reader->arena, PLIES_MAX * sizeof *draft->moves);
	draft->moves_at = arena_take(reader->arena, PLIES_MAX * sizeof *draft->moves_at);
	return draft->tags != NULL && draft->tags_at != NULL && draft->moves != NULL && draft->moves_at != NULL;
}

enum fault
record_read(struct arena *arena, const char *bytes, size_t len, struct record_draft *draft, struct record_fault *where)
{
	struct reader reader = {.arena = arena, .where = where};
	if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		bytes += 3;
		len -= 3;
	}
	if (!take_room(&reader))
		return FAULT_OUT_OF_MEMORY;
	record_line_begin(&reader.line, bytes, len);
	enum fault fault = check_characters(&reader);
	record_line_begin(&reader.line, bytes, len);
	while (fault == FAULT_NONE && record_line_next(&reader.line))
		fault = read_line(&reader);
	if (fault != FAULT_NONE)
		return fault;
	if (reader.draft.variant == NULL) {
		record_line_begin(&reader.line, bytes, len);
		reader.line.number = 1;
		return refuse(&reader, bytes, "variant", "The variant is missing: [Variant \"iuvo-2\"], say.");
	}
	*draft = reader.draft;
	return FAULT_NONE;
}

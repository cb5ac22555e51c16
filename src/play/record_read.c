/* Reads the text form of a record: record_read of record.h.  The grammar stands in record_text.c. */
#include "play/record.h"

#include <string.h>

#include "base/limits.h"
#include "play/record_text.h"

/* Where the reading stands: a line, and a place in it. */
struct reader {
	struct arena *arena;
	struct record_fault *where;
	struct record_draft draft;
	const char *next, *end; /* behind the current line; behind the text */
	const char *line;       /* without its end */
	const char *at;         /* in the line */
	const char *line_end;
	unsigned number; /* of the line, from 1 */
	unsigned seen;   /* bits of the keys that were read */
	bool body;       /* the first ply or the outcome has been read */
	bool done;       /* the outcome has been read */
};

static struct record_place
place(const struct reader *reader, const char *at)
{
	size_t before = text_utf8_count(reader->line, (size_t)(at - reader->line));
	return (struct record_place){reader->number, (unsigned)before + 1};
}

/* Refuses the record at a place of the current line.  why is static. */
static enum fault
refuse(struct reader *reader, const char *at, const char *member, const char *why)
{
	struct record_place from = place(reader, at);
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

/* Moves on to the next line; false at the end. */
static bool
next_line(struct reader *reader)
{
	if (reader->next == reader->end)
		return false;
	const char *line = reader->next, *feed = memchr(line, '\n', (size_t)(reader->end - line));
	const char *end = feed == NULL ? reader->end : feed;
	reader->next = feed == NULL ? reader->end : feed + 1;
	if (end > line && end[-1] == '\r')
		end--;
	reader->line = reader->at = line;
	reader->line_end = end;
	reader->number++;
	return true;
}

static bool
at_end(const struct reader *reader)
{
	return reader->at == reader->line_end;
}

static void
skip_blanks(struct reader *reader)
{
	while (reader->at < reader->line_end && (*reader->at == ' ' || *reader->at == '\t'))
		reader->at++;
}

static bool
take_char(struct reader *reader, char c)
{
	if (reader->at == reader->line_end || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

/* A word of the format, and the blanks behind it; nothing is taken if something else stands there. */
static bool
take_word(struct reader *reader, const char *word)
{
	size_t len = strlen(word), left = (size_t)(reader->line_end - reader->at);
	if (left < len || memcmp(reader->at, word, len) != 0)
		return false;
	if (left > len && reader->at[len] != ' ' && reader->at[len] != '\t')
		return false;
	reader->at += len;
	skip_blanks(reader);
	return true;
}

/* A number of at most max, and the blanks behind it. */
static bool
take_number(struct reader *reader, unsigned max, unsigned *number)
{
	uint64_t value;
	const char *to = reader->at;
	while (to < reader->line_end && *to >= '0' && *to <= '9')
		to++;
	if (!text_read_uint(reader->at, (size_t)(to - reader->at), max, &value))
		return false;
	if (to < reader->line_end && *to != ' ' && *to != '\t')
		return false;
	reader->at = to;
	skip_blanks(reader);
	*number = (unsigned)value;
	return true;
}

/* The number of a seat, and the blanks behind it. */
static bool
take_seat(struct reader *reader, unsigned *seat)
{
	/* No number that is written without leading zeroes begins with one but 0 itself. */
	return !at_end(reader) && *reader->at != '0' && take_number(reader, SEATS_MAX, seat);
}

static bool
take_reason(struct reader *reader, enum reason *reason)
{
	const char *to = reader->at;
	while (to < reader->line_end && *to >= 'a' && *to <= 'z')
		to++;
	if (!reason_find(reader->at, (size_t)(to - reader->at), reason) || *reason == REASON_NONE)
		return false;
	reader->at = to;
	skip_blanks(reader);
	return true;
}

/* The text must be UTF-8 without control characters but the ends of lines and tabs. */
static enum fault
check_characters(struct reader *reader)
{
	while (next_line(reader)) {
		size_t len = (size_t)(reader->line_end - reader->line), valid = text_utf8_prefix(reader->line, len);
		for (const char *at = reader->line; at < reader->line + valid; at++)
			if (((unsigned char)*at < 0x20 && *at != '\t') || *at == 0x7f)
				return refuse(reader, at, "format", "A control character stands here.");
		if (valid < len)
			return refuse(reader, reader->line + valid, "format", "The text is not UTF-8.");
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
	if (!take_char(reader, '"'))
		return refuse(reader, reader->at, member, "A quotation mark is expected here.");
	char *to = arena_take(reader->arena, (size_t)(reader->line_end - reader->at) + 1);
	if (to == NULL)
		return FAULT_OUT_OF_MEMORY;
	*string = to;
	*from = reader->at;
	while (!take_char(reader, '"')) {
		if (at_end(reader))
			return refuse(reader, reader->at, member, "The quotation mark that ends the text is missing.");
		char c = *reader->at++;
		if (c == '\\') {
			c = at_end(reader) ? '\0' : escaped(*reader->at);
			if (c == '\0')
				return refuse(reader, reader->at - 1, member,
				    "A backslash stands before a quotation mark, a backslash or n.");
			reader->at++;
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
	const char *from = reader->at;
	*key = RECORD_TEXT_TAG;
	if (!at_end(reader) && *from == '"')
		return read_string(reader, "tags", word, &from);
	while (!at_end(reader) && record_text_word_char(*reader->at))
		reader->at++;
	if (reader->at == from)
		return refuse(
		    reader, from, "tags", "A key is expected here: letters, digits, - and _, or a text in quotes.");
	*word = arena_copy(reader->arena, from, (size_t)(reader->at - from));
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
		return refuse(reader, reader->line, "tags", "There are too many tags.");
	draft->tags[draft->tag_count] = (struct record_tag){name, value};
	draft->tags_at[draft->tag_count++] = at;
	return FAULT_NONE;
}

/* Puts the value of a header where it belongs; from is where it stands. */
static enum fault
set_value(struct reader *reader, enum record_text_key key, const char *word, const char *value, const char *from)
{
	struct record_draft *draft = &reader->draft;
	struct record_place at = place(reader, from);
	switch (key) {
	case RECORD_TEXT_TAG:
		return add_tag(reader, word, value, at);
	case RECORD_TEXT_KEY_FORMAT:
		if (strcmp(value, RECORD_TEXT_FORMAT) != 0)
			return refuse(reader, from, "format", "The format is not " RECORD_TEXT_FORMAT ".");
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
	const char *first = reader->line, *word, *value, *from;
	enum record_text_key key;
	if (reader->body)
		return refuse(reader, first, "moves", "Headers stand before the first ply.");
	enum fault fault = read_key(reader, &word, &key);
	if (fault != FAULT_NONE)
		return fault;
	if (key != RECORD_TEXT_TAG && (reader->seen >> key & 1) != 0)
		return refuse(reader, first, key_member(key), "The key stands twice.");
	reader->seen |= 1U << key;
	skip_blanks(reader);
	fault = read_string(reader, key_member(key), &value, &from);
	if (fault != FAULT_NONE)
		return fault;
	skip_blanks(reader);
	if (!take_char(reader, ']'))
		return refuse(reader, reader->at, key_member(key), "A closing bracket is expected here.");
	skip_blanks(reader);
	if (!at_end(reader))
		return refuse(reader, reader->at, key_member(key), "Nothing stands behind the bracket.");
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
		return refuse(reader, reader->line, "endings", "A game has no more endings than seats.");
	if (!agreed && !take_seat(reader, &seat))
		return refuse(reader, reader->at, "endings", "The number of a seat is expected here.");
	const char *word = reader->at;
	bool known = take_reason(reader, &reason) && at_end(reader);
	if (!known || (agreed ? reason != REASON_AGREEMENT : reason != REASON_RESIGNED && reason != REASON_TIMEOUT))
		return refuse(reader, word, "endings",
		    agreed ? "Only agreement is expected here." : "Only resigned or timeout is expected here.");
	if (ply != draft->move_count)
		return refuse(reader, reader->line, "endings", "An ending bears the number of the ply above it.");
	draft->endings[draft->ending_count] = (struct record_ending){ply, seat, reason};
	draft->endings_at[draft->ending_count++] = place(reader, reader->line);
	return FAULT_NONE;
}

/* The text of a move, behind its number; whether it is one is for record_check to say. */
static enum fault
read_move(struct reader *reader, unsigned ply)
{
	struct record_draft *draft = &reader->draft;
	const char *to = reader->line_end;
	if (at_end(reader))
		return refuse(reader, reader->at, "moves", "A move or an ending is expected here.");
	if (ply != draft->move_count + 1)
		return refuse(reader, reader->line, "moves", "The plies are numbered from 1, without gaps.");
	if (ply > PLIES_MAX)
		return refuse(reader, reader->line, "moves", "A game has at most 4096 plies.");
	while (to[-1] == ' ' || to[-1] == '\t')
		to--;
	const char *move = arena_copy(reader->arena, reader->at, (size_t)(to - reader->at));
	if (move == NULL)
		return FAULT_OUT_OF_MEMORY;
	draft->moves[draft->move_count] = move;
	draft->moves_at[draft->move_count++] = place(reader, reader->at);
	return FAULT_NONE;
}

static enum fault
read_ply(struct reader *reader)
{
	unsigned ply;
	if (!take_number(reader, UINT32_MAX, &ply))
		return refuse(reader, reader->at, "moves", "The number of a ply is expected here, and a blank.");
	if (take_word(reader, "seat"))
		return read_ending(reader, ply, false);
	if (take_word(reader, "draw"))
		return read_ending(reader, ply, true);
	return read_move(reader, ply);
}

/* "seat S wins, REASON", "draw, REASON", "unfinished". */
static bool
take_outcome(struct reader *reader)
{
	struct record_draft *draft = &reader->draft;
	draft->over = !take_word(reader, "unfinished");
	if (!draft->over)
		return true;
	if (take_word(reader, "draw,"))
		return take_reason(reader, &draft->reason);
	return take_word(reader, "seat") && take_seat(reader, &draft->winner) && take_word(reader, "wins,") &&
	       take_reason(reader, &draft->reason);
}

static enum fault
read_outcome(struct reader *reader)
{
	reader->draft.outcome_known = true;
	reader->draft.outcome_at = place(reader, reader->at);
	reader->done = true;
	if (take_outcome(reader) && at_end(reader))
		return FAULT_NONE;
	return refuse(reader, reader->at, "outcome",
	    "A numbered ply is expected here, or the outcome: seat S wins, REASON; draw, REASON; or unfinished.");
}

static enum fault
read_line(struct reader *reader)
{
	skip_blanks(reader);
	if (at_end(reader))
		return FAULT_NONE;
	if (reader->done)
		return refuse(reader, reader->at, "outcome", "Nothing stands behind the outcome.");
	if (take_char(reader, '['))
		return read_header(reader);
	reader->body = true;
	return *reader->at >= '0' && *reader->at <= '9' ? read_ply(reader) : read_outcome(reader);
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

static void
rewind_to(struct reader *reader, const char *bytes)
{
	reader->next = reader->line = reader->at = reader->line_end = bytes;
	reader->number = 0;
}

enum fault
record_read(struct arena *arena, const char *bytes, size_t len, struct record_draft *draft, struct record_fault *where)
{
	struct reader reader = {.arena = arena, .where = where, .end = bytes + len};
	if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		bytes += 3;
	if (!take_room(&reader))
		return FAULT_OUT_OF_MEMORY;
	rewind_to(&reader, bytes);
	enum fault fault = check_characters(&reader);
	rewind_to(&reader, bytes);
	while (fault == FAULT_NONE && next_line(&reader))
		fault = read_line(&reader);
	if (fault != FAULT_NONE)
		return fault;
	if (reader.draft.variant == NULL) {
		rewind_to(&reader, bytes);
		reader.number = 1;
		return refuse(&reader, bytes, "variant", "The variant is missing: [Variant \"iuvo-2\"], say.");
	}
	*draft = reader.draft;
	return FAULT_NONE;
}

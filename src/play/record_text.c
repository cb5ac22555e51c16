/*
 * The text form of a record: record_write and record_read of record.h.
 *
 *     [Format "iuvod-record-1"]
 *     [Variant "iuvo-4"]
 *     [Start "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -"]
 *     [Seat1 "Ada"]
 *     [Seat3 "Bo \"the knight\""]
 *     [Event "Spring"]
 *     ["A tag of any name" "first line\nsecond line"]
 *
 *     1 c1-d3
 *     2 a3-b5
 *     2 seat 3 resigned
 *     3 g5-f3
 *     ...
 *     40 d5xe3
 *     seat 1 wins, captured
 *
 * The grammar, blank being one or more spaces or tabs:
 *
 *     record  = header* empty ply* outcome
 *     header  = "[" key blank string "]"
 *     key     = word | string               word: ASCII letters, digits, "-", "_"
 *     string  = '"' (any character but '"', "\", a control other than the tab, or an escape)* '"'
 *     escape  = '\"' | '\\' | '\n'
 *     ply     = N blank move                N is 1 for the first and counts the moves; move: RULES.md T1
 *             | N blank "seat" blank S blank ("resigned" | "timeout")
 *             | N blank "draw" blank "agreement"
 *     outcome = "seat" blank S blank "wins," blank reason
 *             | "draw," blank reason
 *             | "unfinished"
 *
 * An ending (seat S resigned …) bears the number of plies played before it: that
 * of the move above it, 0 before the first.  Of several at one ply the order is
 * that of the lines.
 *
 * The words Format, Variant, Start, Seat1 to Seat4 mean what they say; every other
 * key is a tag, and so is a key in quotes, whatever it says.  Written are Format,
 * Variant and Start, the seats that have names, and the tags in their order; a
 * tag's key is quoted only where it must be.
 *
 * Lines end in LF, in UTF-8.  Read as well: CRLF, a BOM at the beginning, headers
 * in any order, a record without Format, Start or outcome, blanks at the ends of
 * lines, and lines that are empty, at every place.
 */
#include "play/record_text.h"

#include <string.h>

#include "play/record.h"

static const char *const keys[RECORD_TEXT_TAG] = {"Format", "Variant", "Start", "Seat1", "Seat2", "Seat3", "Seat4"};
_Static_assert(RECORD_TEXT_TAG - RECORD_TEXT_KEY_SEAT_1 == SEATS_MAX, "a key for each seat");

bool
record_text_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

enum record_text_key
record_text_key(const char *word)
{
	unsigned key = 0;
	while (key < RECORD_TEXT_TAG && strcmp(keys[key], word) != 0)
		key++;
	return (enum record_text_key)key;
}

static void
write_string(struct text *out, const char *string)
{
	text_char(out, '"');
	for (; *string != '\0'; string++) {
		if (*string == '\n') {
			text_puts(out, "\\n");
			continue;
		}
		if (*string == '"' || *string == '\\')
			text_char(out, '\\');
		text_char(out, *string);
	}
	text_char(out, '"');
}

static void
write_header(struct text *out, const char *key, const char *value)
{
	text_char(out, '[');
	text_puts(out, key);
	text_char(out, ' ');
	write_string(out, value);
	text_puts(out, "]\n");
}

static void
write_tag(struct text *out, const struct record_tag *tag)
{
	size_t word = 0;
	while (record_text_word_char(tag->name[word]))
		word++;
	if (word > 0 && tag->name[word] == '\0' && record_text_key(tag->name) == RECORD_TEXT_TAG) {
		write_header(out, tag->name, tag->value);
		return;
	}
	text_char(out, '[');
	write_string(out, tag->name);
	text_char(out, ' ');
	write_string(out, tag->value);
	text_puts(out, "]\n");
}

static void
write_headers(struct text *out, const struct record *record)
{
	char start[POSITION_TEXT_MAX];
	notation_position(&record->start, start);
	write_header(out, keys[RECORD_TEXT_KEY_FORMAT], RECORD_FORMAT);
	write_header(out, keys[RECORD_TEXT_KEY_VARIANT], variant_row(record->variant)->id);
	write_header(out, keys[RECORD_TEXT_KEY_START], start);
	for (unsigned i = 0; i < SEATS_MAX; i++)
		if (record->names[i] != NULL)
			write_header(out, keys[RECORD_TEXT_KEY_SEAT_1 + i], record->names[i]);
	for (unsigned i = 0; i < record->tag_count; i++)
		write_tag(out, &record->tags[i]);
}

static void
write_ending(struct text *out, const struct record_ending *ending)
{
	text_int(out, ending->ply);
	if (ending->seat == 0) {
		text_puts(out, " draw ");
	} else {
		text_puts(out, " seat ");
		text_int(out, ending->seat);
		text_char(out, ' ');
	}
	text_puts(out, reason_word(ending->reason));
	text_char(out, '\n');
}

static void
write_outcome(struct text *out, const struct record *record)
{
	if (!record->over) {
		text_puts(out, "unfinished\n");
		return;
	}
	if (record->winner == 0) {
		text_puts(out, "draw, ");
	} else {
		text_puts(out, "seat ");
		text_int(out, record->winner);
		text_puts(out, " wins, ");
	}
	text_puts(out, reason_word(record->reason));
	text_char(out, '\n');
}

void
record_write(const struct record *record, struct text *out)
{
	char move[MOVE_TEXT_MAX];
	unsigned ending = 0;
	write_headers(out, record);
	text_char(out, '\n');
	for (unsigned ply = 0;; ply++) {
		for (; ending < record->ending_count && record->endings[ending].ply == ply; ending++)
			write_ending(out, &record->endings[ending]);
		if (ply == record->move_count)
			break;
		text_int(out, ply + 1);
		text_char(out, ' ');
		text_put(out, move, notation_move(record->moves[ply], move));
		text_char(out, '\n');
	}
	write_outcome(out, record);
}

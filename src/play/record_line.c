#include "play/record_line.h"

#include <string.h>

void
record_line_begin(struct record_line *line, const char *bytes, size_t len)
{
	*line = (struct record_line){.begin = bytes, .at = bytes, .end = bytes, .next = bytes, .text_end = bytes + len};
}

struct record_place
record_line_place(const struct record_line *line, const char *at)
{
	size_t before = text_utf8_count(line->begin, (size_t)(at - line->begin));
	return (struct record_place){line->number, (unsigned)before + 1};
}

bool
record_line_next(struct record_line *line)
{
	if (line->next == line->text_end)
		return false;
	const char *begin = line->next, *feed = memchr(begin, '\n', (size_t)(line->text_end - begin));
	const char *end = feed == NULL ? line->text_end : feed;
	line->next = feed == NULL ? line->text_end : feed + 1;
	if (end > begin && end[-1] == '\r')
		end--;
	line->begin = line->at = begin;
	line->end = end;
	line->number++;
	return true;
}

bool
record_line_ended(const struct record_line *line)
{
	return line->at == line->end;
}

void
record_line_skip(struct record_line *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
}

bool
record_line_char(struct record_line *line, char c)
{
	if (line->at == line->end || *line->at != c)
		return false;
	line->at++;
	return true;
}

bool
record_line_word(struct record_line *line, const char *word)
{
	size_t len = strlen(word), left = (size_t)(line->end - line->at);
	if (left < len || memcmp(line->at, word, len) != 0)
		return false;
	if (left > len && line->at[len] != ' ' && line->at[len] != '\t')
		return false;
	line->at += len;
	record_line_skip(line);
	return true;
}

bool
record_line_number(struct record_line *line, unsigned max, unsigned *number)
{
	uint64_t value;
	const char *to = line->at;
	while (to < line->end && *to >= '0' && *to <= '9')
		to++;
	if (!text_read_uint(line->at, (size_t)(to - line->at), max, &value))
		return false;
	if (to < line->end && *to != ' ' && *to != '\t')
		return false;
	line->at = to;
	record_line_skip(line);
	*number = (unsigned)value;
	return true;
}

bool
record_line_seat(struct record_line *line, unsigned *seat)
{
	/* No number that is written without leading zeroes begins with one but 0 itself. */
	return !record_line_ended(line) && *line->at != '0' && record_line_number(line, SEATS_MAX, seat);
}

bool
record_line_reason(struct record_line *line, enum reason *reason)
{
	const char *to = line->at;
	while (to < line->end && *to >= 'a' && *to <= 'z')
		to++;
	if (!reason_find(line->at, (size_t)(to - line->at), reason) || *reason == REASON_NONE)
		return false;
	line->at = to;
	record_line_skip(line);
	return true;
}

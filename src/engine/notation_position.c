/* Writes positions as text (T2). */
#include "engine/notation.h"
#include "engine/notation_letter.h"

static char
letter_of(unsigned owners)
{
	static const char letters[1 << SEATS_MAX] = {
#define L(letter, owners) [owners] = letter,
	    NOTATION_LETTER_TABLE(L)
#undef L
	};
	return letters[owners];
}

static size_t
write_number(unsigned number, char *text)
{
	size_t len = 0;
	if (number >= 10)
		text[len++] = '1';
	if (number > 0)
		text[len++] = (char)('0' + number % 10);
	return len;
}

static size_t
write_rank(const struct position *position, unsigned rank, unsigned files, char *text)
{
	size_t len = 0;
	unsigned empty = 0;

	for (unsigned file = 0; file < files; file++) {
		int owners = position_owners(position, cell_at(file, rank));
		if (owners < 0) {
			empty++;
			continue;
		}
		len += write_number(empty, text + len);
		empty = 0;
		text[len++] = letter_of((unsigned)owners);
	}
	return len + write_number(empty, text + len);
}

static size_t
write_out(unsigned out, char *text)
{
	size_t len = 0;
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if (out >> (seat - 1) & 1)
			text[len++] = (char)('0' + seat);
	if (len == 0)
		text[len++] = '-';
	return len;
}

size_t
notation_position(const struct position *position, char text[POSITION_TEXT_MAX])
{
	const struct variant_row *row = variant_row((enum variant)position->variant);
	size_t len = 0;

	for (const char *id = row->id; *id; id++)
		text[len++] = *id;
	for (unsigned rank = row->ranks; rank-- > 0;) {
		text[len++] = rank + 1 == row->ranks ? ' ' : '/';
		len += write_rank(position, rank, row->files, text + len);
	}
	text[len++] = ' ';
	text[len++] = position->turn ? (char)('0' + position->turn) : '-';
	text[len++] = ' ';
	if (position->resting == CELL_NONE)
		text[len++] = '-';
	else
		len += notation_cell((cell_t)position->resting, text + len);
	text[len++] = ' ';
	len += write_out(position->out, text + len);
	text[len] = '\0';
	return len;
}

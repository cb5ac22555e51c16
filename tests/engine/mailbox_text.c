/* Position texts (T2). */
#include <stdlib.h>
#include <string.h>

#include "tests/engine/mailbox_inside.h"

static const struct {
	char letter;
	signed char owners;
} stone_letters[] = {
    {'o', 0},
    {'A', 1},
    {'B', 2},
    {'C', 4},
    {'D', 8},
    {'p', 1 | 2},
    {'q', 2 | 4},
    {'r', 4 | 8},
    {'s', 8 | 1},
};

static signed char
owners_of_letter(char letter)
{
	unsigned i = 0;
	while (stone_letters[i].letter != letter)
		i++;
	return stone_letters[i].owners;
}

static char
letter_of_owners(int owners)
{
	unsigned i = 0;
	while (stone_letters[i].owners != owners)
		i++;
	return stone_letters[i].letter;
}

static const char *
read_board(struct mailbox *box, const char *text)
{
	int file = 0, rank = side_of(box) - 1;
	for (; *text != ' '; text++) {
		if (*text == '/') {
			file = 0;
			rank--;
		} else if (*text >= '1' && *text <= '9') {
			char *end;
			file += (int)strtol(text, &end, 10);
			text = end - 1;
		} else {
			box->at[square_at(box, file++, rank)] = owners_of_letter(*text);
		}
	}
	return text + 1;
}

void
mailbox_read(struct mailbox *box, const char *text)
{
	memset(box, 0, sizeof *box);
	const char *board = strchr(text, ' ');
	variant_find(text, (size_t)(board - text), &box->variant);
	box->seats = strncmp(text, "iuvo-4", 6) == 0 ? 4 : 2;
	box->stride = is_iuvo(box) ? 7 + 4 : 16 + 4;
	memset(box->at, MAILBOX_EDGE, sizeof box->at);
	int squares[SQUARES_MAX], count = squares_of(box, squares);
	for (int i = 0; i < count; i++)
		box->at[squares[i]] = MAILBOX_EMPTY;
	const char *rest = read_board(box, board + 1);
	box->turn = *rest == '-' ? 0 : (unsigned)(*rest - '0');
	rest += 2;
	if (*rest != '-')
		box->resting = square_at(box, rest[0] - 'a', rest[1] - '1');
	for (rest = strchr(rest, ' ') + 1; *rest >= '1' && *rest <= '4'; rest++)
		box->out |= 1u << (*rest - '1');
}

static char *
write_rank(const struct mailbox *box, int rank, char *text)
{
	int empty = 0;
	for (int file = 0; file < side_of(box); file++) {
		int owners = box->at[square_at(box, file, rank)];
		if (owners == MAILBOX_EMPTY) {
			empty++;
			continue;
		}
		if (empty > 0)
			text += sprintf(text, "%d", empty);
		empty = 0;
		*text++ = letter_of_owners(owners);
	}
	if (empty > 0)
		text += sprintf(text, "%d", empty);
	return text;
}

void
mailbox_write(const struct mailbox *box, char text[POSITION_TEXT_MAX])
{
	text += sprintf(text, "%s ", variant_row(box->variant)->id);
	for (int rank = side_of(box) - 1; rank >= 0; rank--) {
		text = write_rank(box, rank, text);
		*text++ = rank > 0 ? '/' : ' ';
	}
	*text++ = box->turn == 0 ? '-' : (char)('0' + box->turn);
	*text++ = ' ';
	if (box->resting == 0)
		*text++ = '-';
	else
		text = write_cell(box, box->resting, text);
	*text++ = ' ';
	for (unsigned seat = 1; seat <= box->seats; seat++)
		if (is_out(box, seat))
			*text++ = (char)('0' + seat);
	if (box->out == 0)
		*text++ = '-';
	*text = '\0';
}

/* Cells and moves as text (T1). */
#include "engine/notation.h"

size_t
notation_cell(cell_t cell, char text[CELL_TEXT_MAX])
{
	unsigned rank = cell_rank(cell) + 1;
	size_t len = 0;

	text[len++] = (char)('a' + cell_file(cell));
	if (rank >= 10)
		text[len++] = '1';
	text[len++] = (char)('0' + rank % 10);
	text[len] = '\0';
	return len;
}

size_t
notation_move(struct move move, char text[MOVE_TEXT_MAX])
{
	size_t len = notation_cell(move.from, text);
	text[len++] = move.captures ? 'x' : '-';
	return len + notation_cell(move.to, text + len);
}

size_t
notation_path(const struct path *path, char text[PATH_TEXT_MAX])
{
	size_t len = 0;
	for (unsigned i = 0; i < path->count; i++) {
		if (i > 0)
			text[len++] = '-';
		len += notation_cell(path->cells[i], text + len);
	}
	return len;
}

/* A text that is being read. */
struct reader {
	const char *text;
	size_t len;
	size_t at;
	struct text_fault *fault;
};

static bool
fail(struct reader *reader, size_t at, const char *why)
{
	*reader->fault = (struct text_fault){"move", at, why};
	return false;
}

/* The byte at hand, letters as lower case; 0 at the end (a byte of 0 is none that any form has). */
static char
peek(const struct reader *reader)
{
	char byte = reader->at < reader->len ? reader->text[reader->at] : '\0';
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool
is_letter(char byte)
{
	return byte >= 'a' && byte <= 'z';
}

static bool
is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/*
 * A letter and a number: any file and rank, for the judge tells which are on
 * the board.  0 is a rank, 07 is none.
 */
static bool
read_cell(struct reader *reader, uint16_t *file, int16_t *rank)
{
	if (!is_letter(peek(reader)))
		return fail(reader, reader->at, "a cell begins with the letter of its file");
	*file = (uint16_t)(peek(reader) - 'a');
	reader->at++;
	size_t start = reader->at;
	int number = 0;
	for (; is_digit(peek(reader)); reader->at++)
		number = number < 1000 ? number * 10 + (peek(reader) - '0') : number;
	if (reader->at == start)
		return fail(reader, start, "a file is followed by the number of its rank");
	if (reader->text[start] == '0' && reader->at - start > 1)
		return fail(reader, start, "a rank has no leading zero");
	*rank = (int16_t)(number - 1);
	return true;
}

/*
 * What stands between two cells: a hyphen, an x, or nothing.  Only two cells
 * may do without hyphens.
 */
static bool
read_joint(struct reader *reader, struct move_text *move)
{
	char byte = peek(reader);

	if (byte == '-') {
		reader->at++;
		return true;
	}
	if (move->count > 1)
		return fail(reader, reader->at, "the landings of a chain are joined by hyphens");
	if (reader->at == reader->len)
		return fail(reader, reader->at, "a move names two cells");
	if (byte == 'x') {
		move->capture = true;
		reader->at++;
	} else if (!is_letter(byte)) {
		return fail(reader, reader->at, "two cells are joined by a hyphen, an x or nothing");
	}
	return true;
}

static bool
read_next_cell(struct reader *reader, struct move_text *move)
{
	enum { CELLS_MAX = sizeof move->cells / sizeof *move->cells };
	if (move->count == CELLS_MAX)
		return fail(reader, reader->at, "a chain has at most 127 landings");
	if (!read_cell(reader, &move->cells[move->count].file, &move->cells[move->count].rank))
		return false;
	move->count++;
	return true;
}

bool
notation_read_move(const char *text, size_t len, struct move_text *move, struct text_fault *fault)
{
	struct reader reader = {text, len, 0, fault};
	struct move_text read = {0};
	size_t second = 0;

	if (!read_next_cell(&reader, &read))
		return false;
	do {
		size_t joint = reader.at;
		if (!read_joint(&reader, &read) || !read_next_cell(&reader, &read))
			return false;
		if (read.count == 2)
			second = joint;
	} while (reader.at < len);
	if (read.count > 2 && text[second] != '-')
		return fail(&reader, second, "the landings of a chain are joined by hyphens");
	*move = read;
	return true;
}

bool
notation_read_cell(enum variant variant, const char *text, size_t len, cell_t *cell)
{
	struct text_fault fault;
	struct reader reader = {text, len, 0, &fault};
	const struct variant_row *row = variant_row(variant);
	uint16_t file;
	int16_t rank;

	if (!read_cell(&reader, &file, &rank) || reader.at != len)
		return false;
	if (file >= row->files || rank < 0 || (unsigned)rank >= row->ranks)
		return false;
	*cell = cell_at(file, (unsigned)rank);
	return true;
}

/* Reads positions from text (T2): notation_read_position of notation.h. */
#include "engine/notation.h"
#include "engine/notation_letter.h"
#include "engine/rules.h"

enum field { FIELD_VARIANT, FIELD_BOARD, FIELD_TURN, FIELD_RESTING, FIELD_OUT, FIELD_COUNT };

static const struct field_row {
	const char *name;
	const char *missing;
} fields[FIELD_COUNT] = {
    [FIELD_VARIANT] = {"variant", "a position begins with its variant"},
    [FIELD_BOARD] = {"board", "the board is missing"},
    [FIELD_TURN] = {"turn", "the seat to move is missing"},
    [FIELD_RESTING] = {"resting", "the resting cell is missing"},
    [FIELD_OUT] = {"out", "the seats that are out are missing"},
};

/* A text cut into its fields, and what is read of it so far. */
struct reader {
	const char *text;
	size_t len;
	size_t begin[FIELD_COUNT];
	size_t end[FIELD_COUNT];
	const struct variant_row *row;
	const struct rules *rules;
	struct position position;
	uint16_t counts[1 << SEATS_MAX]; /* stones read, by owners: up to 256 of a kind in a text */
	struct text_fault *fault;
};

static bool
fail(struct reader *reader, enum field field, size_t at, const char *why)
{
	*reader->fault = (struct text_fault){fields[field].name, at, why};
	return false;
}

/* One space stands between two fields, and none at the end. */
static bool
cut_fields(struct reader *reader)
{
	size_t at = 0;
	for (unsigned field = 0; field < FIELD_COUNT; field++) {
		reader->begin[field] = at;
		while (at < reader->len && reader->text[at] != ' ')
			at++;
		reader->end[field] = at;
		if (at == reader->begin[field])
			return fail(reader, (enum field)field, at, fields[field].missing);
		if (field + 1 == FIELD_COUNT && at < reader->len)
			return fail(reader, FIELD_OUT, at, "nothing follows the seats that are out");
		if (at < reader->len)
			at++;
	}
	return true;
}

static bool
read_variant(struct reader *reader)
{
	enum variant variant;
	if (!variant_find(reader->text, reader->end[FIELD_VARIANT], &variant))
		return fail(reader, FIELD_VARIANT, 0, "there is no such variant");
	reader->row = variant_row(variant);
	reader->rules = rules_of(variant);
	reader->position = (struct position){.variant = (uint8_t)variant, .resting = CELL_NONE};
	return true;
}

static bool
is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* What a letter says of owners in this variant; false if no stone of it is so written. */
static bool
find_letter(const struct reader *reader, char letter, unsigned *owners)
{
	/* Owners and one. */
	static const uint8_t known[256] = {
#define L(letter, owners) [letter] = (owners) + 1,
	    NOTATION_LETTER_TABLE(L)
#undef L
	};
	unsigned found = known[(unsigned char)letter];
	if (found == 0 || (found == 1 && !reader->rules->neutral) || found > 1u << reader->row->seats)
		return false;
	*owners = found - 1;
	return reader->row->seats == 4 || bits_few(*owners);
}

/* A number of empty cells: greedy, so that no two can stand in a row. */
static bool
read_empty(struct reader *reader, size_t *at, unsigned *file)
{
	size_t begin = *at;
	unsigned number = 0;
	if (reader->text[begin] == '0')
		return fail(reader, FIELD_BOARD, begin, "a number of empty cells does not begin with 0");
	for (; *at < reader->end[FIELD_BOARD] && is_digit(reader->text[*at]); ++*at)
		number = number < 100 ? number * 10 + (unsigned)(reader->text[*at] - '0') : number;
	if (*file + number > reader->row->files)
		return fail(reader, FIELD_BOARD, begin, "a rank has more cells than the board has files");
	*file += number;
	return true;
}

static bool
read_stone(struct reader *reader, size_t *at, unsigned *file, unsigned rank)
{
	unsigned owners;
	if (!find_letter(reader, reader->text[*at], &owners))
		return fail(reader, FIELD_BOARD, *at, "no stone of this variant is written so");
	if (*file >= reader->row->files)
		return fail(reader, FIELD_BOARD, *at, "a rank has more cells than the board has files");
	reader->rules->put(&reader->position, cell_at(*file, rank), owners);
	reader->counts[owners]++;
	++*file;
	++*at;
	return true;
}

static bool
read_rank(struct reader *reader, size_t *at, unsigned rank)
{
	unsigned file = 0;
	while (*at < reader->end[FIELD_BOARD] && reader->text[*at] != '/') {
		bool read =
		    is_digit(reader->text[*at]) ? read_empty(reader, at, &file) : read_stone(reader, at, &file, rank);
		if (!read)
			return false;
	}
	if (file < reader->row->files)
		return fail(reader, FIELD_BOARD, *at, "a rank has fewer cells than the board has files");
	return true;
}

static bool
read_board(struct reader *reader)
{
	size_t at = reader->begin[FIELD_BOARD], end = reader->end[FIELD_BOARD];
	for (unsigned rank = reader->row->ranks; rank-- > 0;) {
		if (!read_rank(reader, &at, rank))
			return false;
		if (rank > 0 && at == end)
			return fail(reader, FIELD_BOARD, at, "the board has too few ranks");
		if (rank == 0 && at < end)
			return fail(reader, FIELD_BOARD, at, "the board has too many ranks");
		at++;
	}
	return true;
}

/* A field of one byte that says that there is nothing. */
static bool
is_none(const struct reader *reader, enum field field)
{
	return reader->end[field] - reader->begin[field] == 1 && reader->text[reader->begin[field]] == '-';
}

/* Where a field goes wrong from its first byte: a hyphen there is right, and what follows it is not. */
static bool
fail_field(struct reader *reader, enum field field, const char *why)
{
	size_t begin = reader->begin[field];
	return fail(reader, field, begin + (reader->text[begin] == '-'), why);
}

static bool
is_seat(const struct reader *reader, char byte)
{
	return byte >= '1' && byte < (char)('1' + reader->row->seats);
}

static bool
read_out(struct reader *reader)
{
	size_t begin = reader->begin[FIELD_OUT];
	if (is_none(reader, FIELD_OUT))
		return true;
	if (reader->text[begin] == '-')
		return fail_field(reader, FIELD_OUT, "nothing follows a hyphen");
	for (size_t at = begin; at < reader->end[FIELD_OUT]; at++) {
		if (!is_seat(reader, reader->text[at]))
			return fail(reader, FIELD_OUT, at, "the seats that are out are digits of seats, or a hyphen");
		if (at > begin && reader->text[at] <= reader->text[at - 1])
			return fail(reader, FIELD_OUT, at, "the seats that are out ascend");
		reader->position.out |= (uint8_t)(1u << (reader->text[at] - '1'));
	}
	if (rules_in_count(&reader->position) == 0)
		return fail(reader, FIELD_OUT, reader->end[FIELD_OUT] - 1, "one seat at least is in");
	return true;
}

static bool
read_turn(struct reader *reader)
{
	size_t at = reader->begin[FIELD_TURN];
	if (is_none(reader, FIELD_TURN))
		return true;
	if (!is_seat(reader, reader->text[at]))
		return fail_field(reader, FIELD_TURN, "the seat to move is a digit of a seat, or a hyphen");
	if (reader->end[FIELD_TURN] - at > 1)
		return fail(reader, FIELD_TURN, at + 1, "the seat to move is one digit");
	unsigned seat = (unsigned)(reader->text[at] - '0');
	if (position_out(&reader->position, seat))
		return fail(reader, FIELD_TURN, at, "the seat to move is out");
	reader->position.turn = (uint8_t)seat;
	return true;
}

static bool
read_resting(struct reader *reader)
{
	size_t begin = reader->begin[FIELD_RESTING], len = reader->end[FIELD_RESTING] - begin;
	const char *text = reader->text + begin;
	cell_t cell;

	if (is_none(reader, FIELD_RESTING))
		return true;
	if (!reader->rules->rests)
		return fail(reader, FIELD_RESTING, begin, "in this variant no stone rests");
	if (text[0] < 'a' || !notation_read_cell((enum variant)reader->position.variant, text, len, &cell))
		return fail_field(reader, FIELD_RESTING, "the resting cell is a cell of the board, or a hyphen");
	if (reader->rules->owners(&reader->position, cell) != 0)
		return fail(reader, FIELD_RESTING, begin, "the resting cell holds a neutral stone");
	reader->position.resting = cell;
	return true;
}

/* How many stones of each letter there are at the start once seats are struck from the owners (I12). */
static void
count_start(const struct reader *reader, unsigned struck, unsigned counts[1 << SEATS_MAX])
{
	const uint8_t *start = reader->rules->census((enum variant)reader->position.variant);
	for (unsigned i = 0; i < 1 << SEATS_MAX; i++)
		counts[i] = 0;
	for (unsigned i = 0; i < 1 << SEATS_MAX; i++)
		counts[i & ~struck] += start[i];
}

/* The place of the first stone that the start with these seats struck has not; the end of the board if there is none.
 */
static size_t
find_surplus(const struct reader *reader, unsigned struck)
{
	unsigned counts[1 << SEATS_MAX], owners;
	size_t at = reader->begin[FIELD_BOARD], end = reader->end[FIELD_BOARD];

	count_start(reader, struck, counts);
	for (; at < end; at++)
		if (find_letter(reader, reader->text[at], &owners) && counts[owners]-- == 0)
			return at;
	return end;
}

/* Whether the board has no more stones of any letter than that. */
static bool
counts_fit(const struct reader *reader, unsigned struck)
{
	unsigned counts[1 << SEATS_MAX];
	count_start(reader, struck, counts);
	for (unsigned i = 0; i < 1 << SEATS_MAX; i++)
		if (reader->counts[i] > counts[i])
			return false;
	return true;
}

/* The elimination that ends a game leaves the owners as they were, so one seat may be unstruck then. */
static bool
check_counts(struct reader *reader)
{
	unsigned out = reader->position.out;
	if (counts_fit(reader, out))
		return true;
	size_t end = reader->end[FIELD_BOARD], best = find_surplus(reader, out);

	for (unsigned seat = 0; reader->position.turn == 0 && seat < SEATS_MAX; seat++) {
		size_t at = out >> seat & 1 ? find_surplus(reader, out & ~(1u << seat)) : best;
		best = at > best ? at : best;
	}
	if (best < end)
		return fail(
		    reader, FIELD_BOARD, best, "there are more such stones than the start has, or their owner is out");
	return true;
}

/* Whether the last seat to go out left no stone behind: the others are struck, so no seat that is out has one. */
static bool
outs_are_empty(const struct reader *reader)
{
	for (unsigned seat = 1; seat <= reader->row->seats; seat++)
		if (position_out(&reader->position, seat) && reader->rules->holds(&reader->position, seat))
			return false;
	return true;
}

/*
 * What the board of a game that is over tells of its end: the last one in (I14), or
 * the only one on targets (I13).  Where nobody is captured (H5), a seat that is out
 * tells no reason.
 */
static void
read_outcome(struct reader *reader)
{
	struct position *position = &reader->position;
	unsigned winner = 0, arrived = 0;

	if (rules_in_count(position) == 1) {
		position->winner = (uint8_t)rules_next(position, 1);
		if (reader->rules->captures && outs_are_empty(reader))
			position->reason = REASON_CAPTURED;
		return;
	}
	for (unsigned seat = 1; seat <= reader->row->seats; seat++) {
		if (!position_out(position, seat) && reader->rules->arrived(position, seat)) {
			winner = seat;
			arrived++;
		}
	}
	if (arrived != 1)
		return;
	position->winner = (uint8_t)winner;
	position->reason = REASON_TARGET;
}

bool
notation_read_position(const char *text, size_t len, struct position *position, struct text_fault *fault)
{
	struct reader reader = {.text = text, .len = len, .fault = fault};

	if (!cut_fields(&reader) || !read_variant(&reader) || !read_board(&reader) || !read_out(&reader) ||
	    !read_turn(&reader) || !read_resting(&reader) || !check_counts(&reader))
		return false;
	if (reader.position.turn == 0)
		read_outcome(&reader);
	reader.position.key = position_key(&reader.position);
	*position = reader.position;
	return true;
}

/* T1 and T2: what is read, and of what is not, which field is wrong and at which byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "tests/engine/deal.h"
#include "tests/engine/twin.h"

#ifdef IUVOD_SANITIZED
enum { MUTATIONS = 20000 };
#else
enum { MUTATIONS = 200000 };
#endif

/* Moves. */

struct read_move {
	const char *text;
	unsigned count;
	struct {
		unsigned file;
		int rank;
	} cells[4];
	bool capture;
};

static void
test_moves_read(void **unused)
{
	(void)unused;
	static const struct read_move rows[] = {
	    {"c1-d3", 2, {{2, 0}, {3, 2}}, false},
	    {"c1xd3", 2, {{2, 0}, {3, 2}}, true},
	    {"c1d3", 2, {{2, 0}, {3, 2}}, false},
	    {"C1-D3", 2, {{2, 0}, {3, 2}}, false},
	    {"C1Xd3", 2, {{2, 0}, {3, 2}}, true},
	    {"C1D3", 2, {{2, 0}, {3, 2}}, false},
	    {"m3-k5-i5", 3, {{12, 2}, {10, 4}, {8, 4}}, false},
	    {"M3-K5-I5-M3", 4, {{12, 2}, {10, 4}, {8, 4}, {12, 2}}, false},
	    {"p16p15", 2, {{15, 15}, {15, 14}}, false},
	    {"p16xa10", 2, {{15, 15}, {0, 9}}, true},
	    /* beyond any board, and for the judge to refuse */
	    {"z9-a0", 2, {{25, 8}, {0, -1}}, false},
	    {"a17-x18", 2, {{0, 16}, {23, 17}}, false},
	    {"a1xx1", 2, {{0, 0}, {23, 0}}, true},
	    {"a1x1", 0, {{0, 0}}, false},
	    {"x1xx2", 2, {{23, 0}, {23, 1}}, true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct move_text move;
		struct text_fault fault;
		bool read = notation_read_move(rows[i].text, strlen(rows[i].text), &move, &fault);
		assert_int_equal(read, rows[i].count > 0);
		if (!read)
			continue;
		assert_int_equal(move.count, rows[i].count);
		assert_int_equal(move.capture, rows[i].capture);
		for (unsigned cell = 0; cell < move.count; cell++) {
			assert_int_equal(move.cells[cell].file, rows[i].cells[cell].file);
			assert_int_equal(move.cells[cell].rank, rows[i].cells[cell].rank);
		}
	}
}

static void
assert_no_move(const char *text, size_t len, size_t at)
{
	struct move_text move = {.count = 77}, untouched = move;
	struct text_fault fault = {NULL, 99, NULL};
	if (notation_read_move(text, len, &move, &fault))
		fail_msg("%s is read", text);
	if (fault.at != at)
		fail_msg("%s: wrong at %zu and not %zu (%s)", text, fault.at, at, fault.why);
	assert_string_equal(fault.field, "move");
	assert_true(strlen(fault.why) > 0);
	assert_memory_equal(&move, &untouched, sizeof move);
}

static void
test_moves_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		size_t at;
	} rows[] = {
	    {"", 0},
	    {"c", 1},
	    {"c1", 2},
	    {"c1-", 3},
	    {"c1x", 3},
	    {"c1-d", 4},
	    {"c1d", 3},
	    {"1c-d3", 0},
	    {"-c1d3", 0},
	    {" c1-d3", 0},
	    {"c1-d3 ", 5},
	    {"c1 d3", 2},
	    {"c1 -d3", 2},
	    {"c1- d3", 3},
	    {"c1_d3", 2},
	    {"c1:d3", 2},
	    {"c1--d3", 3},
	    {"c1-xd3", 4},
	    {"c1x-d3", 3},
	    {"cc-d3", 1},
	    {"c-d3", 1},
	    {"c+1-d3", 1},
	    {"c01-d3", 1},
	    {"c1-d03", 4},
	    {"c1-d00", 4},
	    {"c1-d3-", 6},
	    {"c1-d3-e", 7},
	    {"c1-d3e5", 5},
	    {"c1-d3xe5", 5},
	    {"c1-d3+", 5},
	    {"c1-d3\n", 5},
	    {"c1xd3-e5", 2},
	    {"c1d3-e5", 2},
	    {"c1xd3xe5", 5},
	    {"c1d3e5", 4},
	    {"resign", 1},
	    {"\xc3\xa4"
	     "1-b2",
		0},
	    {"c1\xe2\x80\x93"
	     "d3",
		2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_no_move(rows[i].text, strlen(rows[i].text), rows[i].at);
	/* the length counts, not a NUL */
	assert_no_move("c1-d3", 4, 4);
	assert_no_move("c1-d3", 6, 5);
	assert_no_move("c1\0d3", 5, 2);
}

/* A chain has at most as many cells as struct move_text holds; one more is an error where it begins. */
static void
test_long_chains(void **unused)
{
	(void)unused;
	enum { CELLS = PATH_MAX * 2 };
	char text[(CELLS + 1) * 3 + 1], *end = text;
	struct move_text move;
	struct text_fault fault;
	for (unsigned i = 0; i <= CELLS; i++)
		end += sprintf(end, "%s%c1", i > 0 ? "-" : "", 'a' + (int)(i % 2));
	assert_true(notation_read_move(text, CELLS * 3 - 1, &move, &fault));
	assert_int_equal(move.count, CELLS);
	assert_no_move(text, strlen(text), CELLS * 3);
	/* a rank of many digits is a rank beyond the board */
	static const char far[] = "a99999999999999999999-b4294967297";
	assert_true(notation_read_move(far, strlen(far), &move, &fault));
	assert_true(move.cells[0].rank > 15);
	assert_true(move.cells[1].rank > 15);
}

static void
test_cells(void **unused)
{
	(void)unused;
	cell_t cell = 77;
	char text[CELL_TEXT_MAX];
	assert_true(notation_read_cell(VARIANT_IUVO_2, "c1", 2, &cell));
	assert_int_equal(cell, cell_at(2, 0));
	assert_true(notation_read_cell(VARIANT_IUVO_4_LOOSE, "G7", 2, &cell));
	assert_int_equal(cell, cell_at(6, 6));
	assert_true(notation_read_cell(VARIANT_HALMA_2, "p16", 3, &cell));
	assert_int_equal(cell, cell_at(15, 15));
	static const char *const none[] = {
	    "", "c", "1", "c0", "c01", "h1", "a8", "c1 ", " c1", "c1-", "c10", "c1d3", "cc1", "a256", "a4294967297"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(notation_read_cell(VARIANT_IUVO_2, none[i], strlen(none[i]), &cell));
	assert_false(notation_read_cell(VARIANT_HALMA_2, "q1", 2, &cell));
	assert_false(notation_read_cell(VARIANT_HALMA_2, "a17", 3, &cell));
	assert_int_equal(cell, cell_at(15, 15));
	for (unsigned file = 0; file < 16; file++) {
		for (unsigned rank = 0; rank < 16; rank++) {
			size_t len = notation_cell(cell_at(file, rank), text);
			assert_int_equal(len, strlen(text));
			assert_true(notation_read_cell(VARIANT_HALMA_2, text, len, &cell));
			assert_int_equal(cell, cell_at(file, rank));
		}
	}
}

/* Positions. */

static void
test_positions_read(void **unused)
{
	(void)unused;
	static const char *const texts[] = {
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 4 c5 -",
	    "iuvo-2 7/7/7/7/7/7/7 1 - -",                         /* no stone at all */
	    "iuvo-4 7/7/7/3o3/7/7/7 3 d4 124",                    /* one seat is in, and to move */
	    "iuvo-2 7/7/7/7/7/7/ooooooo 1 - -",                   /* seven of eight neutral stones */
	    "iuvo-2 7/7/7/7/7/ooooo2/ooooooo 1 - 2",              /* twelve when seat 2 is struck */
	    "iuvo-4 7/7/7/7/7/oooo3/AAAA3 1 - 24",                /* the shared corners are seat 1's alone */
	    "iuvo-2 7/7/7/7/7/oooo3/BBBB3 - - 2",                 /* the last one out keeps its stones */
	    "iuvo-4 7/7/7/7/7/ooooo2/BBBqC2 - - 124",             /* seats 1 and 4 are struck, 2 is not */
	    "iuvo-2 4A2/4o2/4o2/7/7/7/7 - e6 -",                  /* a stone rests after the end */
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A - - -", /* a draw */
	    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA - - 2",
	    "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15A 1 - -",
	    "halma-2 A1A1A1A1A1A1A1A1/1B1B1B1B1B1B1B1B/16/16/16/16/16/16/16/16/16/16/16/16/16/10A5 2 - -",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct position position;
		struct text_fault fault;
		char again[POSITION_TEXT_MAX];
		if (!notation_read_position(texts[i], strlen(texts[i]), &position, &fault))
			fail_msg("%s: %s at %zu: %s", texts[i], fault.field, fault.at, fault.why);
		assert_int_equal(notation_position(&position, again), strlen(texts[i]));
		assert_string_equal(again, texts[i]);
		assert_int_equal(position.key, position_key(&position));
		assert_int_equal(position.ply, 0);
	}
}

/* The longest text there is fits. */
static void
test_longest(void **unused)
{
	(void)unused;
	struct position position = {.variant = VARIANT_HALMA_2, .resting = CELL_NONE, .turn = 1};
	char text[POSITION_TEXT_MAX];
	for (unsigned class = 0; class < 4; class ++)
		position.halma.of[class % 2][class] = UINT64_MAX;
	assert_true(notation_position(&position, text) < POSITION_TEXT_MAX);
	assert_int_equal(strlen(text), strlen("halma-2 ") + 16 * 17 + strlen("1 - -"));
}

struct refused {
	const char *text;
	const char *field;
	size_t at;
};

static void
assert_refused(const struct refused *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct position position = {.ply = 77}, untouched = position;
		struct text_fault fault = {"", 99, ""};
		if (notation_read_position(rows[i].text, strlen(rows[i].text), &position, &fault))
			fail_msg("%s is read", rows[i].text);
		if (strcmp(fault.field, rows[i].field) != 0 || fault.at != rows[i].at)
			fail_msg("%s: %s at %zu and not %s at %zu (%s)", rows[i].text, fault.field, fault.at,
			    rows[i].field, rows[i].at, fault.why);
		assert_true(strlen(fault.why) > 0);
		assert_memory_equal(&position, &untouched, sizeof position);
	}
}

#define ASSERT_REFUSED(rows) assert_refused(rows, sizeof(rows) / sizeof *(rows))

static void
test_fields_refused(void **unused)
{
	(void)unused;
	static const struct refused rows[] = {
	    {"", "variant", 0},
	    {" iuvo-2 7/7/7/7/7/7/7 1 - -", "variant", 0},
	    {"iuvo 7/7/7/7/7/7/7 1 - -", "variant", 0},
	    {"Iuvo-2 7/7/7/7/7/7/7 1 - -", "variant", 0},
	    {"iuvo-3 7/7/7/7/7/7/7 1 - -", "variant", 0},
	    {"iuvo-2-loos 7/7/7/7/7/7/7 1 - -", "variant", 0},
	    {"iuvo-2", "board", 6},
	    {"iuvo-2 ", "board", 7},
	    {"iuvo-2  7/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 7/7/7/7/7/7/7", "turn", 20},
	    {"iuvo-2 7/7/7/7/7/7/7 ", "turn", 21},
	    {"iuvo-2 7/7/7/7/7/7/7  1 - -", "turn", 21},
	    {"iuvo-2 7/7/7/7/7/7/7 0 - -", "turn", 21},
	    {"iuvo-2 7/7/7/7/7/7/7 3 - -", "turn", 21},
	    {"iuvo-4 7/7/7/7/7/7/7 5 - -", "turn", 21},
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 3 - -", "turn", 56},
	    {"iuvo-2 7/7/7/7/7/7/7 x - -", "turn", 21},
	    {"iuvo-2 7/7/7/7/7/7/7 11 - -", "turn", 22},
	    {"iuvo-2 7/7/7/7/7/7/7 1- - -", "turn", 22},
	    {"iuvo-2 7/7/7/7/7/7/7 -- - -", "turn", 22},
	    {"iuvo-2 7/7/7/7/7/7/7 2 - 2", "turn", 21},
	    {"iuvo-4 7/7/7/7/7/7/7 3 - 134", "turn", 21},
	    {"iuvo-2 7/7/7/7/7/7/7 1", "resting", 22},
	    {"iuvo-2 7/7/7/7/7/7/7 1 ", "resting", 23},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 a2 -", "resting", 24}, /* no stone there */
	    {"iuvo-2 7/7/7/7/7/7/A6 1 a1 -", "resting", 24}, /* an owned one */
	    {"iuvo-4 7/7/7/7/7/7/p6 1 a1 -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 A1 -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 h1 -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 a8 -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 a01 -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 a -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 a1- -", "resting", 24},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 -- -", "resting", 25},
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15A 1 p1 -", "resting", 59},
	    {"iuvo-2 7/7/7/7/7/7/7 1 -", "out", 24},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - ", "out", 25},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - 0", "out", 25},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - 3", "out", 25},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 25", "out", 26},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 32", "out", 26},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 22", "out", 26},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 2-", "out", 26},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - -2", "out", 26},
	    {"iuvo-2 7/7/7/7/7/7/7 - - 12", "out", 26},
	    {"iuvo-4 7/7/7/7/7/7/7 - - 1234", "out", 28},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - - ", "out", 26},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - - -", "out", 26},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - -\n", "out", 26},
	};
	ASSERT_REFUSED(rows);
}

static void
test_boards_refused(void **unused)
{
	(void)unused;
	static const struct refused rows[] = {
	    {"iuvo-2 7/7/7/7/7/7 1 - -", "board", 18},     /* too few ranks */
	    {"iuvo-2 7/7/7/7/7/7/ 1 - -", "board", 19},    /* a rank of nothing */
	    {"iuvo-2 7/7/7/7/7/7/7/7 1 - -", "board", 20}, /* too many */
	    {"iuvo-2 7/7/7/7/7/7/7/ 1 - -", "board", 20},
	    {"iuvo-2 /7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 7//7/7/7/7/7 1 - -", "board", 9},
	    {"iuvo-2 6/7/7/7/7/7/7 1 - -", "board", 8}, /* too few cells */
	    {"iuvo-2 o5/7/7/7/7/7/7 1 - -", "board", 9},
	    {"iuvo-2 7/7/7/7/7/7/o 1 - -", "board", 20},
	    {"iuvo-2 8/7/7/7/7/7/7 1 - -", "board", 7}, /* too many cells */
	    {"iuvo-2 o7/7/7/7/7/7/7 1 - -", "board", 8},
	    {"iuvo-2 7o/7/7/7/7/7/7 1 - -", "board", 8},
	    {"iuvo-2 16/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 99999999999999999999/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 52/7/7/7/7/7/7 1 - -", "board", 7},  /* two numbers in a row are one */
	    {"iuvo-2 0o6/7/7/7/7/7/7 1 - -", "board", 7}, /* a leading zero */
	    {"iuvo-2 07/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 o0o5/7/7/7/7/7/7 1 - -", "board", 8},
	    {"iuvo-2 O6/7/7/7/7/7/7 1 - -", "board", 7}, /* letters */
	    {"iuvo-2 a6/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 oC5/7/7/7/7/7/7 1 - -", "board", 8},
	    {"iuvo-2 p6/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2-loose p6/7/7/7/7/7/7 1 - -", "board", 13},
	    {"iuvo-4 P6/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-4 t6/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-4 E6/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 -/7/7/7/7/7/7 1 - -", "board", 7},
	    {"iuvo-2 7\\7/7/7/7/7/7 1 - -", "board", 8},
	    {"iuvo-2 7/7/7/7/7/7/6\xc3\xa4 1 - -", "board", 20},
	    {"halma-2 o15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 8},
	    {"halma-2 C15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 8},
	    {"halma-2 7/7/7/7/7/7/7 1 - -", "board", 9},
	    {"halma-2 17/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 8},
	    {"iuvo-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 7},
	};
	ASSERT_REFUSED(rows);
}

/* Too many of a letter: at the first that is one too many, with what the seats that are out leave (I12). */
static void
test_counts_refused(void **unused)
{
	(void)unused;
	static const struct refused rows[] = {
	    {"iuvo-2 7/7/7/7/7/7/AAAAA2 1 - -", "board", 23},
	    {"iuvo-2 B6/7/7/7/7/BBB4/B6 1 - -", "board", 23},
	    {"iuvo-2 7/7/7/7/7/oo5/ooooooo 1 - -", "board", 27},
	    {"iuvo-2 7/7/7/7/7/oooooo1/ooooooo 1 - 2", "board", 31},
	    {"iuvo-2 7/7/7/7/7/7/B6 1 - 2", "board", 19}, /* its owner is out */
	    {"iuvo-4 7/7/7/7/7/7/pp5 1 - -", "board", 20},
	    {"iuvo-4 7/7/7/7/7/7/AAA4 1 - -", "board", 21},
	    {"iuvo-4 7/7/7/7/7/7/AAAA3 1 - 2", "board", 22}, /* seat 1 has three alone when seat 2 is struck */
	    {"iuvo-4 7/7/7/7/7/7/AAAAA2 1 - 24", "board", 23},
	    {"iuvo-4 7/7/7/7/7/7/p6 1 - 2", "board", 19},
	    {"iuvo-4 7/7/7/7/7/7/oooooo1 1 - -", "board", 23},
	    {"iuvo-4 7/7/7/7/7/7/ooooooo 1 - 2", "board", 25}, /* four and two */
	    /* one seat that is out may be unstruck when the game is over, and not two */
	    {"iuvo-2 7/7/7/7/7/7/AAAA1B1 1 - 2", "board", 24},
	    {"iuvo-4 7/7/7/7/7/7/B1C4 - - 123", "board", 21},
	    {"iuvo-4 7/7/7/7/7/7/C1B4 - - 123", "board", 21},
	    {"iuvo-4 7/7/7/7/7/7/p6 - - 123", "board", 19},
	    {"iuvo-2 7/7/7/7/7/oo5/ooooooo - - -", "board", 27},
	    {"halma-2 AAAAAAAAAAAAAAAA/AAAA12/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 28},
	    {"halma-2 A15/B15/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - 2", "board", 12},
	};
	ASSERT_REFUSED(rows);
}

/* What the text of a finished game tells of its end. */
static void
test_outcomes(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		unsigned winner;
		enum reason reason;
	} rows[] = {
	    {"iuvo-2 4A2/4o2/4o2/4o2/4o2/4o2/4B2 - - -", 0, REASON_NONE}, /* both on targets: who was first? */
	    {"iuvo-2 4A2/4o2/4o2/4o2/4o2/4B2/7 - - -", 1, REASON_TARGET},
	    {"iuvo-2 7/4A2/4o2/4o2/4o2/4o2/4B2 - - -", 2, REASON_TARGET},
	    {"iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2", 1, REASON_CAPTURED},
	    {"iuvo-2 7/o6/A6/B6/o6/7/7 - a6 1", 2, REASON_NONE}, /* resigned, late or blocked */
	    {"iuvo-4 7/7/7/7/7/D6/oo5 - - 123", 4, REASON_CAPTURED},
	    {"iuvo-4 BB5/1A5/7/7/7/7/7 - - 134", 2, REASON_NONE},
	    {"iuvo-4 6o/6s/6p/7/7/7/7 - - 3", 2, REASON_TARGET},
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A - - -", 0, REASON_NONE},
	    {"halma-2 A15/16/3A12/4B11/1B14/16/16/16/16/16/16/16/16/16/16/15B - - -", 1, REASON_TARGET},
	    {"halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA - - 2", 1,
		REASON_NONE},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct position position;
		struct text_fault fault;
		assert_true(notation_read_position(rows[i].text, strlen(rows[i].text), &position, &fault));
		assert_int_equal(position.turn, 0);
		if (position.winner != rows[i].winner || position.reason != rows[i].reason)
			fail_msg("%s: %u %s", rows[i].text, position.winner, reason_word((enum reason)position.reason));
	}
}

/* T2: from what a game may start. */
static void
test_starts(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		bool start;
	} rows[] = {
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", true},
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 2 - -", true},
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A - - -", false}, /* over */
	    {"iuvo-2 7/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - 2", false},       /* one seat */
	    {"iuvo-2 7/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", false},       /* one without a stone */
	    {"iuvo-2 A1A4/7/o1o1o1o/7/o1o1o1o/7/2B1B2 1 - -", false},      /* on targets */
	    {"iuvo-2 A6/7/2o1o1o/7/2o1o1o/2B4/7 2 - -", false},            /* the one who is not to move */
	    {"iuvo-2 7/A6/7/7/7/B6/7 1 - -", false},                       /* blocked */
	    {"iuvo-4 7/7/2o4/1BCo3/1o5/7/7 2 - 14", true},
	    {"iuvo-4 7/7/2o4/1BCo3/1o5/7/7 2 - 4", false},
	    {"halma-2 16/16/16/16/16/16/16/16/7A8/16/7B8/16/16/16/16/16 1 - -", true},
	    {"halma-2 A15/16/16/16/16/16/16/16/16/16/7B8/16/16/16/16/16 2 - -", false},
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/7B8/16/16/16/16/16 2 - -", false},
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/A1A13/AAA13/BAA13 2 - -", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct position position;
		struct text_fault fault;
		assert_true(notation_read_position(rows[i].text, strlen(rows[i].text), &position, &fault));
		if (position_is_start(&position) != rows[i].start)
			fail_msg("%s", rows[i].text);
	}
}

/* Texts with a few bytes changed: what is read is written back as it stood, what is not names a place within it. */

static size_t
mutate(struct deal *deal, char *text)
{
	static const char bytes[] = "oABCDpqrs123456789/ -0aghx\n\xff";
	size_t len = strlen(text);
	for (unsigned changes = 1 + deal_below(deal, 3); changes > 0 && len > 0; changes--) {
		size_t at = deal_below(deal, (unsigned)len), other = deal_below(deal, (unsigned)len);
		char byte = bytes[deal_below(deal, sizeof bytes - 1)];
		switch (deal_below(deal, 6)) {
		case 0:
			memmove(text + at, text + at + 1, len-- - at);
			break;
		case 1:
			memmove(text + at + 1, text + at, ++len - at);
			text[at] = byte;
			break;
		case 2:
			text[at] = byte;
			break;
		default:
			byte = text[other];
			text[other] = text[at];
			text[at] = byte;
		}
	}
	return len;
}

/* Whatever is read can be analysed: its moves can be listed and played. */
static void
use_position(const struct position *position)
{
	static struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, NULL, moves);
	assert_int_equal(position_count(position, NULL), count);
	assert_int_equal(position->key, position_key(position));
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(position, NULL, moves[i], &after, &change);
		assert_int_equal(after.key, position_key(&after));
		assert_int_equal(after.turn == 0, position_count(&after, NULL) == 0);
	}
}

static void
test_mutated_positions(void **unused)
{
	(void)unused;
	struct deal deal = {UINT64_C(0x7e47)};
	unsigned read = 0, refused = 0;
	for (unsigned i = 0; i < MUTATIONS; i++) {
		char text[POSITION_TEXT_MAX + 8], again[POSITION_TEXT_MAX];
		struct position position;
		struct text_fault fault;
		deal_position(&deal, (enum variant)(i % VARIANT_COUNT), text);
		size_t len = mutate(&deal, text);
		char *exact = memcpy(malloc(len + 1), text, len); /* no byte to spare, so that reading beyond is seen */
		exact = realloc(exact, len > 0 ? len : 1);
		if (notation_read_position(exact, len, &position, &fault)) {
			assert_int_equal(notation_position(&position, again), len);
			assert_memory_equal(again, exact, len);
			use_position(&position);
			read++;
		} else {
			assert_in_range(fault.at, 0, len);
			assert_non_null(strstr("variant board turn resting out", fault.field));
			refused++;
		}
		free(exact);
	}
	assert_true(read > MUTATIONS / 50);
	assert_true(refused > MUTATIONS / 4);
}

static void
test_mutated_moves(void **unused)
{
	(void)unused;
	struct deal deal = {UINT64_C(0x40fe)};
	static const char *const moves[] = {"c1-d3", "a16xp15", "m3-k5-i5-g7", "b2d3"};
	for (unsigned i = 0; i < MUTATIONS; i++) {
		char text[64];
		struct move_text move;
		struct text_fault fault;
		strcpy(text, moves[i % 4]);
		size_t len = mutate(&deal, text);
		if (!notation_read_move(text, len, &move, &fault)) {
			assert_in_range(fault.at, 0, len);
			assert_string_equal(fault.field, "move");
			continue;
		}
		/* whatever is read can be judged, in every variant */
		assert_true(move.count >= 2);
		for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
			struct position start;
			struct judgement judgement;
			position_start((enum variant)variant, &start);
			enum verdict verdict = position_judge(&start, NULL, &move, NULL, &judgement);
			enum family family = variant_row((enum variant)variant)->family;
			assert_true(verdict == VERDICT_LEGAL || verdict_row(verdict)->rule[family] != NULL);
			assert_true(judgement.landing < move.count);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_moves_read),
	    cmocka_unit_test(test_moves_refused),
	    cmocka_unit_test(test_long_chains),
	    cmocka_unit_test(test_cells),
	    cmocka_unit_test(test_positions_read),
	    cmocka_unit_test(test_longest),
	    cmocka_unit_test(test_fields_refused),
	    cmocka_unit_test(test_boards_refused),
	    cmocka_unit_test(test_counts_refused),
	    cmocka_unit_test(test_outcomes),
	    cmocka_unit_test(test_starts),
	    cmocka_unit_test(test_mutated_positions),
	    cmocka_unit_test(test_mutated_moves),
	};
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}

/* T2: positions that are read, and of those that are not which field is wrong and at which byte. */
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
	    {"iuvo-2 7/7/7/7/7/7 1 - -", "board", 18}, /* too few ranks */
	    {"halma-2 "
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA/"
	     "AAAAAAAAAAAAAAAA"
	     " 1 - -",
		"board", 28},                              /* 256 stones, which a byte cannot count */
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
	    {"iuvo-2-loose 2AoA2/3o3/7/7/7/7/7 - - 2", 1, REASON_CAPTURED},
	    /* Nobody is captured in Halma: gave up, or out of time. */
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15B - - 1", 2, REASON_NONE},
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
		size_t len = deal_mutation(&deal, text);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_positions_read),
	    cmocka_unit_test(test_longest),
	    cmocka_unit_test(test_fields_refused),
	    cmocka_unit_test(test_boards_refused),
	    cmocka_unit_test(test_counts_refused),
	    cmocka_unit_test(test_outcomes),
	    cmocka_unit_test(test_starts),
	    cmocka_unit_test(test_mutated_positions),
	};
	return cmocka_run_group_tests_name("position texts", tests, NULL, NULL);
}

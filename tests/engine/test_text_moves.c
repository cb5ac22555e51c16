/* T1: moves that are read, and of those that are not at which byte they go wrong. */
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
		size_t len = deal_mutation(&deal, text);
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
	    cmocka_unit_test(test_mutated_moves),
	};
	return cmocka_run_group_tests_name("move texts", tests, NULL, NULL);
}

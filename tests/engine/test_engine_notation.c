/* Text forms and their errors (T1, T2). */
#include "test_engine.h"

static void
moves_are_read(void **unused)
{
	static const struct {
		const char *text;
		unsigned count;
		bool capture;
		int last_file, last_rank;
	} cases[] = {
	    {"c1-d3", 2, false, 3, 2},
	    {"c1xd3", 2, true, 3, 2},
	    {"C1XD3", 2, true, 3, 2},
	    {"c1d3", 2, false, 3, 2},
	    {"m3-k5-i5", 3, false, 8, 4},
	    {"p16-p15", 2, false, 15, 14},
	    {"c0-z99", 2, false, 25, 98},
	    {"c1-d0", 2, false, 3, -1},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct move_text move = written(cases[i].text);
		assert_int_equal(move.count, cases[i].count);
		assert_int_equal(move.capture, cases[i].capture);
		assert_int_equal(move.cells[move.count - 1].file, cases[i].last_file);
		assert_int_equal(move.cells[move.count - 1].rank, cases[i].last_rank);
	}
}

static void
texts_that_are_no_moves_say_why(void **unused)
{
	static const struct {
		const char *text;
		size_t at;
		const char *why;
	} cases[] = {
	    {"", 0, "a cell begins with the letter of its file"},
	    {"1c-d3", 0, "a cell begins with the letter of its file"},
	    {"c", 1, "a file is followed by the number of its rank"},
	    {"c-d3", 1, "a file is followed by the number of its rank"},
	    {"c1", 2, "a move names two cells"},
	    {"c1-", 3, "a cell begins with the letter of its file"},
	    {"c1x", 3, "a cell begins with the letter of its file"},
	    {"c1--d3", 3, "a cell begins with the letter of its file"},
	    {"c1 d3", 2, "two cells are joined by a hyphen, an x or nothing"},
	    {"c1-d03", 4, "a rank has no leading zero"},
	    {"c1-d3 ", 5, "the landings of a chain are joined by hyphens"},
	    {"c1-d3x", 5, "the landings of a chain are joined by hyphens"},
	    {"c1xd3-e5", 2, "the landings of a chain are joined by hyphens"},
	    {"c1d3-e5", 2, "the landings of a chain are joined by hyphens"},
	    {"c1-d3e5", 5, "the landings of a chain are joined by hyphens"},
	    {"c1-d3-", 6, "a cell begins with the letter of its file"},
	    {" c1-d3", 0, "a cell begins with the letter of its file"},
	    {"\303\2441-d3", 0, "a cell begins with the letter of its file"},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct move_text move = {.count = 77};
		struct text_fault fault;
		assert_false(notation_read_move(cases[i].text, strlen(cases[i].text), &move, &fault));
		assert_int_equal(move.count, 77);
		assert_string_equal(fault.field, "move");
		assert_string_equal(fault.why, cases[i].why);
		assert_int_equal(fault.at, cases[i].at);
	}
}

static void
a_text_may_hold_any_byte(void **unused)
{
	struct move_text move;
	struct text_fault fault;
	(void)unused;
	assert_false(notation_read_move("c1\0d3", 5, &move, &fault));
	assert_int_equal(fault.at, 2);
	assert_false(notation_read_move("c1-d3\0", 6, &move, &fault));
	assert_int_equal(fault.at, 5);
}

static void
a_chain_has_an_end(void **unused)
{
	char text[129 * 3];
	struct move_text move;
	struct text_fault fault;
	(void)unused;
	for (unsigned i = 0; i < 129; i++)
		memcpy(text + i * 3, "a1-", 3);
	assert_true(notation_read_move(text, 128 * 3 - 1, &move, &fault));
	assert_int_equal(move.count, 128);
	assert_false(notation_read_move(text, 129 * 3 - 1, &move, &fault));
	assert_int_equal(fault.at, 128 * 3);
	assert_string_equal(fault.why, "a chain has at most 127 landings");
}

static void
cells_are_read_for_their_board(void **unused)
{
	cell_t cell;
	(void)unused;
	assert_true(notation_read_cell(VARIANT_HALMA_2, "P16", 3, &cell));
	assert_int_equal(cell, cell_at(15, 15));
	assert_true(notation_read_cell(VARIANT_IUVO_2, "g7", 2, &cell));
	static const char *const none[] = {
	    "", "g", "g8", "h1", "a0", "a01", "a1 ", "1a", "a1-b3", "a99999999999999999"};
	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(notation_read_cell(VARIANT_IUVO_2, none[i], strlen(none[i]), &cell));
	assert_int_equal(cell, cell_at(6, 6));
}

static void
moves_and_paths_are_written(void **unused)
{
	char text[PATH_TEXT_MAX];
	struct path path = {3, {cell_at(12, 2), cell_at(10, 9), cell_at(8, 15)}};
	(void)unused;
	assert_int_equal(notation_move((struct move){cell_at(15, 15), cell_at(15, 14), MOVE_OWN, false}, text), 7);
	assert_string_equal(text, "p16-p15");
	notation_move((struct move){cell_at(2, 0), cell_at(3, 2), MOVE_OWN, true}, text);
	assert_string_equal(text, "c1xd3");
	assert_int_equal(notation_path(&path, text), 10);
	assert_string_equal(text, "m3-k10-i16");
}

static void
positions_read_back_the_same(void **unused)
{
	static const char *const texts[] = {
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-2 7/7/7/7/7/7/7 2 - -",
	    "iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s - c3 -",
	    "iuvo-4-loose Bo1oDD1/4o1o/B5B/7/5oD/2Bo3/4ooD - d7 123",
	    "iuvo-4 7/7/7/7/7/7/oooAAAs 4 a1 23",
	    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA - - 2",
	    "halma-2 A1A1A1A1A1A1A1A1/1B1B1B1B1B1B1B1B/16/16/16/16/16/16/16/16/16/16/16/16/16/A1A1A1A1A1A1A1A1 1 - -",
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct position position = position_of(texts[i]);
		assert_position(&position, texts[i]);
		assert_int_equal(position.ply, 0);
	}
}

static void
texts_that_are_no_positions_say_why(void **unused)
{
	static const struct {
		const char *text, *field;
		size_t at;
		const char *why;
	} cases[] = {
	    {"", "variant", 0, "a position begins with its variant"},
	    {" iuvo-2", "variant", 0, "a position begins with its variant"},
	    {"iuvo-3 7/7/7/7/7/7/7 1 - -", "variant", 0, "there is no such variant"},
	    {"Iuvo-2 7/7/7/7/7/7/7 1 - -", "variant", 0, "there is no such variant"},
	    {"iuvo-2", "board", 6, "the board is missing"},
	    {"iuvo-2 ", "board", 7, "the board is missing"},
	    {"iuvo-2  7/7/7/7/7/7/7 1 - -", "board", 7, "the board is missing"},
	    {"iuvo-2 7/7/7/7/7/7/8 1 - -", "board", 19, "a rank has more cells than the board has files"},
	    {"iuvo-2 7/7/7/7/7/7/34 1 - -", "board", 19, "a rank has more cells than the board has files"},
	    {"iuvo-2 7/7/7/7/7/7/6oo 1 - -", "board", 21, "a rank has more cells than the board has files"},
	    {"iuvo-2 7/7/7/7/7/7/6 1 - -", "board", 20, "a rank has fewer cells than the board has files"},
	    {"iuvo-2 7/7//7/7/7/7 1 - -", "board", 11, "a rank has fewer cells than the board has files"},
	    {"iuvo-2 7/7/7/7/7/07/7 1 - -", "board", 17, "a number of empty cells does not begin with 0"},
	    {"iuvo-2 7/7/7/7/7/o06/7 1 - -", "board", 18, "a number of empty cells does not begin with 0"},
	    {"iuvo-2 7/7/7/7/7/7 1 - -", "board", 18, "the board has too few ranks"},
	    {"iuvo-2 7/7/7/7/7/7/7/7 1 - -", "board", 20, "the board has too many ranks"},
	    {"iuvo-2 7/7/7/7/7/7/7/ 1 - -", "board", 20, "the board has too many ranks"},
	    {"iuvo-2 7/7/7/7/7/7/C6 1 - -", "board", 19, "no stone of this variant is written so"},
	    {"iuvo-2 7/7/7/7/7/7/p6 1 - -", "board", 19, "no stone of this variant is written so"},
	    {"iuvo-2 7/7/7/7/7/7/a6 1 - -", "board", 19, "no stone of this variant is written so"},
	    {"iuvo-4 7/7/7/7/7/7/P6 1 - -", "board", 19, "no stone of this variant is written so"},
	    {"halma-2 o15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 - -", "board", 8,
		"no stone of this variant is written so"},
	    {"iuvo-2 7/7/7/7/7/7/7", "turn", 20, "the seat to move is missing"},
	    {"iuvo-2 7/7/7/7/7/7/7 3 - -", "turn", 21, "the seat to move is a digit of a seat, or a hyphen"},
	    {"iuvo-2 7/7/7/7/7/7/7 0 - -", "turn", 21, "the seat to move is a digit of a seat, or a hyphen"},
	    {"iuvo-2 7/7/7/7/7/7/7 12 - -", "turn", 22, "the seat to move is one digit"},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - 1", "turn", 21, "the seat to move is out"},
	    {"iuvo-2 7/7/7/7/7/7/7 1", "resting", 22, "the resting cell is missing"},
	    {"iuvo-2 7/7/7/7/7/7/A6 1 a2 -", "resting", 24, "the resting cell holds a neutral stone"},
	    {"iuvo-2 7/7/7/7/7/7/A6 1 a1 -", "resting", 24, "the resting cell holds a neutral stone"},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 h1 -", "resting", 24, "the resting cell is a cell of the board, or a hyphen"},
	    {"iuvo-2 7/7/7/7/7/7/o6 1 A1 -", "resting", 24, "the resting cell is a cell of the board, or a hyphen"},
	    {"halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 1 a16 -", "resting", 59,
		"in this variant no stone rests"},
	    {"iuvo-2 7/7/7/7/7/7/7 1 -", "out", 24, "the seats that are out are missing"},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - 3", "out", 25, "the seats that are out are digits of seats, or a hyphen"},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 32", "out", 26, "the seats that are out ascend"},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 33", "out", 26, "the seats that are out ascend"},
	    {"iuvo-4 7/7/7/7/7/7/7 1 - 2-", "out", 26, "the seats that are out are digits of seats, or a hyphen"},
	    {"iuvo-2 7/7/7/7/7/7/7 - - 12", "out", 26, "one seat at least is in"},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - - ", "out", 26, "nothing follows the seats that are out"},
	    {"iuvo-2 7/7/7/7/7/7/7 1 - -\n", "out", 26, "nothing follows a hyphen"},
	    {"iuvo-2 7/7/7/7/A6/7/AAAA3 1 - -", "board", 23,
		"there are more such stones than the start has, or their owner is out"},
	    {"iuvo-4 7/7/7/7/7/7/ppo4 1 - -", "board", 20,
		"there are more such stones than the start has, or their owner is out"},
	    {"iuvo-2 7/7/7/7/7/B6/ooooooo 1 - 2", "board", 17,
		"there are more such stones than the start has, or their owner is out"},
	    {"iuvo-4 7/7/7/7/7/p6/7 1 - 2", "board", 17,
		"there are more such stones than the start has, or their owner is out"},
	    {"iuvo-4 7/7/7/7/7/B6/C6 - - 23", "board", 20,
		"there are more such stones than the start has, or their owner is out"},
	    {"halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15B 1 - 2", "board", 56,
		"there are more such stones than the start has, or their owner is out"},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct position position = {.ply = 77};
		struct text_fault fault = {"", 0, ""};
		if (notation_read_position(cases[i].text, strlen(cases[i].text), &position, &fault))
			fail_msg("%s was read", cases[i].text);
		assert_int_equal(position.ply, 77);
		if (strcmp(fault.field, cases[i].field) || fault.at != cases[i].at || strcmp(fault.why, cases[i].why))
			fail_msg("%s: %s %zu %s", cases[i].text, fault.field, fault.at, fault.why);
	}
}

static void
struck_seats_leave_neutral_stones(void **unused)
{
	(void)unused;
	position_of("iuvo-2 7/7/7/7/ooooo2/ooooooo/AAAA3 1 - 2");
	position_of("iuvo-4 7/7/7/7/7/7/AAACCCr 1 - 2"); /* p and q have become A and C */
	position_of("iuvo-2 7/7/7/7/7/7/AAAABBB - - 2"); /* the last elimination strikes nobody */
	position_of("iuvo-4 7/7/7/7/7/7/pBBo3 - - 13");  /* 1 is unstruck and shares p with 2 */
}

static void
a_board_tells_its_outcome(void **unused)
{
	static const struct {
		const char *text;
		unsigned winner;
		enum reason reason;
	} cases[] = {
	    {"iuvo-2 4A2/4o2/4o2/4o2/4o2/4o2/4o2 - - 2", 1, REASON_CAPTURED},
	    {"iuvo-2 4B2/4o2/4A2/4o2/4o2/4o2/4o2 - - 2", 1, REASON_NONE},
	    {"iuvo-2 4A2/4o2/4B2/4o2/4o2/4o2/4o2 - - -", 1, REASON_TARGET},
	    {"iuvo-2 4A2/4o2/4o2/4o2/4o2/4o2/4B2 - - -", 0, REASON_NONE},
	    {"iuvo-2 4o2/4o2/4B2/4A2/4o2/4o2/4o2 - - -", 0, REASON_NONE},
	    {"iuvo-2 4A2/4o2/4o2/4o2/4o2/4o2/4B2 1 - -", 0, REASON_NONE},
	    {"halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/B15/16 - - -", 1, REASON_TARGET},
	    {"halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/B15/16 - - 1", 2, REASON_NONE},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct position position = position_of(cases[i].text);
		assert_int_equal(position.winner, cases[i].winner);
		assert_int_equal(position.reason, cases[i].reason);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(moves_are_read),
	    cmocka_unit_test(texts_that_are_no_moves_say_why),
	    cmocka_unit_test(a_text_may_hold_any_byte),
	    cmocka_unit_test(a_chain_has_an_end),
	    cmocka_unit_test(cells_are_read_for_their_board),
	    cmocka_unit_test(moves_and_paths_are_written),
	    cmocka_unit_test(positions_read_back_the_same),
	    cmocka_unit_test(texts_that_are_no_positions_say_why),
	    cmocka_unit_test(struck_seats_leave_neutral_stones),
	    cmocka_unit_test(a_board_tells_its_outcome),
	};
	return cmocka_run_group_tests_name("engine notation", tests, NULL, NULL);
}

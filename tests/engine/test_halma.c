/* Halma (H3 to H12) by example; every step is compared with the second opinion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/engine/twin_group.h"

static void
assert_path(const char *move, const char *expected)
{
	char text[PATH_TEXT_MAX];
	struct move_text written;
	struct text_fault fault;
	struct move found;
	struct path path;
	assert_true(notation_read_move(move, strlen(move), &written, &fault));
	assert_int_equal(position_judge(&twin->position, NULL, &written, &found, NULL), VERDICT_LEGAL);
	position_path(&twin->position, found, &path);
	assert_int_equal(notation_path(&path, text), strlen(expected));
	assert_string_equal(text, expected);
}

/* The verdict, and at which landing it falls. */
static void
assert_fails(const char *move, enum verdict expected, unsigned at)
{
	unsigned landing;
	twin_assert_verdict(twin, move, expected);
	twin_verdict(twin, move, &landing);
	assert_int_equal(landing, at);
}

/* A stone in one cell of a ring of four: c3, e3, e5, c5. */
static void
begin_ring(void)
{
	twin_begin_halma(twin, "c3 d3 e4 d5 c4 a1", "p16", 1);
}

/* H4, H5: the whole list of a small position. */
static void
test_steps_and_jumps(void **unused)
{
	(void)unused;
	static const char *const moves[] = {
	    "a1-a2",
	    "a1-b1",
	    "a1-b2",
	    "c3-b2",
	    "c3-b3",
	    "c3-b4",
	    "c3-c2",
	    "c3-c5",
	    "c3-d2",
	    "c3-d4",
	    "c3-e3",
	    "c3-e5",
	    "c4-b3",
	    "c4-b4",
	    "c4-b5",
	    "c4-c2",
	    "c4-c5",
	    "c4-d4",
	    "c4-e2",
	    "c4-e6",
	    "d3-b3",
	    "d3-b5",
	    "d3-c2",
	    "d3-d2",
	    "d3-d4",
	    "d3-e2",
	    "d3-e3",
	    "d3-f5",
	    "d5-b3",
	    "d5-c5",
	    "d5-c6",
	    "d5-d4",
	    "d5-d6",
	    "d5-e5",
	    "d5-e6",
	    "d5-f3",
	    "e4-c2",
	    "e4-c6",
	    "e4-d4",
	    "e4-e3",
	    "e4-e5",
	    "e4-f3",
	    "e4-f4",
	    "e4-f5",
	};
	begin_ring();
	twin_assert_moves(twin, sizeof moves / sizeof *moves, moves);
	/* nothing is captured, and no stone of either side is lost by a jump */
	twin_begin_halma(twin, "c3", "d3 d4 p1", 1);
	twin_step(twin, "c3-e3-c5");
	twin_assert_position(twin, "halma-2 16/16/16/16/16/16/16/16/16/16/16/2A13/3B12/3B12/16/15B 2 - -");
}

/* H11: a shortest path, and of those the first byte by byte. */
static void
test_paths(void **unused)
{
	(void)unused;
	begin_ring();
	assert_path("c3-e3", "c3-e3");
	assert_path("c3-e5", "c3-c5-e5"); /* not c3-e3-e5 */
	assert_path("c3-b2", "c3-b2");
	assert_path("c3-e3-e5-c5", "c3-c5"); /* however it was written */
	/* as text h11 stands before h7, as a cell behind it */
	twin_begin_halma(twin, "h9 h10 i10 h8 i8", "p16", 1);
	assert_path("h9-j9", "h9-h11-j9");
	/* two ways round to h12; a longer way that is lower as text does not count for the others */
	twin_begin_halma(twin, "h10", "g10 f11 g12 i10 j9 j11 k10 p16", 1);
	assert_path("h10-h12", "h10-f10-f12-h12");
	assert_path("h10-j8", "h10-j10-j8");
	assert_path("h10-l10", "h10-j10-l10");
}

/* H5: chains that are written out. */
static void
test_written_chains(void **unused)
{
	(void)unused;
	begin_ring();
	twin_assert_verdict(twin, "c3-e3-e5", VERDICT_LEGAL);
	twin_assert_verdict(twin, "c3-e3-e5-c5-c3-e3", VERDICT_LEGAL); /* e3 twice, and over its start */
	twin_assert_verdict(twin, "C3-E3-e5", VERDICT_LEGAL);
	assert_fails("c3-e3-e5-c5-c3", VERDICT_NULL_MOVE, 4);
	assert_fails("c3-e3-c3", VERDICT_NULL_MOVE, 2);
	assert_fails("c3-c3", VERDICT_NULL_MOVE, 1);
	assert_fails("c3-e3-c5", VERDICT_NOT_A_CHAIN_OF_JUMPS, 2);
	assert_fails("c3-e3-e3", VERDICT_NOT_A_CHAIN_OF_JUMPS, 2);
	assert_fails("c3-d4-d6", VERDICT_NOT_A_CHAIN_OF_JUMPS, 1); /* a step, and no jump follows a step */
	assert_fails("c3-e3-f3", VERDICT_NOT_A_CHAIN_OF_JUMPS, 2); /* nor a step a jump */
	assert_fails("c3-e5-c5", VERDICT_NOT_A_CHAIN_OF_JUMPS, 1); /* each landing, not each end of a chain */
	twin_begin_halma(twin, "c3 d4 a1", "p16", 1);
	assert_fails("c3-e5-c3", VERDICT_NULL_MOVE, 2);
	twin_assert_verdict(twin, "c3-e5", VERDICT_LEGAL);
}

/* H6: into the camp and within it, never out of it, not for a moment. */
static void
test_camp(void **unused)
{
	(void)unused;
	twin_begin_halma(twin, "f13 c15 h1", "e14 e15 p16", 1);
	assert_path("f13-b15", "f13-d15-b15");
	assert_fails("f13-f15", VERDICT_LEAVES_CAMP, 1);
	assert_fails("f13-d15-f15", VERDICT_LEAVES_CAMP, 2);
	twin_assert_verdict(twin, "f13-d15", VERDICT_LEGAL);
	twin_assert_verdict(twin, "f13-f14", VERDICT_LEGAL);
	/* within: d15 has a step to every side but out */
	twin_step(twin, "f13-d15");
	twin_step(twin, "e14-f13");
	twin_assert_verdict(twin, "d15-e16", VERDICT_LEGAL);
	assert_fails("d15-e14", VERDICT_LEAVES_CAMP, 1);
	assert_fails("d15-f15", VERDICT_LEAVES_CAMP, 1);
	/* the other side's camp binds the other side alone */
	twin_begin_halma(twin, "p1 a16", "o2 b15 h8", 2);
	assert_fails("o2-n3", VERDICT_LEGAL, 1);
	twin_begin_halma(twin, "p1 a16", "n4 b15 h8", 2);
	assert_fails("n4-m5", VERDICT_LEAVES_CAMP, 1);
	assert_fails("n4-m4", VERDICT_LEAVES_CAMP, 1);
	twin_assert_verdict(twin, "n4-m3", VERDICT_LEGAL);
	twin_assert_verdict(twin, "b15-c15", VERDICT_LEGAL);
	twin_assert_verdict(twin, "b15-a14", VERDICT_LEGAL);
}

/* H7: all of the mover's stones, however many; asked before H9 and H12. */
static void
test_target(void **unused)
{
	(void)unused;
	twin_begin_halma(twin, "a16 f12", "e13 b12 p2 o1", 1);
	twin_step(twin, "f12-d14");
	twin_assert_outcome(twin, 1, REASON_TARGET);
	twin_assert_position(twin, "halma-2 A15/16/3A12/4B11/1B14/16/16/16/16/16/16/16/16/16/15B/14B1 - - -");
	/* nineteen */
	twin_begin_halma(
	    twin, "a16 b16 c16 d16 e16 a15 b15 c15 d15 e15 a14 b14 c14 d14 a13 b13 c13 a12 c12", "h8 p16", 1);
	twin_step(twin, "c12-b12");
	twin_assert_outcome(twin, 1, REASON_TARGET);
	/* one at home denies it */
	twin_begin_halma(twin, "a16 p1 f12", "e13 b12 p2 o1", 1);
	twin_step(twin, "f12-d14");
	twin_assert_outcome(twin, 0, REASON_NONE);
	/* the mover's stones, not those of the other */
	twin_begin_halma(twin, "h8 h9", "p1 p2", 1);
	twin_step(twin, "h8-h7");
	twin_assert_outcome(twin, 0, REASON_NONE);
	/* the other is left without a move, but the mover has won */
	twin_begin_halma(twin, "a15 b15 b16 a14 c14 e16 d16", "a16", 1);
	twin_step(twin, "d16-c16");
	twin_assert_outcome(twin, 1, REASON_TARGET);
	struct position last;
	twin_begin_halma(twin, "a16 f12", "e13 b12 p2 o1", 1);
	last = twin->position;
	last.ply = PLIES_MAX - 1;
	twin_begin_at(twin, &last);
	twin_step(twin, "f12-d14");
	twin_assert_outcome(twin, 1, REASON_TARGET);
}

/* H8: the start counts once. */
static void
test_repetition(void **unused)
{
	(void)unused;
	struct position start;
	position_start(VARIANT_HALMA_2, &start);
	twin_begin_at(twin, &start);
	twin_steps(twin, "l1-k1 a12-a11 k1-l1 a11-a12 l1-k1 a12-a11 k1-l1");
	twin_assert_outcome(twin, 0, REASON_NONE);
	twin_step(twin, "a11-a12");
	twin_assert_outcome(twin, 0, REASON_REPETITION);
	twin_assert_position(twin, "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/"
				   "14AA/13AAA/12AAAA/11AAAAA/11AAAAA - - -");
	/* other stones on the same cells are the same stones; the same stones with the other to move are not */
	twin_begin_halma(twin, "h8 c3", "p16 p12", 1);
	twin_steps(twin, "h8-h7 p16-p15 h7-h8 p15-p16");
	twin_steps(twin, "c3-c4 p16-p15 c4-c5 p15-p16 c5-c4 p16-p15 c4-c3");
	twin_assert_outcome(twin, 0, REASON_NONE);
	twin_step(twin, "p15-p16");
	twin_assert_outcome(twin, 0, REASON_REPETITION);
	/* a past is needed */
	struct position again = start;
	static const char *const steps[] = {"l1-k1", "a12-a11", "k1-l1", "a11-a12"};
	for (unsigned i = 0; i < 12; i++) {
		struct move_text text;
		struct text_fault fault;
		struct move move;
		assert_true(notation_read_move(steps[i % 4], strlen(steps[i % 4]), &text, &fault));
		assert_int_equal(position_judge(&again, NULL, &text, &move, NULL), VERDICT_LEGAL);
		position_play(&again, NULL, move, &again, NULL);
	}
	assert_int_equal(again.turn, 1);
}

/* H9: the one stone of seat 2 is shut in. */
static void
test_blocked(void **unused)
{
	(void)unused;
	twin_begin_halma(twin, "a2 b1 b2 a3 c1 d4", "a1", 1);
	twin_step(twin, "d4-c3");
	twin_assert_outcome(twin, 0, REASON_BLOCKED);
	twin_assert_position(twin, "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/A1A13/AA14/BAA13 - - -");
	twin_assert_out(twin, "");
	assert_int_equal(twin->position.key, position_key(&twin->position));
}

/* H10, H12. */
static void
test_endings(void **unused)
{
	(void)unused;
	struct position position, drawn;
	position_start(VARIANT_HALMA_2, &position);
	twin_begin_at(twin, &position);
	twin_step(twin, "timeout:2");
	twin_assert_outcome(twin, 1, REASON_TIMEOUT);
	twin_assert_position(twin, "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/"
				   "14AA/13AAA/12AAAA/11AAAAA/11AAAAA - - 2");
	twin_begin_at(twin, &position);
	twin_step(twin, "resign:1");
	twin_assert_outcome(twin, 2, REASON_RESIGNED);
	position_agree(&position, &drawn);
	assert_int_equal(drawn.turn, 0);
	assert_int_equal(drawn.winner, 0);
	assert_int_equal(drawn.reason, REASON_AGREEMENT);

	position.ply = PLIES_MAX - 2;
	twin_begin_at(twin, &position);
	twin_step(twin, "l1-k1");
	twin_assert_outcome(twin, 0, REASON_NONE);
	twin_step(twin, "a12-a11");
	twin_assert_outcome(twin, 0, REASON_LENGTH);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_steps_and_jumps),
	    cmocka_unit_test(test_paths),
	    cmocka_unit_test(test_written_chains),
	    cmocka_unit_test(test_camp),
	    cmocka_unit_test(test_target),
	    cmocka_unit_test(test_repetition),
	    cmocka_unit_test(test_blocked),
	    cmocka_unit_test(test_endings),
	};
	return cmocka_run_group_tests_name("halma", tests, twin_group_open, twin_group_close);
}

/* What happens after a move or a drop-out in Iuvo (I10 to I18), case by case, in both engines at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/engine/twin_group.h"

struct rule_case {
	const char *start;
	const char *steps; /* parted by spaces */
	const char *after;
	const char *out; /* by the last step */
	unsigned winner;
	enum reason reason;
};

static void
play_cases(const struct rule_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		twin_begin(twin, cases[i].start);
		twin_steps(twin, cases[i].steps);
		twin_assert_position(twin, cases[i].after);
		twin_assert_out(twin, cases[i].out);
		twin_assert_outcome(twin, cases[i].winner, cases[i].reason);
	}
}

#define PLAY_CASES(cases) play_cases(cases, sizeof(cases) / sizeof *(cases))

/* I12, I14: one capture takes the last stone of both owners; they go out in turn order from the mover. */
static void
test_two_captured_at_once(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    {"iuvo-4 7/7/7/7/7/q6/oos4 4 - -", "c1xa2", "iuvo-4 7/7/7/7/7/s6/oo5 1 - 23", "2 captured 3 captured", 0,
		REASON_NONE},
	    {"iuvo-4 3pA2/4or1/7/7/7/7/7 2 - -", "d7xf6", "iuvo-4 4A2/4op1/7/7/7/7/7 1 - 34", "3 captured 4 captured",
		0, REASON_NONE},
	    /* by seat 2: 4 comes before 1 */
	    {"iuvo-4 7/7/7/7/4soo/5qB/7 2 g3 -", "g2xe3", "iuvo-4 7/7/7/7/4Boo/5q1/7 3 - 14", "4 captured 1 captured",
		0, REASON_NONE},
	    /* with a neutral stone, which then rests */
	    {"iuvo-4 5o1/4opo/6r/7/7/7/7 1 e6 -", "f7xg5", "iuvo-4 7/4opo/6o/7/7/7/7 2 g5 34", "3 captured 4 captured",
		0, REASON_NONE},
	    /* of three: the last one in wins, reason captured */
	    {"iuvo-4 7/7/7/7/7/q6/ooD4 4 - 1", "c1xa2", "iuvo-4 7/7/7/7/7/D6/oo5 - - 123", "2 captured 3 captured", 4,
		REASON_CAPTURED},
	};
	PLAY_CASES(cases);
}

/* I12, I15: captured, then blocked when the turn passes. */
static void
test_captured_and_blocked(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    {"iuvo-4 5AC/6q/6D/7/7/7/7 1 - -", "f7xg5", "iuvo-4 6C/6C/6A/7/7/7/7 3 - 24", "4 captured 2 blocked", 0,
		REASON_NONE},
	    {"iuvo-4 7/7/7/CDB4/2p4/7/7 2 - -", "c3xa4", "iuvo-4 7/7/7/poB4/7/7/7 1 - 34", "3 captured 4 blocked", 0,
		REASON_NONE},
	    {"iuvo-4 7/7/7/7/7/6o/3CBAr 4 - -", "g2xe1", "iuvo-4 7/7/7/7/7/7/3Coor 3 e1 12", "2 captured 1 blocked", 0,
		REASON_NONE},
	};
	PLAY_CASES(cases);
}

/* I15: several blocked in a row; the last elimination leaves the owners as they were (I12). */
static void
test_blocked_in_a_row(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    {"iuvo-4 7/7/7/5oB/5Cs/7/7 3 - -", "f4-g2", "iuvo-4 7/7/7/6B/5Co/6o/7 2 g2 14", "4 blocked 1 blocked", 0,
		REASON_NONE},
	    {"iuvo-4 7/5q1/4sAC/7/7/7/7 3 - -", "f6-e4", "iuvo-4 7/7/4ooC/4q2/7/7/7 2 - 14", "4 blocked 1 blocked", 0,
		REASON_NONE},
	    {"iuvo-4 Cq5/1sB4/7/7/7/7/7 2 - -", "c6xa7", "iuvo-4 BB5/1A5/7/7/7/7/7 - - 134",
		"3 blocked 4 blocked 1 blocked", 2, REASON_BLOCKED},
	    {"iuvo-4 qso4/C6/D6/7/7/7/7 1 - -", "c7xa6", "iuvo-4 os5/o6/D6/7/7/7/7 - a6 234",
		"2 blocked 3 blocked 4 blocked", 1, REASON_BLOCKED},
	};
	PLAY_CASES(cases);
}

/* I15: blocked by another's resignation or lost time, in turn and out of turn. */
static void
test_blocked_by_a_drop(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    /* in turn: seat 3 goes, seat 4 is blocked */
	    {"iuvo-4 1Asq3/2o4/1pr4/7/7/7/7 3 - -", "resign:3", "iuvo-4 1AAB3/2o4/1po4/7/7/7/7 1 - 34",
		"3 resigned 4 blocked", 0, REASON_NONE},
	    {"iuvo-4 7/7/1qo4/2DCB2/3p3/7/7 3 - -", "timeout:3", "iuvo-4 7/7/1Bo4/2ooB2/3p3/7/7 1 - 34",
		"3 timeout 4 blocked", 0, REASON_NONE},
	    {"iuvo-4 7/5sB/6o/6o/6D/4qCo/7 3 g4 -", "resign:3", "iuvo-4 7/5AB/6o/6o/6o/4Boo/7 - g4 134",
		"3 resigned 4 blocked 1 blocked", 2, REASON_BLOCKED},
	    /* out of turn: seat 4 is to move, and at once has no move when seat 2 goes */
	    {"iuvo-4 7/7/7/rB5/p6/o6/7 4 - -", "resign:2", "iuvo-4 7/7/7/Co5/A6/o6/7 - - 124",
		"2 resigned 4 blocked 1 blocked", 3, REASON_BLOCKED},
	    {"iuvo-4-loose 7/7/7/rB5/p6/o6/7 4 - -", "timeout:2", "iuvo-4-loose 7/7/7/Co5/A6/o6/7 - - 124",
		"2 timeout 4 blocked 1 blocked", 3, REASON_BLOCKED},
	    /* of two: the other wins, owners stay */
	    {"iuvo-2 7/7/7/7/1o5/AB5/7 1 - -", "timeout:2", "iuvo-2 7/7/7/7/1o5/AB5/7 - - 2", "2 timeout", 1,
		REASON_TIMEOUT},
	    {"iuvo-2 7/7/7/7/1o5/AB5/7 1 - -", "resign:1", "iuvo-2 7/7/7/7/1o5/AB5/7 - - 1", "1 resigned", 2,
		REASON_RESIGNED},
	};
	PLAY_CASES(cases);
}

/* I13: a move can make another win; the mover is asked first, then the others in turn order from him. */
static void
test_another_wins(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    /* the captured stone was the only one not on a target */
	    {"iuvo-2 ABo4/A6/7/7/7/7/7 2 - -", "c7xa6", "iuvo-2 AB5/o6/7/7/7/7/7 - a6 -", "", 1, REASON_TARGET},
	    /* a shared stone is moved onto the other owner's target, nothing is captured */
	    {"iuvo-4 7/7/or5/B6/7/7/7 3 - 1", "b5-a3", "iuvo-4 7/7/o6/B6/r6/7/7 - - 1", "", 4, REASON_TARGET},
	    /* both fit: the mover */
	    {"iuvo-4 1q5/Cos4/7/7/7/7/7 4 - -", "c6-a7", "iuvo-4 sq5/Co5/7/7/7/7/7 - - -", "", 4, REASON_TARGET},
	    /* 2 and 3 fit after a move of 4: 2 */
	    {"iuvo-4 7/7/7/7/5Dp/3oAso/3qCoD 4 - -", "f2xd1", "iuvo-4 7/7/7/7/5Dp/3oA1o/3sCoD - - -", "", 2,
		REASON_TARGET},
	    /* 1 and 4 fit after a move of 3: 4 */
	    {"iuvo-4 1sA4/oBBq3/DC5/7/7/7/7 3 - -", "d6xb7", "iuvo-4 1qA4/oBB4/DC5/7/7/7/7 - - -", "", 4,
		REASON_TARGET},
	    /* 3 and 4 fit after a move of 1: 3; of 2 too */
	    {"iuvo-4 7/7/o6/Ap5/s6/r6/CBB4 1 - -", "b4xa2", "iuvo-4 7/7/o6/A6/s6/p6/CBB4 - - -", "", 3, REASON_TARGET},
	    {"iuvo-4 7/7/p6/o6/Dr5/A6/q6 2 - -", "a5xb3", "iuvo-4 7/7/7/o6/Dp5/A6/q6 - - -", "", 3, REASON_TARGET},
	};
	PLAY_CASES(cases);
}

/* I14: seats go out first, and if two are left the targets are asked. */
static void
test_captured_then_target(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    {"iuvo-4 5po/6s/6q/7/7/7/7 1 - -", "f7xg5", "iuvo-4 6o/6s/6p/7/7/7/7 - - 3", "3 captured", 2,
		REASON_TARGET},
	    {"iuvo-4 7/7/7/7/Ar5/D6/B6 4 - -", "b3xa1", "iuvo-4 7/7/7/7/A6/D6/r6 - - 2", "2 captured", 3,
		REASON_TARGET},
	    {"iuvo-4 7/7/7/7/5Cr/5o1/5B1 2 - 1", "f1xg3", "iuvo-4 7/7/7/7/5CB/5o1/7 - - 14", "4 captured", 2,
		REASON_TARGET},
	    /* one seat is left: captured, though it stands on its targets too */
	    {"iuvo-2 4B2/4o2/3Ao2/7/7/7/7 1 - -", "d5xe7", "iuvo-2 4A2/4o2/4o2/7/7/7/7 - - 2", "2 captured", 1,
		REASON_CAPTURED},
	};
	PLAY_CASES(cases);
}

/* I11: who may move what was moved before. */
static void
test_resting(void **unused)
{
	(void)unused;
	/* the very next move only */
	twin_begin(twin, "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -");
	twin_step(twin, "e5-g6");
	twin_assert_verdict(twin, "g6-e5", VERDICT_STONE_RESTS);
	twin_assert_verdict(twin, "g6-g7", VERDICT_STONE_RESTS);
	/* a drop-out in between lifts nothing, in turn or out of turn */
	twin_step(twin, "resign:2");
	twin_assert_position(twin, "iuvo-4 C1C1C1r/6o/o1o3D/7/o1o1o1D/7/A1A1A1s 3 g6 2");
	twin_assert_verdict(twin, "g6-e7", VERDICT_STONE_RESTS);
	twin_step(twin, "timeout:1");
	twin_assert_verdict(twin, "g6-e7", VERDICT_STONE_RESTS);
	twin_step(twin, "c7-a6");
	twin_assert_verdict(twin, "g6-f4", VERDICT_NO_NEIGHBOUR); /* a rest would come first */
	/* a stone that has an owner when it moves never rests, also when it becomes neutral at once */
	twin_begin(twin, "iuvo-4 7/7/7/7/1BC4/1oD4/1A5 1 - -");
	twin_step(twin, "b1-d2");
	twin_step(twin, "resign:1");
	twin_assert_position(twin, "iuvo-4 7/7/7/7/1BC4/1oDo3/7 2 - 1");
	twin_assert_verdict(twin, "d2-b1", VERDICT_LEGAL);
	/* a neutral captor rests where it captured, after the end too */
	twin_begin(twin, "iuvo-2 7/7/7/7/7/ooo4/BA5 1 - -");
	twin_step(twin, "c2xa1");
	twin_assert_position(twin, "iuvo-2 7/7/7/7/7/oo5/oA5 - a1 2");
}

/* I16, I12: a seat whose only moves would repeat for the third time is blocked. */
static void
test_blocked_by_repetition(void **unused)
{
	(void)unused;
	static const struct rule_case cases[] = {
	    {"iuvo-2 o6/o6/A6/B6/7/7/7 1 - -", "a7-b5 a6-b4 b5-a3 b4-a6 a3-b5 a6-b4 b5-a3 b4-a6",
		"iuvo-2 7/o6/A6/B6/o6/7/7 - a6 1", "1 blocked", 2, REASON_BLOCKED},
	    {"iuvo-2-loose 7/7/7/7/7/5A1/4BBo 1 - -", "f2-d1 g1-e2 d1-f2 e2-g1 f2-d1 g1-e2 d1-f2 e2-g1",
		"iuvo-2-loose 7/7/7/7/7/5A1/4BBo - g1 1", "1 blocked", 2, REASON_BLOCKED},
	    {"iuvo-2 7/7/2o4/1BAAo2/2o4/7/7 2 - -", "b4-c2 e4-d2 c5-d3 d2-e4 d3-c5 e4-d2 c5-d3 d2-e4 d3-c5",
		"iuvo-2 7/7/2o4/2AAo2/2o4/2B4/7 - c5 1", "1 blocked", 2, REASON_BLOCKED},
	    {"iuvo-4 7/7/7/7/7/2CCo2/3rpBD 3 - -", "d1-e3 e3-c2 c2-e3 e3-c2 c2-e3 e3-c2",
		"iuvo-4 7/7/7/7/7/2rCo2/4ooD - - 123", "3 blocked", 4, REASON_BLOCKED},
	};
	PLAY_CASES(cases);
	/* Without its past the seat would have a move. */
	struct move moves[MOVES_MAX];
	twin_begin(twin, cases[0].start);
	twin_steps(twin, "a7-b5 a6-b4 b5-a3 b4-a6 a3-b5 a6-b4 b5-a3");
	struct past past = history_past(&twin->history);
	struct move last;
	struct move_text text;
	struct text_fault fault;
	assert_true(notation_read_move("b4-a6", 5, &text, &fault));
	assert_int_equal(position_judge(&twin->position, &past, &text, &last, NULL), VERDICT_LEGAL);
	struct position after;
	position_play(&twin->position, NULL, last, &after, NULL);
	assert_int_equal(after.turn, 1);
	assert_true(position_moves(&after, NULL, moves) > 0);
}

/* I16: the third time, not the second; the start was left by nobody; who is out by then counts not. */
static void
test_repetition(void **unused)
{
	(void)unused;
	static const char *const round = "c3-b1 a3-c2 a2-b4 b1-c3 c2-a3";
	twin_begin(twin, "iuvo-4 7/7/7/1B5/DCr4/AB5/7 2 - -");
	twin_step(twin, "b4xa2");
	twin_assert_out(twin, "1 captured");
	twin_steps(twin, round);
	twin_step(twin, "b4-a2");
	twin_steps(twin, round);
	twin_assert_verdict(twin, "b4-a2", VERDICT_THIRD_REPETITION);
	assert_int_equal(twin->count, 5);

	/* That a position stood at the start is no time that it was left. */
	twin_begin(twin, "iuvo-2 7/7/7/3B3/ooooo2/1A5/7 1 - -");
	twin_steps(twin, "b2-c4 d4-e2 c4-b2 e2-d4 b2-c4 d4-e2 c4-b2");
	twin_assert_verdict(twin, "e2-d4", VERDICT_LEGAL);
	twin_step(twin, "e2-d4");
	twin_assert_verdict(twin, "b2-c4", VERDICT_THIRD_REPETITION);
	assert_int_equal(position_count(&twin->position, NULL), twin->count + 1);

	/* The same where it could matter: seat 1 is to move at the start, and leaves it twice, by way of a shared
	 * stone. */
	twin_begin(twin, "iuvo-4 7/7/7/3q3/ooooo2/1A5/7 1 - 4");
	twin_steps(twin, "b2-c4 d4-e2 e2-d4 c4-b2 d4-e2 e2-d4 b2-c4 d4-e2 e2-d4");
	twin_assert_verdict(twin, "c4-b2", VERDICT_LEGAL);
	twin_step(twin, "c4-b2");
	twin_steps(twin, "d4-e2 e2-d4");
	twin_assert_verdict(twin, "b2-c4", VERDICT_THIRD_REPETITION);
}

/* I17, and I18: the ply that makes it 4,096. */
static void
test_draws(void **unused)
{
	(void)unused;
	struct position position, drawn;
	position_start(VARIANT_IUVO_4, &position);
	position_agree(&position, &drawn);
	assert_int_equal(drawn.turn, 0);
	assert_int_equal(drawn.winner, 0);
	assert_int_equal(drawn.reason, REASON_AGREEMENT);
	assert_int_equal(drawn.out, 0);
	assert_int_equal(drawn.key, position_key(&drawn));
	assert_int_equal(position_moves(&drawn, NULL, twin->moves), 0);

	position.ply = PLIES_MAX - 2;
	twin_begin_at(twin, &position);
	twin_step(twin, "c1-d3");
	twin_assert_outcome(twin, 0, REASON_NONE);
	twin_step(twin, "a3-b1");
	twin_assert_outcome(twin, 0, REASON_LENGTH);
	assert_int_equal(twin->position.ply, PLIES_MAX);
	assert_int_equal(twin->position.key, position_key(&twin->position));

	/* A win by the last ply is a win (I13 is asked of every move). */
	twin_begin(twin, "iuvo-2 ABo4/A6/7/7/7/7/7 2 - -");
	position = twin->position;
	position.ply = PLIES_MAX - 1;
	twin_begin_at(twin, &position);
	twin_step(twin, "c7xa6");
	twin_assert_outcome(twin, 1, REASON_TARGET);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two_captured_at_once),
	    cmocka_unit_test(test_captured_and_blocked),
	    cmocka_unit_test(test_blocked_in_a_row),
	    cmocka_unit_test(test_blocked_by_a_drop),
	    cmocka_unit_test(test_another_wins),
	    cmocka_unit_test(test_captured_then_target),
	    cmocka_unit_test(test_resting),
	    cmocka_unit_test(test_blocked_by_repetition),
	    cmocka_unit_test(test_repetition),
	    cmocka_unit_test(test_draws),
	};
	return cmocka_run_group_tests_name("iuvo", tests, twin_group_open, twin_group_close);
}

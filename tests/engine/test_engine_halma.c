/* Chains of jumps: paths, rings, the camp (H5, H6, H11) and their verdicts. */
#include "test_engine.h"

/* Four stones round b9 and d9: from d9 to b9 by b11 or by b7, and round again. */
static const char ring[] = "halma-2 16/16/16/16/16/16/1BA13/3A12/1AA13/16/16/16/16/16/16/B15 1 - -";

static void
path_is(const char *position_text, const char *move_text, const char *expected)
{
	struct position position = position_of(position_text);
	struct path path;
	char text[PATH_TEXT_MAX];
	position_path(&position, move_of(&position, NULL, move_text), &path);
	notation_path(&path, text);
	assert_string_equal(text, expected);
}

static void
a_ring_is_listed_once(void **unused)
{
	struct position position = position_of(ring);
	struct move moves[MOVES_MAX];
	unsigned jumps = 0;
	(void)unused;
	unsigned count = position_moves(&position, NULL, moves);
	assert_int_equal(position_count(&position, NULL), count);
	for (unsigned i = 0; i < count; i++) {
		assert_true(i == 0 || moves[i - 1].from < moves[i].from ||
			    (moves[i - 1].from == moves[i].from && moves[i - 1].to < moves[i].to));
		jumps += moves[i].from == cell_at(3, 8) && moves[i].to >> 4 == 1;
	}
	assert_int_equal(jumps, 3);
}

static void
of_shortest_paths_the_first_as_text_is_shown(void **unused)
{
	(void)unused;
	path_is(ring, "d9-b9", "d9-b11-b9"); /* before d9-b7-b9: a 1 is less than a 7 */
	path_is(ring, "d9-b7", "d9-b7");
	path_is(ring, "d9-b11", "d9-b11");
	path_is(ring, "d9-e9", "d9-e9");
	path_is("halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
	    "l1-l3", "l1-l3");
}

static void
iuvo_has_paths_of_two_cells(void **unused)
{
	(void)unused;
	path_is("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", "c1d3", "c1-d3");
}

static void
chains_written_out_are_judged_landing_by_landing(void **unused)
{
	static const struct {
		const char *move, *verdict;
		unsigned landing;
	} cases[] = {
	    {"d9-b9", "legal", 1},
	    {"d9-b7-b9", "legal", 2},
	    {"d9-b11-b9-b7", "legal", 3},
	    {"d9-b11-b9-b7-b9", "legal", 4},     /* a cell twice */
	    {"d9-b11-b9-b7-d9-b11", "legal", 5}, /* the start counts as empty */
	    {"d9-b11-b9-b7-d9", "null-move", 4},
	    {"d9-d9", "null-move", 1},
	    {"d9-b9-b7", "not-a-chain-of-jumps", 1},
	    {"d9-b11-c11", "not-a-chain-of-jumps", 2}, /* a step */
	    {"d9-b11-b11-b9", "not-a-chain-of-jumps", 2},
	    {"d9-b11-b12-c12", "not-a-chain-of-jumps", 2},
	    {"d9-f9", "not-a-step-or-jump", 1},
	    {"d9xb9", "no-capture", 1},
	    {"d9xf9", "not-a-step-or-jump", 1},
	    {"d9-q9", "off-board", 1},
	    {"q9-d9", "off-board", 0},
	    {"d9-b11-b17", "off-board", 2},
	    {"d9-d0", "off-board", 1},
	    {"d8-d9", "no-stone", 0},
	    {"a1-a2", "not-your-stone", 0},
	    {"c8-d9", "occupied", 1},
	    {"c8-b8", "occupied", 1},
	    {"c8-a8", "legal", 1},
	};
	struct position position = position_of(ring);
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct judgement judgement;
		const char *verdict = verdict_on(&position, NULL, cases[i].move, &judgement);
		if (strcmp(verdict, cases[i].verdict) || judgement.landing != cases[i].landing)
			fail_msg("%s: %s %u", cases[i].move, verdict, judgement.landing);
	}
}

static void
a_stone_never_leaves_the_opposing_camp(void **unused)
{
	/* b12 is in the camp of seat 2, and so is a14; b10 and d12 are not, d14 is. */
	static const char text[] = "halma-2 16/16/16/2B1B11/1AB13/1B14/16/16/16/16/16/16/16/16/16/15A 1 - -";
	static const struct {
		const char *move, *verdict;
		unsigned landing;
	} cases[] = {
	    {"b12-a12", "legal", 1}, {"b12-a11", "leaves-camp", 1}, {"b12-b10", "leaves-camp", 1},
	    {"b12-d12", "leaves-camp", 1}, {"b12-d14", "legal", 1}, {"b12-b11", "leaves-camp", 1}, /* before occupied */
	    {"b12-d12-d14", "not-a-chain-of-jumps", 2}, {"b12-d14-f12", "leaves-camp", 2},
	    {"b12-f12", "leaves-camp", 1}, /* by d14 */
	};
	struct position position = position_of(text);
	struct move moves[MOVES_MAX];
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct judgement judgement;
		const char *verdict = verdict_on(&position, NULL, cases[i].move, &judgement);
		if (strcmp(verdict, cases[i].verdict) || judgement.landing != cases[i].landing)
			fail_msg("%s: %s %u", cases[i].move, verdict, judgement.landing);
	}
	/* Steps to a12, a13, b13 and the jump to d14. */
	assert_int_equal(position_moves(&position, NULL, moves), 4 + 3);
	/* The other seat's stones come and go as they like. */
	position = position_of("halma-2 16/16/16/2B1B11/1AB13/1B14/16/16/16/16/16/16/16/16/16/15A 2 - -");
	assert_string_equal(verdict_on(&position, NULL, "c13-d12", NULL), "legal");
}

static void
a_chain_may_end_inside_the_camp_but_not_pass_through(void **unused)
{
	/* c10-a12-c14 stays in the camp once it is there; c10-a12-c12 would leave it again. */
	struct position position =
	    position_of("halma-2 16/16/16/1BB13/1B14/1B14/2A13/16/16/16/16/16/16/16/16/15A 1 - -");
	(void)unused;
	assert_string_equal(verdict_on(&position, NULL, "c10-a12", NULL), "legal");
	assert_string_equal(verdict_on(&position, NULL, "c10-a12-c14", NULL), "legal");
	assert_string_equal(verdict_on(&position, NULL, "c10-c14", NULL), "legal");
	assert_string_equal(verdict_on(&position, NULL, "c10-a12-c12", NULL), "leaves-camp");
	assert_string_equal(verdict_on(&position, NULL, "c10-c12", NULL), "leaves-camp");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_ring_is_listed_once),
	    cmocka_unit_test(of_shortest_paths_the_first_as_text_is_shown),
	    cmocka_unit_test(iuvo_has_paths_of_two_cells),
	    cmocka_unit_test(chains_written_out_are_judged_landing_by_landing),
	    cmocka_unit_test(a_stone_never_leaves_the_opposing_camp),
	    cmocka_unit_test(a_chain_may_end_inside_the_camp_but_not_pass_through),
	};
	return cmocka_run_group_tests_name("engine halma", tests, NULL, NULL);
}

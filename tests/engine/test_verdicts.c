/*
 * Every verdict in every family that gives it, and of several reasons the
 * first (HTTP.md, Rules of the road 2).  Third repetition is in test_iuvo.c,
 * written chains and the camp are in test_halma.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/engine/twin_group.h"

struct judged {
	const char *move;
	enum verdict verdict;
};

static void
assert_judged(const struct judged *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		twin_assert_verdict(twin, rows[i].move, rows[i].verdict);
}

#define ASSERT_JUDGED(rows) assert_judged(rows, sizeof(rows) / sizeof *(rows))

static void
test_gathering(void **unused)
{
	(void)unused;
	static const struct judged rows[] = {
	    {"c1-d3", VERDICT_LEGAL},
	    {"C1-D3", VERDICT_LEGAL},
	    {"c1d3", VERDICT_LEGAL},
	    {"h1-f2", VERDICT_OFF_BOARD},
	    {"g1-h3", VERDICT_OFF_BOARD},
	    {"a1-a8", VERDICT_OFF_BOARD},
	    {"a0-b2", VERDICT_OFF_BOARD},
	    {"b2-z9", VERDICT_OFF_BOARD},    /* and no stone */
	    {"a7-b9", VERDICT_OFF_BOARD},    /* and not yours */
	    {"c1-d3-z3", VERDICT_OFF_BOARD}, /* and no jump */
	    {"b1-a3", VERDICT_NO_STONE},
	    {"b1-b1", VERDICT_NO_STONE}, /* and null */
	    {"b1-c2", VERDICT_NO_STONE}, /* and no jump */
	    {"a7-b5", VERDICT_NOT_YOUR_STONE},
	    {"a7-a7", VERDICT_NOT_YOUR_STONE},
	    {"c3-c3", VERDICT_NULL_MOVE},
	    {"c3xc3", VERDICT_NULL_MOVE},
	    {"c3-d4", VERDICT_NOT_A_JUMP},
	    {"c3-c5", VERDICT_NOT_A_JUMP},    /* and occupied */
	    {"c3xd4", VERDICT_NOT_A_JUMP},    /* and no capture */
	    {"c1-d3-e5", VERDICT_NOT_A_JUMP}, /* each is one, but a turn is one jump */
	    {"c1-e2-d3", VERDICT_NOT_A_JUMP},
	    {"c1xd3", VERDICT_NO_CAPTURE},
	    {"a1-b3", VERDICT_LEGAL},
	    {"a1-c2", VERDICT_LEGAL},
	};
	static const struct judged early[] = {
	    {"d3-c5", VERDICT_CAPTURE_TOO_EARLY}, /* and neutral */
	    {"d3xc5", VERDICT_CAPTURE_TOO_EARLY}, {"d3-e5", VERDICT_CAPTURE_TOO_EARLY}, {"d3-b4", VERDICT_BREAKS_GROUP},
	    {"d3xb4", VERDICT_NO_CAPTURE},   /* and breaks its group */
	    {"d3-b2", VERDICT_NO_NEIGHBOUR}, /* and breaks its group */
	    {"d3xb2", VERDICT_NO_CAPTURE},   /* and has no neighbour */
	};
	static const struct judged loose[] = {
	    {"d3-b4", VERDICT_LEGAL},
	    {"d3-b2", VERDICT_NO_NEIGHBOUR},
	    {"d3-c5", VERDICT_CAPTURE_TOO_EARLY},
	};
	twin_begin(twin, "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -");
	ASSERT_JUDGED(rows);
	twin_begin(twin, "iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -");
	ASSERT_JUDGED(rows);
	twin_begin(twin, "iuvo-2 B1B3B/7/o1o1B1o/o6/2oAo1o/7/A5A 1 - -");
	ASSERT_JUDGED(early);
	twin_begin(twin, "iuvo-2-loose B1B3B/7/o1o1B1o/o6/2oAo1o/7/A5A 1 - -");
	ASSERT_JUDGED(loose);
}

static void
test_chain(void **unused)
{
	(void)unused;
	static const struct judged rows[] = {
	    {"b2-c4", VERDICT_LEGAL},
	    {"b2-d3", VERDICT_NEUTRAL_NOT_CAPTURED},
	    {"b2xd3", VERDICT_NEUTRAL_NOT_CAPTURED},
	    {"b2xc4", VERDICT_NO_CAPTURE},
	    {"b2-d1", VERDICT_NO_NEIGHBOUR},
	    {"b2xd1", VERDICT_NO_CAPTURE},
	    {"c3-d5", VERDICT_BREAKS_GROUP},
	    {"c3-a2", VERDICT_BREAKS_GROUP},
	    {"c3-e4", VERDICT_BREAKS_GROUP},
	    {"c3-b1", VERDICT_BREAKS_GROUP},
	    {"c3-d1", VERDICT_NO_NEIGHBOUR}, /* and parts the others */
	    {"d4-e2", VERDICT_NOT_YOUR_STONE},
	    {"d4-d4", VERDICT_NOT_YOUR_STONE},
	};
	static const struct judged captures[] = {
	    {"b4xd3", VERDICT_LEGAL}, {"b4-d3", VERDICT_LEGAL}, {"b4xc2", VERDICT_OWN_NOT_CAPTURED},
	    {"b4-c2", VERDICT_OWN_NOT_CAPTURED}, {"e3-c2", VERDICT_OWN_NOT_CAPTURED},
	    {"e3xc2", VERDICT_OWN_NOT_CAPTURED}, {"a3xc2", VERDICT_OWN_NOT_CAPTURED}, /* and breaks the chain */
	};
	for (unsigned loose = 0; loose < 2; loose++) {
		twin_begin(
		    twin, loose ? "iuvo-2-loose 7/7/7/3B3/ooooo2/1A5/7 1 - -" : "iuvo-2 7/7/7/3B3/ooooo2/1A5/7 1 - -");
		ASSERT_JUDGED(rows);
		/* a shared stone is one of one's own */
		twin_begin(
		    twin, loose ? "iuvo-4-loose 7/7/7/1A5/ooqro2/2p4/7 1 - -" : "iuvo-4 7/7/7/1A5/ooqro2/2p4/7 1 - -");
		ASSERT_JUDGED(captures);
	}
}

static void
test_rest(void **unused)
{
	(void)unused;
	static const struct judged rows[] = {
	    {"c4-b2", VERDICT_STONE_RESTS},
	    {"c4-c4", VERDICT_STONE_RESTS},
	    {"c4-c5", VERDICT_STONE_RESTS},
	    {"c4xd2", VERDICT_STONE_RESTS},
	    {"c4-z2", VERDICT_OFF_BOARD},
	};
	static const char *const variants[] = {"iuvo-2", "iuvo-2-loose", "iuvo-4", "iuvo-4-loose"};
	for (unsigned i = 0; i < 4; i++) {
		char text[POSITION_TEXT_MAX];
		sprintf(text, "%s 7/7/7/2o4/oBA4/1o5/7 1 c4 -", variants[i]);
		twin_begin(twin, text);
		ASSERT_JUDGED(rows);
	}
}

static void
test_halma(void **unused)
{
	(void)unused;
	static const struct judged rows[] = {
	    {"c3-c5", VERDICT_LEGAL},
	    {"q3-c5", VERDICT_OFF_BOARD},
	    {"a17-c5", VERDICT_OFF_BOARD},
	    {"c3-c0", VERDICT_OFF_BOARD},
	    {"b2-q2", VERDICT_OFF_BOARD}, /* and no stone */
	    {"c3-e3-r3", VERDICT_OFF_BOARD},
	    {"b2-b3", VERDICT_NO_STONE},
	    {"b2-b2", VERDICT_NO_STONE},
	    {"p16-p15", VERDICT_NOT_YOUR_STONE},
	    {"p16-p16", VERDICT_NOT_YOUR_STONE},
	    {"c3-c3", VERDICT_NULL_MOVE},
	    {"c3xc3", VERDICT_NULL_MOVE},
	    {"c3-g7", VERDICT_NOT_A_STEP_OR_JUMP},
	    {"c3-c1", VERDICT_NOT_A_STEP_OR_JUMP}, /* a jump over nothing */
	    {"c3xg7", VERDICT_NOT_A_STEP_OR_JUMP},
	    {"c3-a5", VERDICT_NOT_A_STEP_OR_JUMP},
	    {"c3-d3", VERDICT_OCCUPIED},
	    {"c3xd3", VERDICT_OCCUPIED}, /* and nothing is captured in Halma */
	    {"a2-c4", VERDICT_OCCUPIED}, /* a jump over b3 */
	    {"c3xb2", VERDICT_NO_CAPTURE},
	    {"c3xc5", VERDICT_NO_CAPTURE},
	};
	twin_begin_halma(twin, "c3 d3 e4 d5 c4 b3 a2", "p16", 1);
	ASSERT_JUDGED(rows);
	/* out of the camp and occupied: the camp comes first; far away: no jump comes before both */
	static const struct judged camp[] = {
	    {"e15-f15", VERDICT_LEAVES_CAMP},
	    {"e15-f14", VERDICT_LEAVES_CAMP},
	    {"e15xf14", VERDICT_LEAVES_CAMP},
	    {"e15-e14", VERDICT_LEAVES_CAMP},
	    {"e15-d14", VERDICT_OCCUPIED},
	    {"e15-g13", VERDICT_LEAVES_CAMP},
	    {"e15-g15", VERDICT_LEAVES_CAMP},
	    {"e15-g17", VERDICT_OFF_BOARD},
	    {"e15-h12", VERDICT_NOT_A_STEP_OR_JUMP},
	    {"e15-e16", VERDICT_LEGAL},
	};
	twin_begin_halma(twin, "e15 d14 a1", "f15 f14 p16", 1);
	ASSERT_JUDGED(camp);
}

/* The judge is right about the start of every variant, where the list is known: all else is refused. */
static void
test_starts(void **unused)
{
	(void)unused;
	for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
		struct position start;
		position_start((enum variant)variant, &start);
		twin_begin_at(twin, &start);
		unsigned legal = 0;
		for (unsigned from = 0; from < 256; from++) {
			for (unsigned to = 0; to < 256; to++) {
				struct move_text text = {.count = 2};
				text.cells[0].file = (uint16_t)(from >> 4), text.cells[0].rank = (int16_t)(from & 15);
				text.cells[1].file = (uint16_t)(to >> 4), text.cells[1].rank = (int16_t)(to & 15);
				enum verdict verdict = position_judge(&start, NULL, &text, NULL, NULL);
				assert_int_equal(verdict, mailbox_verdict(&twin->box, NULL, (cell_t)from, (cell_t)to));
				legal += verdict == VERDICT_LEGAL;
			}
		}
		static const unsigned known[VARIANT_COUNT] = {60, 44, 60, 44, 40};
		assert_int_equal(legal, known[variant]);
	}
}

/* The table itself: each row has a slug of its own, and a rule for one family at least. */
static void
test_table(void **unused)
{
	(void)unused;
	for (unsigned i = 1; i < VERDICT_COUNT; i++) {
		const struct verdict_row *row = verdict_row((enum verdict)i);
		assert_true(row->rule[FAMILY_IUVO] != NULL || row->rule[FAMILY_HALMA] != NULL);
		assert_int_equal(row->rule[FAMILY_IUVO] != NULL, row->rule[FAMILY_LOOSE] != NULL);
		for (unsigned other = 0; other < i; other++)
			assert_string_not_equal(row->slug, verdict_row((enum verdict)other)->slug);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gathering),
	    cmocka_unit_test(test_chain),
	    cmocka_unit_test(test_rest),
	    cmocka_unit_test(test_halma),
	    cmocka_unit_test(test_starts),
	    cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests_name("verdicts", tests, twin_group_open, twin_group_close);
}

/*
 * Counts of move sequences that are known from other implementations (T3).
 * Up to 500 million leaves a line, few under sanitizers, all of them where the
 * environment says IUVOD_LONG=1.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "engine/notation.h"
#include "engine/perft.h"
#include "tests/engine/mailbox.h"

enum { DEPTHS_MAX = 8 };

static const struct known {
	const char *position;
	uint64_t nodes[DEPTHS_MAX]; /* for depth 1 and on; 0 where none is known */
} known[] = {
    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", {60, 3176, 138522, 4937754, 141497890, 3456135450}},
    {"iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", {60, 3176, 143814, 5697486, 199811690, 6507465974}},
    {"iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -", {44, 1626, 47358}},
    {"iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -", {44, 1626, 49660}},
    {"halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
	{40, 1600, 85440, 4562496, 289844520}},
    {"iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -", {12, 149, 2237, 30681, 481258, 7442604, 120288547}},
    {"iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", {14, 85, 967, 9952, 117543, 1240355, 14305530}},
};

static uint64_t
leaves_max(void)
{
	const char *all = getenv("IUVOD_LONG");
	if (all != NULL && strcmp(all, "1") == 0)
		return UINT64_MAX;
#ifdef IUVOD_SANITIZED
	return 2000000;
#else
	return 500000000;
#endif
}

static void
read_position(const char *text, struct position *position)
{
	struct text_fault fault;
	if (!notation_read_position(text, strlen(text), position, &fault))
		fail_msg("%s: %s at %zu: %s", text, fault.field, fault.at, fault.why);
}

static void
test_known(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct position position;
		read_position(known[i].position, &position);
		for (unsigned depth = 1; depth <= DEPTHS_MAX; depth++) {
			uint64_t nodes = known[i].nodes[depth - 1];
			if (nodes == 0 || nodes > leaves_max())
				break;
			uint64_t counted = perft_count(&position, depth);
			if (counted != nodes)
				fail_msg("%s, depth %u: %" PRIu64 " and not %" PRIu64, known[i].position, depth,
				    counted, nodes);
		}
	}
}

/* The starts are those of the table, and depth 0 counts the position itself. */
static void
test_starts(void **unused)
{
	(void)unused;
	static const unsigned starts[VARIANT_COUNT] = {[VARIANT_IUVO_2] = 0,
	    [VARIANT_IUVO_2_LOOSE] = 1,
	    [VARIANT_IUVO_4] = 2,
	    [VARIANT_IUVO_4_LOOSE] = 3,
	    [VARIANT_HALMA_2] = 4};
	for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
		char text[POSITION_TEXT_MAX];
		struct position start;
		position_start((enum variant)variant, &start);
		notation_position(&start, text);
		assert_string_equal(text, known[starts[variant]].position);
		assert_int_equal(perft_count(&start, 0), 1);
		assert_true(position_is_start(&start));
	}
}

/* A finished game has no sequences; eliminations and wins end them (T3). */
static void
test_ends(void **unused)
{
	(void)unused;
	struct position position;
	read_position("iuvo-2 5A1/7/6A/6o/7/7/7 - - 2", &position);
	assert_int_equal(perft_count(&position, 0), 1);
	assert_int_equal(perft_count(&position, 1), 0);
	assert_int_equal(perft_count(&position, 3), 0);
	static const char *const ends[] = {
	    "iuvo-2 4B2/4o2/3Ao2/7/7/7/7 1 - -",
	    "iuvo-4 1Asq3/2o4/1pr4/7/7/7/7 3 - -",
	    "iuvo-4 7/7/7/1B5/DCr4/AB5/7 2 - -",
	    "iuvo-4-loose 7/7/7/7/5Dp/3oAso/3qCoD 4 - -",
	    "iuvo-4 5AC/6q/6D/7/7/7/7 1 - -",
	};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct mailbox box;
		read_position(ends[i], &position);
		mailbox_read(&box, ends[i]);
		for (unsigned depth = 1; depth <= 5; depth++)
			assert_int_equal(perft_count(&position, depth), mailbox_perft(&box, depth));
	}
}

/* No ply follows the one that makes it 4,096 (I18, H12). */
static void
test_length(void **unused)
{
	(void)unused;
	struct position position;
	position_start(VARIANT_IUVO_2, &position);
	position.ply = PLIES_MAX - 2;
	assert_int_equal(perft_count(&position, 2), 3176);
	assert_int_equal(perft_count(&position, 3), 0);
	position_start(VARIANT_HALMA_2, &position);
	position.ply = PLIES_MAX - 1;
	assert_int_equal(perft_count(&position, 1), 40);
	assert_int_equal(perft_count(&position, 2), 0);
}

/* A text may leave one seat in, and to move (analysis takes it): it has moves, and then the game is over. */
static void
test_alone(void **unused)
{
	(void)unused;
	static const struct {
		const char *position;
		uint64_t moves;
	} alone[] = {
	    {"iuvo-2 7/7/7/7/7/ooA4/1A5 1 - 2", 7},
	    {"iuvo-4 7/7/7/7/7/ooC4/1C5 3 - 124", 7},
	    {"halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/A15 1 - 2", 3},
	    {"iuvo-2 7/7/7/3A3/7/7/7 1 - 2", 0},
	};
	for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
		struct position position;
		read_position(alone[i].position, &position);
		assert_int_equal(perft_count(&position, 1), alone[i].moves);
		assert_int_equal(perft_count(&position, 2), 0);
		struct move moves[MOVES_MAX];
		if (position_moves(&position, NULL, moves) > 0)
			position_play(&position, NULL, moves[0], &position, NULL);
		else
			position_drop(&position, NULL, position.turn, REASON_RESIGNED, &position, NULL);
		assert_int_equal(position.turn, 0);
		assert_int_equal(position.key, position_key(&position));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_known),
	    cmocka_unit_test(test_starts),
	    cmocka_unit_test(test_ends),
	    cmocka_unit_test(test_alone),
	    cmocka_unit_test(test_length),
	};
	return cmocka_run_group_tests_name("perft", tests, NULL, NULL);
}

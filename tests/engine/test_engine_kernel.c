/* The generator: counts that other implementations found (T3), the same from both kernels and by playing. */
#include "test_engine.h"

#include "engine/kernel.h"
#include "engine/perft.h"

#define IUVO_2 "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -"
#define IUVO_2_LOOSE "iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -"
#define IUVO_4 "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -"
#define IUVO_4_LOOSE "iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -"
#define HALMA_2 "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -"

enum { DEPTHS = 7 };

static const struct {
	const char *text;
	uint64_t nodes[DEPTHS]; /* from depth 1; 0 where it is not counted here */
} known[] = {
    {IUVO_2, {60, 3176, 138522, 4937754}},
    {IUVO_2_LOOSE, {60, 3176, 143814, 5697486}},
    {IUVO_4, {44, 1626, 47358}},
    {IUVO_4_LOOSE, {44, 1626, 49660}},
    {HALMA_2, {40, 1600, 85440, 4562496}},
    {"iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -", {12, 149, 2237, 30681, 481258, 7442604}},
    {"iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", {14, 85, 967, 9952, 117543, 1240355, 14305530}},
};

static void
perft_is_what_others_found(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct position position = position_of(known[i].text);
		assert_true(perft_count(&position, 0) == 1);
		for (unsigned depth = 1; depth <= DEPTHS && known[i].nodes[depth - 1]; depth++)
			if (perft_count(&position, depth) != known[i].nodes[depth - 1])
				fail_msg("%s, depth %u", known[i].text, depth);
	}
}

/* Perft by playing every move: slow, and with nothing left out. */
static uint64_t
perft_by_playing(const struct position *position, unsigned depth)
{
	struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, NULL, moves);
	uint64_t total = 0;
	assert_int_equal(count, position_count(position, NULL));
	if (depth == 1)
		return count;
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		position_play(position, NULL, moves[i], &after, NULL);
		assert_true(after.key == position_key(&after));
		total += perft_by_playing(&after, depth - 1);
	}
	return total;
}

/* Positions in which seats drop out, win, or stand apart from what games reach. */
static const char *const odd[] = {
    "iuvo-4 7/7/1ACoA2/2B4/2B4/1oD4/7 1 - -",
    "iuvo-4 7/7/7/1A1o3/1oDoB2/4q2/7 1 - -",
    "iuvo-4 7/7/2q4/2o4/2oA3/2D4/7 1 - -",
    "iuvo-4-loose 1oC4/2C3o/1oC2DD/roo2oo/2o1o2/7/6D 3 b7 12",
    "iuvo-4 7/4r1o/oq1C3/o1BoD2/B1Co3/o2DD2/B6 4 - 1",
    "iuvo-2 4B2/4o2/3Ao2/4o2/4o2/4o2/4B2 1 - -",
    "iuvo-2 7/7/7/2ooo2/2o1o2/2ooo2/4AB1 1 - -", /* round a hole nothing is cut */
    "iuvo-2 7/7/1oAoA2/1A1B3/1oBo3/1o5/7 2 - -",
    "iuvo-2 6B/7/1oAoA2/1A1B3/1oBo3/1o5/7 1 - -",
    "iuvo-2 7/7/2ooo2/2o4/7/7/7 1 - -", /* seats without stones go out at once */
    "iuvo-2 7/7/2AAo2/2o4/7/7/7 1 - 2", /* one seat alone */
    "iuvo-2 7/7/7/A6/7/7/6B 1 - -",     /* blocked from the outset */
    "iuvo-2 7/7/7/7/7/7/7 1 - -",
    "halma-2 16/16/16/16/16/16/1BA13/3A12/1AA13/16/16/16/16/16/16/B15 1 - -",
    "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/AAA13/A15/BAA13 1 - -",
    "halma-2 A15/16/16/16/16/1A14/16/16/16/16/16/16/16/16/16/B15 1 - -",
    "halma-2 16/16/16/1BB13/1B14/1B14/2A13/16/16/16/16/16/16/16/16/15A 1 - -",
};

static void
perft_plays_by_the_rules(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct position position = position_of(odd[i]);
		for (unsigned depth = 1; depth <= 3; depth++)
			if (perft_count(&position, depth) != perft_by_playing(&position, depth))
				fail_msg("%s, depth %u", odd[i], depth);
	}
}

static void
perft_ends_where_games_end(void **unused)
{
	struct position position = position_of(IUVO_2);
	(void)unused;
	position.ply = PLIES_MAX - 2;
	assert_true(perft_count(&position, 2) == 3176);
	assert_true(perft_count(&position, 3) == 0);
	position_agree(&position, &position);
	assert_true(perft_count(&position, 1) == 0);
	assert_true(perft_count(&position, 0) == 1);
}

/* Whichever kernel this machine takes, the other must say the same. */
static void
kernels_agree(void **unused)
{
	const struct kernel *one = &kernel_plain, *other = kernel_here();
	struct move moves[2][MOVES_MAX];
	(void)unused;
	for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct position position = position_of(odd[i]);
		bool halma = position.variant == VARIANT_HALMA_2;
		unsigned count = (halma ? one->halma_moves : one->iuvo_moves)(&position, moves[0]);
		assert_int_equal((halma ? other->halma_moves : other->iuvo_moves)(&position, moves[1]), count);
		assert_memory_equal(moves[0], moves[1], count * sizeof *moves[0]);
		assert_int_equal((halma ? one->halma_count : one->iuvo_count)(&position), count);
		assert_int_equal((halma ? other->halma_count : other->iuvo_count)(&position), count);
		for (unsigned depth = 1; depth <= 3; depth++)
			assert_true((halma ? one->halma_perft : one->iuvo_perft)(&position, depth) ==
				    (halma ? other->halma_perft : other->iuvo_perft)(&position, depth));
	}
}

/* The first of the greatest, wherever it stands, among numbers that are often the same. */
static void
the_first_of_the_greatest_is_found(void **unused)
{
	enum { NUMBERS = 150, ROUNDS = 20000 };
	uint64_t chance = 1;
	(void)unused;
	for (unsigned round = 0; round < ROUNDS; round++) {
		int numbers[NUMBERS];
		unsigned count = 1 + round % NUMBERS, first = 0;
		int spread = round % 3 == 0 ? 3 : round % 3 == 1 ? 50 : 1 << 28;
		for (unsigned i = 0; i < count; i++) {
			chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407U;
			numbers[i] = (int)(chance >> 33) % spread - spread / 2;
			first = numbers[i] > numbers[first] ? i : first;
		}
		assert_int_equal(kernel_plain.best(numbers, count), first);
		assert_int_equal(kernel_here()->best(numbers, count), first);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(perft_is_what_others_found),
	    cmocka_unit_test(perft_plays_by_the_rules),
	    cmocka_unit_test(perft_ends_where_games_end),
	    cmocka_unit_test(kernels_agree),
	    cmocka_unit_test(the_first_of_the_greatest_is_found),
	};
	return cmocka_run_group_tests_name("engine kernel", tests, NULL, NULL);
}

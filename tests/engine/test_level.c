/* Levels: their budgets are kept, weaker moves are as frequent as told, chance is the seed's alone. */
#include "test_search.h"

#include "engine/level.h"

static void
levels_rise(void **unused)
{
	(void)unused;
	for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
		for (unsigned level = LEVEL_LEAST + 1; level <= LEVEL_MOST; level++) {
			const struct level *row = level_row(variant, level), *below = level_row(variant, level - 1);
			assert_true(row->nodes >= below->nodes);
			assert_true(row->weaker <= below->weaker);
			assert_true(row->nodes > below->nodes || row->weaker < below->weaker);
		}
		assert_int_equal(level_row(variant, LEVEL_MOST)->weaker, 0);
	}
}

static void
a_level_keeps_its_budget(void **unused)
{
	struct search *search = search_new();
	struct position position;
	struct search_result result, again;
	(void)unused;
	for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
		position_start((enum variant)variant, &position);
		for (unsigned level = LEVEL_LEAST; level <= 7; level++) {
			level_run(search, &position, NULL, level, 11, NULL, &result);
			level_run(search, &position, NULL, level, 11, NULL, &again);
			assert_true(result.nodes <= level_row((enum variant)variant, level)->nodes);
			assert_memory_equal(result.lines[0].moves, again.lines[0].moves, sizeof(struct move));
			assert_line(&position, NULL, &result.lines[0]);
		}
	}
	search_free(search);
}

/* In so many plies from the start. */
static unsigned
count_weaker(struct search *search, enum variant variant, unsigned level, unsigned plies)
{
	struct position position;
	struct search_result result;
	unsigned weaker = 0;
	position_start(variant, &position);
	for (unsigned seed = 0; seed < plies; seed++) {
		level_run(search, &position, NULL, level, seed, NULL, &result);
		weaker += result.nodes == 0;
		assert_line(&position, NULL, &result.lines[0]);
	}
	return weaker;
}

static void
weaker_moves_are_as_frequent_as_told(void **unused)
{
	static const enum variant variants[] = {VARIANT_IUVO_2, VARIANT_IUVO_4};
	struct search *search = search_new();
	(void)unused;
	for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++)
		for (unsigned level = LEVEL_LEAST; level <= 4; level++) {
			unsigned plies = 2000, weaker = count_weaker(search, variants[i], level, plies);
			double told = level_row(variants[i], level)->weaker / 1000.0 * plies;
			assert_true(weaker > told - 90 && weaker < told + 90); /* four times what chance spreads */
			assert_true(level_row(variants[i], level)->weaker < 1000 || weaker == plies);
		}
	search_free(search);
}

/* A text may tell of what no game comes to: somebody is to move and cannot. */
static void
without_a_move_no_level_plays(void **unused)
{
	static const char *const texts[] = {
	    "iuvo-2 B6/7/7/7/7/7/A6 1 - -", "iuvo-4 A5B/7/7/7/7/7/C5D 1 - -", "iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2"};
	struct search *search = search_new();
	struct search_result result;
	(void)unused;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct position position = position_of(texts[i]);
		assert_int_equal(position_count(&position, NULL), 0);
		for (unsigned level = LEVEL_LEAST; level <= LEVEL_MOST; level++)
			for (unsigned seed = 0; seed < 20; seed++) {
				memset(&result, 0xFF, sizeof result);
				level_run(search, &position, NULL, level, seed, NULL, &result);
				assert_int_equal(result.count, 0);
				assert_int_equal(result.lines[0].count, 0);
				assert_int_equal(result.nodes, 0);
			}
	}
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(levels_rise),
	    cmocka_unit_test(a_level_keeps_its_budget),
	    cmocka_unit_test(weaker_moves_are_as_frequent_as_told),
	    cmocka_unit_test(without_a_move_no_level_plays),
	};
	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}

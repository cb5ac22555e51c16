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

static void
weaker_moves_are_as_frequent_as_told(void **unused)
{
	struct search *search = search_new();
	struct position position;
	struct search_result result;
	(void)unused;
	position_start(VARIANT_IUVO_2, &position);
	for (unsigned level = LEVEL_LEAST; level <= 4; level++) {
		unsigned weaker = 0, plies = 2000;
		for (unsigned seed = 0; seed < plies; seed++) {
			level_run(search, &position, NULL, level, seed, NULL, &result);
			weaker += result.nodes == 0;
			assert_line(&position, NULL, &result.lines[0]);
		}
		double told = level_row(VARIANT_IUVO_2, level)->weaker / 1000.0 * plies;
		assert_true(weaker > told - 90 && weaker < told + 90); /* four times what chance spreads */
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
	};
	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}

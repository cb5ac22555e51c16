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
	static const enum variant variants[] = {VARIANT_IUVO_2, VARIANT_IUVO_4, VARIANT_IUVO_4_LOOSE};
	struct search *search = search_new();
	(void)unused;
	for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++)
		for (unsigned level = LEVEL_LEAST; level <= 4; level++) {
			unsigned plies = 2000, weaker = count_weaker(search, variants[i], level, plies);
			double told = level_row(variants[i], level)->weaker / 1000.0 * plies;
			assert_true(weaker > told - 90 && weaker < told + 90); /* four times what chance spreads */
		}
	search_free(search);
}

/* Of the moves, the part that looks better at once than one of them, where those that look as good count half. */
static double
part_better(struct search *search, const struct position *position, struct move move)
{
	struct move moves[MOVES_MAX];
	int scores[MOVES_MAX], own = 0;
	unsigned count = position_moves(position, NULL, moves), twice = 0;
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(position, NULL, moves[i], &after, &change);
		scores[i] = search_glance(search, &after, position->turn);
		own = move.from == moves[i].from && move.to == moves[i].to ? scores[i] : own;
	}
	for (unsigned i = 0; i < count; i++)
		twice += (scores[i] > own) + (scores[i] >= own);
	return twice / 2.0 / count;
}

/* Of one that is drawn by lot half of all moves are better, on average; two thirds, of the worse of two. */
static void
with_four_seats_the_weaker_move_is_the_worse_of_two(void **unused)
{
	static const struct {
		enum variant variant;
		double least, most;
	} cases[] = {{VARIANT_IUVO_2, 0.47, 0.53}, {VARIANT_IUVO_4, 0.63, 0.7}, {VARIANT_IUVO_4_LOOSE, 0.63, 0.7}};
	struct search *search = search_new();
	struct search_result result;
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct position position;
		struct change change;
		double sum = 0;
		unsigned weaker = 0;
		position_start(cases[i].variant, &position);
		for (unsigned ply = 0; ply < 16; ply++) {
			for (unsigned seed = 0; seed < 150; seed++) {
				level_run(search, &position, NULL, 1, seed, NULL, &result);
				if (result.nodes > 0)
					continue;
				weaker++;
				sum += part_better(search, &position, result.lines[0].moves[0]);
				assert_int_equal(result.lines[0].score, 0);
			}
			struct search_limits limits = {.nodes = 500, .seed = ply + 1};
			search_run(search, &position, NULL, &limits, &result);
			position_play(&position, NULL, result.lines[0].moves[0], &position, &change);
		}
		print_message("%s: %.3f of the moves are better\n", variant_row(cases[i].variant)->id, sum / weaker);
		assert_true(sum / weaker > cases[i].least && sum / weaker < cases[i].most);
	}
	search_free(search);
}

/* What a game that is over is worth at a glance. */
static void
assert_over(struct search *search, const struct position *over)
{
	for (unsigned seat = 1; seat <= variant_row((enum variant)over->variant)->seats; seat++) {
		int score = over->winner == 0 ? 0 : over->winner == seat ? SEARCH_WON : -SEARCH_WON;
		assert_int_equal(search_glance(search, over, seat), score);
	}
}

/* Whoever plays the worse of two moves nearly always must not thereby keep the game from ending. */
static void
games_of_the_lowest_levels_end(void **unused)
{
	enum { GAMES = 10, LONG = 2000 };
	static struct history history;
	struct search *search = search_new();
	(void)unused;
	for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
		unsigned ended = 0;
		if (variant_row(variant)->seats == 2)
			continue;
		for (unsigned game = 0; game < GAMES; game++) {
			struct position position;
			struct search_result result;
			struct change change;
			position_start(variant, &position);
			history_begin(&history, &position);
			while (position.turn != 0 && position.ply < LONG) {
				struct past past = history_past(&history);
				unsigned level = LEVEL_LEAST + game % 2;
				level_run(search, &position, &history, level, zobrist_mix(game << 16 | position.ply),
				    NULL, &result);
				position_play(&position, &past, result.lines[0].moves[0], &position, &change);
				history_add(&history, change.left);
			}
			ended += position.turn == 0;
			if (position.turn == 0)
				assert_over(search, &position);
		}
		print_message("%s: %u games of %u ended within %u plies\n", variant_row(variant)->id, ended,
		    (unsigned)GAMES, (unsigned)LONG);
		assert_true(ended >= GAMES - 2);
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
	    cmocka_unit_test(with_four_seats_the_weaker_move_is_the_worse_of_two),
	    cmocka_unit_test(games_of_the_lowest_levels_end),
	    cmocka_unit_test(without_a_move_no_level_plays),
	};
	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}

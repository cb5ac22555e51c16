/* The order in which a search tries moves, however it is made: against the list of all of them. */
#include "test_search.h"

#include "engine/rules.h"
#include "engine/search_order.h"
#include "tests/engine/deal.h"

enum { POSITIONS = 4000 };

/* One of the moves, mostly, or any two cells. */
static struct move
deal_named(struct deal *deal, const struct move *moves, unsigned count)
{
	const struct move *some = &moves[deal_below(deal, count)];
	if (deal_below(deal, 3) > 0)
		return *some;
	return (struct move){.from = some->from, .to = moves[deal_below(deal, count)].to};
}

/* What is found by its ends is what the list has, and what else is told is true. */
static void
what_is_found_is_in_the_list(void **unused)
{
	struct deal deal = {.seed = 21};
	unsigned legal = 0, others = 0, capturing = 0;
	(void)unused;
	for (unsigned i = 0; i < 2 * POSITIONS; i++) {
		static struct move moves[MOVES_MAX];
		unsigned ends[FOUND_MAX];
		struct position position;
		struct found found;
		deal_start(&deal, (enum variant)(i % VARIANT_COUNT), &position);
		const struct rules *rules = rules_of((enum variant)position.variant);
		unsigned count = rules->moves(&position, NULL, moves);
		bool captures = false;
		for (unsigned at = 0; at < count; at++)
			captures |= moves[at].captures;
		for (unsigned k = 0; k < FOUND_MAX; k++) {
			struct move move = deal_named(&deal, moves, count);
			ends[k] = k < 2 ? weigh_ends(move.from, move.to) : 0;
		}
		rules->find(&position, ends, FOUND_MAX, &found);
		for (unsigned k = 0; k < FOUND_MAX; k++) {
			unsigned at = 0;
			while (at < count && weigh_ends(moves[at].from, moves[at].to) != ends[k])
				at++;
			assert_int_equal(found.legal >> k & 1, at < count);
			if (at < count)
				assert_memory_equal(&found.moves[k], &moves[at], sizeof *moves);
			legal += at < count;
			others += at == count;
		}
		assert_int_equal(found.captures, captures);
		assert_true(!found.chained || rules->phase(&position) == PHASE_CHAIN);
		capturing += captures;
	}
	assert_true(legal > POSITIONS && others > POSITIONS && capturing > POSITIONS / 4);
}

/* On the last ply the list is made late: the same moves in the same order as where it is made at once. */
static void
a_late_list_has_the_same_order(void **unused)
{
	static struct search_order late, early;
	struct search *search = search_new();
	struct deal deal = {.seed = 22};
	unsigned named = 0, left_out = 0;
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		static struct move moves[MOVES_MAX];
		static struct search_result result;
		struct search_limits limits = {.nodes = 1};
		struct position position, other;
		struct move move, same;
		deal_start(&deal, (enum variant)(i % VARIANT_COUNT), &position);
		unsigned count = position_moves(&position, NULL, moves);
		search_run(search, &position, NULL, &limits, &result);
		for (unsigned k = 0; k < count; k++)
			search->history[position.turn - 1][weigh_ends(moves[k].from, moves[k].to)] =
			    (int16_t)((int)deal_below(&deal, 40) - 20);
		for (unsigned k = 0; k < SEARCH_KILLERS; k++)
			search->killers[3][k] = deal_named(&deal, moves, count);
		if (move_same(search->killers[3][0], search->killers[3][1])) /* a search has none twice */
			search->killers[3][1] = (struct move){0};
		struct move best = deal_named(&deal, moves, count);
		struct table_hit hit = {.from = best.from, .to = best.to};
		int least = i % 2 ? SEARCH_ORDER_ALL : (int)deal_below(&deal, 40) - 20;
		other = position;
		search_order_begin(&early, search, &position, 3, i % 3 ? &hit : NULL, least, 2);
		search_order_begin(&late, search, &other, 3, i % 3 ? &hit : NULL, least, 1);
		named += late.named_count;
		while (search_order_next(&early, &move)) {
			assert_true(search_order_next(&late, &same));
			assert_memory_equal(&move, &same, sizeof move);
			assert_int_equal(early.next, late.next);
		}
		assert_false(search_order_next(&late, &same));
		assert_int_equal(early.left_out, late.left_out);
		assert_int_equal(position.chained, other.chained);
		left_out += early.left_out;
	}
	assert_true(named > POSITIONS / 2 && left_out > POSITIONS);
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_found_is_in_the_list),
	    cmocka_unit_test(a_late_list_has_the_same_order),
	};
	return cmocka_run_group_tests_name("search order", tests, NULL, NULL);
}

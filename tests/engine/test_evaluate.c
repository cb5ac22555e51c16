/* The evaluation of Iuvo, and the moves that a search makes: against the plain ways to know the same. */
#include "test_engine.h"

#include "engine/iuvo_evaluate.h"
#include "engine/rules.h"
#include "engine/weigh.h"
#include "tests/engine/deal.h"

enum { POSITIONS = 4000 };

/* A knight's distances by flooding the board. */
static void
distances_are_those_of_a_knight(void **unused)
{
	(void)unused;
	for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
		uint64_t targets = iuvo_targets(VARIANT_IUVO_4)[seat];
		for (unsigned index = 0; index < 4; index++, targets &= targets - 1) {
			uint64_t reached = bits_lowest(targets), more = reached;
			for (unsigned jumps = 0; more; jumps++) {
				uint64_t next = 0;
				for (uint64_t rest = more; rest; rest &= rest - 1) {
					unsigned bit = bits_first(rest);
					assert_int_equal(iuvo_evaluate_distances[seat][bit] >> 8 * index & 0xff, jumps);
					next |= iuvo_jumps[bit];
				}
				more = next & ~reached;
				reached |= next;
			}
			assert_true(reached == IUVO_CELLS);
		}
	}
}

/* The best of all ways to give stones targets, tried one after the other. */
static unsigned
race(const struct position *position, unsigned seat, uint64_t stones, uint64_t targets)
{
	unsigned best = 100;
	if (!stones)
		return 0;
	uint64_t all = iuvo_targets((enum variant)position->variant)[seat];
	for (uint64_t rest = targets; rest; rest &= rest - 1) {
		unsigned index = bits_count(all & (bits_lowest(rest) - 1));
		const uint32_t *way = iuvo_evaluate_way(variant_row((enum variant)position->variant)->seats, seat);
		unsigned now = (way[bits_first(stones)] >> 8 * index & 0xff) +
			       race(position, seat, stones & (stones - 1), targets ^ bits_lowest(rest));
		best = now < best ? now : best;
	}
	return best;
}

/* With two seats of four left, a stone that both own. */
static enum iuvo_stage
stage_of(const struct position *position)
{
	cell_t cells[STONES_MAX];
	if (position_phase(position) != PHASE_CHAIN)
		return IUVO_GATHERING;
	for (unsigned i = 0, count = position_stones(position, cells); i < count; i++)
		if (rules_in_count(position) == 2 &&
		    __builtin_popcount((unsigned)position_owners(position, cells[i])) == 2)
			return IUVO_TOGETHER;
	return IUVO_CHAIN;
}

static void
terms_are_what_they_say(void **unused)
{
	struct deal deal = {.seed = 5};
	unsigned stages = 0;
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position;
		int terms[IUVO_TERM_COUNT];
		deal_start(&deal, i % 2 ? VARIANT_IUVO_2 : VARIANT_IUVO_4, &position);
		unsigned seat = position.turn;
		struct move moves[MOVES_MAX];
		bool threatened[256] = {false};
		unsigned count = position_moves(&position, NULL, moves), threats = 0, safe = IUVO_SAFE_MOVES;
		uint64_t owned = position.iuvo.owned[seat - 1];
		enum iuvo_stage stage = iuvo_evaluate_terms(&position, seat, terms);
		for (unsigned at = 0; at < count; at++) {
			threats += moves[at].captures && !threatened[moves[at].to];
			threatened[moves[at].to] |= moves[at].captures;
		}
		assert_int_equal(stage, stage_of(&position));
		stages |= 1u << stage;
		assert_int_equal(terms[IUVO_TERM_THREATS], threats);
		if (terms[IUVO_TERM_DANGER] > 0)
			assert_int_equal(terms[IUVO_TERM_DANGER], safe - count);
		else
			assert_true(count >= safe);
		assert_int_equal(terms[IUVO_TERM_RACE],
		    race(&position, seat - 1, owned, iuvo_targets((enum variant)position.variant)[seat - 1]));
		assert_int_equal(terms[IUVO_TERM_ONE] + 2 * terms[IUVO_TERM_TWO] + 3 * terms[IUVO_TERM_THREE],
		    bits_count(owned) % 4);
		assert_int_equal(terms[IUVO_TERM_TURN], 1);
	}
	assert_int_equal(stages, (1u << IUVO_STAGES) - 1);
}

/* What an evaluation is certain of is so, and where it is quiet it is. */
static void
forecasts_are_true(void **unused)
{
	struct deal deal = {.seed = 6};
	unsigned seen[4] = {0};
	(void)unused;
	for (unsigned i = 0; i < 4 * POSITIONS; i++) {
		static const enum variant variants[] = {VARIANT_IUVO_2, VARIANT_IUVO_2_LOOSE};
		struct position position;
		char text[POSITION_TEXT_MAX];
		deal_position(&deal, variants[i % 2], text);
		position = position_of(text);
		if (position.turn == 0 || rules_in_count(&position) != 2)
			continue;
		const struct rules *rules = rules_of((enum variant)position.variant);
		struct move moves[MOVES_MAX];
		unsigned count = position_moves(&position, NULL, moves);
		bool wins = false, captures = false;
		int worth[SEATS_MAX];
		static struct memo memo;
		memset(&memo, 0, sizeof memo);
		for (unsigned at = 0; at < count; at++) {
			struct position after;
			rules->make(&position, moves[at], &after);
			wins |= after.turn == 0 && after.winner == position.turn;
			captures |= moves[at].captures;
		}
		enum forecast forecast =
		    rules->evaluate(&position, rules_weights((enum variant)position.variant), &memo, worth);
		seen[forecast]++;
		assert_int_equal(forecast == FORECAST_BLOCKED, count == 0);
		if (forecast == FORECAST_WINS)
			assert_true(wins);
		if (forecast == FORECAST_QUIET)
			assert_true(!captures);
		if (forecast == FORECAST_CAPTURES)
			assert_true(captures);
	}
	for (unsigned i = 0; i < 4; i++)
		assert_true(seen[i] > 20);
}

/*
 * What a position is worth is the sum of its terms by their weights, whatever
 * was evaluated before: the memo, full of other positions, tells no other.
 */
static void
worth_is_the_sum_of_terms(void **unused)
{
	static const enum variant variants[] = {
	    VARIANT_IUVO_2, VARIANT_IUVO_4, VARIANT_IUVO_2_LOOSE, VARIANT_IUVO_4_LOOSE};
	unsigned compared = 0;
	(void)unused;
	for (unsigned v = 0; v < 4; v++) {
		static struct memo memo;
		struct deal deal = {.seed = 9 + v};
		const int *weights = rules_weights(variants[v]);
		memset(&memo, 0, sizeof memo);
		for (unsigned i = 0; i < 4 * POSITIONS; i++) {
			struct position position;
			int worth[SEATS_MAX] = {0}, terms[IUVO_TERM_COUNT];
			deal_start(&deal, variants[v], &position);
			if (rules_of(variants[v])->evaluate(&position, weights, &memo, worth) >= FORECAST_BLOCKED)
				continue;
			for (unsigned seat = 1; seat <= variant_row(variants[v])->seats; seat++) {
				enum iuvo_stage stage = iuvo_evaluate_terms(&position, seat, terms);
				int sum = 0;
				for (unsigned at = 0; at < IUVO_TERM_COUNT; at++)
					sum += terms[at] * weights[at + stage * IUVO_TERM_COUNT];
				if (!position_out(&position, seat))
					assert_int_equal(worth[seat - 1], sum);
				compared++;
			}
		}
	}
	assert_true(compared > 10 * POSITIONS);
}

static void
kernels_agree(void **unused)
{
	struct deal deal = {.seed = 7};
	(void)unused;
#if KERNEL_HAS_POPCNT
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position;
		int a[SEATS_MAX] = {0}, b[SEATS_MAX] = {0};
		deal_start(&deal, i % 2 ? VARIANT_IUVO_2 : VARIANT_IUVO_4, &position);
		const int *weights = rules_weights((enum variant)position.variant);
		static struct memo memo, other;
		memset(&memo, 0, sizeof memo);
		memset(&other, 0, sizeof other);
		assert_int_equal(kernel_plain.iuvo_evaluate(&position, weights, &memo, a),
		    kernel_here()->iuvo_evaluate(&position, weights, &other, b));
		assert_memory_equal(a, b, sizeof a);
	}
#else
	(void)deal;
#endif
}

/* The list of captures is that of all moves without the others. */
static void
captures_are_the_moves_that_capture(void **unused)
{
	static const enum variant variants[] = {
	    VARIANT_IUVO_2, VARIANT_IUVO_4, VARIANT_IUVO_2_LOOSE, VARIANT_IUVO_4_LOOSE};
	struct deal deal = {.seed = 12};
	unsigned seen = 0;
	(void)unused;
	for (unsigned i = 0; i < 4 * POSITIONS; i++) {
		struct position position;
		struct move moves[MOVES_MAX], captures[MOVES_MAX];
		deal_start(&deal, variants[i % 4], &position);
		const struct rules *rules = rules_of(variants[i % 4]);
		unsigned count = rules->moves(&position, NULL, moves), kept = 0;
		for (unsigned at = 0; at < count; at++)
			if (moves[at].captures)
				moves[kept++] = moves[at];
		assert_int_equal(rules->captures_of(&position, captures), kept);
		assert_memory_equal(captures, moves, kept * sizeof *moves);
		seen += kept;
	}
	assert_true(seen > POSITIONS);
}

/* What the search would make of a move, written plainly. */
static int
plain_worth(const struct weigher *weigher, struct move move)
{
	unsigned ends = weigh_ends(move.from, move.to);
	if (ends == weigher->table)
		return WEIGH_TABLE;
	if (move.captures)
		return WEIGH_CAPTURE;
	if (ends == weigher->killers[0] || ends == weigher->killers[1])
		return WEIGH_KILLER - (ends != weigher->killers[0]);
	return weigher->history[ends] + promise_of(weigher->promises, weigher->seat, move, weigher->waits);
}

/* Every listed move is weighed, in order, but for those that promise too little; and the best of them is known. */
static void
the_moves_of_the_list_are_weighed(void **unused)
{
	static struct promises promises[VARIANT_COUNT];
	static int16_t history[1 << 16];
	struct deal deal = {.seed = 13};
	unsigned left_out = 0, kept = 0;
	(void)unused;
	for (unsigned i = 0; i < VARIANT_COUNT; i++)
		promise_draw(&promises[i], (enum variant)i, rules_of((enum variant)i)->weights);
	for (unsigned i = 0; i < 1 << 16; i++)
		history[i] = (int16_t)deal_below(&deal, 2000) - 1000;
	for (unsigned i = 0; i < 2 * POSITIONS; i++) {
		static struct move moves[MOVES_MAX], weighed[MOVES_MAX];
		static int worth[MOVES_MAX];
		struct position position;
		deal_start(&deal, (enum variant)(i % VARIANT_COUNT), &position);
		const struct rules *rules = rules_of((enum variant)position.variant);
		unsigned count = rules->moves(&position, NULL, moves), at = 0, best = 0;
		struct move named[3];
		for (unsigned k = 0; k < 3; k++)
			named[k] = count ? moves[deal_below(&deal, count)] : (struct move){0};
		struct weigher weigher = {
		    .promises = &promises[i % VARIANT_COUNT],
		    .history = history,
		    .seat = position.turn,
		    .waits = promise_waits(&promises[i % VARIANT_COUNT], &position),
		    .least = (int)deal_below(&deal, 3) * 40 - 80,
		    .table = weigh_ends(named[0].from, named[0].to),
		    .killers = {weigh_ends(named[1].from, named[1].to), weigh_ends(named[2].from, named[2].to)},
		    .moves = weighed,
		    .worth = worth,
		    .best_worth = WEIGH_LEAST,
		};
		rules->weigh(&position, &weigher);
		for (unsigned k = 0; k < count; k++) {
			int promise = promise_of(weigher.promises, position.turn, moves[k], weigher.waits);
			if (promise < weigher.least && weigh_ends(moves[k].from, moves[k].to) != weigher.table)
				continue;
			assert_memory_equal(&weighed[at], &moves[k], sizeof *moves);
			assert_int_equal(worth[at], plain_worth(&weigher, moves[k]));
			best = worth[at] > worth[best] ? at : best;
			at++;
		}
		assert_int_equal(weigher.count, at);
		assert_int_equal(weigher.left_out, count - at);
		assert_int_equal(weigher.best, best);
		kept += at;
		left_out += count - at;
	}
	assert_true(kept > POSITIONS && left_out > POSITIONS);
}

/* What a search makes is what a game plays, but for seats that are blocked. */
static void
make_is_play(void **unused)
{
	struct deal deal = {.seed = 8};
	unsigned compared = 0;
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position;
		struct move moves[MOVES_MAX];
		deal_start(&deal, (enum variant)(i % VARIANT_COUNT), &position);
		/* a game's first ply, after a text, may find what no later one does: make tells them apart */
		position.ply = i / VARIANT_COUNT % 2 && position_is_start(&position);
		const struct rules *rules = rules_of((enum variant)position.variant);
		unsigned count = position_moves(&position, NULL, moves);
		for (unsigned at = 0; at < count; at++) {
			struct position made, played;
			rules->make(&position, moves[at], &made);
			position_play(&position, NULL, moves[at], &played, NULL);
			if (made.turn != 0 && position_count(&made, NULL) == 0)
				continue;
			assert_true(made.key == position_key(&made));
			assert_true(made.key == played.key && made.winner == played.winner);
			assert_int_equal(made.reason, played.reason);
			assert_int_equal(made.ply, played.ply);
			assert_int_equal(made.out, played.out);
			assert_memory_equal(&made, &played, offsetof(struct position, key));
			compared++;
		}
	}
	assert_true(compared > 20 * POSITIONS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(distances_are_those_of_a_knight),
	    cmocka_unit_test(terms_are_what_they_say),
	    cmocka_unit_test(forecasts_are_true),
	    cmocka_unit_test(worth_is_the_sum_of_terms),
	    cmocka_unit_test(kernels_agree),
	    cmocka_unit_test(captures_are_the_moves_that_capture),
	    cmocka_unit_test(the_moves_of_the_list_are_weighed),
	    cmocka_unit_test(make_is_play),
	};
	return cmocka_run_group_tests_name("evaluate", tests, NULL, NULL);
}

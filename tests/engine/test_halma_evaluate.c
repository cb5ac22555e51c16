/* Halma's evaluation: the same for both seats and on both sides of the diagonal, and each of its terms. */
#include "engine/halma.h"
#include "engine/halma_evaluate.h"
#include "test_engine.h"
#include "tests/engine/deal.h"

enum { POSITIONS = 2000, SCORE_CERTAIN = 1 << 20 };

typedef cell_t symmetry(cell_t cell);

/* Each camp to where the other is. */
static cell_t
turned(cell_t cell)
{
	return cell_at(15 - cell_file(cell), 15 - cell_rank(cell));
}

/* Each camp onto itself. */
static cell_t
mirrored(cell_t cell)
{
	return cell_at(15 - cell_rank(cell), 15 - cell_file(cell));
}

static struct position
changed(const struct position *position, symmetry *where, bool other_seats)
{
	struct position result = *position;
	cell_t cells[STONES_MAX];
	unsigned count = position_stones(position, cells);

	memset(&result.halma, 0, sizeof result.halma);
	for (unsigned i = 0; i < count; i++) {
		unsigned seat = position_owners(position, cells[i]) == 1 ? 0 : 1;
		cell_t cell = where(cells[i]);
		result.halma.of[other_seats ? 1 - seat : seat][halma_class(cell)] |= UINT64_C(1) << halma_bit(cell);
	}
	if (other_seats)
		result.turn = 3 - position->turn;
	return result;
}

/* Of a position where nothing is certain, for the seat to move. */
static int
score(const struct position *position, const int *weights)
{
	static struct memo memo; /* of sums, which no weight changes */
	int worth[SEATS_MAX];
	if (halma_evaluate(position, weights, &memo, worth) != FORECAST_QUIET)
		return SCORE_CERTAIN;
	return worth[position->turn - 1] - worth[2 - position->turn];
}

static int
promise(const struct position *position, struct move move, const int *weights)
{
	struct promises promises;
	promise_draw(&promises, VARIANT_HALMA_2, weights);
	return promise_of(&promises, position->turn, move, promise_waits(&promises, position));
}

static struct position
dealt(struct deal *deal)
{
	char text[POSITION_TEXT_MAX];
	deal_position(deal, VARIANT_HALMA_2, text);
	return position_of(text);
}

static void
both_seats_and_both_sides_are_worth_the_same(void **unused)
{
	struct deal deal = {.seed = 4};
	unsigned apart = 0;
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = dealt(&deal);
		struct position other = changed(&position, turned, true), side = changed(&position, mirrored, false);
		int worth = score(&position, halma_evaluate_weights);
		assert_int_equal(score(&other, halma_evaluate_weights), worth);
		assert_int_equal(score(&side, halma_evaluate_weights), worth);
		apart += worth < -100 || worth > 100;
	}
	assert_true(apart > POSITIONS / 2);
}

/* The lead of one seat is the arrears of the other; to be to move is worth something to both. */
static void
what_one_seat_has_the_other_lacks(void **unused)
{
	struct deal deal = {.seed = 5};
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = dealt(&deal), other = position;
		other.turn = 3 - position.turn;
		if (score(&position, halma_evaluate_weights) == SCORE_CERTAIN ||
		    score(&other, halma_evaluate_weights) == SCORE_CERTAIN)
			continue;
		int both = score(&position, halma_evaluate_weights) + score(&other, halma_evaluate_weights);
		assert_in_range(both, 1, 200);
	}
}

static int
term(const char *text, unsigned seat, enum halma_weight weight)
{
	struct position position = position_of(text);
	int terms[HALMA_WEIGHT_COUNT];
	halma_evaluate_terms(&position, seat, terms);
	return terms[weight];
}

static const char start[] =
    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -";
/* Seat 1 is home but for one stone, which stands far from the gap in e16, or near to it; seat 2 is not far. */
static const char far_gap[] =
    "halma-2 AAAA12/AAAAA11/AAAA12/AAA13/AA14/16/16/A15/16/16/16/14B1/13BBB/12BBBB/10BBBBBB/11BBBBB 1 - -";
static const char near_gap[] =
    "halma-2 AAAA2A9/AAAAA11/AAAA12/AAA13/AA14/16/16/16/16/16/16/14B1/13BBB/12BBBB/10BBBBBB/11BBBBB 1 - -";
static const char two_gaps[] =
    "halma-2 AAAA1AA9/AAAAA11/AAAA12/AAA13/1A14/16/16/16/16/16/16/14B1/13BBB/12BBBB/10BBBBBB/11BBBBB 1 - -";
/* Seat 1 jumps from p2 to n4, n6 and l6, and from n5 to l7; seat 2 has nothing to jump over. */
static const char ladder[] = "halma-2 16/16/16/16/16/16/16/16/16/16/12A3/11B1A2/16/14A1/15A/B15 1 - -";

static void
the_race_is_files_and_ranks_to_the_far_corner(void **unused)
{
	(void)unused;
	for (unsigned seat = 1; seat <= 2; seat++) {
		assert_int_equal(term(start, seat, HALMA_WAY), 510);
		assert_int_equal(term(start, seat, HALMA_STRAGGLER), 13730);
		assert_int_equal(term(start, seat, HALMA_ASIDE), 34);
	}
	assert_int_equal(term(far_gap, 1, HALMA_WAY), 60 - 4 + 7);
	assert_int_equal(term(far_gap, 1, HALMA_STRAGGLER), 230 - 16 + 49);
}

static void
stones_at_home_count(void **unused)
{
	(void)unused;
	assert_int_equal(term(start, 1, HALMA_HOME), 19);
	assert_int_equal(term(start, 2, HALMA_HOME), 19);
	assert_int_equal(term(far_gap, 1, HALMA_HOME), 0);
	assert_int_equal(term(ladder, 1, HALMA_HOME), 2);
}

static void
who_comes_in_before_the_others_are_out_pays_for_it(void **unused)
{
	static const char shut_in[] = "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/14BA/13B1B/9B4BA 1 - -";
	(void)unused;
	assert_int_equal(term(start, 1, HALMA_CROWD), 0);
	assert_int_equal(term(shut_in, 2, HALMA_CROWD), 2 * 4);
	assert_int_equal(term(shut_in, 1, HALMA_CROWD), 0);
}

#define HALMA_OTHERS_HOME "16/16/16/16/14BB/13BBB/12BBBB/12BBBB/11BBBBB"

/* A corner is left by a step, or by a jump over one of those who stand around it. */
static void
a_stone_is_sealed_in_when_no_way_leads_out(void **unused)
{
	static const char sealed[] = "halma-2 BAA13/AA14/A1A13/16/16/16/16/" HALMA_OTHERS_HOME " 1 - -";
	static const char behind[] =
	    "halma-2 BAA13/AA14/A1B13/4A11/16/16/16/16/16/16/16/14BB/13BBB/12BBBB/12BBBB/12BBBB 1 - -";
	static const char over[] = "halma-2 BAA13/AA14/A3A11/A15/16/16/16/" HALMA_OTHERS_HOME " 1 - -";
	(void)unused;
	assert_int_equal(term(sealed, 1, HALMA_SEALED), 1);
	assert_int_equal(term(sealed, 1, HALMA_BARRED), 1);
	assert_int_equal(term(sealed, 2, HALMA_SEALED), 0);
	/* too few to be asked, and the jump lands where a stone of the other makes way */
	assert_int_equal(term(behind, 1, HALMA_SEALED), 0);
	assert_int_equal(term(over, 1, HALMA_SEALED), 0);
}

/* The jump over d15 is the only way out of c16. */
static const char before_the_door[] = "halma-2 AABAA11/AAAAA11/AAAAA11/AAA13/AA14/16/16/" HALMA_OTHERS_HOME " 1 - -";
static const char beside_the_door[] = "halma-2 AABAA11/AAAAA11/AAAA12/AAA2A10/AA14/16/16/" HALMA_OTHERS_HOME " 1 - -";
static const char far_from_it[] = "halma-2 AABAA11/AAAAA11/AAAA12/AAA13/AA14/16/9A6/" HALMA_OTHERS_HOME " 1 - -";

static void
a_stone_is_barred_by_one_that_may_go_away(void **unused)
{
	(void)unused;
	assert_int_equal(term(before_the_door, 1, HALMA_BARRED), 1);
	assert_int_equal(term(before_the_door, 1, HALMA_SEALED), 0);
	assert_int_equal(term(beside_the_door, 1, HALMA_BARRED), 0);
}

static void
haste_is_to_stand_before_the_end_while_the_other_denies_it(void **unused)
{
	(void)unused;
	assert_int_equal(term(before_the_door, 1, HALMA_HASTE), 9 - 2);
	assert_int_equal(term(beside_the_door, 1, HALMA_HASTE), 9 - 3);
	assert_int_equal(term(far_from_it, 1, HALMA_HASTE), 9 - 7);
	assert_int_equal(term(far_gap, 1, HALMA_HASTE), 0); /* nobody is at home */
}

static void
ladders_are_counted_by_what_they_reach(void **unused)
{
	(void)unused;
	assert_int_equal(term(ladder, 1, HALMA_LADDER), -4);
	assert_int_equal(term(ladder, 2, HALMA_LADDER), 0);
}

static void
the_last_stones_look_for_the_gap(void **unused)
{
	(void)unused;
	assert_int_equal(term(start, 1, HALMA_GAP), 0);
	assert_int_equal(term(far_gap, 1, HALMA_GAP), 7 - 3);
	assert_int_equal(term(near_gap, 1, HALMA_GAP), 0);
	/* two beside one gap: the other one has to go on to a12 */
	assert_int_equal(term(two_gaps, 1, HALMA_GAP), (1 + 6) - (1 + 2));
}

/* A gap in the camp may be deep, or on the far side of it: each ply that helps is worth something. */
static void
each_ply_that_brings_a_stone_home_is_a_gain(void **unused)
{
	static const char *const ways[] = {"a9-b10", "b10-c11", "c11-d12", "d12-d13", "d13-e14"};
	struct position position = position_of(
	    "halma-2 AAAA12/AAAAA11/AAAA12/AAA13/AA14/16/16/A15/16/16/16/14B1/13BBB/12BBBB/10BBBBBB/11BBBBB 1 - -");
	(void)unused;
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		int before = score(&position, halma_evaluate_weights);
		position_play(&position, NULL, move_of(&position, NULL, ways[i]), &position, NULL);
		position.turn = 1;
		assert_true(score(&position, halma_evaluate_weights) > before);
	}
	assert_int_equal(score(&position, halma_evaluate_weights), SCORE_CERTAIN);
}

/* A stone that is home moves further in, or it waits, and that promises less than any other move. */
static void
a_stone_at_home_that_waits_promises_least(void **unused)
{
	struct position position = position_of(far_gap);
	(void)unused;
	assert_true(promise(&position, move_of(&position, NULL, "d16-e16"), halma_evaluate_weights) < HALMA_LEAST);
	assert_true(promise(&position, move_of(&position, NULL, "a9-b8"), halma_evaluate_weights) >= HALMA_LEAST);
	position = position_of(
	    "halma-2 A1AAA11/AAAAA11/AAAA12/AAA13/AA14/16/16/A15/16/16/16/14B1/13BBB/12BBBB/10BBBBBB/11BBBBB 1 - -");
	assert_true(promise(&position, move_of(&position, NULL, "c15-b16"), halma_evaluate_weights) > 0);
	/* who keeps a stone at home may wait, and the other may make way */
	position = position_of(
	    "halma-2 AA1AA11/AABAA11/AAAA12/AAA13/AA14/16/9A6/16/16/16/16/14BB/13BBB/12BBBB/12BBBB/11BBBBB 1 - -");
	assert_true(promise(&position, move_of(&position, NULL, "b16-c16"), halma_evaluate_weights) >= HALMA_LEAST);
}

/* What was evaluated before tells in nothing: a memo full of other positions, and one that is empty. */
static void
a_memo_makes_nothing_but_haste(void **unused)
{
	static struct memo full, empty;
	struct deal deal = {.seed = 8};
	unsigned compared = 0;
	(void)unused;
	for (unsigned i = 0; i < 2 * POSITIONS; i++) {
		struct position position = dealt(&deal);
		int a[SEATS_MAX] = {0}, b[SEATS_MAX] = {0};
		if (position.turn == 0)
			continue;
		memset(&empty, 0, sizeof empty);
		enum forecast forecast = halma_evaluate(&position, halma_evaluate_weights, &full, a);
		assert_int_equal(halma_evaluate(&position, halma_evaluate_weights, &empty, b), forecast);
		assert_memory_equal(a, b, sizeof a);
		assert_int_equal(halma_evaluate(&position, halma_evaluate_weights, &full, b), forecast);
		assert_memory_equal(a, b, sizeof a);
		compared++;
	}
	assert_true(compared > POSITIONS);
}

/* The gain that moves are ordered by is what the evaluation says, where no other term changes. */
static void
the_gain_of_a_move_is_that_of_the_evaluation(void **unused)
{
	int weights[HALMA_WEIGHT_COUNT];
	struct deal deal = {.seed = 6};
	(void)unused;
	memcpy(weights, halma_evaluate_weights, sizeof weights);
	weights[HALMA_CROWD] = weights[HALMA_BARRED] = weights[HALMA_SEALED] = weights[HALMA_HASTE] = 0;
	weights[HALMA_LADDER] = weights[HALMA_GAP] = 0;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = dealt(&deal), after;
		struct move moves[MOVES_MAX];
		unsigned count = position_moves(&position, NULL, moves);
		if (count == 0)
			continue;
		struct move move = moves[deal_below(&deal, count)];
		int promised = promise(&position, move, weights);
		position_play(&position, NULL, move, &after, NULL);
		if (after.turn == 0)
			continue;
		after.turn = position.turn;
		if (score(&after, weights) == SCORE_CERTAIN || score(&position, weights) == SCORE_CERTAIN)
			continue;
		if (promised < HALMA_LEAST)
			continue;
		int gain = score(&after, weights) - score(&position, weights);
		assert_in_range(promised - gain + 1, 0, 2); /* both are rounded */
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_seats_and_both_sides_are_worth_the_same),
	    cmocka_unit_test(what_one_seat_has_the_other_lacks),
	    cmocka_unit_test(the_race_is_files_and_ranks_to_the_far_corner),
	    cmocka_unit_test(stones_at_home_count),
	    cmocka_unit_test(who_comes_in_before_the_others_are_out_pays_for_it),
	    cmocka_unit_test(a_stone_is_sealed_in_when_no_way_leads_out),
	    cmocka_unit_test(a_stone_is_barred_by_one_that_may_go_away),
	    cmocka_unit_test(haste_is_to_stand_before_the_end_while_the_other_denies_it),
	    cmocka_unit_test(ladders_are_counted_by_what_they_reach),
	    cmocka_unit_test(the_last_stones_look_for_the_gap),
	    cmocka_unit_test(each_ply_that_brings_a_stone_home_is_a_gain),
	    cmocka_unit_test(a_stone_at_home_that_waits_promises_least),
	    cmocka_unit_test(a_memo_makes_nothing_but_haste),
	    cmocka_unit_test(the_gain_of_a_move_is_that_of_the_evaluation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The sparring partner plays by the rules, sees a win at hand, and plays the same from the same seed. */
#include "test_engine.h"
#include "tests/engine/sparring.h"

enum { NODES = 50000 };

static struct move
think(const char *text, uint64_t playouts, uint64_t seed)
{
	struct position position = position_of(text);
	struct sparring *sparring = sparring_new(NODES);
	assert_non_null(sparring);
	uint64_t done = 0;
	struct move move =
	    sparring_think(sparring, &position, NULL, (struct sparring_budget){.playouts = playouts}, seed, &done);
	assert_int_equal(done, playouts);
	sparring_free(sparring);
	return move;
}

static void
assert_wins(const char *text, uint64_t playouts)
{
	struct position position = position_of(text), after;
	position_play(&position, NULL, think(text, playouts, 1), &after, NULL);
	assert_int_equal(after.winner, position.turn);
}

static void
it_sees_a_win_at_hand(void **unused)
{
	(void)unused;
	/* the last stone goes home */
	assert_wins("halma-2 AAAA1A10/AAAAA11/AAAA12/AAA13/AA14/16/16/16/16/16/16/"
		    "14BB/13BBB/12BBBB/10B1BBBB/11BBBBB 1 - -",
	    3000);
	/* the only stone of seat 2 is taken, or shut in */
	assert_wins("iuvo-2 7/7/2o4/1BoA3/3A3/7/7 1 - -", 1000);
}

static void
the_same_seed_gives_the_same_move(void **unused)
{
	static const char start[] = "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -";
	struct move first = think(start, 300, 5), second = think(start, 300, 5);
	(void)unused;
	assert_int_equal(first.from, second.from);
	assert_int_equal(first.to, second.to);
}

/* Some plies of each variant: every move it plays is one that is listed. */
static void
it_plays_by_the_rules(void **unused)
{
	struct sparring *sparring = sparring_new(NODES);
	(void)unused;
	assert_non_null(sparring);
	for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
		struct position position;
		position_start((enum variant)variant, &position);
		for (unsigned ply = 0; ply < 24 && position.turn != 0; ply++) {
			struct move moves[MOVES_MAX];
			struct move move = sparring_think(
			    sparring, &position, NULL, (struct sparring_budget){.playouts = 40}, ply, NULL);
			unsigned count = position_moves(&position, NULL, moves), at = 0;
			while (at < count && (moves[at].from != move.from || moves[at].to != move.to))
				at++;
			assert_in_range(at, 0, count - 1);
			position_play(&position, NULL, move, &position, NULL);
		}
	}
	sparring_free(sparring);
}

/* A tree without room for a second expansion still answers. */
static void
a_full_tree_answers(void **unused)
{
	struct position position;
	struct sparring *sparring = sparring_new(200);
	(void)unused;
	assert_non_null(sparring);
	position_start(VARIANT_HALMA_2, &position);
	struct move move =
	    sparring_think(sparring, &position, NULL, (struct sparring_budget){.playouts = 500}, 1, NULL);
	assert_int_equal(position_owners(&position, move.from), 1);
	sparring_free(sparring);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_sees_a_win_at_hand),
	    cmocka_unit_test(the_same_seed_gives_the_same_move),
	    cmocka_unit_test(it_plays_by_the_rules),
	    cmocka_unit_test(a_full_tree_answers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

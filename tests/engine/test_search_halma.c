/* The search in Halma: the same everywhere, true in what it claims, and home in the end. */
#include "test_search.h"

#include "engine/halma_evaluate.h"
#include "tests/engine/deal.h"

static const char start[] =
    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -";
static const char middle[] = "halma-2 16/1AAAA11/4B11/AAA13/3BB11/2B6A6/4BBABAAB1B3/6B9/6B1AA1A4/11B4/11A4/10BBBA2/"
			     "11A4/12BBBB/16/10A2A2 1 - -";
static const char late[] = "halma-2 AAAA1A10/AAAA12/AAA1A11/AA1A12/A1A13/A15/16/16/16/16/15B/13B2/12B1BB/11B1BBB/"
			   "12BBBB/10BBBBBB 1 - -";
/* Seat 2 keeps a stone at home, which has one way out: the jump over d15. */
static const char denied[] = "halma-2 AABAA11/AAAAA11/AAAA12/AAA2A10/AA14/16/16/16/16/16/16/14BB/13BBB/12BBBB/12BBBB/"
			     "11BBBBB 1 - -";

/* Whatever changes the way of a search in Halma changes this number. */
static void
the_signature_is_known(void **unused)
{
	static const char *const texts[] = {start, middle, late, denied};
	(void)unused;
	ASSERT_SIGNATURE(texts, 0x7ea586745b48f922);
}

/* Whether the seat to move wins in so many plies at most: every move is tried. */
static bool
wins(const struct position *position, unsigned plies)
{
	struct move moves[MOVES_MAX], replies[MOVES_MAX];
	for (unsigned i = 0, count = position_moves(position, NULL, moves); i < count; i++) {
		struct position after, next;
		position_play(position, NULL, moves[i], &after, NULL);
		if (after.turn == 0 && after.winner == position->turn)
			return true;
		if (plies < 3 || after.turn == 0)
			continue;
		unsigned at = 0, others = position_moves(&after, NULL, replies);
		for (; at < others; at++) {
			position_play(&after, NULL, replies[at], &next, NULL);
			if (next.turn == 0 || !wins(&next, plies - 2))
				break;
		}
		if (at == others)
			return true;
	}
	return false;
}

/* A seat whose last stones are near home: so many outside its camp, which the other seat may still stand in. */
static bool
deal_late(struct deal *deal, struct position *position)
{
	char text[POSITION_TEXT_MAX];
	deal_position(deal, VARIANT_HALMA_2, text);
	*position = position_of(text);
	return position->turn != 0 && position->out == 0 && position_count(position, NULL) < 60;
}

static void
claims_are_true(void **unused)
{
	enum { DEALT = 600, PLIES_PROVED = 5 };
	struct search *search = search_new();
	struct deal deal = {.seed = 31};
	unsigned dealt = 0, won = 0, lost = 0;
	(void)unused;
	while (dealt < DEALT) {
		struct position position;
		struct search_limits limits = {.nodes = 3000};
		struct search_result result;
		if (!deal_late(&deal, &position))
			continue;
		dealt++;
		search_run(search, &position, NULL, &limits, &result);
		int plies = result.lines[0].plies;
		assert_line(&position, NULL, &result.lines[0]);
		if (plies > 0 && plies <= PLIES_PROVED) {
			assert_true(wins(&position, (unsigned)plies));
			assert_true(!result.lines[0].shortest || plies < 3 || !wins(&position, (unsigned)plies - 2));
			won++;
		}
		if (plies < 0 && -plies <= PLIES_PROVED) {
			struct move moves[MOVES_MAX];
			for (unsigned i = 0, count = position_moves(&position, NULL, moves); i < count; i++) {
				struct position after;
				position_play(&position, NULL, moves[i], &after, NULL);
				assert_true(after.winner == 3u - position.turn ||
					    (after.turn != 0 && wins(&after, (unsigned)-plies - 1)));
			}
			lost++;
		}
	}
	print_message("won %u, lost %u\n", won, lost);
	assert_true(won > DEALT / 20 && lost > 5);
	search_free(search);
}

/* A weak engine never finishes; this one brings every stone home, also when it looks at little. */
static void
games_end_at_the_target(void **unused)
{
	/* with few nodes both wait long for each other in the middle */
	static const struct {
		uint64_t nodes;
		unsigned plies;
	} games[] = {{6000, 220}, {4000, 240}, {1500, 400}};
	static struct history history;
	struct search *search = search_new();
	(void)unused;
	for (unsigned game = 0; game < sizeof games / sizeof *games; game++) {
		struct position position = position_of(start);
		history_begin(&history, &position);
		while (position.turn != 0) {
			struct search_limits limits = {.nodes = games[game].nodes, .seed = position.ply + 1u};
			struct search_result result;
			struct past past = history_past(&history);
			struct change change;
			search_run(search, &position, &history, &limits, &result);
			position_play(&position, &past, result.lines[0].moves[0], &position, &change);
			history_add(&history, change.left);
			assert_true(position.ply < games[game].plies);
		}
		assert_int_equal(position.reason, REASON_TARGET);
	}
	search_free(search);
}

/*
 * H7: a stone kept at home denies the win.  Who stands before the end waits at a
 * distance, out of its way, as long as the other moves to and fro; and wins
 * when it has left.
 */
static void
who_is_denied_the_win_waits_at_a_distance(void **unused)
{
	static const char *const waits[] = {"l1-l2", "l2-l1"};
	static struct history history;
	struct search *search = search_new();
	struct position position = position_of(denied);
	struct search_limits limits = {.nodes = 20000};
	struct search_result result;
	int terms[HALMA_WEIGHT_COUNT];
	(void)unused;
	history_begin(&history, &position);
	for (unsigned ply = 0; ply < 24; ply++) {
		struct past past = history_past(&history);
		struct change change;
		search_run(search, &position, &history, &limits, &result);
		struct move move =
		    position.turn == 1 ? result.lines[0].moves[0] : move_of(&position, &past, waits[ply / 2 % 2]);
		position_play(&position, &past, move, &position, &change);
		history_add(&history, change.left);
		assert_true(position.turn != 0);
	}
	halma_evaluate_terms(&position, 1, terms);
	assert_int_equal(terms[HALMA_HASTE], 0);
	assert_int_equal(terms[HALMA_BARRED], 0);
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_signature_is_known),
	    cmocka_unit_test(claims_are_true),
	    cmocka_unit_test(games_end_at_the_target),
	    cmocka_unit_test(who_is_denied_the_win_waits_at_a_distance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

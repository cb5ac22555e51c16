/* The search for more than two seats: the same everywhere, legal, and right where it says that a game is won. */
#include "test_search.h"

#include "tests/engine/deal.h"
#include "tests/engine/rivals.h"

static const char start[] = "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -";
static const char loose[] = "iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -";
/* Seat 3 goes home with its last stone. */
static const char won[] = "iuvo-4 7/7/7/7/3C3/1DAooB1/2C4 3 - -";

/* Whatever changes the way of a search for four seats changes these numbers. */
static void
the_signature_of_iuvo_4_is_known(void **unused)
{
	static const char *const texts[] = {start, "iuvo-4 7/3C3/1BqooC1/2oDsD1/2AoAp1/3B3/7 2 - -"};
	(void)unused;
	ASSERT_SIGNATURE(texts, 0x8b52f9f25e76172b);
}

static void
the_signature_of_iuvo_4_loose_is_known(void **unused)
{
	static const char *const texts[] = {loose, "iuvo-4-loose 7/3C3/1BqooC1/2oDsD1/2AoAp1/3B3/7 2 - -"};
	(void)unused;
	ASSERT_SIGNATURE(texts, 0x97625c9a614a3ff3);
}

/* Whether a seat wins within so many plies, whatever the others play: every move of every seat is tried. */
static bool
wins(const struct position *position, unsigned seat, unsigned plies)
{
	struct move moves[MOVES_MAX];
	bool own = position->turn == seat;
	if (position->turn == 0)
		return position->winner == seat;
	if (plies == 0 || position_out(position, seat))
		return false;
	for (unsigned i = 0, count = position_moves(position, NULL, moves); i < count; i++) {
		struct position after;
		position_play(position, NULL, moves[i], &after, NULL);
		if (wins(&after, seat, plies - 1) == own)
			return own;
	}
	return !own;
}

static struct position
dealt(struct deal *deal)
{
	for (;;) {
		char text[POSITION_TEXT_MAX];
		deal_position(deal, deal_below(deal, 2) ? VARIANT_IUVO_4 : VARIANT_IUVO_4_LOOSE, text);
		struct position position = position_of(text);
		if (position.turn != 0 && position_count(&position, NULL) > 0)
			return position;
	}
}

/* Positions with few stones, where wins are near, and one of two seats may be all that is left. */
static void
what_it_claims_to_win_is_won(void **unused)
{
	enum { DEALT = 1500, NODES = 2000, PLIES_PROVED = 5 };
	struct search *search = search_new();
	struct deal deal = {.seed = 11};
	unsigned claimed = 0, later = 0;
	(void)unused;
	for (unsigned i = 0; i < DEALT; i++) {
		struct position position = dealt(&deal);
		struct search_limits limits = {.nodes = NODES};
		struct search_result result;
		search_run(search, &position, NULL, &limits, &result);
		assert_line(&position, NULL, &result.lines[0]);
		/* two seats are for another search, which may say that a game is lost */
		assert_true(__builtin_popcount(position.out) > 1 || result.lines[0].plies >= 0);
		if (result.lines[0].plies <= 0 || result.lines[0].plies > PLIES_PROVED)
			continue;
		claimed++;
		later += result.lines[0].plies > 1;
		assert_true(wins(&position, position.turn, (unsigned)result.lines[0].plies));
	}
	assert_true(claimed > 50);
	assert_true(later > 10);
	search_free(search);
}

/* What stands at the root was left once, by the ply that led there, and may be left once more (I16). */
static void
the_root_was_left_once(void **unused)
{
	static const char *const there[] = {"b6-a4", "b4xa6"}, *const again[] = {"a3-b5", "b5-a3", "d4xb3"};
	static struct history history;
	struct search *search = search_new();
	struct search_limits limits = {.nodes = 60000, .lines = 3};
	struct search_result result;
	(void)unused;
	/* Seat 4 need not let it go on: it may come back, and the shortest win by force takes 13 plies. */
	struct position position = play_texts("iuvo-4-loose 7/pr5/Aq5/1s5/7/7/7 3 - -", there, 2, &history);
	search_run(search, &position, &history, &limits, &result);
	assert_true(result.lines[0].plies == 0 || result.lines[0].plies >= 13);
	/* Seat 3 is not blocked. */
	position = play_texts("iuvo-4 7/7/7/CBAr3/pB5/7/7 1 - -", again, 3, &history);
	limits.nodes = 20000;
	search_run(search, &position, &history, &limits, &result);
	for (unsigned i = 0; i < result.count; i++)
		assert_line(&position, &history, &result.lines[i]);
	search_free(search);
}

/* Plays on at random, going back often; false if that ends the game. */
static bool
wander(struct deal *deal, struct position *position, struct history *history)
{
	history_begin(history, position);
	for (unsigned i = 0; i < 20; i++) {
		struct move moves[MOVES_MAX];
		struct past past = history_past(history);
		struct change change;
		unsigned count = position_moves(position, &past, moves), pick = deal_below(deal, count);
		for (unsigned at = 0; at < count && deal_below(deal, 4); at++) {
			struct position after;
			position_play(position, &past, moves[at], &after, &change);
			for (unsigned known = 0; known < history->count; known++)
				if (history->keys[known] == change.left)
					pick = at;
		}
		position_play(position, &past, moves[pick], position, &change);
		history_add(history, change.left);
		if (position->turn == 0)
			return false;
	}
	return true;
}

static void
lines_are_legal_with_a_past(void **unused)
{
	enum { DEALT = 600 };
	static struct history history;
	struct search *search = search_new();
	struct deal deal = {.seed = 12};
	unsigned repeated = 0;
	(void)unused;
	for (unsigned i = 0; i < DEALT;) {
		struct position position = dealt(&deal);
		if (!wander(&deal, &position, &history))
			continue;
		struct search_limits limits = {.nodes = 4000, .seed = ++i, .lines = 1 + i % SEARCH_LINES_MAX};
		struct search_result result;
		search_run(search, &position, &history, &limits, &result);
		for (unsigned at = 0; at < result.count; at++)
			assert_line(&position, &history, &result.lines[at]);
		repeated += history.twice_count > 0;
	}
	print_message("with something left twice: %u\n", repeated);
	assert_true(repeated > DEALT / 8);
	search_free(search);
}

static void
all_three_searches_see_a_win_at_hand(void **unused)
{
	static search_line_of *const searches[] = {search_many, rivals_max_n, rivals_brs};
	struct search *search = search_new();
	struct position position = position_of(won), after;
	(void)unused;
	for (unsigned i = 0; i < 3; i++) {
		struct search_limits limits = {.nodes = 3000};
		struct search_result result;
		search->many = searches[i];
		search_run(search, &position, NULL, &limits, &result);
		assert_int_equal(result.lines[0].plies, 1);
		position_play(&position, NULL, result.lines[0].moves[0], &after, NULL);
		assert_int_equal(after.winner, 3);
	}
	search_free(search);
}

/* Four engines, or two and two rivals: every move is legal with the game's past, to the end or a long way. */
static void
games_of_four_are_legal(void **unused)
{
	static search_line_of *const others[] = {search_many, rivals_max_n, rivals_brs};
	static struct history history;
	struct search *search = search_new();
	(void)unused;
	for (unsigned game = 0; game < 3; game++) {
		struct position position = position_of(start);
		history_begin(&history, &position);
		for (unsigned ply = 0; ply < 300 && position.turn != 0; ply++) {
			struct search_limits limits = {.nodes = 300, .seed = game + 1};
			struct search_result result;
			struct past past = history_past(&history);
			struct change change;
			search->many = position.turn % 2 ? search_many : others[game];
			search_run(search, &position, &history, &limits, &result);
			assert_line(&position, &history, &result.lines[0]);
			position_play(&position, &past, result.lines[0].moves[0], &position, &change);
			history_add(&history, change.left);
		}
	}
	search_free(search);
}

/* Somebody wins, though three others see to it that nobody does: games are not waited through. */
static void
games_of_four_end(void **unused)
{
	static const char *const starts[] = {start, loose};
	enum { GAMES = 6, NODES = 150, PLIES = 1500 };
	static struct history history;
	struct search *search = search_new();
	unsigned ended = 0;
	(void)unused;
	for (unsigned game = 0; game < GAMES; game++) {
		struct position position = position_of(starts[game % 2]);
		history_begin(&history, &position);
		while (position.ply < PLIES && position.turn != 0) {
			struct search_limits limits = {.nodes = NODES, .seed = game * PLIES + position.ply + 1};
			struct search_result result;
			struct past past = history_past(&history);
			struct change change;
			search_run(search, &position, &history, &limits, &result);
			position_play(&position, &past, result.lines[0].moves[0], &position, &change);
			history_add(&history, change.left);
		}
		ended += position.turn == 0;
	}
	print_message("%u games of %u ended within %u plies\n", ended, GAMES, PLIES);
	assert_true(ended >= GAMES - 1);
	search_free(search);
}

/* What the first move is worth, so many plies after the start. */
static int
score_at(struct search *search, unsigned ply)
{
	struct search_limits limits = {.depth = 1, .seed = 1};
	struct search_result result;
	struct position position = position_of(loose);
	position.ply = (uint16_t)ply;
	search_run(search, &position, NULL, &limits, &result);
	return result.lines[0].score;
}

/* Groups that are left count the more the longer a game lasts, up to a bound. */
static void
a_long_game_presses(void **unused)
{
	struct search *search = search_new();
	(void)unused;
	int first = score_at(search, 0), last = score_at(search, 4000);
	assert_int_equal(score_at(search, 199), first);
	for (unsigned ply = 300; ply <= 1100; ply += 100)
		assert_true(score_at(search, ply) < score_at(search, ply - 100));
	assert_int_equal(score_at(search, 1100), last);
	assert_true(last > -SEARCH_DECIDED / 2);
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_signature_of_iuvo_4_is_known),
	    cmocka_unit_test(the_signature_of_iuvo_4_loose_is_known),
	    cmocka_unit_test(what_it_claims_to_win_is_won),
	    cmocka_unit_test(the_root_was_left_once),
	    cmocka_unit_test(lines_are_legal_with_a_past),
	    cmocka_unit_test(all_three_searches_see_a_win_at_hand),
	    cmocka_unit_test(games_of_four_are_legal),
	    cmocka_unit_test(games_of_four_end),
	    cmocka_unit_test(a_long_game_presses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

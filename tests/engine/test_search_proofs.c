/*
 * What the search claims to have proved, against a solver that knows nothing
 * but the rules: it plays every move with position_play, and asks within how
 * many plies a seat can force a win.
 */
#include "test_search.h"

#include "engine/search_inside.h"
#include "tests/engine/deal.h"

enum {
	POSITIONS = 3000,
	POSITIONS_WITH_PAST = 400,
	MOST_PLIES = 9,
	MOST_PLIES_WITH_PAST = 5,
	MEMO = 1 << 16,
	PAST_MAX = 400
};

/*
 * What the game and the way left, as the solver keeps it.  Without a past the
 * solver lets everything repeat: whoever wins by force needs no repetition for
 * it, since the end comes nearer with every ply.
 */
struct trail {
	uint64_t left[PAST_MAX];
	unsigned count;
	bool matters; /* the game repeated something, so that what was found before may not hold here */
};

struct solved {
	uint64_t key;
	uint8_t seat;
	uint8_t plies;
	bool used;
	bool wins;
};

static struct solved memo[MEMO];

static struct solved *
memo_of(const struct position *position, unsigned seat, unsigned plies)
{
	uint64_t at = position->key ^ (seat * 8191 + plies) * UINT64_C(0x9e3779b97f4a7c15);
	return &memo[at % MEMO];
}

/* Keys that were left twice. */
static struct past
past_of(const struct trail *trail, uint64_t *twice)
{
	struct past past = {twice, 0};
	for (unsigned i = 0; i < trail->count; i++) {
		unsigned times = 0;
		for (unsigned at = 0; at <= i; at++)
			times += trail->left[at] == trail->left[i];
		if (times == 2)
			twice[past.count++] = trail->left[i];
	}
	return past;
}

static bool can_win(const struct position *position, struct trail *trail, unsigned seat, unsigned plies);

static bool
solve(const struct position *position, struct trail *trail, unsigned seat, unsigned plies)
{
	struct move moves[MOVES_MAX];
	uint64_t twice[PAST_MAX];
	struct past past = trail->matters ? past_of(trail, twice) : (struct past){0};
	unsigned count = position_moves(position, &past, moves);
	bool own = position->turn == seat;
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(position, &past, moves[i], &after, &change);
		if (trail->matters)
			trail->left[trail->count++] = change.left;
		bool wins = can_win(&after, trail, seat, plies - 1);
		if (trail->matters)
			trail->count--;
		if (wins == own)
			return own;
	}
	return !own;
}

/* Whether a seat can force a win within so many plies. */
static bool
can_win(const struct position *position, struct trail *trail, unsigned seat, unsigned plies)
{
	if (position->turn == 0)
		return position->winner == seat;
	if (plies == 0)
		return false;
	struct solved *known = memo_of(position, seat, plies);
	if (!trail->matters && known->used && known->key == position->key && known->seat == seat &&
	    known->plies == plies)
		return known->wins;
	bool wins = solve(position, trail, seat, plies);
	*known = (struct solved){position->key, (uint8_t)seat, (uint8_t)plies, true, wins};
	return wins;
}

/* Of two seats that are in, the one that is not to move. */
static unsigned
other_seat(const struct position *position)
{
	return rules_next(position, position->turn);
}

/* A claim is right: so many plies and no fewer, if it says so. */
static void
confirm(const struct position *position, struct trail *trail, const struct search_line *line)
{
	unsigned plies = (unsigned)abs(line->plies);
	unsigned seat = line->plies > 0 ? position->turn : other_seat(position);
	char text[POSITION_TEXT_MAX];
	notation_position(position, text);
	if (!can_win(position, trail, seat, plies))
		fail_msg("%s: seat %u does not win in %u", text, seat, plies);
	if (line->shortest && can_win(position, trail, seat, plies - 1))
		fail_msg("%s: seat %u wins in fewer than %u", text, seat, plies);
}

/* The same of a line that need not be the best, by what its first move leads to; an end at that move is no claim. */
static void
confirm_line(const struct position *root, struct trail *trail, const struct search_line *line)
{
	struct position after;
	unsigned plies = (unsigned)abs(line->plies);
	unsigned seat = line->plies > 0 ? root->turn : other_seat(root);
	char text[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX];
	position_play(root, NULL, line->moves[0], &after, NULL);
	notation_position(root, text);
	notation_move(line->moves[0], move);
	if (line->plies == 0)
		return;
	if (!can_win(&after, trail, seat, plies - 1))
		fail_msg("%s, %s: seat %u does not win in %u", text, move, seat, plies);
	if (line->shortest && plies > 1 && can_win(&after, trail, seat, plies - 2))
		fail_msg("%s, %s: seat %u wins in fewer than %u", text, move, seat, plies);
}

/* A late position: two seats in, and a chain with few stones to each. */
static bool
deal_late(struct deal *deal, const enum variant *variant, struct position *position)
{
	char text[POSITION_TEXT_MAX];
	deal_position(deal, *variant, text);
	*position = position_of(text);
	return rules_in_count(position) == 2 && position_is_start(position) && position_phase(position) == PHASE_CHAIN;
}

static void
claims_are_true(void **variant)
{
	struct search *search = search_new();
	struct deal deal = {.seed = 20};
	unsigned claimed = 0, shortest = 0, lost = 0, long_ones = 0;
	for (unsigned dealt = 0; dealt < POSITIONS;) {
		struct position position;
		struct search_result result;
		struct trail trail = {.count = 0};
		if (!deal_late(&deal, *variant, &position))
			continue;
		dealt++;
		struct search_limits limits = {.nodes = 6000, .seed = dealt};
		search_run(search, &position, NULL, &limits, &result);
		const struct search_line *line = &result.lines[0];
		assert_line(&position, NULL, line);
		if (line->plies == 0)
			continue;
		confirm(&position, &trail, line);
		claimed++;
		shortest += line->shortest;
		lost += line->plies < 0;
		long_ones += abs(line->plies) >= 5;
	}
	print_message(
	    "claims %u, shortest %u, lost %u, of five plies or more %u\n", claimed, shortest, lost, long_ones);
	assert_true(claimed > POSITIONS / 4 && shortest > claimed * 9 / 10 && lost > 100 && long_ones > 100);
	search_free(search);
}

/* Plays on at random, going back often, and keeps what was left. */
static bool
wander(struct deal *deal, struct position *position, struct trail *trail, struct history *history)
{
	history_begin(history, position);
	for (unsigned i = 0; i < 24; i++) {
		struct move moves[MOVES_MAX], back = {0};
		struct past past = history_past(history);
		struct position after;
		struct change change;
		unsigned count = position_moves(position, &past, moves);
		back = moves[deal_below(deal, count)];
		for (unsigned at = 0; at < count && deal_below(deal, 4); at++) {
			position_play(position, &past, moves[at], &after, &change);
			for (unsigned known = 0; known < history->count; known++)
				if (history->keys[known] == change.left && !moves[at].captures)
					back = moves[at];
		}
		position_play(position, &past, back, position, &change);
		history_add(history, change.left);
		trail->left[trail->count++] = change.left;
		if (position->turn == 0)
			return false;
	}
	return history->twice_count > 0;
}

static void
claims_are_true_with_a_past(void **variant)
{
	struct search *search = search_new();
	struct deal deal = {.seed = 21};
	unsigned claimed = 0, changed = 0;
	for (unsigned dealt = 0; dealt < POSITIONS_WITH_PAST;) {
		static struct history history;
		struct position position;
		struct search_result result, without;
		struct trail trail = {.matters = true};
		if (!deal_late(&deal, *variant, &position) || !wander(&deal, &position, &trail, &history))
			continue;
		dealt++;
		struct search_limits limits = {.nodes = 4000, .depth = 5, .seed = dealt};
		search_run(search, &position, NULL, &limits, &without);
		search_run(search, &position, &history, &limits, &result);
		assert_line(&position, &history, &result.lines[0]);
		changed += result.lines[0].plies != without.lines[0].plies;
		if (result.lines[0].plies == 0 || abs(result.lines[0].plies) > 6)
			continue;
		confirm(&position, &trail, &result.lines[0]);
		claimed++;
	}
	print_message("claims %u, otherwise without the past %u\n", claimed, changed);
	assert_true(claimed > POSITIONS_WITH_PAST / 8 && changed > 0);
	search_free(search);
}

/* A claim of the proof search, whose plies are an upper bound, is right; false if the end is too far off to say. */
static bool
confirm_claim(const struct position *position, struct trail *trail, const struct search_line *line, unsigned most)
{
	unsigned to_move = position->turn, other = other_seat(position), claimed = (unsigned)abs(line->plies);
	unsigned seat = line->plies > 0 ? to_move : other;
	char text[POSITION_TEXT_MAX];
	for (unsigned plies = 1; plies <= claimed && plies <= most; plies++)
		if (can_win(position, trail, seat, plies))
			return true;
	notation_position(position, text);
	if (claimed <= most || can_win(position, trail, to_move + other - seat, most))
		fail_msg("%s: seat %u does not win in %u", text, seat, claimed);
	return false;
}

struct tally {
	unsigned claims, confirmed, lost, long_ones;
};

/* What the proof search claims, if anything; nobody else is asked before it. */
static void
confirm_proof(struct search *search, const struct position *position, const struct history *history,
    struct trail *trail, uint64_t seed, struct tally *tally)
{
	struct search_limits limits = {.nodes = 6000, .seed = seed};
	struct search_result result;
	search_run(search, position, history, &limits, &result);
	const struct search_line *claim = &search->proof.claim.lines[0];
	if (search->proof.claim.count == 0)
		return;
	assert_line(position, history, claim);
	assert_int_not_equal(result.lines[0].plies, 0);
	tally->claims++;
	tally->confirmed += confirm_claim(position, trail, claim, history ? MOST_PLIES_WITH_PAST : MOST_PLIES);
	tally->lost += claim->plies < 0;
	tally->long_ones += abs(claim->plies) >= 9;
}

static void
proofs_are_true(void **variant)
{
	struct search *search = search_new();
	struct deal deal = {.seed = 22};
	struct tally tally = {0};
	search->proof_nodes = 0;
	for (unsigned dealt = 0; dealt < POSITIONS / 2;) {
		struct position position;
		struct trail trail = {.count = 0};
		if (!deal_late(&deal, *variant, &position))
			continue;
		confirm_proof(search, &position, NULL, &trail, dealt++, &tally);
	}
	print_message("claims %u, confirmed %u, lost %u, of nine plies or more %u\n", tally.claims, tally.confirmed,
	    tally.lost, tally.long_ones);
	assert_true(tally.claims > POSITIONS / 20 && tally.confirmed > tally.claims * 3 / 4 && tally.lost > 30 &&
		    tally.long_ones > 50);
	search_free(search);
}

static void
proofs_are_true_with_a_past(void **variant)
{
	struct search *search = search_new();
	struct deal deal = {.seed = 23};
	struct tally tally = {0};
	search->proof_nodes = 0;
	for (unsigned dealt = 0; dealt < POSITIONS_WITH_PAST;) {
		static struct history history;
		struct position position;
		struct trail trail = {.matters = true};
		if (!deal_late(&deal, *variant, &position) || !wander(&deal, &position, &trail, &history))
			continue;
		confirm_proof(search, &position, &history, &trail, dealt++, &tally);
	}
	print_message("claims %u, confirmed %u, lost %u, of nine plies or more %u\n", tally.claims, tally.confirmed,
	    tally.lost, tally.long_ones);
	assert_true(tally.claims > POSITIONS_WITH_PAST / 12 && tally.confirmed > tally.claims / 3 && tally.lost > 10);
	search_free(search);
}

/* A line that is not the best is told to be the shortest where it is, though the way lead through the root again. */
static void
later_lines_are_the_shortest(void **unused)
{
	static const char *const moves[] = {"e7-f5"};
	static struct history history;
	struct search *search = search_new();
	struct search_limits limits = {.nodes = 2000, .lines = 4};
	struct search_result result;
	struct position position = position_of("iuvo-2 4o2/3oAAB/7/7/7/7/7 1 d6 -");
	struct trail trail = {.count = 0};
	struct move asked = move_of(&position, NULL, moves[0]);
	(void)unused;
	search_run(search, &position, NULL, &limits, &result);
	for (unsigned i = 0; i < result.count; i++)
		confirm_line(&position, &trail, &result.lines[i]);
	limits = (struct search_limits){.nodes = 2000, .only = &asked};
	search_run(search, &position, NULL, &limits, &result);
	confirm_line(&position, &trail, &result.lines[0]);

	/* While it was looked for a shorter way another move took the best one's place. */
	static const char *const past[] = {"f6-g4", "e3-f5", "g4-f6"};
	limits = (struct search_limits){.nodes = 16221, .lines = 3};
	position = play_texts("iuvo-4-loose 7/5D1/6D/7/3Dr2/7/3o3 4 - 12", past, 3, &history);
	search_run(search, &position, &history, &limits, &result);
	assert_true(move_same(result.lines[0].moves[0], move_of(&position, NULL, "d1-c3")));
	for (unsigned i = 0; i < result.count; i++)
		for (unsigned before = 0; before < i; before++)
			assert_false(move_same(result.lines[i].moves[0], result.lines[before].moves[0]));
	search_free(search);
}

/* All lines of dealt positions, each against the solver. */
static void
all_lines_are_true(void **variant)
{
	enum { DEALT = 500, PLIES = 7 };
	struct search *search = search_new();
	struct deal deal = {.seed = 24};
	unsigned shortest = 0;
	for (unsigned dealt = 0; dealt < DEALT;) {
		struct position position;
		struct search_result result;
		struct trail trail = {.count = 0};
		if (!deal_late(&deal, *variant, &position))
			continue;
		struct search_limits limits = {.nodes = 3000, .seed = ++dealt, .lines = SEARCH_LINES_MAX};
		search_run(search, &position, NULL, &limits, &result);
		for (unsigned i = 0; i < result.count; i++) {
			const struct search_line *line = &result.lines[i];
			if (line->plies == 0 || abs(line->plies) > PLIES)
				continue;
			confirm_line(&position, &trail, line);
			shortest += i > 0 && line->shortest && abs(line->plies) > 2;
		}
	}
	print_message("later lines of three plies or more that are the shortest: %u\n", shortest);
	assert_true(shortest > DEALT / 10);
	search_free(search);
}

/* clang-format off */
#define IN_BOTH(test) \
	{#test " iuvo-2", test, NULL, NULL, &iuvo_2}, {#test " iuvo-4, two left", test, NULL, NULL, &iuvo_4}
/* clang-format on */

int
main(void)
{
	static enum variant iuvo_2 = VARIANT_IUVO_2, iuvo_4 = VARIANT_IUVO_4;
	const struct CMUnitTest tests[] = {
	    IN_BOTH(claims_are_true),
	    IN_BOTH(claims_are_true_with_a_past),
	    IN_BOTH(proofs_are_true),
	    IN_BOTH(proofs_are_true_with_a_past),
	    IN_BOTH(all_lines_are_true),
	    cmocka_unit_test(later_lines_are_the_shortest),
	};
	return cmocka_run_group_tests_name("search proofs", tests, NULL, NULL);
}

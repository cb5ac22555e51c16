/* What the proof search claims, against a solver that sees everything (world.h). */
#include "test_search.h"

#include "engine/search_inside.h"
#include "tests/engine/deal.h"
#include "tests/engine/world.h"

enum {
	POSITIONS = 100,
	POSITIONS_WITH_PAST = 120,
	POSITIONS_OF_BUDGETS = 10,
	BUDGETS = 600,
	FEW_STONES = 6,
	QUICK = 4,
	NEAR = 64
};

/* In how many plies the game is over; WORLD_NEVER if nobody can force a win. */
static unsigned
end_of(const struct world_place *place)
{
	return place->wins[0] < place->wins[1] ? place->wins[0] : place->wins[1];
}

/* A chain of which everything is seen, with no quick end. */
static void
deal_seen(struct search *search, struct deal *deal, struct position *position)
{
	struct search_limits limits = {.depth = QUICK};
	struct search_result result;
	char text[POSITION_TEXT_MAX];
	for (;;) {
		deal_position(deal, deal_below(deal, 4) ? VARIANT_IUVO_2 : VARIANT_IUVO_2_LOOSE, text);
		*position = position_of(text);
		if (!position_is_start(position) || position_phase(position) != PHASE_CHAIN ||
		    bits_count(position->iuvo.stones) > FEW_STONES)
			continue;
		search_run(search, position, NULL, &limits, &result);
		if (result.lines[0].plies == 0 && world_see(position, NULL) && end_of(world.places) > QUICK)
			return;
	}
}

/* What is claimed of the first move of a line is true: so many plies or fewer, or exactly so many. */
static void
confirm(const struct position *position, const struct past *past, const struct search_line *line)
{
	struct position after;
	struct change change;
	char text[POSITION_TEXT_MAX];
	if (line->plies == 0)
		return;
	unsigned seat = line->plies > 0 ? position->turn : 3u - position->turn, plies = (unsigned)abs(line->plies);
	notation_position(position, text);
	position_play(position, past, line->moves[0], &after, &change);
	unsigned wins = world.places[world_place(&after)].wins[seat - 1];
	if (wins == WORLD_NEVER || wins + 1 > plies)
		fail_msg("%s: seat %u does not win in %u (%u)", text, seat, plies, wins);
}

struct tally {
	unsigned claims, lost, longest, of_many;
};

/* Confirms what the proof search claims, and what the search says in all. */
static void
confirm_all(const struct search *search, const struct search_result *result, const struct position *position,
    const struct history *history, struct tally *tally)
{
	struct past past = history ? history_past(history) : (struct past){0};
	const struct search_result *claim = &search->proof.claim;
	for (unsigned i = 0; i < result->count; i++) {
		assert_line(position, history, &result->lines[i]);
		confirm(position, &past, &result->lines[i]);
	}
	for (unsigned i = 0; i < result->count; i++)
		for (unsigned before = 0; before < i; before++)
			assert_memory_not_equal(
			    result->lines[i].moves, result->lines[before].moves, sizeof(struct move));
	const struct search_line *first = &result->lines[0];
	if (first->shortest)
		assert_int_equal(abs(first->plies),
		    world.places[0].wins[(first->plies > 0 ? position->turn : 3u - position->turn) - 1]);
	for (unsigned i = 0; i < claim->count; i++) {
		assert_line(position, history, &claim->lines[i]);
		assert_int_not_equal(claim->lines[i].plies, 0);
		confirm(position, &past, &claim->lines[i]);
		assert_true(i == 0 || claim->lines[i].score <= claim->lines[i - 1].score);
	}
	if (claim->count == 0)
		return;
	unsigned seat = claim->lines[0].plies > 0 ? position->turn : 3u - position->turn;
	unsigned wins = world.places[0].wins[seat - 1];
	assert_true(wins <= (unsigned)abs(claim->lines[0].plies) && result->lines[0].plies != 0);
	tally->claims++;
	tally->lost += claim->lines[0].plies < 0;
	tally->of_many += claim->count > 1;
	tally->longest = wins > tally->longest ? wins : tally->longest;
}

static struct search *
proving_search(void)
{
	struct search *search = search_new();
	search->proof_nodes = 0;
	return search;
}

static void
proofs_are_true(void **unused)
{
	struct search *search = proving_search();
	struct deal deal = {.seed = 40};
	struct tally tally = {0};
	unsigned decided = 0;
	(void)unused;
	for (unsigned dealt = 0; dealt < POSITIONS; dealt++) {
		struct position position;
		struct search_result result;
		deal_seen(search, &deal, &position);
		struct search_limits limits = {.nodes = 3000, .seed = dealt, .lines = 1 + dealt % 4};
		search_run(search, &position, NULL, &limits, &result);
		assert_true(result.nodes <= limits.nodes);
		confirm_all(search, &result, &position, NULL, &tally);
		decided += world.places[0].wins[0] != WORLD_NEVER || world.places[0].wins[1] != WORLD_NEVER;
	}
	print_message("decided %u, claims %u, lost %u, of several lines %u, the longest %u plies\n", decided,
	    tally.claims, tally.lost, tally.of_many, tally.longest);
	assert_true(tally.claims > 60 && tally.lost > 30 && tally.of_many > 20 && tally.longest >= 7);
	search_free(search);
}

/* What is not done is not proved: wherever the budget ends, no claim is false. */
static void
the_end_of_a_budget_proves_nothing(void **unused)
{
	struct search *search = proving_search();
	struct deal deal = {.seed = 42};
	struct tally tally = {0};
	(void)unused;
	for (unsigned dealt = 0; dealt < POSITIONS_OF_BUDGETS; dealt++) {
		struct position position;
		deal_seen(search, &deal, &position);
		for (unsigned nodes = 1; nodes < BUDGETS; nodes++) {
			struct search_limits limits = {.nodes = nodes};
			struct search_result result;
			search_run(search, &position, NULL, &limits, &result);
			confirm_all(search, &result, &position, NULL, &tally);
		}
	}
	assert_true(tally.claims > 0);
	search_free(search);
}

static void
assert_same_result(const struct search_result *one, const struct search_result *other)
{
	assert_true(one->nodes == other->nodes && one->depth == other->depth && one->count == other->count);
	for (unsigned i = 0; i < one->count; i++) {
		const struct search_line *line = &one->lines[i], *same = &other->lines[i];
		assert_true(line->score == same->score && line->plies == same->plies && line->count == same->count);
		assert_memory_equal(line->moves, same->moves, line->count * sizeof *line->moves);
	}
}

/* The same gives the same, also in the least memory, where most is forgotten. */
static void
little_memory_is_enough(void **unused)
{
	void *memory = aligned_alloc(64, SEARCH_MEMORY_MIN);
	struct deal deal = {.seed = 43};
	struct tally tally = {0};
	(void)unused;
	assert_non_null(memory);
	for (unsigned dealt = 0; dealt < POSITIONS_OF_BUDGETS; dealt++) {
		struct position position;
		struct search_result first, second;
		struct search_limits limits = {.nodes = 20000, .lines = 3};
		struct search *search = search_open(memory, SEARCH_MEMORY_MIN);
		deal_seen(search, &deal, &position);
		search->proof_nodes = 0;
		search_run(search, &position, NULL, &limits, &first);
		confirm_all(search, &first, &position, NULL, &tally);
		memset(memory, 0x5a, SEARCH_MEMORY_MIN);
		search = search_open(memory, SEARCH_MEMORY_MIN);
		search->proof_nodes = 0;
		search_run(search, &position, NULL, &limits, &second);
		assert_same_result(&first, &second);
	}
	assert_true(tally.claims > POSITIONS_OF_BUDGETS / 2);
	free(memory);
}

struct reader {
	const struct search *search;
	unsigned calls, of_proofs, depth;
};

static void
read_report(void *reader, const struct search_result *result)
{
	struct reader *self = reader;
	bool proof = result->depth == self->depth;
	assert_true(proof || result->depth == self->depth + 1);
	assert_true(!proof || (self->search->proof.claim.count > 0 && result->lines[0].plies != 0));
	self->depth = result->depth;
	self->calls++;
	self->of_proofs += proof;
}

/* Who reads along is told of a proof when it is there, and of all that is known after each iteration. */
static void
a_proof_is_told_at_once(void **unused)
{
	struct search *search = proving_search();
	struct deal deal = {.seed = 44};
	unsigned proofs = 0, calls = 0;
	(void)unused;
	for (unsigned dealt = 0; dealt < POSITIONS_OF_BUDGETS; dealt++) {
		struct position position;
		struct search_result result;
		struct reader reader = {.search = search};
		struct search_limits limits = {.nodes = 20000, .lines = 2, .report = read_report, .reader = &reader};
		deal_seen(search, &deal, &position);
		search_run(search, &position, NULL, &limits, &result);
		assert_int_equal(reader.of_proofs, search->proof.claim.count > 0);
		proofs += reader.of_proofs;
		calls += reader.calls;
	}
	assert_true(proofs > POSITIONS_OF_BUDGETS / 2 && calls > proofs * 2);
	search_free(search);
}

static uint64_t
spent(struct search *search, const char *text, const struct search_limits *limits)
{
	struct position position = position_of(text);
	struct search_result result;
	search_run(search, &position, NULL, limits, &result);
	assert_true(limits->nodes == 0 || result.nodes <= limits->nodes);
	return search->proof.spent;
}

#define CHAIN "4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -"

/* It has a share of large budgets, and of none, where there are chains; no more than half, and the moves of a node. */
static void
it_is_run_where_it_says(void **unused)
{
	struct search *search = proving_search();
	struct search_limits limits = {.nodes = 4000};
	_Atomic bool stop = true;
	(void)unused;
	assert_in_range(spent(search, "iuvo-2 " CHAIN, &limits), 1000, 2000 + 128);
	assert_in_range(spent(search, "iuvo-2-loose " CHAIN, &limits), 1000, 2000 + 128);
	assert_int_equal(spent(search, "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", &limits), 0);
	assert_int_equal(spent(search, "iuvo-4 7/7/7/7/3CD2/1DAooB1/2C4 3 - -", &limits), 0);
	assert_int_equal(spent(search, "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/7AB7/16/16/16 1 - -", &limits), 0);
	limits.depth = 20;
	assert_int_equal(spent(search, "iuvo-2 " CHAIN, &limits), 0);
	limits = (struct search_limits){.stop = &stop};
	assert_in_range(spent(search, "iuvo-2 " CHAIN, &limits), 0, 1024);
	search_free(search);

	search = search_new();
	limits = (struct search_limits){.nodes = SEARCH_PROOF_NODES};
	assert_int_equal(spent(search, "iuvo-2 " CHAIN, &limits), 0);
	limits.nodes++;
	assert_in_range(spent(search, "iuvo-2 " CHAIN, &limits), SEARCH_PROOF_NODES / 5, SEARCH_PROOF_NODES / 2 + 128);
	search_free(search);
}

/* Whether a history has a key. */
static bool
has(const struct history *history, uint64_t key)
{
	for (unsigned i = 0; i < history->count; i++)
		if (history->keys[i] == key)
			return true;
	return false;
}

/*
 * Positions to which a seat would win were left twice before: all after one
 * place, and after others, which are mostly near the root.
 */
static void
forbid(struct deal *deal, unsigned seat, unsigned places, struct history *history)
{
	for (unsigned tried = 0; tried < places; tried++) {
		const struct world_place *place =
		    &world.places[deal_below(deal, world.count < NEAR ? world.count : NEAR)];
		for (unsigned i = 0; i < place->edge_count && place->position.turn == seat; i++) {
			const struct world_edge *edge = &world.edges[place->edges + i];
			const struct world_place *to = &world.places[edge->to];
			if (to->position.turn == 0 || to->wins[seat - 1] == WORLD_NEVER || has(history, edge->left))
				continue;
			history_add(history, edge->left);
			history_add(history, edge->left);
		}
	}
}

static void
a_win_that_the_past_forbids_is_none(void **unused)
{
	struct search *search = proving_search();
	struct deal deal = {.seed = 41};
	struct tally tally = {0};
	unsigned lost_wins = 0, claimed_else = 0, dealt = 0;
	(void)unused;
	while (dealt < POSITIONS_WITH_PAST) {
		static struct history history;
		struct position position;
		struct search_result result;
		deal_seen(search, &deal, &position);
		unsigned seat = world.places[0].wins[0] != WORLD_NEVER   ? 1
				: world.places[0].wins[1] != WORLD_NEVER ? 2
									 : 0;
		if (seat == 0)
			continue;
		struct search_limits limits = {.nodes = 3000, .seed = dealt};
		search_run(search, &position, NULL, &limits, &result);
		bool claimed = search->proof.claim.count > 0;
		history_begin(&history, &position);
		forbid(&deal, seat, 1 + dealt % NEAR, &history);
		struct past past = history_past(&history);
		if (position_count(&position, &past) == 0 || !world_see(&position, &past))
			continue;
		dealt++;
		search_run(search, &position, &history, &limits, &result);
		confirm_all(search, &result, &position, &history, &tally);
		bool won = world.places[0].wins[seat - 1] != WORLD_NEVER;
		lost_wins += !won;
		claimed_else += !won && claimed;
		assert_true(won || search->proof.claim.count == 0 ||
			    (search->proof.claim.lines[0].plies > 0) == (position.turn != seat));
	}
	print_message("claims %u; wins that the past forbids %u, of which claimed without it %u\n", tally.claims,
	    lost_wins, claimed_else);
	assert_true(tally.claims > 40 && lost_wins > 20 && claimed_else > 15);
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(proofs_are_true),
	    cmocka_unit_test(the_end_of_a_budget_proves_nothing),
	    cmocka_unit_test(little_memory_is_enough),
	    cmocka_unit_test(a_proof_is_told_at_once),
	    cmocka_unit_test(it_is_run_where_it_says),
	    cmocka_unit_test(a_win_that_the_past_forbids_is_none),
	};
	return cmocka_run_group_tests_name("search forced", tests, NULL, NULL);
}

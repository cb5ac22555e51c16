/* The search: the same everywhere, within its budget, stopped when told to, right about repetition. */
#include "test_search.h"

#include "engine/rules.h"

#define IUVO_LATE "iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -"

static const char *const pinned[] = {
    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
    "iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
    IUVO_LATE,
    "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -",
    "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -",
    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
};

enum { POSITIONS = sizeof pinned / sizeof *pinned };

/*
 * Each variant has a signature of its own; those of halma-2 and of the variants
 * for four stand with their other tests.  Whatever changes the way of a search
 * changes the number: then look whether it was meant, and write the new one here.
 */
static void
the_signature_of_iuvo_2_is_known(void **unused)
{
	static const char *const texts[] = {
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-2 B2BB1B/2o4/o1o1o1o/7/o3o1o/7/A1AA2A 1 - -",
	    "iuvo-2 3B3/2BoBo1/1oAoo2/1AoA3/2oo3/2B4/2A4 1 - -",
	    IUVO_LATE,
	    "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -",
	};
	(void)unused;
	ASSERT_SIGNATURE(texts, 0x66a8827bdfcd8710);
}

static void
the_signature_of_iuvo_2_loose_is_known(void **unused)
{
	static const char *const texts[] = {
	    "iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-2-loose B3B1B/2Bo3/o1o1oA1/2A4/o3o1o/3o3/A1A4 1 - -",
	    "iuvo-2-loose 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -",
	};
	(void)unused;
	ASSERT_SIGNATURE(texts, 0x1746fd9bbae5ab3d);
}

static void
assert_same(const struct search_result *a, const struct search_result *b)
{
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->depth, b->depth);
	assert_int_equal(a->count, b->count);
	for (unsigned i = 0; i < a->count; i++) {
		assert_int_equal(a->lines[i].score, b->lines[i].score);
		assert_int_equal(a->lines[i].count, b->lines[i].count);
		assert_memory_equal(a->lines[i].moves, b->lines[i].moves, a->lines[i].count * sizeof(struct move));
	}
}

/* Neither what the memory held nor what was searched before tells. */
static void
a_search_keeps_nothing(void **unused)
{
	struct search *search = search_new();
	struct search_limits limits = {.nodes = 10000, .lines = 3, .seed = 7};
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = position_of(pinned[i]);
		struct search_result first, second;
		search_run(search, &position, NULL, &limits, &first);
		memset(search, 0xa5, TEST_SEARCH_BYTES);
		search = search_open(search, TEST_SEARCH_BYTES);
		search_run(search, &position, NULL, &limits, &second);
		assert_same(&first, &second);
	}
	search_free(search);
}

static void
a_budget_is_kept(void **unused)
{
	struct search *search = search_new();
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = position_of(pinned[i]);
		for (uint64_t nodes = 1; nodes < 3000; nodes = nodes * 3 + 1) {
			struct search_limits limits = {.nodes = nodes};
			struct search_result result;
			search_run(search, &position, NULL, &limits, &result);
			assert_true(result.nodes <= nodes);
			assert_int_equal(result.count, 1);
			assert_line(&position, NULL, &result.lines[0]);
		}
	}
	search_free(search);
}

static void
a_depth_is_kept(void **unused)
{
	struct search *search = search_new();
	struct position position = position_of(IUVO_LATE);
	(void)unused;
	for (unsigned depth = 1; depth < 6; depth++) {
		struct search_limits limits = {.depth = depth};
		struct search_result result;
		search_run(search, &position, NULL, &limits, &result);
		assert_int_equal(result.depth, depth);
	}
	search_free(search);
}

struct reader {
	unsigned calls;
	_Atomic bool stop;
	unsigned last_depth;
};

static void
stop_at_third(void *reader, const struct search_result *result)
{
	struct reader *self = reader;
	assert_true(result->depth == self->last_depth + 1);
	self->last_depth = result->depth;
	if (++self->calls == 3)
		self->stop = true;
}

static void
a_search_stops_when_told(void **unused)
{
	struct search *search = search_new();
	struct reader reader = {0};
	struct search_limits limits = {.stop = &reader.stop, .report = stop_at_third, .reader = &reader};
	struct position position = position_of(pinned[0]);
	struct search_result result;
	(void)unused;
	search_run(search, &position, NULL, &limits, &result);
	assert_int_equal(reader.calls, 3);
	assert_int_equal(result.depth, 3);
	uint64_t nodes = result.nodes;

	limits.report = NULL; /* the flag is up before it begins */
	search_run(search, &position, NULL, &limits, &result);
	assert_true(result.nodes <= 1024 && result.nodes < nodes);
	assert_line(&position, NULL, &result.lines[0]);
	search_free(search);
}

/* No two begin alike, and none is better than the one before it. */
static void
assert_lines(const struct search_result *result)
{
	for (unsigned at = 0; at < result->count; at++) {
		assert_true(at == 0 || result->lines[at].score <= result->lines[at - 1].score);
		for (unsigned before = 0; before < at; before++)
			assert_memory_not_equal(
			    result->lines[at].moves, result->lines[before].moves, sizeof(struct move));
	}
}

static void
lines_differ_and_fall(void **unused)
{
	struct search *search = search_new();
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = position_of(pinned[i]);
		struct search_limits limits = {.depth = 3, .lines = SEARCH_LINES_MAX};
		struct search_result result;
		search_run(search, &position, NULL, &limits, &result);
		assert_int_equal(result.count, SEARCH_LINES_MAX);
		assert_lines(&result);
		for (unsigned at = 0; at < result.count; at++)
			assert_line(&position, NULL, &result.lines[at]);
	}
	search_free(search);
}

/* A reader, who looks at what is told of each iteration and keeps it. */
static void
keep_lines(void *reader, const struct search_result *result)
{
	struct search_result *kept = reader;
	assert_lines(result);
	*kept = *result;
}

static bool
is_among(const struct search_line *line, const struct search_result *result)
{
	for (unsigned at = 0; at < result->count; at++)
		if (memcmp(&line->moves[0], &result->lines[at].moves[0], sizeof *line->moves) == 0 &&
		    line->score == result->lines[at].score && line->count == result->lines[at].count)
			return true;
	return false;
}

/*
 * Also where the budget ends in the middle of an iteration, in which another line has become the best: what is told
 * at the end is what was told last, but for a win that was found since.
 */
static void
lines_fall_wherever_a_budget_ends(void **unused)
{
	struct search *search = search_new();
	unsigned cut = 0, won = 0;
	(void)unused;
	for (unsigned i = 0; i < POSITIONS; i++) {
		struct position position = position_of(pinned[i]);
		for (unsigned nodes = 50; nodes < 6000; nodes += nodes / 16 + 1) {
			struct search_result result, kept = {0};
			struct search_limits limits = {.nodes = nodes,
			    .lines = 1 + nodes % SEARCH_LINES_MAX,
			    .report = keep_lines,
			    .reader = &kept};
			search_run(search, &position, NULL, &limits, &result);
			assert_lines(&result);
			if (limits.lines < 2 || kept.count == 0)
				continue;
			cut += result.nodes > kept.nodes;
			assert_int_equal(result.depth, kept.depth);
			assert_int_equal(result.count, kept.count);
			for (unsigned at = 0; at < result.count; at++)
				if (!is_among(&result.lines[at], &kept)) {
					assert_true(result.lines[at].plies > 0);
					won++;
				}
		}
	}
	print_message("cut %u, won in what was cut off %u\n", cut, won);
	assert_true(cut > 100 && won > 0);
	search_free(search);
}

static void
there_are_no_more_lines_than_moves(void **unused)
{
	struct search *search = search_new();
	struct search_limits limits = {.depth = 3, .lines = SEARCH_LINES_MAX};
	struct search_result result;
	struct history history;
	(void)unused;
	struct position position = position_of("iuvo-2 7/7/7/7/7/A6/oB5 1 - -");
	unsigned count = position_count(&position, NULL);
	assert_in_range(count, 1, 4);
	history_begin(&history, &position);
	search_run(search, &position, &history, &limits, &result);
	assert_int_equal(result.count, count);
	search_free(search);
}

/* H8: seat 1 is far ahead, and its only way not to lose all that is not to repeat. */
static void
halma_repeats_only_when_behind(void **unused)
{
	static const char *const shuffle[] = {"e7-e8", "b2-b3", "e8-e7", "b3-b2", "e7-e8", "b2-b3", "e8-e7"};
	static const char board[] =
	    "halma-2 AAAAA11/AAAAA11/AAAA12/AAA13/A15/16/16/16/16/4A11/16/16/16/16/BBBBBBB9/BBBBBBBB8 1 - -";
	struct search *search = search_new();
	struct search_limits limits = {.depth = 2};
	struct search_result result;
	struct history history;
	(void)unused;
	struct position position = play_texts(board, shuffle, 7, &history);
	assert_int_equal(position.turn, 2);
	/* Seat 2 is lost on the board, and can leave a position for the third time. */
	search_run(search, &position, &history, &limits, &result);
	char text[MOVE_TEXT_MAX];
	notation_move(result.lines[0].moves[0], text);
	assert_string_equal(text, "b3-b2");
	assert_int_equal(result.lines[0].score, 0);
	assert_int_equal(result.lines[0].count, 1);
	/* Without the past it does not know that. */
	search_run(search, &position, NULL, &limits, &result);
	assert_true(result.lines[0].score < 0);
	search_free(search);
}

/* A move at random, or more often the one that takes back the seat's last. */
static struct move
go_back(const struct position *position, const struct past *past, struct move last, uint64_t chance)
{
	static struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, past, moves);
	struct move move = moves[chance % count];
	for (unsigned i = 0; i < count && chance >> 40 & 3; i++)
		if (moves[i].from == last.to && moves[i].to == last.from)
			move = moves[i];
	return move;
}

/* I16: in games that go back as often as they may, no move of a line is forbidden by the past. */
static void
no_line_is_forbidden(void **unused)
{
	struct search *search = search_new();
	unsigned forbidding = 0;
	(void)unused;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		static struct history history;
		struct position position;
		struct search_result result;
		struct move last[2] = {{0}};
		position_start(VARIANT_IUVO_2, &position);
		history_begin(&history, &position);
		while (position.turn != 0 && position.ply < 100) {
			struct past past = history_past(&history);
			struct search_limits limits = {.nodes = 300, .seed = seed};
			struct change change;
			search_run(search, &position, &history, &limits, &result);
			assert_line(&position, &history, &result.lines[0]);
			forbidding += position_count(&position, &past) < position_count(&position, NULL);
			struct move *move = &last[position.turn - 1];
			*move = go_back(&position, &past, *move, zobrist_mix(seed << 8 | position.ply));
			position_play(&position, &past, *move, &position, &change);
			history_add(&history, change.left);
		}
	}
	assert_true(forbidding > 20);
	search_free(search);
}

/* However many seats are in, and however little else was looked at: nothing comes sooner, and the search is at its end. */
static void
a_win_in_one_ply_is_the_shortest(void **unused)
{
	static const char *const texts[] = {
	    "iuvo-2 2B4/2AoA2/3o3/7/7/7/7 1 - -",
	    "iuvo-2 3oA2/4o2/7/7/7/7/7 1 - 2",
	    "iuvo-4 7/7/7/7/3C3/1DAooB1/2C4 3 - -",
	    "iuvo-4 7/7/7/7/3C3/1oAooo1/2C4 3 - 24",
	};
	struct search *search = search_new();
	(void)unused;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct position position = position_of(texts[i]);
		struct search_result result;
		for (uint64_t nodes = 1; nodes < 3000; nodes++) {
			struct search_limits limits = {.nodes = nodes};
			search_run(search, &position, NULL, &limits, &result);
			assert_true(result.lines[0].shortest == (result.lines[0].plies == 1));
		}
		assert_int_equal(result.lines[0].plies, 1);
		assert_int_equal(result.depth, 1);
	}
	search_free(search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_signature_of_iuvo_2_is_known),
	    cmocka_unit_test(the_signature_of_iuvo_2_loose_is_known),
	    cmocka_unit_test(a_search_keeps_nothing),
	    cmocka_unit_test(a_budget_is_kept),
	    cmocka_unit_test(a_depth_is_kept),
	    cmocka_unit_test(a_search_stops_when_told),
	    cmocka_unit_test(lines_differ_and_fall),
	    cmocka_unit_test(lines_fall_wherever_a_budget_ends),
	    cmocka_unit_test(there_are_no_more_lines_than_moves),
	    cmocka_unit_test(halma_repeats_only_when_behind),
	    cmocka_unit_test(no_line_is_forbidden),
	    cmocka_unit_test(a_win_in_one_ply_is_the_shortest),
	};
	return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}

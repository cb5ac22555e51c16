/* What follows from a move or a drop-out (I10-I18, H7-H12). */
#include "test_engine.h"

#include "engine/rules.h"

/* Plays one move from a text, and compares what comes of it. */
static struct position
play(const char *from, const char *text, const char *outs, const char *to)
{
	struct position position = position_of(from);
	struct change change;
	position_play(&position, NULL, move_of(&position, NULL, text), &position, &change);
	assert_outs(&change, outs);
	assert_position(&position, to);
	return position;
}

static struct position
drop(const char *from, unsigned seat, const char *outs, const char *to)
{
	struct position position = position_of(from);
	struct change change;
	position_drop(&position, NULL, seat, REASON_RESIGNED, &position, &change);
	assert_outs(&change, outs);
	assert_position(&position, to);
	return position;
}

static void
starts_are_those_of_the_rules(void **unused)
{
	static const char *const texts[VARIANT_COUNT] = {
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -",
	    "iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    "iuvo-4-loose q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -",
	    "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
	};
	(void)unused;
	for (unsigned i = 0; i < VARIANT_COUNT; i++) {
		struct position position;
		position_start((enum variant)i, &position);
		assert_position(&position, texts[i]);
		assert_true(position_is_start(&position));
		assert_int_equal(position.ply, 0);
	}
}

static void
targets_are_across_the_board(void **unused)
{
	cell_t cells[STONES_MAX];
	(void)unused;
	assert_int_equal(position_targets(VARIANT_IUVO_2, 2, cells), 4);
	assert_int_equal(cells[1], cell_at(2, 0));
	assert_int_equal(position_targets(VARIANT_IUVO_4, 2, cells), 4);
	assert_int_equal(cells[0], cell_at(6, 0));
	assert_int_equal(position_targets(VARIANT_HALMA_2, 1, cells), 19);
	assert_int_equal(cells[0], cell_at(0, 11));
	assert_int_equal(cells[18], cell_at(4, 15));
}

static void
one_capture_takes_the_last_stone_of_two_seats(void **unused)
{
	(void)unused;
	struct position over = play("iuvo-4 7/7/2q4/2o4/2oA3/7/7 1 - 4", "d3xc5", "2 captured, 3 captured",
	    "iuvo-4 7/7/2A4/2o4/2o4/7/7 - - 234");
	assert_outcome(&over, 1, REASON_CAPTURED);
	play("iuvo-4 7/7/2q4/2o4/2oA3/2D4/7 1 - -", "d3xc5", "2 captured, 3 captured",
	    "iuvo-4 7/7/2A4/2o4/2o4/2D4/7 4 - 23");
}

static void
a_capture_may_make_another_seat_win(void **unused)
{
	(void)unused;
	/* Seat 2 loses the one stone that was not on its targets. */
	struct position over =
	    play("iuvo-2 7/7/4B2/4o2/3Ao2/4o2/4B2 1 - -", "d3xe5", "", "iuvo-2 7/7/4A2/4o2/4o2/4o2/4B2 - - -");
	assert_outcome(&over, 2, REASON_TARGET);
	/* Both are home then, and the mover is asked first (I13). */
	over =
	    play("iuvo-2 4B2/4o2/3Ao2/4o2/4o2/4o2/4B2 1 - -", "d5xe7", "", "iuvo-2 4A2/4o2/4o2/4o2/4o2/4o2/4B2 - - -");
	assert_outcome(&over, 1, REASON_TARGET);
}

static void
seats_in_a_row_are_blocked(void **unused)
{
	(void)unused;
	play("iuvo-4 7/7/1ACoA2/2B4/2B4/1oD4/7 1 - -", "b2xc4", "2 blocked, 3 blocked",
	    "iuvo-4 7/7/1AooA2/2o4/2o4/2D4/7 4 c4 23");
	play("iuvo-4 7/7/1A5/1Bp4/1o5/1CBD3/7 1 - -", "c4xb2", "3 captured, 2 blocked",
	    "iuvo-4 7/7/1A5/1o5/1o5/1AoD3/7 4 - 23");
	/* The elimination that ends the game leaves the owners as they were. */
	struct position over = play("iuvo-4 7/7/7/1A1o3/1oDoB2/4q2/7 1 - -", "d4xe2",
	    "3 captured, 2 blocked, 4 blocked", "iuvo-4 7/7/7/1A5/1oDoo2/4o2/7 - e2 234");
	assert_outcome(&over, 1, REASON_BLOCKED);
}

static void
anothers_resignation_blocks_the_seat_to_move(void **unused)
{
	(void)unused;
	drop("iuvo-4 7/7/3D3/3B3/1qoC3/3BA2/7 1 - -", 2, "2 resigned, 1 blocked",
	    "iuvo-4 7/7/3D3/3o3/1CoC3/3oo2/7 3 - 12");
	struct position over = drop("iuvo-4 7/7/7/1qo4/2oAA2/1CB4/7 1 - 4", 2, "2 resigned, 1 blocked",
	    "iuvo-4 7/7/7/1Co4/2oAA2/1Co4/7 - - 124");
	assert_outcome(&over, 3, REASON_BLOCKED);
}

static void
a_resignation_ends_or_passes_the_turn(void **unused)
{
	(void)unused;
	struct position over = drop("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", 2, "2 resigned",
	    "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A - - 2");
	assert_outcome(&over, 1, REASON_RESIGNED);
	drop("iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -", 1, "1 resigned",
	    "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/B1o1o1D 2 - 1");
	drop("iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -", 3, "3 resigned",
	    "iuvo-4 B1o1o1D/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - 3");
	over = drop("halma-2 16/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/15A 1 - -", 1, "1 resigned",
	    "halma-2 16/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/15A - - 1");
	assert_outcome(&over, 2, REASON_RESIGNED);
}

static void
a_neutral_stone_rests_for_one_move(void **unused)
{
	(void)unused;
	struct position position;
	position_start(VARIANT_IUVO_4, &position);
	position_play(&position, NULL, move_of(&position, NULL, "c3-b5"), &position, NULL);
	assert_int_equal(position.resting, cell_at(1, 4));
	assert_string_equal(verdict_on(&position, NULL, "b5-d4", NULL), "stone-rests");
	/* Whoever drops out makes no move and lifts nothing. */
	position_drop(&position, NULL, 2, REASON_TIMEOUT, &position, NULL);
	assert_int_equal(position.turn, 3);
	assert_string_equal(verdict_on(&position, NULL, "b5-d4", NULL), "stone-rests");
	/* A stone that has an owner does not rest, and lifts the rest of the other. */
	position_play(&position, NULL, move_of(&position, NULL, "e7-d5"), &position, NULL);
	assert_int_equal(position.resting, CELL_NONE);
}

/* Every key that the moves of the seat to move would leave. */
static size_t
keys_left(const struct position *position, uint64_t keys[MOVES_MAX])
{
	struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, NULL, moves);
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(position, NULL, moves[i], &after, &change);
		keys[i] = change.left;
	}
	return count;
}

static void
a_third_repetition_is_not_legal(void **unused)
{
	struct position position = position_of("iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -");
	uint64_t keys[MOVES_MAX];
	struct move moves[MOVES_MAX], left[MOVES_MAX];
	(void)unused;
	unsigned count = position_moves(&position, NULL, moves);
	assert_int_equal(keys_left(&position, keys), count);
	for (unsigned i = 0; i < count; i++) {
		struct past past = {&keys[i], 1};
		struct move_text text = {.count = 2,
		    .cells = {{cell_file(moves[i].from), (int16_t)cell_rank(moves[i].from)},
			{cell_file(moves[i].to), (int16_t)cell_rank(moves[i].to)}}};
		assert_int_equal(position_count(&position, &past), count - 1);
		assert_int_equal(position_moves(&position, &past, left), count - 1);
		assert_int_equal(position_judge(&position, &past, &text, NULL, NULL), VERDICT_THIRD_REPETITION);
		assert_int_equal(position_judge(&position, NULL, &text, NULL, NULL), VERDICT_LEGAL);
	}
}

static void
a_seat_that_could_only_repeat_is_blocked(void **unused)
{
	struct position before = position_of("iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -"), position;
	uint64_t keys[MOVES_MAX];
	struct change change;
	struct move move;
	(void)unused;
	move = move_of(&before, NULL, "c1-d3");
	position_play(&before, NULL, move, &position, NULL);
	struct past past = {keys, keys_left(&position, keys)};
	position_play(&before, &past, move, &position, &change);
	assert_outs(&change, "2 blocked");
	assert_int_equal(position.turn, 3);
	/* The same when it becomes a seat's turn by another's resignation. */
	position_drop(&before, NULL, 1, REASON_RESIGNED, &position, NULL);
	past.count = keys_left(&position, keys);
	position_drop(&before, &past, 1, REASON_RESIGNED, &position, &change);
	assert_outs(&change, "1 resigned, 2 blocked");
	assert_position(&position, "iuvo-4 C1C1C1r/7/o1o1o1D/7/o1o1o1D/7/o1o1o1D 3 - 12");
}

/* Plays moves in turn and keeps their history. */
static void
play_all(struct position *position, struct history *history, const char *const *texts, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct past past = history_past(history);
		struct change change;
		position_play(position, &past, move_of(position, &past, texts[i]), position, &change);
		history_add(history, change.left);
		assert_true(position->key == position_key(position));
	}
}

static void
iuvo_counts_what_plies_left(void **unused)
{
	static const char *const round[] = {"c2-a1", "e5-c4", "a1-c2", "c4-e5"};
	struct position position = position_of("iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -");
	struct history history;
	(void)unused;
	history_begin(&history, &position);
	assert_int_equal(history.count, 0);
	play_all(&position, &history, round, 4);
	assert_int_equal(history_past(&history).count, 0);
	play_all(&position, &history, round, 4);
	/* Each was left twice; the start, which nobody left, does not count. */
	struct past past = history_past(&history);
	assert_int_equal(past.count, 4);
	assert_string_equal(verdict_on(&position, &past, "c2-a1", NULL), "third-repetition");
	assert_string_equal(verdict_on(&position, &past, "c2-a3", NULL), "legal");
	assert_int_equal(position_count(&position, &past), position_count(&position, NULL) - 1);
}

static void
halma_draws_by_the_third_repetition(void **unused)
{
	static const char *const round[] = {"m3-l3", "d14-e14", "l3-m3", "e14-d14"};
	struct position position;
	struct history history;
	(void)unused;
	position_start(VARIANT_HALMA_2, &position);
	history_begin(&history, &position);
	assert_int_equal(history.count, 1);
	play_all(&position, &history, round, 4);
	assert_int_equal(position.turn, 1);
	play_all(&position, &history, round, 4);
	assert_outcome(&position, 0, REASON_REPETITION);
}

static void
halma_is_won_when_all_have_arrived(void **unused)
{
	(void)unused;
	struct position over = play("halma-2 A15/16/16/16/16/1A14/16/16/16/16/16/16/16/16/16/B15 1 - -", "b11-b12", "",
	    "halma-2 A15/16/16/16/1A14/16/16/16/16/16/16/16/16/16/16/B15 - - -");
	assert_outcome(&over, 1, REASON_TARGET);
	/* H7 is asked of the mover alone. */
	play("halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/B15 2 - -", "a1-a2", "",
	    "halma-2 A15/16/16/16/16/16/16/16/16/16/16/16/16/16/B15/16 1 - -");
}

static void
halma_is_drawn_when_nobody_can_move(void **unused)
{
	(void)unused;
	struct position over = play("halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/AAA13/A15/BAA13 1 - -", "b3-b2", "",
	    "halma-2 16/16/16/16/16/16/16/16/16/16/16/16/16/A1A13/AA14/BAA13 - - -");
	assert_outcome(&over, 0, REASON_BLOCKED);
}

static void
a_long_game_is_drawn(void **unused)
{
	static const struct {
		const char *position, *move;
	} cases[] = {
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", "c1-d3"},
	    {"halma-2 16/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/15A 1 - -", "p1-p2"},
	};
	(void)unused;
	for (unsigned i = 0; i < 2; i++) {
		struct position position = position_of(cases[i].position), after;
		position.ply = PLIES_MAX - 2;
		position_play(&position, NULL, move_of(&position, NULL, cases[i].move), &after, NULL);
		assert_int_equal(after.turn, 2);
		position.ply = PLIES_MAX - 1;
		position_play(&position, NULL, move_of(&position, NULL, cases[i].move), &after, NULL);
		assert_outcome(&after, 0, REASON_LENGTH);
	}
	/* Who wins by the last ply has won. */
	struct position position = position_of("iuvo-2 2AoB2/3o3/3A3/7/7/7/7 1 - -");
	position.ply = PLIES_MAX - 1;
	position_play(&position, NULL, move_of(&position, NULL, "d5xe7"), &position, NULL);
	assert_outcome(&position, 1, REASON_CAPTURED);
}

static void
a_draw_may_be_agreed(void **unused)
{
	struct position position;
	(void)unused;
	position_start(VARIANT_IUVO_4, &position);
	position_agree(&position, &position);
	assert_outcome(&position, 0, REASON_AGREEMENT);
	assert_position(&position, "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s - - -");
	assert_int_equal(position_count(&position, NULL), 0);
}

static void
reasons_are_words_both_ways(void **unused)
{
	enum reason reason = REASON_NONE;
	(void)unused;
	for (unsigned i = 0; i < REASON_COUNT; i++) {
		const char *word = reason_word((enum reason)i);
		assert_true(reason_find(word, strlen(word), &reason));
		assert_int_equal(reason, i);
	}
	assert_false(reason_find("target ", 7, &reason));
	assert_int_equal(reason, REASON_COUNT - 1);
}

static void
only_some_positions_are_starts(void **unused)
{
	static const struct {
		const char *text;
		bool is_start;
	} cases[] = {
	    {"iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", true},
	    {"iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 - e5 -", false}, /* over */
	    {"iuvo-2 7/7/3oo2/3A3/1ooo3/1o1o3/1o5 1 e5 2", false},   /* one seat in */
	    {"iuvo-2 7/7/3oo2/3A3/1ooo3/1o1o3/1o5 1 e5 -", false},   /* a seat without a stone */
	    {"iuvo-2 A6/7/3oo2/7/1oooB2/1o1o3/1o5 1 e5 -", false},   /* all on targets */
	    {"iuvo-2 A6/7/6B/7/7/7/7 1 - -", false},
	    {"iuvo-2 7/A6/6B/7/7/7/7 1 - -", false}, /* no legal move */
	    {"iuvo-4 7/7/2q4/2o4/2oA3/7/7 1 - 4", true},
	    {"halma-2 16/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/15A 1 - -", true},
	    {"halma-2 A15/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/16 2 - -", false},
	    {"halma-2 16/16/16/16/16/16/16/16/8B7/16/16/16/16/16/16/16 2 - -", false},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct position position = position_of(cases[i].text);
		assert_int_equal(position_is_start(&position), cases[i].is_start);
	}
}

static void
every_family_has_rules(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < FAMILY_COUNT; i++) {
		const struct rules *rules = rules_table[i];
		assert_non_null(rules);
		assert_true(rules->start && rules->stones_key && rules->moves && rules->count && rules->judge);
		assert_true(rules->play && rules->drop && rules->path && rules->owners && rules->stones);
		assert_true(rules->targets && rules->holds && rules->arrived && rules->put && rules->perft);
		assert_true(rules->phase && rules->census);
	}
	assert_ptr_not_equal(rules_of(VARIANT_IUVO_2), rules_of(VARIANT_HALMA_2));
}

static void
a_census_counts_the_start(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < VARIANT_COUNT; i++) {
		const struct rules *rules = rules_of((enum variant)i);
		const uint8_t *census = rules->census((enum variant)i);
		unsigned counts[1 << SEATS_MAX] = {0};
		cell_t cells[STONES_MAX];
		struct position position;
		position_start((enum variant)i, &position);
		for (unsigned stone = position_stones(&position, cells); stone-- > 0;)
			counts[position_owners(&position, cells[stone])]++;
		for (unsigned owners = 0; owners < 1 << SEATS_MAX; owners++)
			assert_int_equal(census[owners], counts[owners]);
		assert_int_equal(rules->neutral, census[0] > 0);
	}
}

static void
phases_are_those_of_gathering(void **unused)
{
	static const struct {
		const char *text;
		enum phase phase;
	} cases[] = {
	    {"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", PHASE_GATHERING},
	    {"iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", PHASE_GATHERING},
	    {"iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", PHASE_CHAIN},
	    {"halma-2 16/16/16/16/16/16/16/16/8B7/8A7/16/16/16/16/16/16 1 - -", PHASE_NONE},
	};
	(void)unused;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct position position = position_of(cases[i].text);
		assert_int_equal(position_phase(&position), cases[i].phase);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_family_has_rules),
	    cmocka_unit_test(a_census_counts_the_start),
	    cmocka_unit_test(phases_are_those_of_gathering),
	    cmocka_unit_test(starts_are_those_of_the_rules),
	    cmocka_unit_test(targets_are_across_the_board),
	    cmocka_unit_test(one_capture_takes_the_last_stone_of_two_seats),
	    cmocka_unit_test(a_capture_may_make_another_seat_win),
	    cmocka_unit_test(seats_in_a_row_are_blocked),
	    cmocka_unit_test(anothers_resignation_blocks_the_seat_to_move),
	    cmocka_unit_test(a_resignation_ends_or_passes_the_turn),
	    cmocka_unit_test(a_neutral_stone_rests_for_one_move),
	    cmocka_unit_test(a_third_repetition_is_not_legal),
	    cmocka_unit_test(a_seat_that_could_only_repeat_is_blocked),
	    cmocka_unit_test(iuvo_counts_what_plies_left),
	    cmocka_unit_test(halma_draws_by_the_third_repetition),
	    cmocka_unit_test(halma_is_won_when_all_have_arrived),
	    cmocka_unit_test(halma_is_drawn_when_nobody_can_move),
	    cmocka_unit_test(a_long_game_is_drawn),
	    cmocka_unit_test(a_draw_may_be_agreed),
	    cmocka_unit_test(reasons_are_words_both_ways),
	    cmocka_unit_test(only_some_positions_are_starts),
	};
	return cmocka_run_group_tests_name("engine rules", tests, NULL, NULL);
}

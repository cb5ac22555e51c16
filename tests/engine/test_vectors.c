/* tests/vectors, made by another implementation of RULES.md: every line must come out the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/perft.h"
#include "tests/engine/twin_group.h"
#include "tests/engine/vectors.h"

static enum reason
reason_of(const char *word)
{
	enum reason reason = REASON_NONE;
	if (word != NULL)
		assert_true(reason_find(word, strlen(word), &reason));
	return reason;
}

static void
assert_ply_out(const struct vector_ply *ply)
{
	unsigned seats = 0;
	for (unsigned i = 0; i < twin->change.out_count; i++) {
		const char *word = ply->out[twin->change.out[i].seat - 1];
		assert_non_null(word);
		assert_int_equal(twin->change.out[i].reason, reason_of(word));
	}
	for (unsigned i = 0; i < 4; i++)
		seats += ply->out[i] != NULL;
	assert_int_equal(twin->change.out_count, seats);
}

static void
play_game(const struct vector_game *game)
{
	char text[MOVE_TEXT_MAX];
	twin_begin(twin, game->start);
	for (unsigned i = 0; i < game->count; i++) {
		const struct vector_ply *ply = &game->plies[i];
		struct move_text written;
		struct text_fault fault;
		struct move move;
		struct past past = history_past(&twin->history);
		assert_int_equal(twin->position.turn, ply->seat);
		assert_int_equal(twin->count, ply->legal);
		assert_true(notation_read_move(ply->move, strlen(ply->move), &written, &fault));
		assert_int_equal(position_judge(&twin->position, &past, &written, &move, NULL), VERDICT_LEGAL);
		notation_move(move, text);
		assert_string_equal(text, ply->move);
		twin_play(twin, move);
		twin_assert_position(twin, ply->position);
		assert_ply_out(ply);
	}
	twin_assert_outcome(twin, game->winner, reason_of(game->reason));
}

static void
test_games(void **unused)
{
	(void)unused;
	assert_true(vector_games_count >= 34);
	for (unsigned i = 0; i < vector_games_count; i++)
		play_game(&vector_games[i]);
}

static void
test_positions(void **unused)
{
	(void)unused;
	assert_true(vector_positions_count >= 140);
	for (unsigned i = 0; i < vector_positions_count; i++) {
		const struct vector_position *row = &vector_positions[i];
		twin_begin(twin, row->text);
		twin_assert_position(twin, row->text);
		if (row->moves != NULL)
			twin_assert_moves(twin, row->count, row->moves);
		for (unsigned depth = 1; depth <= row->depth; depth++)
			assert_int_equal(perft_count(&twin->position, depth), row->perft[depth - 1]);
	}
}

static void
test_cases(void **unused)
{
	(void)unused;
	assert_true(vector_cases_count >= 40);
	for (unsigned i = 0; i < vector_cases_count; i++) {
		const struct vector_case *row = &vector_cases[i];
		twin_begin(twin, row->start);
		for (unsigned step = 0; step < row->count; step++)
			twin_step(twin, row->steps[step]);
		twin_assert_position(twin, row->position);
		twin_assert_moves(twin, row->legal_count, row->legal);
		twin_assert_outcome(twin, row->winner, reason_of(row->reason));
	}
}

/* The second opinion itself, without the engine: what it counts is what the vectors count. */
static void
test_second_opinion(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < vector_positions_count; i++) {
		struct mailbox box;
		mailbox_read(&box, vector_positions[i].text);
		for (unsigned depth = 1; depth <= vector_positions[i].depth; depth++)
			assert_int_equal(mailbox_perft(&box, depth), vector_positions[i].perft[depth - 1]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_games),
	    cmocka_unit_test(test_positions),
	    cmocka_unit_test(test_cases),
	    cmocka_unit_test(test_second_opinion),
	};
	return cmocka_run_group_tests_name("vectors", tests, twin_group_open, twin_group_close);
}

/*
 * The seats that engines have, with a writer and an engine of their own and
 * nobody who calls: what is to be done is done, however much of it there is, once
 * it is heard of or found; and all of it ends when it is told to.
 */
#include "tests/http/office.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "engine/notation.h"
#include "http/opponents.h"

/* Seat 2 captures the last stone of seat 1, and level 8 sees that. */
#define WON "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"

enum { PATIENCE_MS = 10 * 60 * 1000, SHORT_OF_TIME = 8, LONG_OF_TIME = 10 };

/* One of each at a time. */
static struct think *think;
static struct opponents *opponents;
static const struct service service;

/* New games of a plan; id is that of the last. */
static void
create(struct office *office, const struct game_plan *plan, unsigned count, char id[ID_LEN + 1])
{
	struct game game;
	office_create(office, clock_now_ms(), plan, count, &game);
	memcpy(id, game.row.id, sizeof game.row.id);
}

static void
open_all(struct office *office, unsigned threads)
{
	char why[256] = "";
	const struct think_options options = {
	    .threads = threads, .memory = SEARCH_MEMORY_MIN, .questions = LIMIT_QUESTIONS, .moves = LIMIT_ENGINE_MOVES};
	office_serve(office);
	think = think_open(&options, why, sizeof why);
	assert_non_null(think);
	const struct opponents_options seats = {
	    .database = office->path, .service = &service, .lane = office->lane, .think = think};
	opponents = opponents_open(&seats, why, sizeof why);
	assert_non_null(opponents);
}

/* In the order of the server's. */
static void
close_all(struct office *office)
{
	opponents_end(opponents);
	think_end(think);
	office_end(office);
	opponents_close(opponents);
	think_close(think);
}

/* Waits until no game is left in which an engine must do something. */
static void
wait_for_all(struct office *office, const char *id, struct game *game)
{
	int64_t until = clock_mono_us() + PATIENCE_MS * INT64_C(1000);
	while (office_thinking(office) != 0) {
		assert_true(clock_mono_us() < until);
		usleep(2000);
	}
	office_read(office, id, game);
}

static bool
read_start(struct position *start)
{
	struct text_fault why;
	return notation_read_position(WON, strlen(WON), start, &why);
}

/* What was due when nobody served is found, with nobody to tell of it. */
static void
what_is_due_at_the_start_is_done(void **state)
{
	struct office *office = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {3}};
	char id[ID_LEN + 1];
	create(office, &plan, 1, id);
	open_all(office, 1);
	wait_for_all(office, id, &game);
	assert_int_equal(game.row.ply, 1);
	assert_int_equal(game.row.turn, 2); /* a person's: nothing more is done */
	close_all(office);
}

/* More games than the engine takes at once, and than one look at the store finds. */
static void
more_games_than_there_is_room_for_are_all_played(void **state)
{
	enum { GAMES = LIMIT_ENGINE_MOVES + 60 };
	struct office *office = *state;
	struct position start;
	struct game game;
	char id[ID_LEN + 1];
	assert_true(read_start(&start));
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .start = &start, .levels = {1, SHORT_OF_TIME}};
	create(office, &plan, GAMES, id);
	open_all(office, 2);
	wait_for_all(office, id, &game);
	assert_string_equal(game.row.status, "finished");
	assert_int_equal(game.row.winner, 2);
	assert_int_equal(game.row.ply, 1);
	close_all(office);
}

/* A person's move, that goes to the writer as a call of his would. */
static bool
play_any(struct call *call)
{
	struct office_call *caller = office_call_of(call);
	static struct move moves[MOVES_MAX];
	struct holder holder = {.known = true, .seats = 1};
	struct move_text move;
	struct text_fault why;
	struct move_request request = {.text = &move, .expected_ply = -1};
	struct move_result result;
	struct game game;
	char text[MOVE_TEXT_MAX];
	caller->fault = game_load(call->db, call->arena, caller->id, &game);
	if (caller->fault != FAULT_NONE || position_moves(&game.position, &game.past, moves) == 0)
		return false;
	notation_move(moves[0], text);
	if (!notation_read_move(text, strlen(text), &move, &why))
		return false;
	caller->fault = game_move(call->db, call->arena, call->now_ms, &game, &holder, &request, false, &result);
	if (caller->fault == FAULT_NONE)
		caller->fault = call_changed(call, &game);
	return caller->fault == FAULT_NONE;
}

static void
move_by_person(struct office *office, const char *id)
{
	struct office_call caller = {.id = id, .fault = FAULT_INTERNAL};
	office_send(office, &caller, play_any);
	office_await(&caller);
	assert_int_equal(caller.fault, FAULT_NONE);
}

/* Each move is heard of and answered, also of a game that is heard of while it is in hand. */
static void
moves_are_heard_of_and_answered(void **state)
{
	enum { TURNS = 6 };
	struct office *office = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {0, 3}};
	struct game game;
	char id[ID_LEN + 1];
	create(office, &plan, 1, id);
	open_all(office, 1);
	for (unsigned turn = 1; turn <= TURNS; turn++) {
		move_by_person(office, id);
		wait_for_all(office, id, &game);
		assert_int_equal(game.row.ply, 2 * turn);
		assert_int_equal(game.row.turn, 1);
	}
	close_all(office);
}

/* It ends at once, whatever it thinks about; the games stand where they stood, and are taken up again. */
static void
an_end_while_it_thinks_loses_nothing(void **state)
{
	enum { GAMES = 8, AGAIN = 4 };
	struct office *office = *state;
	struct game_plan plan = {.variant = VARIANT_HALMA_2, .levels = {LONG_OF_TIME, 0}};
	struct game game;
	char id[ID_LEN + 1];
	create(office, &plan, GAMES, id);
	for (unsigned i = 0; i < AGAIN; i++) {
		open_all(office, 1);
		usleep(1000 * i);
		close_all(office);
		office_read(office, id, &game);
		assert_string_equal(game.row.status, "active");
		assert_in_range(game.row.ply, 0, 1);
	}
	open_all(office, 2);
	wait_for_all(office, id, &game);
	assert_int_equal(game.row.ply, 1);
	assert_int_equal(game.row.turn, 2);
	close_all(office);
}

/* Where there is no engine nothing is done, and nothing is lost. */
static void
without_an_engine_games_wait(void **state)
{
	struct office *office = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {3}};
	struct game game;
	char id[ID_LEN + 1];
	create(office, &plan, 1, id);
	open_all(office, 0);
	usleep(50 * 1000);
	assert_int_equal(office_thinking(office), 1);
	close_all(office);
	open_all(office, 1);
	wait_for_all(office, id, &game);
	assert_int_equal(game.row.ply, 1);
	close_all(office);
}

static void
a_file_that_is_not_there_is_told_of(void **state)
{
	char why[256] = "";
	const struct opponents_options options = {.database = "/nonexistent/games", .service = &service};
	(void)state;
	assert_null(opponents_open(&options, why, sizeof why));
	assert_true(why[0] != '\0');
	opponents_end(NULL);
	opponents_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_due_at_the_start_is_done, office_enter, office_leave),
	    cmocka_unit_test_setup_teardown(
		more_games_than_there_is_room_for_are_all_played, office_enter, office_leave),
	    cmocka_unit_test_setup_teardown(moves_are_heard_of_and_answered, office_enter, office_leave),
	    cmocka_unit_test_setup_teardown(an_end_while_it_thinks_loses_nothing, office_enter, office_leave),
	    cmocka_unit_test_setup_teardown(without_an_engine_games_wait, office_enter, office_leave),
	    cmocka_unit_test(a_file_that_is_not_there_is_told_of),
	};
	return cmocka_run_group_tests_name("opponents", tests, NULL, NULL);
}

/* The writer by itself, on the real clock: it wakes when something is due, though nobody calls. */
#include "tests/http/office.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/notation.h"

enum { SOON_MS = 300, PATIENCE_MS = 5 * 60 * 1000, DAY_MS = 24 * 60 * 60 * 1000 };

/* Waits until the game has a status. */
static void
wait_for(struct office *office, const char *status, struct game *game)
{
	int64_t until = clock_mono_us() + PATIENCE_MS * INT64_C(1000);
	do {
		usleep(2000);
		office_read(office, game->row.id, game);
	} while (strcmp(game->row.status, status) != 0 && clock_mono_us() < until);
	assert_string_equal(game->row.status, status);
}

static void
it_wakes_at_a_deadline(void **state)
{
	struct office *office = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 60}};
	office_create(office, clock_now_ms() - 60000 + SOON_MS, &plan, 1, &game);
	int64_t deadline = game.row.deadline_ms;
	office_serve(office);
	wait_for(office, "finished", &game);
	assert_string_equal(game.row.reason, "timeout");
	assert_true(game.row.updated_ms >= deadline);
	/* Promised is a second; the machine may be busy. */
	assert_true(game.row.updated_ms < deadline + 5000);
	office_end(office);
}

static void
it_wakes_for_a_game_that_nobody_joins(void **state)
{
	struct office *office = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	office_create(office, clock_now_ms() - 30 * (int64_t)DAY_MS + SOON_MS, &plan, 1, &game);
	int64_t due = game.row.due_ms;
	office_serve(office);
	wait_for(office, "withdrawn", &game);
	assert_true(game.row.updated_ms >= due);
	office_end(office);
}

/* What was due while nobody served is done before anybody is. */
static void
it_begins_with_what_is_due(void **state)
{
	struct office *office = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	office_create(office, clock_now_ms() - 40 * (int64_t)DAY_MS, &plan, 1, &game);
	office_serve(office);
	int64_t now = clock_now_ms();
	wait_for(office, "withdrawn", &game);
	assert_true(game.row.updated_ms <= now);
	office_end(office);
}

/* It does not wait for a deadline to end. */
static void
it_ends_while_clocks_run(void **state)
{
	struct office *office = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 3600}};
	office_create(office, clock_now_ms(), &plan, 1, &game);
	int64_t deadline = game.row.deadline_ms;
	office_serve(office);
	office_end(office);
	office_serve(office);
	office_end(office);
	office_serve(office);
	wait_for(office, "active", &game);
	assert_int_equal(game.row.deadline_ms, deadline);
	office_end(office);
}

/* A call that keeps the writer busy until it is let go, so that those behind it come to it together. */
static sem_t begun, held;

static bool
hold(struct call *call)
{
	(void)call;
	sem_post(&begun);
	sem_wait(&held);
	return false;
}

/* Where a call sets the clock. */
static int64_t moment_ms;

static bool
move_time(struct call *call)
{
	(void)call;
	return clock_test_move(moment_ms);
}

static bool
play(struct call *call)
{
	struct office_call *caller = office_call_of(call);
	struct holder holder = {.known = true, .seats = 1};
	struct move_text move;
	struct text_fault why;
	struct move_request request = {.text = &move, .expected_ply = -1};
	struct move_result result;
	struct game game;
	caller->fault = notation_read_move("a1-b3", 5, &move, &why) ? FAULT_NONE : FAULT_INTERNAL;
	if (caller->fault == FAULT_NONE)
		caller->fault = game_load(call->db, call->arena, caller->id, &game);
	if (caller->fault == FAULT_NONE)
		caller->fault =
		    game_move(call->db, call->arena, call->now_ms, &game, &holder, &request, false, &result);
	return caller->fault == FAULT_NONE;
}

static bool
resign(struct call *call)
{
	struct office_call *caller = office_call_of(call);
	struct game game;
	caller->fault = game_load(call->db, call->arena, caller->id, &game);
	if (caller->fault == FAULT_NONE)
		caller->fault = game_resign(call->db, call->arena, call->now_ms, &game, 2);
	return caller->fault == FAULT_NONE;
}

/* Time comes to the deadline between two calls of one batch: what is asked before stands, what is asked after is late.
 */
static void
at_the_deadline_in_one_batch(struct office *office, bool early, bool (*act)(struct call *call), struct game *game)
{
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 60}};
	struct office_call first = {0}, time = {0}, actor = {0};
	/* A while ago, so that the deadline of the other seat is not the same moment. */
	office_create(office, clock_now_ms() - 1000, &plan, 1, game);
	char id[ID_LEN + 1];
	memcpy(id, game->row.id, sizeof id);
	moment_ms = game->row.deadline_ms;
	actor.id = id;
	sem_init(&begun, 0, 0);
	sem_init(&held, 0, 0);
	office_serve(office);
	office_send(office, &first, hold);
	sem_wait(&begun);
	if (early)
		office_send(office, &actor, act);
	office_send(office, &time, move_time);
	if (!early)
		office_send(office, &actor, act);
	sem_post(&held);
	office_await(&first);
	office_await(&time);
	office_await(&actor);
	office_end(office);
	assert_int_equal(actor.fault, early ? FAULT_NONE : FAULT_TIME_IS_UP);
	wait_for(office, early && act == play ? "active" : "finished", game);
}

/* The last of them: time stands still from here on. */
static void
a_call_and_the_sweep_do_not_both_win(void **state)
{
	struct office *office = *state;
	struct game game;
	clock_test_begin(clock_now_ms());
	at_the_deadline_in_one_batch(office, true, play, &game);
	assert_int_equal(game.row.ply, 1);
	at_the_deadline_in_one_batch(office, false, play, &game);
	assert_int_equal(game.row.ply, 0);
	assert_int_equal(game.row.winner, 2);
	at_the_deadline_in_one_batch(office, true, resign, &game);
	assert_string_equal(game.row.reason, "resigned");
	assert_int_equal(game.row.winner, 1);
	at_the_deadline_in_one_batch(office, false, resign, &game);
	assert_string_equal(game.row.reason, "timeout");
	assert_int_equal(game.row.winner, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, office_enter, office_leave)
	const struct CMUnitTest tests[] = {
	    TEST(it_wakes_at_a_deadline),
	    TEST(it_wakes_for_a_game_that_nobody_joins),
	    TEST(it_begins_with_what_is_due),
	    TEST(it_ends_while_clocks_run),
	    TEST(a_call_and_the_sweep_do_not_both_win),
	};
	return cmocka_run_group_tests_name("http lane", tests, NULL, NULL);
}

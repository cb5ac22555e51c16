/* The arithmetic of clocks: fourteen days in a millisecond. */
#include "play/clock.h"

#include <limits.h>
#include <string.h>

#include "world.h"

#define SECOND ((int64_t)1000)
#define DAY (24 * 60 * 60 * SECOND)
#define NOW ((int64_t)1700000000000)

static const struct clock_terms per_move = {.type = "per_move", .per_move_seconds = 60};
static const struct clock_terms budget = {.type = "budget", .initial_seconds = 100, .increment_seconds = 10};

/* A game in memory alone, of so many seats, in which seat 1 is to move. */
static struct game
begin(const struct clock_terms *terms, unsigned seats)
{
	struct game game = {.row = {.status = "active", .turn = 1, .created_ms = NOW, .updated_ms = NOW}};
	game.seat_count = seats;
	for (unsigned i = 0; i < seats; i++)
		game.seats[i] = (struct seat_row){.seat = i + 1, .kind = "player"};
	clock_set(&game, terms);
	clock_start(&game, NOW);
	return game;
}

/* The seat to move moves, and the turn passes to the next one. */
static void
move(struct game *game, unsigned next, int64_t now_ms)
{
	unsigned was = game->row.turn;
	game->row.turn = next;
	game->row.updated_ms = now_ms;
	clock_turned(game, was, true, now_ms);
}

/* A seat goes out, and then this one is to move: the same, another, or none. */
static void
drop(struct game *game, unsigned next, int64_t now_ms)
{
	unsigned was = game->row.turn;
	game->row.turn = next;
	game->row.updated_ms = now_ms;
	clock_turned(game, was, false, now_ms);
}

static int64_t
left(const struct game *game, unsigned seat)
{
	return clock_remaining(&game->row, &game->seats[seat - 1]);
}

static void
without_a_clock_nothing_runs(void **state)
{
	(void)state;
	struct game game = begin(&(struct clock_terms){0}, 2);
	assert_string_equal(game.row.clock_type, "none");
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(game.row.deadline_ms, 0);
		assert_int_equal(left(&game, 1), -1);
		assert_int_equal(clock_due(&game.row), 0);
		assert_false(clock_is_late(&game.row, INT64_MAX));
		move(&game, i % 2 + 1, NOW + i * DAY);
	}
	assert_false(clock_pause(&game, NOW));
	assert_false(clock_resume(&game, NOW));
	assert_int_equal(game.row.paused_ms, -1);
}

static void
an_open_game_has_fourteen_days_a_move(void **state)
{
	(void)state;
	struct game game = {.row = {.status = "open", .created_ms = NOW}, .seat_count = 2};
	game.seats[0] = (struct seat_row){.seat = 1, .kind = "player"};
	game.seats[1] = (struct seat_row){.seat = 2, .kind = "open"};
	clock_set(&game, &(struct clock_terms){0});
	assert_string_equal(game.row.clock_type, "per_move");
	assert_string_equal(game.row.on_timeout, "forfeit");
	/* It waits for thirty days, and no clock runs before it starts. */
	clock_start(&game, NOW);
	assert_int_equal(game.row.deadline_ms, 0);
	assert_int_equal(clock_due(&game.row), NOW + 30 * DAY);
	game.row.status = "active";
	game.row.turn = 1;
	clock_start(&game, NOW + DAY);
	assert_int_equal(game.row.deadline_ms, NOW + 15 * DAY);
	assert_false(clock_is_up(&game.row, NOW + 15 * DAY - 1));
	assert_true(clock_is_up(&game.row, NOW + 15 * DAY));
	/* Whoever wants none gets none. */
	clock_set(&game, &(struct clock_terms){.type = "none"});
	assert_string_equal(game.row.clock_type, "none");
}

static void
each_move_has_the_same_time(void **state)
{
	(void)state;
	struct game game = begin(&per_move, 2);
	assert_int_equal(game.row.deadline_ms, NOW + 60 * SECOND);
	assert_int_equal(left(&game, 1), 60 * SECOND);
	assert_int_equal(left(&game, 2), -1);
	move(&game, 2, NOW + 59999);
	assert_int_equal(game.row.deadline_ms, NOW + 59999 + 60 * SECOND);
	assert_int_equal(left(&game, 1), -1);
	assert_int_equal(left(&game, 2), 60 * SECOND);
	assert_int_equal(clock_due(&game.row), game.row.deadline_ms);
	move(&game, 0, NOW + 60000);
	assert_int_equal(game.row.deadline_ms, 0);
	assert_int_equal(left(&game, 1), -1);
	assert_int_equal(left(&game, 2), -1);
}

static void
the_deadline_itself_is_too_late(void **state)
{
	(void)state;
	struct game game = begin(&per_move, 2);
	assert_false(clock_is_late(&game.row, game.row.deadline_ms - 1));
	assert_true(clock_is_late(&game.row, game.row.deadline_ms));
	assert_true(clock_is_up(&game.row, game.row.deadline_ms));
	struct clock_terms terms = per_move;
	terms.on_timeout = "claim";
	game = begin(&terms, 2);
	assert_true(clock_is_late(&game.row, game.row.deadline_ms));
	assert_false(clock_is_up(&game.row, game.row.deadline_ms));
	/* Nobody but a claimant looks at it. */
	assert_int_equal(clock_due(&game.row), 0);
}

static void
a_budget_is_used_up(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	assert_int_equal(left(&game, 1), 100 * SECOND);
	assert_int_equal(left(&game, 2), 100 * SECOND);
	move(&game, 2, NOW + 30 * SECOND);
	assert_int_equal(left(&game, 1), 80 * SECOND);
	assert_int_equal(left(&game, 2), 100 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 130 * SECOND);
	/* Something else happens meanwhile: what is told is as of then. */
	game.row.updated_ms = NOW + 31 * SECOND;
	assert_int_equal(left(&game, 2), 99 * SECOND);
	move(&game, 1, NOW + 32 * SECOND);
	assert_int_equal(left(&game, 2), 108 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 112 * SECOND);
	/* In the last millisecond. */
	move(&game, 2, NOW + 112 * SECOND - 1);
	assert_int_equal(left(&game, 1), 10 * SECOND + 1);
}

static void
what_is_left_is_never_negative_and_stands_still(void **state)
{
	(void)state;
	struct clock_terms terms = budget;
	terms.on_timeout = "claim";
	struct game game = begin(&terms, 2);
	game.row.updated_ms = NOW + DAY;
	assert_int_equal(left(&game, 1), 0);
	/* A late move that nobody has claimed stands. */
	move(&game, 2, NOW + DAY);
	assert_int_equal(left(&game, 1), 10 * SECOND);
	drop(&game, 0, NOW + DAY + 40 * SECOND);
	for (int64_t later = 0; later < 3; later++) {
		game.row.updated_ms = NOW + DAY + 40 * SECOND + later * DAY;
		assert_int_equal(left(&game, 1), 10 * SECOND);
		assert_int_equal(left(&game, 2), 60 * SECOND);
		assert_int_equal(game.row.deadline_ms, 0);
	}
	game = begin(&budget, 2);
	drop(&game, 0, NOW + DAY);
	assert_int_equal(left(&game, 1), 0);
	assert_int_equal(left(&game, 2), 100 * SECOND);
}

static void
a_seat_that_goes_out_takes_nobody_s_time(void **state)
{
	(void)state;
	struct game game = begin(&per_move, 4);
	/* Seat 3 resigns while 1 thinks: its clock goes on. */
	drop(&game, 1, NOW + 20 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 60 * SECOND);
	/* Seat 1 oversteps its time: 2 begins. */
	drop(&game, 2, NOW + 60 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 120 * SECOND);
	/* A budget alike, and it is not given an increment for going out. */
	game = begin(&budget, 4);
	drop(&game, 1, NOW + 20 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 100 * SECOND);
	assert_int_equal(left(&game, 1), 80 * SECOND);
	drop(&game, 2, NOW + 25 * SECOND);
	assert_int_equal(left(&game, 1), 75 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 125 * SECOND);
}

static void
a_pause_keeps_what_is_left(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	assert_true(clock_pause(&game, NOW + 40 * SECOND));
	assert_false(clock_pause(&game, NOW + 41 * SECOND));
	assert_int_equal(game.row.deadline_ms, 0);
	game.row.updated_ms = NOW + 20 * DAY;
	assert_int_equal(left(&game, 1), 60 * SECOND);
	assert_int_equal(clock_due(&game.row), 0);
	assert_true(clock_resume(&game, NOW + 20 * DAY));
	assert_false(clock_resume(&game, NOW + 20 * DAY));
	assert_int_equal(game.row.deadline_ms, NOW + 20 * DAY + 60 * SECOND);
	assert_int_equal(left(&game, 1), 60 * SECOND);
}

static void
moves_in_a_pause_cost_and_earn_nothing(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	clock_pause(&game, NOW + 40 * SECOND);
	move(&game, 2, NOW + DAY);
	assert_int_equal(left(&game, 1), 60 * SECOND);
	assert_int_equal(left(&game, 2), 100 * SECOND);
	move(&game, 1, NOW + 2 * DAY);
	assert_int_equal(left(&game, 1), 60 * SECOND);
	assert_int_equal(left(&game, 2), 100 * SECOND);
	assert_true(clock_resume(&game, NOW + 3 * DAY));
	assert_int_equal(game.row.deadline_ms, NOW + 3 * DAY + 60 * SECOND);
	/* Per move: the next one has a whole move's time. */
	game = begin(&per_move, 2);
	clock_pause(&game, NOW + 40 * SECOND);
	assert_int_equal(left(&game, 1), 20 * SECOND);
	move(&game, 2, NOW + DAY);
	assert_int_equal(game.row.deadline_ms, 0);
	assert_int_equal(left(&game, 2), 60 * SECOND);
	/* The end ends the pause too. */
	drop(&game, 0, NOW + DAY);
	assert_int_equal(game.row.paused_ms, -1);
	assert_false(clock_resume(&game, NOW + DAY));
}

static void
a_takeback_gives_the_time_back(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	move(&game, 2, NOW + 30 * SECOND);
	int64_t first = game.seats[0].remaining_ms;
	move(&game, 1, NOW + 50 * SECOND);
	move(&game, 2, NOW + 110 * SECOND);
	game.row.turn = 2;
	clock_restore(&game, (int64_t[SEATS_MAX]){first, -1, -1, -1}, NOW + DAY);
	assert_int_equal(game.seats[0].remaining_ms, 80 * SECOND);
	assert_int_equal(game.seats[1].remaining_ms, 100 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + DAY + 100 * SECOND);
	game = begin(&per_move, 2);
	clock_restore(&game, (int64_t[SEATS_MAX]){-1, -1, -1, -1}, NOW + DAY);
	assert_int_equal(game.row.deadline_ms, NOW + DAY + 60 * SECOND);
	assert_int_equal(game.seats[0].remaining_ms, -1);
}

static void
who_sits_down_anew_has_a_whole_move(void **state)
{
	(void)state;
	struct game game = begin(&per_move, 2);
	clock_refresh(&game, 2, NOW + 50 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 60 * SECOND);
	clock_refresh(&game, 1, NOW + 50 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 110 * SECOND);
	game = begin(&budget, 2);
	clock_refresh(&game, 1, NOW + 50 * SECOND);
	assert_int_equal(game.row.deadline_ms, NOW + 100 * SECOND);
}

static void
credited_time_is_the_mover_s(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	clock_credit(&game, 3600 * SECOND);
	game.row.updated_ms = NOW + 3600 * SECOND;
	assert_int_equal(left(&game, 1), 100 * SECOND);
	move(&game, 2, NOW + 3605 * SECOND);
	assert_int_equal(left(&game, 1), 105 * SECOND);
	assert_int_equal(left(&game, 2), 100 * SECOND);
}

static void
a_withdrawn_game_has_no_clock(void **state)
{
	(void)state;
	struct game game = begin(&budget, 2);
	clock_stop(&game, NOW + 30 * SECOND);
	game.row.turn = 0;
	assert_int_equal(game.row.deadline_ms, 0);
	assert_int_equal(left(&game, 1), 70 * SECOND);
}

/* The longest terms, for the longest game, stay far from the end of 64 bits and of the calendar. */
static void
the_longest_clock_does_not_overflow(void **state)
{
	(void)state;
	struct clock_terms terms = {
	    .type = "budget", .initial_seconds = 400 * DAY / SECOND, .increment_seconds = 30 * DAY / SECOND};
	struct game game = begin(&terms, 2);
	int64_t now = NOW;
	for (unsigned i = 0; i < PLIES_MAX; i++)
		move(&game, i % 2 == 0 ? 2 : 1, now);
	assert_int_equal(left(&game, 1), 400 * DAY + PLIES_MAX / 2 * 30 * DAY);
	assert_true(game.row.deadline_ms < 253402300799999);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_clock_nothing_runs),
	    cmocka_unit_test(an_open_game_has_fourteen_days_a_move),
	    cmocka_unit_test(each_move_has_the_same_time),
	    cmocka_unit_test(the_deadline_itself_is_too_late),
	    cmocka_unit_test(a_budget_is_used_up),
	    cmocka_unit_test(what_is_left_is_never_negative_and_stands_still),
	    cmocka_unit_test(a_seat_that_goes_out_takes_nobody_s_time),
	    cmocka_unit_test(a_pause_keeps_what_is_left),
	    cmocka_unit_test(moves_in_a_pause_cost_and_earn_nothing),
	    cmocka_unit_test(a_takeback_gives_the_time_back),
	    cmocka_unit_test(who_sits_down_anew_has_a_whole_move),
	    cmocka_unit_test(credited_time_is_the_mover_s),
	    cmocka_unit_test(a_withdrawn_game_has_no_clock),
	    cmocka_unit_test(the_longest_clock_does_not_overflow),
	};
	return cmocka_run_group_tests_name("play clock", tests, NULL, NULL);
}

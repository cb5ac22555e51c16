/* What the service does by itself as time goes by, and what verify makes of clocks. */
#include "play/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/clock.h"
#include "play/offer.h"
#include "play/timeout.h"
#include "world.h"

#define SECOND ((int64_t)1000)

enum { EVENTS_MAX = 64 };

struct noted {
	unsigned changed, failed;
	char last[ID_LEN + 1];
};

static void
note_changed(void *arg, const struct game *game)
{
	struct noted *noted = arg;
	noted->changed++;
	memcpy(noted->last, game->row.id, sizeof noted->last);
}

static void
note_failed(void *arg, const char id[ID_LEN + 1], enum fault fault)
{
	struct noted *noted = arg;
	noted->failed++;
	memcpy(noted->last, id, sizeof noted->last);
	assert_int_equal(fault, FAULT_DAMAGED_GAME);
}

static unsigned
sweep_at(struct world *world, int64_t now_ms, struct noted *noted)
{
	struct sweep sweep = {
	    .db = world->db, .now_ms = now_ms, .changed = note_changed, .failed = note_failed, .arg = noted};
	unsigned count = 77;
	assert_int_equal(sweep_due(&sweep, &count), FAULT_NONE);
	return count;
}

/* Gives ms back to what ran at a time, in games behind *after, which it moves behind them; in how many. */
static unsigned
give_back(const struct sweep *sweep, int64_t since_ms, int64_t ms, int64_t *after)
{
	struct sweep_list list;
	assert_int_equal(sweep_find_running(sweep->db, since_ms, *after, sweep->damaged, &list), FAULT_NONE);
	assert_int_equal(sweep_pay(sweep, &list, since_ms, ms), FAULT_NONE);
	*after = list.to;
	return list.count;
}

static void
create(struct world *world, enum variant variant, const struct clock_terms *terms, struct game *game)
{
	struct game_plan plan = {.variant = variant, .clock = *terms, .listed = true};
	world_plan(world, &plan, game);
}

static void
load(struct world *world, struct game *game)
{
	char id[ID_LEN + 1];
	memcpy(id, game->row.id, sizeof id);
	assert_int_equal(game_load(world->db, world->arena, id, game), FAULT_NONE);
}

static void
a_deadline_is_kept_to_the_millisecond(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	struct game game;
	create(world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 14 * 86400}, &game);
	int64_t deadline = game.row.deadline_ms;
	assert_int_equal(deadline, game.row.created_ms + 14 * 86400 * SECOND);
	assert_int_equal(sweep_at(world, deadline - 1, &noted), 0);
	load(world, &game);
	assert_string_equal(game.row.status, "active");
	assert_int_equal(sweep_at(world, deadline, &noted), 1);
	assert_int_equal(noted.changed, 1);
	assert_string_equal(noted.last, game.row.id);
	load(world, &game);
	assert_string_equal(game.row.status, "finished");
	assert_string_equal(game.row.reason, "timeout");
	assert_int_equal(game.row.winner, 2);
	assert_int_equal(game.row.due_ms, 0);
	assert_int_equal(sweep_at(world, INT64_MAX, &noted), 0);
}

/* One writer, and each looks at the same row: a move and the sweep cannot both have the same moment. */
static void
a_move_and_the_sweep_do_not_both_win(void **state)
{
	struct world *world = *state;
	for (int64_t early = -1; early <= 1; early++) {
		for (unsigned mover_first = 0; mover_first < 2; mover_first++) {
			struct noted noted = {0};
			struct move_result result;
			struct game game;
			create(world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 60},
			    &game);
			int64_t now = game.row.deadline_ms - early;
			world->now_ms = now;
			enum fault fault = FAULT_NONE;
			if (mover_first) {
				fault = world_move(world, &game, 1, "a1-b3", &result);
				sweep_at(world, now, &noted);
			} else {
				sweep_at(world, now, &noted);
				load(world, &game);
				fault = world_move(world, &game, 1, "a1-b3", &result);
			}
			load(world, &game);
			if (early > 0) {
				assert_int_equal(fault, FAULT_NONE);
				assert_int_equal(game.row.ply, 1);
				assert_string_equal(game.row.status, "active");
			} else {
				assert_int_equal(fault, mover_first ? FAULT_TIME_IS_UP : FAULT_GAME_OVER);
				assert_int_equal(game.row.ply, 0);
				assert_int_equal(game.row.winner, 2);
			}
			assert_int_equal(game_resign(world->db, world->arena, INT64_MAX, &game, 2),
			    early > 0 ? FAULT_TIME_IS_UP : FAULT_GAME_OVER);
			assert_int_equal(sweep_at(world, now + 60 * SECOND, &noted), early > 0);
		}
	}
}

static void
a_claim_waits_for_a_claimant(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	struct game game;
	create(world, VARIANT_IUVO_4,
	    &(struct clock_terms){.type = "per_move", .on_timeout = "claim", .per_move_seconds = 60}, &game);
	int64_t deadline = game.row.deadline_ms;
	assert_int_equal(game.row.due_ms, 0);
	assert_int_equal(sweep_at(world, INT64_MAX, &noted), 0);
	assert_int_equal(timeout_claim(world->db, world->arena, deadline - 1, &game, 3), FAULT_NOTHING_TO_CLAIM);
	assert_int_equal(timeout_claim(world->db, world->arena, deadline, &game, 1), FAULT_NOTHING_TO_CLAIM);
	assert_int_equal(timeout_claim(world->db, world->arena, deadline, &game, 3), FAULT_NONE);
	world_same(world, &game);
	assert_int_equal(game.row.turn, 2);
	assert_string_equal(game.seats[0].out_reason, "timeout");
	assert_int_equal(timeout_claim(world->db, world->arena, deadline, &game, 1), FAULT_SEAT_OUT);
	assert_int_equal(timeout_claim(world->db, world->arena, deadline, &game, 3), FAULT_NOTHING_TO_CLAIM);
}

static void
the_longest_due_come_first(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	static struct game games[SWEEP_MOST + 20];
	for (unsigned i = 0; i < SWEEP_MOST + 20; i++)
		create(world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 1000 - i},
		    &games[i]);
	assert_int_equal(sweep_at(world, world->now_ms + 10000 * SECOND, &noted), SWEEP_MOST);
	load(world, &games[0]);
	assert_string_equal(games[0].row.status, "active");
	load(world, &games[SWEEP_MOST + 19]);
	assert_string_equal(games[SWEEP_MOST + 19].row.status, "finished");
	assert_int_equal(sweep_at(world, world->now_ms + 10000 * SECOND, &noted), 20);
	assert_int_equal(sweep_at(world, world->now_ms + 10000 * SECOND, &noted), 0);
	assert_int_equal(noted.changed, SWEEP_MOST + 20);
}

static void
a_damaged_game_keeps_nobody_from_the_others(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	struct game bad, good;
	struct clock_terms terms = {.type = "per_move", .per_move_seconds = 60};
	create(world, VARIANT_IUVO_2, &terms, &bad);
	create(world, VARIANT_IUVO_2, &terms, &good);
	world_shut(world);
	world_sql(world, "UPDATE games SET position = 'nonsense' WHERE game = 1");
	world_reopen(world, DB_WRITE);
	assert_int_equal(sweep_at(world, world->now_ms + 100 * SECOND, &noted), 2);
	assert_int_equal(noted.changed, 1);
	assert_int_equal(noted.failed, 1);
	load(world, &good);
	assert_string_equal(good.row.status, "finished");
	/* It is not looked at again. */
	assert_int_equal(sweep_at(world, world->now_ms + 100 * SECOND, &noted), 0);
}

static void
time_is_given_back_in_parts(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	struct sweep sweep = {.db = world->db, .changed = note_changed, .failed = note_failed, .arg = &noted};
	static struct game games[SWEEP_MOST + 10];
	int64_t after = 0, since, hour = 3600 * SECOND;
	unsigned whole = SWEEP_MOST + 10;
	for (unsigned i = 0; i < whole; i++)
		create(world, VARIANT_IUVO_2,
		    &(struct clock_terms){
			.type = i % 4 == 3 ? "none" : "per_move", .per_move_seconds = i % 4 == 3 ? 0 : 60 + i},
		    &games[i]);
	since = games[0].row.deadline_ms;
	sweep.now_ms = since + hour;
	/* The first game's time was up already when the service went. */
	unsigned count = give_back(&sweep, since, hour, &after), paid = count;
	while (count == SWEEP_MOST) {
		count = give_back(&sweep, since, hour, &after);
		paid += count;
	}
	assert_int_equal(paid, noted.changed);
	assert_int_equal(paid, whole - 1 - whole / 4);
	for (unsigned i = 0; i < whole; i++) {
		int64_t before = games[i].row.deadline_ms;
		load(world, &games[i]);
		assert_int_equal(games[i].row.deadline_ms, i == 0 || before == 0 ? before : before + hour);
		assert_int_equal(games[i].row.due_ms, games[i].row.deadline_ms);
	}
	struct event_row rows[EVENTS_MAX];
	assert_int_equal(world_events(world, &games[1], rows, EVENTS_MAX), 3);
	assert_string_equal(rows[2].type, "time_credited");
	assert_int_equal(rows[2].seat, 1);
	assert_int_equal(strncmp(rows[2].data, "{\"ms\":3600000,\"deadline\":\"", 26), 0);
}

/* What is owed is paid in parts over several starts: until all is paid nothing takes effect. */
static void
nothing_takes_effect_while_time_is_owed(void **state)
{
	struct world *world = *state;
	struct noted noted = {0};
	struct game open, timed, game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}}, plain = {.variant = VARIANT_IUVO_4};
	struct offer_row over;
	struct offer_request request = {.kind = OFFER_HANDOVER, .seat = 2, .id = "aaaaaaaaaaaaaaaaaaaaaaaaaa"};
	struct holder holder = {.known = true, .seats = 13};
	int64_t day = 86400 * SECOND, after = 0, before_ms;
	world_plan(world, &plan, &open);
	create(world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 60}, &timed);
	world_plan(world, &plain, &game);
	assert_int_equal(offer_make(world->db, world->now_ms, &game, &holder, &request, &over), FAULT_NONE);
	for (unsigned seat = 3; seat <= 4; seat++) {
		struct offer_answer answer = {.id = over.id, .seat = seat, .accept = true};
		assert_int_equal(offer_answer(world->db, world->now_ms, &game, &holder, &answer), FAULT_NONE);
	}
	before_ms = game.row.due_ms;
	assert_int_equal(before_ms, world->now_ms + 7 * day);
	/* Down for 20 days, and for 80 more when the first were not yet paid. */
	struct sweep sweep = {.db = world->db,
	    .now_ms = world->now_ms + 100 * day,
	    .changed = note_changed,
	    .failed = note_failed,
	    .arg = &noted};
	assert_int_equal(give_back(&sweep, world->now_ms, 20 * day, &after), 3);
	load(world, &game);
	assert_int_equal(game.row.offers, 1);
	assert_int_equal(game.row.due_ms, before_ms + 20 * day);
	after = 0;
	assert_int_equal(give_back(&sweep, world->now_ms + 20 * day, 80 * day, &after), 3);
	assert_int_equal(
	    sweep_at(world, sweep.now_ms + 60 * SECOND - 1 - (world->now_ms - timed.row.created_ms), &noted), 0);
	load(world, &open);
	assert_string_equal(open.row.status, "open");
	assert_int_equal(open.row.due_ms, open.row.created_ms + 130 * day);
	assert_int_equal(sweep_at(world, before_ms + 100 * day - 1, &noted), 1);
	assert_int_equal(sweep_at(world, before_ms + 100 * day, &noted), 1);
	load(world, &game);
	assert_string_equal(game.seats[1].kind, "open");
	assert_int_equal(sweep_at(world, open.row.due_ms, &noted), 1);
	load(world, &open);
	assert_string_equal(open.row.status, "withdrawn");
}

/* Random games with clocks, in which seats let their time pass, resign, are given time, are claimed and swept. */
static void
random_games_verify(void **state)
{
	struct world *world = *state;
	static const struct clock_terms terms[] = {
	    {.type = "per_move", .per_move_seconds = 60},
	    {.type = "per_move", .per_move_seconds = 60, .on_timeout = "claim"},
	    {.type = "budget", .initial_seconds = 100, .increment_seconds = 7},
	    {.type = "budget", .initial_seconds = 100, .on_timeout = "claim"},
	};
	struct noted noted = {0};
	unsigned timeouts = 0;
	for (unsigned n = 0; n < 40; n++) {
		struct game game;
		create(world, n % 2 == 0 ? VARIANT_IUVO_4 : VARIANT_IUVO_2, &terms[n / 2 % 4], &game);
		for (unsigned i = 0; i < 30 && game.position.turn != 0; i++) {
			world->now_ms += world_random(world, 90) * SECOND / (1 + world_random(world, 3));
			struct sweep sweep = {.db = world->db,
			    .now_ms = world->now_ms,
			    .changed = note_changed,
			    .failed = note_failed,
			    .arg = &noted};
			int64_t after = game.row.game - 1;
			if (world_random(world, 6) == 0)
				give_back(&sweep, world->now_ms, 50 * SECOND, &after);
			sweep_at(world, world->now_ms, &noted);
			load(world, &game);
			if (game.position.turn == 0)
				break;
			assert_false(clock_is_up(&game.row, world->now_ms));
			assert_true(game.row.deadline_ms > 0);
			assert_false(position_out(&game.position, game.row.turn));
			for (unsigned seat = 1; seat <= game.seat_count && clock_is_late(&game.row, world->now_ms);
			     seat++)
				if (seat != game.row.turn && world_random(world, 2) == 0 &&
				    timeout_claim(world->db, world->arena, world->now_ms, &game, seat) == FAULT_NONE)
					timeouts++;
			if (game.position.turn != 0 && world_random(world, 25) == 0)
				assert_int_equal(
				    game_resign(world->db, world->arena, world->now_ms, &game, game.row.turn),
				    FAULT_NONE);
			else if (game.position.turn != 0)
				world_play_random(world, &game);
		}
	}
	assert_true(timeouts > 5);
	struct verify_count count;
	assert_string_equal(world_verify(world, &count), "");
	assert_int_equal(count.games, 40);
}

static void
give_time(struct world *world)
{
	struct noted noted = {0};
	int64_t after = 2;
	struct sweep sweep = {
	    .db = world->db, .now_ms = world->now_ms, .changed = note_changed, .failed = note_failed, .arg = &noted};
	give_back(&sweep, world->now_ms, 50 * SECOND, &after);
}

/* A game with the notices of a resume and of a handover, without a clock that runs, and given time. */
static void
make_notices(struct world *world)
{
	struct game game;
	struct holder holder = {.known = true, .seats = 1}, other = {.known = true, .seats = 2};
	struct offer_row made;
	struct offer_request pause = {.kind = OFFER_PAUSE, .id = "paaaaaaaaaaaaaaaaaaaaaaaaa"},
			     resume = {.kind = OFFER_RESUME, .id = "raaaaaaaaaaaaaaaaaaaaaaaaa"},
			     handover = {.kind = OFFER_HANDOVER, .seat = 2, .id = "haaaaaaaaaaaaaaaaaaaaaaaaa"};
	create(world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 60}, &game);
	assert_int_equal(offer_make(world->db, world->now_ms, &game, &holder, &pause, &made), FAULT_NONE);
	struct offer_answer answer = {.id = made.id, .accept = true};
	assert_int_equal(offer_answer(world->db, world->now_ms, &game, &other, &answer), FAULT_NONE);
	assert_int_equal(offer_make(world->db, world->now_ms, &game, &holder, &resume, &made), FAULT_NONE);
	assert_int_equal(offer_make(world->db, world->now_ms, &game, &holder, &handover, &made), FAULT_NONE);
	give_time(world);
}

/* A game that has been credited, moved in and lost on time, and one that was not filled. */
static void
make_verified(struct world *world)
{
	struct noted noted = {0};
	struct game game;
	struct game_plan open = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	int64_t after = 0;
	create(world, VARIANT_IUVO_2,
	    &(struct clock_terms){.type = "budget", .initial_seconds = 100, .increment_seconds = 10}, &game);
	world->now_ms += 30 * SECOND;
	world_play(world, &game, "a1-b3");
	struct sweep sweep = {
	    .db = world->db, .now_ms = world->now_ms, .changed = note_changed, .failed = note_failed, .arg = &noted};
	give_back(&sweep, world->now_ms, 50 * SECOND, &after);
	load(world, &game);
	assert_int_equal(sweep_at(world, game.row.deadline_ms, &noted), 1);
	world_plan(world, &open, &game);
	assert_int_equal(sweep_at(world, game.row.due_ms, &noted), 1);
	create(
	    world, VARIANT_IUVO_2, &(struct clock_terms){.type = "per_move", .per_move_seconds = 100 * 86400}, &game);
	/* Games 4 to 6: one that waited for a seat and was given time, one that still does, and one with two notices.
	 */
	world_plan(world, &open, &game);
	give_time(world);
	load(world, &game);
	assert_int_equal(sweep_at(world, game.row.due_ms - 1, &noted), 0);
	assert_int_equal(sweep_at(world, game.row.due_ms, &noted), 1);
	world_plan(world, &open, &game);
	make_notices(world);
}

static void
verify_knows_the_time(void **state)
{
	static const struct {
		const char *sql, *line;
	} plants[] = {
	    {NULL, ""},
	    {"UPDATE games SET deadline = deadline + 1 WHERE game = 3", "deadline: stored"},
	    {"UPDATE games SET due = NULL WHERE game = 3", "due: stored 0"},
	    {"UPDATE games SET paused = 5 WHERE game = 3", "paused: stored 5, replayed -1"},
	    {"UPDATE seats SET remaining = 1 WHERE game = 1 AND seat = 1", "seat 1 remaining: stored 1"},
	    {"UPDATE moves SET remaining = 1 WHERE game = 1", "ply 1 remaining: stored 1"},
	    {"UPDATE moves SET at = at + 1000000 WHERE game = 1",
		"clock: seq 3: move_played of seat 1: its time was up"},
	    {"UPDATE events SET at = at - 1 WHERE game = 1 AND type = 'seat_out'",
		"clock: seq 5: seat_out of seat 2: its time was not up"},
	    {"UPDATE events SET data = replace(data, '50000', '50001') WHERE game = 1 AND type = 'time_credited'",
		"clock: seq 5: seat_out of seat 2: its time was not up"},
	    {"UPDATE events SET seat = 1 WHERE game = 1 AND type = 'time_credited'",
		"clock: seq 4: time_credited of seat 1: no clock of it ran"},
	    {"UPDATE games SET due = due + 1 WHERE game = 5", "due: stored"},
	    {"UPDATE events SET at = at - 1 WHERE game = 4 AND type = 'game_withdrawn'",
		"clock: seq 3: game_withdrawn of seat 0: it could still be filled"},
	    {"UPDATE events SET data = replace(data, '50000', '50001') WHERE game = 4 AND type = 'time_credited'",
		"clock: seq 3: game_withdrawn of seat 0: it could still be filled"},
	    {"UPDATE events SET data = replace(data, '50000', '0') WHERE game = 4 AND type = 'time_credited'",
		"clock: seq 2: time_credited of seat 0: it is not so much"},
	    {"UPDATE games SET due = due + 1 WHERE game = 6", "due: stored"},
	    {"UPDATE offers SET due = due - 1 WHERE kind = 'resume'",
		"offers: raaaaaaaaaaaaaaaaaaaaaaaaa, a resume, cannot"},
	    {"UPDATE offers SET due = due + 1 WHERE kind = 'handover'",
		"offers: haaaaaaaaaaaaaaaaaaaaaaaaa, a handover, cannot"},
	    {"UPDATE events SET data = replace(data, '50000', '50001') WHERE game = 6 AND type = 'time_credited'",
		"offers: raaaaaaaaaaaaaaaaaaaaaaaaa, a resume, cannot"},
	    {"UPDATE events SET seat = 0 WHERE game = 1 AND type = 'time_credited'",
		"offers: seq 4: time_credited: nothing ran"},
	    {"UPDATE events SET at = at - 1 WHERE game = 2 AND type = 'game_withdrawn'",
		"clock: seq 2: game_withdrawn of seat 0: it could still be filled"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof plants / sizeof *plants; i++) {
		void *own = NULL;
		assert_int_equal(world_open(&own), 0);
		struct world *world = own;
		make_verified(world);
		if (plants[i].sql == NULL)
			world_expect_sound(world);
		else
			world_expect_difference(world, plants[i].sql, plants[i].line);
		assert_int_equal(world_close(&own), 0);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_deadline_is_kept_to_the_millisecond),
	    TEST(a_move_and_the_sweep_do_not_both_win),
	    TEST(a_claim_waits_for_a_claimant),
	    TEST(the_longest_due_come_first),
	    TEST(a_damaged_game_keeps_nobody_from_the_others),
	    TEST(time_is_given_back_in_parts),
	    TEST(nothing_takes_effect_while_time_is_owed),
	    TEST(random_games_verify),
	    cmocka_unit_test(verify_knows_the_time),
	};
	return cmocka_run_group_tests_name("play sweep", tests, NULL, NULL);
}

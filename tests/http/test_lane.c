/* The writer by itself, on the real clock: it wakes when something is due, though nobody calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/notation.h"
#include "http/lane.h"
#include "play/game.h"

enum { SOON_MS = 300, PATIENCE_MS = 20000, DAY_MS = 24 * 60 * 60 * 1000 };

struct place {
	char directory[32], path[64];
	struct arena *arena;
};

static int
enter(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	assert_non_null(place);
	assert_true(token_init());
	log_set_level(LOG_ERROR);
	strcpy(place->directory, "/tmp/iuvod-lane-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	snprintf(place->path, sizeof place->path, "%s/games", place->directory);
	place->arena = arena_open(8 * 1024 * 1024);
	*state = place;
	return 0;
}

static int
leave(void **state)
{
	static const char *const files[] = {"games", "games-wal", "games-shm", "games-lock"};
	struct place *place = *state;
	char path[96];
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", place->directory, files[i]);
		unlink(path);
	}
	int left = rmdir(place->directory);
	arena_close(place->arena);
	free(place);
	return left;
}

/* A file with a game that was made at a certain time. */
static void
create(struct place *place, int64_t at_ms, const struct game_plan *plan, struct game *game)
{
	char why[256];
	struct game_secrets secrets;
	struct db *db = db_open(place->path, DB_WRITE, why, sizeof why);
	assert_non_null(db);
	game_secrets_new(&secrets);
	assert_int_equal(db_write_begin(db), FAULT_NONE);
	assert_int_equal(game_create(db, place->arena, at_ms, plan, &secrets, game), FAULT_NONE);
	assert_int_equal(db_commit(db), FAULT_NONE);
	db_close(db);
}

static void
never(struct lane_entry *batch)
{
	fail_msg("nobody called, but %p was answered", (void *)batch);
}

static struct lane_writer *
open_lane(struct place *place)
{
	char why[256] = "";
	const struct lane_options options = {.path = place->path, .batch_max = 8, .done = never};
	struct lane_writer *lane = lane_open(&options, why, sizeof why);
	if (lane == NULL)
		fail_msg("%s", why);
	return lane;
}

static void
close_lane(struct lane_writer *lane)
{
	lane_close(lane);
	lane_join(lane);
	lane_free(lane);
}

/* Waits until the game has a status, and returns when that was. */
static int64_t
wait_for(struct place *place, const char *status, struct game *game)
{
	char why[256], id[ID_LEN + 1];
	struct db *db = db_open(place->path, DB_READ, why, sizeof why);
	assert_non_null(db);
	memcpy(id, game->row.id, sizeof id);
	int64_t until = clock_mono_us() + PATIENCE_MS * 1000;
	do {
		usleep(2000);
		arena_reset(place->arena);
		assert_int_equal(db_read_begin(db), FAULT_NONE);
		assert_int_equal(game_load(db, place->arena, id, game), FAULT_NONE);
		db_end(db);
	} while (strcmp(game->row.status, status) != 0 && clock_mono_us() < until);
	assert_string_equal(game->row.status, status);
	db_close(db);
	return clock_now_ms();
}

static void
it_wakes_at_a_deadline(void **state)
{
	struct place *place = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 60}};
	create(place, clock_now_ms() - 60000 + SOON_MS, &plan, &game);
	int64_t deadline = game.row.deadline_ms;
	struct lane_writer *lane = open_lane(place);
	wait_for(place, "finished", &game);
	assert_string_equal(game.row.reason, "timeout");
	assert_true(game.row.updated_ms >= deadline);
	/* Promised is a second; the machine may be busy. */
	assert_true(game.row.updated_ms < deadline + 5000);
	close_lane(lane);
}

static void
it_wakes_for_a_game_that_nobody_joins(void **state)
{
	struct place *place = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	create(place, clock_now_ms() - 30 * (int64_t)DAY_MS + SOON_MS, &plan, &game);
	int64_t due = game.row.due_ms;
	struct lane_writer *lane = open_lane(place);
	wait_for(place, "withdrawn", &game);
	assert_true(game.row.updated_ms >= due);
	close_lane(lane);
}

/* What was due while nobody served is done before anybody is. */
static void
it_begins_with_what_is_due(void **state)
{
	struct place *place = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	create(place, clock_now_ms() - 40 * (int64_t)DAY_MS, &plan, &game);
	struct lane_writer *lane = open_lane(place);
	int64_t now = clock_now_ms();
	wait_for(place, "withdrawn", &game);
	assert_true(game.row.updated_ms <= now);
	close_lane(lane);
}

/* It does not wait for a deadline to end. */
static void
it_ends_while_clocks_run(void **state)
{
	struct place *place = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 3600}};
	create(place, clock_now_ms(), &plan, &game);
	int64_t deadline = game.row.deadline_ms;
	close_lane(open_lane(place));
	close_lane(open_lane(place));
	struct lane_writer *lane = open_lane(place);
	wait_for(place, "active", &game);
	assert_int_equal(game.row.deadline_ms, deadline);
	close_lane(lane);
}

/* A call that nobody sent: what it does is its own, and it says when it is done. */
struct caller {
	struct lane_entry entry; /* first: the writer gives it back */
	struct call call;
	const char *id;
	int64_t to_ms;
	sem_t begun, held, done;
	enum fault fault;
};

static struct caller *
caller_of(struct call *call)
{
	return (struct caller *)((char *)call - offsetof(struct caller, call));
}

static void
say_done(struct lane_entry *entry)
{
	sem_post(&((struct caller *)entry)->done);
}

/* Keeps the writer busy until it is let go, so that the calls behind it come to it together. */
static bool
hold(struct call *call)
{
	sem_post(&caller_of(call)->begun);
	sem_wait(&caller_of(call)->held);
	return false;
}

static bool
move_time(struct call *call)
{
	return clock_test_move(caller_of(call)->to_ms);
}

static bool
play(struct call *call)
{
	struct caller *caller = caller_of(call);
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
	struct caller *caller = caller_of(call);
	struct game game;
	caller->fault = game_load(call->db, call->arena, caller->id, &game);
	if (caller->fault == FAULT_NONE)
		caller->fault = game_resign(call->db, call->arena, call->now_ms, &game, 2);
	return caller->fault == FAULT_NONE;
}

static void
append(struct lane_writer *lane, struct caller *caller, bool (*run)(struct call *call))
{
	enum fault fault = FAULT_NONE;
	caller->entry = (struct lane_entry){.call = &caller->call, .run = run, .done = say_done};
	caller->call.arena = arena_open(LIMIT_ARENA);
	assert_non_null(caller->call.arena);
	sem_init(&caller->begun, 0, 0);
	sem_init(&caller->held, 0, 0);
	sem_init(&caller->done, 0, 0);
	assert_true(lane_append(lane, &caller->entry, &fault));
}

static void
finish(struct caller *caller)
{
	sem_wait(&caller->done);
	arena_close(caller->call.arena);
}

/* Time comes to the deadline between two calls of one batch: what is asked before stands, what is asked after is late.
 */
static void
at_the_deadline_in_one_batch(struct place *place, bool early, bool (*act)(struct call *call), struct game *game)
{
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .clock = {.type = "per_move", .per_move_seconds = 60}};
	struct caller first = {0}, time = {0}, actor = {0};
	/* A while ago, so that the deadline of the other seat is not the same moment. */
	create(place, clock_now_ms() - 1000, &plan, game);
	char id[ID_LEN + 1];
	memcpy(id, game->row.id, sizeof id);
	time.to_ms = game->row.deadline_ms;
	actor.id = id;
	struct lane_writer *lane = open_lane(place);
	append(lane, &first, hold);
	sem_wait(&first.begun);
	if (early)
		append(lane, &actor, act);
	append(lane, &time, move_time);
	if (!early)
		append(lane, &actor, act);
	sem_post(&first.held);
	finish(&first);
	finish(&time);
	finish(&actor);
	close_lane(lane);
	assert_int_equal(actor.fault, early ? FAULT_NONE : FAULT_TIME_IS_UP);
	wait_for(place, early && act == play ? "active" : "finished", game);
}

/* The last of them: time stands still from here on. */
static void
a_call_and_the_sweep_do_not_both_win(void **state)
{
	struct place *place = *state;
	struct game game;
	clock_test_begin(clock_now_ms());
	at_the_deadline_in_one_batch(place, true, play, &game);
	assert_int_equal(game.row.ply, 1);
	at_the_deadline_in_one_batch(place, false, play, &game);
	assert_int_equal(game.row.ply, 0);
	assert_int_equal(game.row.winner, 2);
	at_the_deadline_in_one_batch(place, true, resign, &game);
	assert_string_equal(game.row.reason, "resigned");
	assert_int_equal(game.row.winner, 1);
	at_the_deadline_in_one_batch(place, false, resign, &game);
	assert_string_equal(game.row.reason, "timeout");
	assert_int_equal(game.row.winner, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
	const struct CMUnitTest tests[] = {
	    TEST(it_wakes_at_a_deadline),
	    TEST(it_wakes_for_a_game_that_nobody_joins),
	    TEST(it_begins_with_what_is_due),
	    TEST(it_ends_while_clocks_run),
	    TEST(a_call_and_the_sweep_do_not_both_win),
	};
	return cmocka_run_group_tests_name("http lane", tests, NULL, NULL);
}

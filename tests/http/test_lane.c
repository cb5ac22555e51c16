/* The writer by itself, on the real clock: it wakes when something is due, though nobody calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
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
	int64_t until = clock_now_ms() + PATIENCE_MS;
	do {
		usleep(2000);
		arena_reset(place->arena);
		assert_int_equal(db_read_begin(db), FAULT_NONE);
		assert_int_equal(game_load(db, place->arena, id, game), FAULT_NONE);
		db_end(db);
	} while (strcmp(game->row.status, status) != 0 && clock_now_ms() < until);
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

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
	const struct CMUnitTest tests[] = {
	    TEST(it_wakes_at_a_deadline),
	    TEST(it_wakes_for_a_game_that_nobody_joins),
	    TEST(it_begins_with_what_is_due),
	    TEST(it_ends_while_clocks_run),
	};
	return cmocka_run_group_tests_name("http lane", tests, NULL, NULL);
}

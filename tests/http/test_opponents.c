/*
 * The seats that engines have, with a writer and an engine of their own and
 * nobody who calls: what is to be done is done, however much of it there is, once
 * it is heard of or found; and all of it ends when it is told to.
 */
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
#include "base/limits.h"
#include "base/log.h"
#include "engine/notation.h"
#include "http/opponents.h"
#include "play/game.h"

/* Seat 2 captures the last stone of seat 1, and level 8 sees that. */
#define WON "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"

enum { PATIENCE_MS = 60000, SHORT_OF_TIME = 8, LONG_OF_TIME = 10 };

struct place {
	char directory[32], path[64];
	struct arena *arena;
	struct lane_writer *lane;
	struct think *think;
	struct opponents *opponents;
};

static const struct service service;

static int
enter(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	assert_non_null(place);
	assert_true(token_init());
	log_set_level(LOG_ERROR);
	strcpy(place->directory, "/tmp/iuvod-opponents-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	snprintf(place->path, sizeof place->path, "%s/games", place->directory);
	place->arena = arena_open(64 * 1024 * 1024);
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

/* Games in the file, all of one plan; *last is the last of them. */
static void
create(struct place *place, const struct game_plan *plan, unsigned count, struct game *last)
{
	char why[256];
	struct game_secrets secrets;
	struct db *db = db_open(place->path, DB_WRITE, why, sizeof why);
	assert_non_null(db);
	assert_int_equal(db_write_begin(db), FAULT_NONE);
	for (unsigned i = 0; i < count; i++) {
		game_secrets_new(&secrets);
		assert_int_equal(game_create(db, place->arena, clock_now_ms(), plan, &secrets, last), FAULT_NONE);
	}
	assert_int_equal(db_commit(db), FAULT_NONE);
	db_close(db);
}

static void
never(struct lane_entry *batch)
{
	fail_msg("nobody called, but %p was answered", (void *)batch);
}

static void
open_all(struct place *place, unsigned threads)
{
	char why[256] = "";
	const struct lane_options lane = {.path = place->path, .batch_max = 32, .done = never};
	const struct think_options think = {.threads = threads,
	    .memory = SEARCH_MEMORY_MIN,
	    .most = {LIMIT_QUESTIONS, LIMIT_ENGINE_MOVES, LIMIT_ENGINE_MOVES}};
	place->lane = lane_open(&lane, why, sizeof why);
	place->think = think_open(&think, why, sizeof why);
	assert_non_null(place->lane);
	assert_non_null(place->think);
	const struct opponents_options options = {
	    .database = place->path, .service = &service, .lane = place->lane, .think = place->think};
	place->opponents = opponents_open(&options, why, sizeof why);
	assert_non_null(place->opponents);
}

/* In the order of the server's. */
static void
close_all(struct place *place)
{
	opponents_end(place->opponents);
	think_end(place->think);
	lane_close(place->lane);
	lane_join(place->lane);
	opponents_close(place->opponents);
	think_close(place->think);
	lane_free(place->lane);
}

static int64_t
ask(struct place *place, const char *id, struct game *game)
{
	char why[256], copy[ID_LEN + 1];
	struct db *db = db_open(place->path, DB_READ, why, sizeof why);
	int64_t keys[1];
	unsigned people = 0, engines = 0;
	assert_non_null(db);
	memcpy(copy, id, sizeof copy);
	arena_reset(place->arena);
	assert_int_equal(db_read_begin(db), FAULT_NONE);
	assert_int_equal(game_load(db, place->arena, copy, game), FAULT_NONE);
	assert_int_equal(games_thinking(db, 1, 0, keys, 1, &people), FAULT_NONE);
	assert_int_equal(games_thinking(db, 2, 0, keys, 1, &engines), FAULT_NONE);
	db_end(db);
	db_close(db);
	return people + engines;
}

/* Waits until no game is left in which an engine must do something. */
static void
wait_for_all(struct place *place, const char *id, struct game *game)
{
	int64_t until = clock_mono_us() + PATIENCE_MS * INT64_C(1000);
	while (ask(place, id, game) != 0) {
		assert_true(clock_mono_us() < until);
		usleep(2000);
	}
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
	struct place *place = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {3}};
	char id[ID_LEN + 1];
	create(place, &plan, 1, &game);
	memcpy(id, game.row.id, sizeof id);
	open_all(place, 1);
	wait_for_all(place, id, &game);
	assert_int_equal(game.row.ply, 1);
	assert_int_equal(game.row.turn, 2); /* a person's: nothing more is done */
	close_all(place);
}

/* More games than the engine takes at once, and than one look at the store finds. */
static void
more_games_than_there_is_room_for_are_all_played(void **state)
{
	enum { GAMES = LIMIT_ENGINE_MOVES + 60 };
	struct place *place = *state;
	struct position start;
	struct game game;
	char id[ID_LEN + 1];
	assert_true(read_start(&start));
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .start = &start, .levels = {1, SHORT_OF_TIME}};
	create(place, &plan, GAMES, &game);
	memcpy(id, game.row.id, sizeof id);
	open_all(place, 2);
	wait_for_all(place, id, &game);
	assert_string_equal(game.row.status, "finished");
	assert_int_equal(game.row.winner, 2);
	assert_int_equal(game.row.ply, 1);
	close_all(place);
}

/* A person's move, that goes to the writer as a call of his would. */
struct caller {
	struct lane_entry entry; /* first: the writer gives it back */
	struct call call;
	const char *id;
	enum fault fault;
	sem_t done;
};

static bool
play_any(struct call *call)
{
	struct caller *caller = (struct caller *)((char *)call - offsetof(struct caller, call));
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
say_done(struct lane_entry *entry)
{
	sem_post(&((struct caller *)entry)->done);
}

static void
move_by_person(struct place *place, const char *id)
{
	enum fault fault = FAULT_NONE;
	struct caller caller = {.id = id, .fault = FAULT_INTERNAL};
	sem_init(&caller.done, 0, 0);
	caller.call = (struct call){.arena = arena_open(LIMIT_ARENA), .service = &service};
	caller.entry = (struct lane_entry){.call = &caller.call, .run = play_any, .done = say_done};
	assert_true(lane_append(place->lane, &caller.entry, &fault));
	sem_wait(&caller.done);
	assert_int_equal(caller.fault, FAULT_NONE);
	text_free(&caller.call.reply.body);
	arena_close(caller.call.arena);
	sem_destroy(&caller.done);
}

/* Each move is heard of and answered, also of a game that is heard of while it is in hand. */
static void
moves_are_heard_of_and_answered(void **state)
{
	enum { TURNS = 6 };
	struct place *place = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {0, 3}};
	struct game game;
	char id[ID_LEN + 1];
	create(place, &plan, 1, &game);
	memcpy(id, game.row.id, sizeof id);
	open_all(place, 1);
	for (unsigned turn = 1; turn <= TURNS; turn++) {
		move_by_person(place, id);
		wait_for_all(place, id, &game);
		assert_int_equal(game.row.ply, 2 * turn);
		assert_int_equal(game.row.turn, 1);
	}
	close_all(place);
}

/* It ends at once, whatever it thinks about; the games stand where they stood, and are taken up again. */
static void
an_end_while_it_thinks_loses_nothing(void **state)
{
	enum { GAMES = 8, AGAIN = 4 };
	struct place *place = *state;
	struct game_plan plan = {.variant = VARIANT_HALMA_2, .levels = {LONG_OF_TIME, 0}};
	struct game game;
	char id[ID_LEN + 1];
	create(place, &plan, GAMES, &game);
	memcpy(id, game.row.id, sizeof id);
	for (unsigned i = 0; i < AGAIN; i++) {
		open_all(place, 1);
		usleep(1000 * i);
		close_all(place);
		ask(place, id, &game);
		assert_string_equal(game.row.status, "active");
		assert_in_range(game.row.ply, 0, 1);
	}
	open_all(place, 2);
	wait_for_all(place, id, &game);
	assert_int_equal(game.row.ply, 1);
	assert_int_equal(game.row.turn, 2);
	close_all(place);
}

/* Where there is no engine nothing is done, and nothing is lost. */
static void
without_an_engine_games_wait(void **state)
{
	struct place *place = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .levels = {3}};
	struct game game;
	char id[ID_LEN + 1];
	create(place, &plan, 1, &game);
	memcpy(id, game.row.id, sizeof id);
	open_all(place, 0);
	usleep(50 * 1000);
	assert_int_equal(ask(place, id, &game), 1);
	close_all(place);
	open_all(place, 1);
	wait_for_all(place, id, &game);
	assert_int_equal(game.row.ply, 1);
	close_all(place);
}

static void
a_file_that_is_not_there_is_told_of(void **state)
{
	struct place *place = *state;
	char why[256] = "";
	const struct opponents_options options = {.database = "/nonexistent/games", .service = &service};
	(void)place;
	assert_null(opponents_open(&options, why, sizeof why));
	assert_true(why[0] != '\0');
	opponents_end(NULL);
	opponents_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_due_at_the_start_is_done, enter, leave),
	    cmocka_unit_test_setup_teardown(more_games_than_there_is_room_for_are_all_played, enter, leave),
	    cmocka_unit_test_setup_teardown(moves_are_heard_of_and_answered, enter, leave),
	    cmocka_unit_test_setup_teardown(an_end_while_it_thinks_loses_nothing, enter, leave),
	    cmocka_unit_test_setup_teardown(without_an_engine_games_wait, enter, leave),
	    cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_told_of, enter, leave),
	};
	return cmocka_run_group_tests_name("opponents", tests, NULL, NULL);
}

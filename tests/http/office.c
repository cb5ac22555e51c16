#include "tests/http/office.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"

enum { ARENA_CAP = 64 * 1024 * 1024, BATCH_MAX = 32 };

static const struct service service;

int
office_enter(void **state)
{
	struct office *office = calloc(1, sizeof *office);
	assert_non_null(office);
	assert_true(token_init());
	log_set_level(LOG_ERROR);
	assert_true(folder_make(NULL, "http", office->directory));
	snprintf(office->path, sizeof office->path, "%s/games", office->directory);
	office->arena = arena_open(ARENA_CAP);
	*state = office;
	return 0;
}

static void
free_lane(struct office *office)
{
	if (office->lane != NULL)
		lane_free(office->lane);
}

int
office_leave(void **state)
{
	struct office *office = *state;
	bool gone = folder_remove(office->directory);
	free_lane(office);
	arena_close(office->arena);
	free(office);
	return gone ? 0 : -1;
}

static struct db *
open_file(const struct office *office, enum db_mode mode)
{
	char why[256] = "";
	struct db *db = db_open(office->path, mode, why, sizeof why);
	if (db == NULL)
		fail_msg("%s", why);
	return db;
}

void
office_create(struct office *office, int64_t at_ms, const struct game_plan *plan, unsigned count, struct game *last)
{
	struct game_secrets secrets;
	struct db *db = open_file(office, DB_WRITE);
	assert_int_equal(db_write_begin(db), FAULT_NONE);
	for (unsigned i = 0; i < count; i++) {
		game_secrets_new(&secrets);
		assert_int_equal(game_create(db, office->arena, at_ms, plan, &secrets, last), FAULT_NONE);
	}
	assert_int_equal(db_commit(db), FAULT_NONE);
	db_close(db);
}

static void
never(struct lane_entry *batch)
{
	fail_msg("nobody called, but %p was answered", (void *)batch);
}

void
office_serve(struct office *office)
{
	char why[256] = "";
	const struct lane_options options = {.path = office->path, .batch_max = BATCH_MAX, .done = never};
	free_lane(office);
	office->lane = lane_open(&options, why, sizeof why);
	if (office->lane == NULL)
		fail_msg("%s", why);
}

void
office_end(struct office *office)
{
	lane_close(office->lane);
	lane_join(office->lane);
}

void
office_read(struct office *office, const char *id, struct game *game)
{
	char copy[ID_LEN + 1];
	struct db *db = open_file(office, DB_READ);
	memcpy(copy, id, sizeof copy);
	arena_reset(office->arena);
	assert_int_equal(db_read_begin(db), FAULT_NONE);
	assert_int_equal(game_load(db, office->arena, copy, game), FAULT_NONE);
	db_end(db);
	db_close(db);
}

unsigned
office_thinking(struct office *office)
{
	int64_t keys[1];
	unsigned people = 0, engines = 0;
	struct db *db = open_file(office, DB_READ);
	assert_int_equal(db_read_begin(db), FAULT_NONE);
	assert_int_equal(games_thinking(db, 1, 0, keys, 1, &people), FAULT_NONE);
	assert_int_equal(games_thinking(db, 2, 0, keys, 1, &engines), FAULT_NONE);
	db_end(db);
	db_close(db);
	return people + engines;
}

struct office_call *
office_call_of(struct call *call)
{
	return (struct office_call *)((char *)call - offsetof(struct office_call, call));
}

static void
say_done(struct lane_entry *entry)
{
	sem_post(&((struct office_call *)entry)->done);
}

void
office_send(struct office *office, struct office_call *sent, bool (*run)(struct call *call))
{
	enum fault fault = FAULT_NONE;
	sem_init(&sent->done, 0, 0);
	sent->call = (struct call){.arena = arena_open(LIMIT_ARENA), .service = &service};
	assert_non_null(sent->call.arena);
	sent->entry = (struct lane_entry){.call = &sent->call, .run = run, .done = say_done};
	assert_true(lane_append(office->lane, &sent->entry, &fault));
}

void
office_await(struct office_call *sent)
{
	sem_wait(&sent->done);
	text_free(&sent->call.reply.body);
	arena_close(sent->call.arena);
	sem_destroy(&sent->done);
}

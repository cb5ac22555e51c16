#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/schema_private.h"

/* The program's own first migration, and two that a later program might have. */
static struct migration later[3];

static sqlite3 *
open_old(struct place *place, unsigned *schema)
{
	sqlite3 *sqlite;
	struct game_row row;
	place_open(place);
	place_game(place, 1, NULL, &row);
	place_close(place);
	later[0] = schema_migrations[0];
	later[1] = (struct migration){"0002_two", "CREATE TABLE two (x); PRAGMA user_version = 2;"};
	later[2] = (struct migration){"0003_three", "CREATE TABLE three (x); PRAGMA user_version = 3;"};
	assert_int_equal(sqlite3_open(place->path, &sqlite), SQLITE_OK);
	assert_true(schema_read(sqlite, place->path, 3, schema, place->why, sizeof place->why));
	assert_int_equal(*schema, 1);
	return sqlite;
}

/* One number from a file. */
static int
ask(const char *directory, const char *name, const char *sql)
{
	char path[160];
	sqlite3 *sqlite;
	sqlite3_stmt *stmt;
	snprintf(path, sizeof path, "%s/%s", directory, name);
	assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(sqlite, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	int value = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(sqlite);
	return value;
}

static void
each_step_has_a_copy_before_it(void **state)
{
	struct place *place = *state;
	unsigned schema;
	sqlite3 *sqlite = open_old(place, &schema);
	assert_true(schema_migrate(sqlite, place->path, later, 3, &schema, place->why, sizeof place->why));
	assert_int_equal(schema, 3);
	sqlite3_close(sqlite);
	char *names = place_names(place);
	assert_string_equal(names, "games.sqlite games.sqlite.before-2 games.sqlite.before-3 ");
	free(names);
	assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA user_version"), 3);
	assert_int_equal(ask(place->directory, "games.sqlite", "SELECT count(*) FROM three"), 0);
	static const char *const copies[] = {"games.sqlite.before-2", "games.sqlite.before-3"};
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ask(place->directory, copies[i], "PRAGMA user_version"), i + 1);
		assert_int_equal(ask(place->directory, copies[i], "PRAGMA application_id"), SCHEMA_IUVOD);
		assert_int_equal(ask(place->directory, copies[i], "SELECT count(*) FROM games"), 1);
		assert_int_equal(
		    ask(place->directory, copies[i], "SELECT count(*) FROM sqlite_schema WHERE name = 'two'"), i);
	}
}

/* The copy can be served by the program that it was made from. */
static void
a_copy_can_be_opened(void **state)
{
	struct place *place = *state;
	unsigned schema;
	struct game_row row;
	char copy[160];
	sqlite3 *sqlite = open_old(place, &schema);
	assert_true(schema_migrate(sqlite, place->path, later, 2, &schema, place->why, sizeof place->why));
	sqlite3_close(sqlite);
	assert_null(db_open(place->path, DB_WRITE, place->why, sizeof place->why));
	snprintf(copy, sizeof copy, "%s.before-2", place->path);
	place->db = db_open(copy, DB_WRITE, place->why, sizeof place->why);
	assert_non_null(place->db);
	PLACE_OK(games_by_id(place->db, place->arena, "game0000000000000000000001", &row));
}

static void
a_step_that_fails_changes_nothing(void **state)
{
	struct place *place = *state;
	static const char *const wrong[] = {
	    "CREATE TABLE three (x); PRAGMA user_version = 3; INSERT INTO nowhere VALUES (1);",
	    "CREATE TABLE three (x);",
	    "CREATE TABLE three (x); PRAGMA user_version = 4;",
	    "CREATE TABLE three (x); PRAGMA user_version = 3; PRAGMA application_id = 1;",
	};
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		unsigned schema;
		unlink(place->path);
		sqlite3 *sqlite = open_old(place, &schema);
		later[2].sql = wrong[i];
		place->why[0] = '\0';
		assert_false(schema_migrate(sqlite, place->path, later, 3, &schema, place->why, sizeof place->why));
		assert_int_not_equal(place->why[0], '\0');
		assert_int_equal(schema, 2);
		assert_true(sqlite3_get_autocommit(sqlite));
		sqlite3_close(sqlite);
		assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA user_version"), 2);
		assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA application_id"), SCHEMA_IUVOD);
		assert_int_equal(
		    ask(place->directory, "games.sqlite", "SELECT count(*) FROM sqlite_schema WHERE name = 'three'"),
		    0);
	}
}

static void
no_copy_is_written_over(void **state)
{
	struct place *place = *state;
	char copy[160];
	size_t len;
	unsigned schema;
	sqlite3 *sqlite = open_old(place, &schema);
	snprintf(copy, sizeof copy, "%s.before-2", place->path);
	place_write(copy, "precious", 8);
	assert_true(schema_migrate(sqlite, place->path, later, 2, &schema, place->why, sizeof place->why));
	sqlite3_close(sqlite);
	char *bytes = place_bytes(copy, &len);
	assert_int_equal(len, 8);
	assert_memory_equal(bytes, "precious", 8);
	free(bytes);
	assert_int_equal(ask(place->directory, "games.sqlite.before-2.1", "PRAGMA user_version"), 1);
}

static void
a_new_file_needs_no_copy(void **state)
{
	struct place *place = *state;
	place_open(place);
	place_close(place);
	char *names = place_names(place);
	assert_string_equal(names, "games.sqlite ");
	free(names);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(each_step_has_a_copy_before_it),
	    TEST(a_copy_can_be_opened),
	    TEST(a_step_that_fails_changes_nothing),
	    TEST(no_copy_is_written_over),
	    TEST(a_new_file_needs_no_copy),
	};
	return cmocka_run_group_tests_name("store migrate", tests, NULL, NULL);
}

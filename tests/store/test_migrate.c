#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/schema_private.h"

/* The program's own migrations, and two that a later program might have. */
enum { OWN_MAX = 16 };
static struct migration later[OWN_MAX + 2];
static const char ONE_MORE[] = "CREATE TABLE one_more (x); PRAGMA user_version = %u;";
static const char TWO_MORE[] = "CREATE TABLE two_more (x); PRAGMA user_version = %u;%s";
static char one_more[128], two_more[192];

static void
make_later(unsigned two_more_schema, const char *rest)
{
	assert_true(schema_latest <= OWN_MAX);
	memcpy(later, schema_migrations, schema_latest * sizeof *later);
	snprintf(one_more, sizeof one_more, ONE_MORE, schema_latest + 1);
	snprintf(two_more, sizeof two_more, TWO_MORE, two_more_schema, rest);
	later[schema_latest] = (struct migration){"one_more", one_more};
	later[schema_latest + 1] = (struct migration){"two_more", two_more};
}

/* "games.sqlite.before-N", or with a directory. */
static const char *
copy_name(const char *before, unsigned schema, const char *behind)
{
	static char name[FOLDER_FILE_MAX + 64];
	snprintf(name, sizeof name, "%s.before-%u%s", before, schema, behind);
	return name;
}

static sqlite3 *
open_old(struct place *place, unsigned *schema)
{
	sqlite3 *sqlite;
	struct game_row row;
	place_open(place);
	place_game(place, 1, NULL, &row);
	place_close(place);
	make_later(schema_latest + 2, "");
	assert_int_equal(sqlite3_open(place->path, &sqlite), SQLITE_OK);
	assert_true(schema_read(sqlite, place->path, schema_latest + 2, schema, place->why, sizeof place->why));
	assert_int_equal(*schema, schema_latest);
	return sqlite;
}

/* One number from a file. */
static int
ask(const char *directory, const char *name, const char *sql)
{
	char path[FOLDER_FILE_MAX];
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
	assert_true(
	    schema_migrate(sqlite, place->path, later, schema_latest + 2, &schema, place->why, sizeof place->why));
	assert_int_equal(schema, schema_latest + 2);
	sqlite3_close(sqlite);
	char *names = place_names(place), expected[128];
	snprintf(expected, sizeof expected, "games.sqlite games.sqlite.before-%u games.sqlite.before-%u ",
	    schema_latest + 1, schema_latest + 2);
	assert_string_equal(names, expected);
	free(names);
	assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA user_version"), schema_latest + 2);
	assert_int_equal(ask(place->directory, "games.sqlite", "SELECT count(*) FROM two_more"), 0);
	for (unsigned i = 0; i < 2; i++) {
		const char *copy = copy_name("games.sqlite", schema_latest + 1 + i, "");
		assert_int_equal(ask(place->directory, copy, "PRAGMA user_version"), schema_latest + i);
		assert_int_equal(ask(place->directory, copy, "PRAGMA application_id"), SCHEMA_IUVOD);
		assert_int_equal(ask(place->directory, copy, "SELECT count(*) FROM games"), 1);
		assert_int_equal(
		    ask(place->directory, copy, "SELECT count(*) FROM sqlite_schema WHERE name = 'one_more'"), i);
	}
}

/* The copy can be served by the program that it was made from. */
static void
a_copy_can_be_opened(void **state)
{
	struct place *place = *state;
	unsigned schema;
	struct game_row row;
	sqlite3 *sqlite = open_old(place, &schema);
	assert_true(
	    schema_migrate(sqlite, place->path, later, schema_latest + 1, &schema, place->why, sizeof place->why));
	sqlite3_close(sqlite);
	assert_null(db_open(place->path, DB_WRITE, place->why, sizeof place->why));
	place->db = db_open(copy_name(place->path, schema_latest + 1, ""), DB_WRITE, place->why, sizeof place->why);
	assert_non_null(place->db);
	PLACE_OK(games_by_id(place->db, place->arena, "game0000000000000000000001", &row));
}

static void
a_step_that_fails_changes_nothing(void **state)
{
	struct place *place = *state;
	const struct {
		unsigned schema;
		const char *rest;
	} wrong[] = {
	    {schema_latest + 2, "INSERT INTO nowhere VALUES (1);"},
	    {schema_latest + 1, ""},
	    {schema_latest + 3, ""},
	    {schema_latest + 2, "PRAGMA application_id = 1;"},
	};
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		unsigned schema;
		unlink(place->path);
		sqlite3 *sqlite = open_old(place, &schema);
		make_later(wrong[i].schema, wrong[i].rest);
		place->why[0] = '\0';
		assert_false(schema_migrate(
		    sqlite, place->path, later, schema_latest + 2, &schema, place->why, sizeof place->why));
		assert_int_not_equal(place->why[0], '\0');
		assert_int_equal(schema, schema_latest + 1);
		assert_true(sqlite3_get_autocommit(sqlite));
		sqlite3_close(sqlite);
		assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA user_version"), schema_latest + 1);
		assert_int_equal(ask(place->directory, "games.sqlite", "PRAGMA application_id"), SCHEMA_IUVOD);
		assert_int_equal(
		    ask(place->directory, "games.sqlite", "SELECT count(*) FROM sqlite_schema WHERE name = 'two_more'"),
		    0);
	}
}

static void
no_copy_is_written_over(void **state)
{
	struct place *place = *state;
	size_t len;
	unsigned schema;
	sqlite3 *sqlite = open_old(place, &schema);
	place_write(copy_name(place->path, schema_latest + 1, ""), "precious", 8);
	assert_true(
	    schema_migrate(sqlite, place->path, later, schema_latest + 1, &schema, place->why, sizeof place->why));
	sqlite3_close(sqlite);
	char *bytes = place_bytes(copy_name(place->path, schema_latest + 1, ""), &len);
	assert_int_equal(len, 8);
	assert_memory_equal(bytes, "precious", 8);
	free(bytes);
	assert_int_equal(
	    ask(place->directory, copy_name("games.sqlite", schema_latest + 1, ".1"), "PRAGMA user_version"),
	    schema_latest);
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

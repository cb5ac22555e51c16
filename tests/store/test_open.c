#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Opening is refused in each mode, with the words, and nothing in the directory has changed. */
static void
assert_refused(struct place *place, enum db_mode mode, const char *path, const char *words)
{
	size_t len_before, len_after;
	char *before = place_bytes(place->path, &len_before), *names_before = place_names(place);
	struct db *db = db_open(path, mode, place->why, sizeof place->why);
	assert_null(db);
	if (strstr(place->why, words) == NULL || strchr(place->why, '\n') != NULL)
		fail_msg("\"%s\" does not say \"%s\"", place->why, words);
	char *after = place_bytes(place->path, &len_after), *names_after = place_names(place);
	assert_int_equal(len_before, len_after);
	assert_memory_equal(before, after, len_before);
	assert_string_equal(names_before, names_after);
	free(before);
	free(after);
	free(names_before);
	free(names_after);
}

static void
assert_refused_in_all(struct place *place, const char *words)
{
	assert_refused(place, DB_WRITE, place->path, words);
	assert_refused(place, DB_READ, place->path, words);
	assert_refused(place, DB_INSPECT, place->path, words);
}

static void
a_new_file_is_made(void **state)
{
	struct place *place = *state;
	place_open(place);
	assert_int_equal(db_schema(place->db), db_schema_latest());
	struct db *reader = db_open(place->path, DB_READ, place->why, sizeof place->why);
	assert_non_null(reader);
	assert_int_equal(db_schema(reader), db_schema_latest());
	place_close(place);
	db_close(reader);
	/* The last to close tidies up: one file is the whole installation. */
	char *names = place_names(place);
	assert_string_equal(names, "games.sqlite ");
	free(names);
	place_open(place);
	assert_int_equal(db_schema(place->db), db_schema_latest());
}

static void
an_empty_file_is_taken(void **state)
{
	struct place *place = *state;
	place_write(place->path, "", 0);
	assert_refused(place, DB_READ, place->path, "is empty");
	assert_refused(place, DB_INSPECT, place->path, "is empty");
	place_open(place);
	assert_int_equal(db_schema(place->db), db_schema_latest());
}

static void
no_database_is_refused(void **state)
{
	struct place *place = *state;
	static const char *const texts[] = {"x", "This is a letter, and not a database at all.\n"};
	char long_text[5000];
	memset(long_text, 'x', sizeof long_text);
	for (unsigned i = 0; i < 2; i++) {
		place_write(place->path, texts[i], strlen(texts[i]));
		assert_refused_in_all(place, "is not a database");
	}
	place_write(place->path, long_text, sizeof long_text);
	assert_refused_in_all(place, "is not a database");
}

static void
what_is_no_file_is_refused(void **state)
{
	struct place *place = *state;
	char path[FOLDER_FILE_MAX];
	assert_refused(place, DB_WRITE, place->directory, "is a directory");
	assert_refused(place, DB_READ, place->path, "No such file");
	assert_refused(place, DB_INSPECT, place->path, "No such file");
	snprintf(path, sizeof path, "%s/none/games", place->directory);
	assert_refused(place, DB_WRITE, path, "No such file");
	assert_refused(place, DB_WRITE, "", "No such file");
	assert_refused(place, DB_WRITE, "/dev/null", "not a file");
	assert_int_equal(mkfifo(place->path, 0600), 0);
	assert_null(db_open(place->path, DB_WRITE, place->why, sizeof place->why));
	assert_non_null(strstr(place->why, "not a file"));
}

static void
another_application_is_refused(void **state)
{
	struct place *place = *state;
	static const char *const others[] = {
	    "CREATE TABLE recipes (x)",
	    "PRAGMA application_id = 252006673; CREATE TABLE recipes (x)",
	    "PRAGMA application_id = 252006673; PRAGMA user_version = 1",
	    "PRAGMA user_version = 1",
	    "PRAGMA journal_mode = WAL; CREATE TABLE recipes (x)",
	};
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
		place_sql(place, place->path, others[i]);
		assert_refused_in_all(place, "of another application");
		unlink(place->path);
	}
}

static void
a_newer_schema_is_refused(void **state)
{
	struct place *place = *state;
	char sql[64];
	place_open(place);
	place_close(place);
	snprintf(sql, sizeof sql, "PRAGMA user_version = %u", db_schema_latest() + 1);
	place_sql(place, place->path, sql);
	assert_refused_in_all(place, "a newer iuvod wrote it");
	place_sql(place, place->path, "PRAGMA user_version = 0");
	assert_refused_in_all(place, "is damaged");
	place_sql(place, place->path, "PRAGMA user_version = -1");
	assert_refused_in_all(place, "a newer iuvod wrote it");
}

/* In a child, since root may do everything. */
static void
without_permission_it_is_refused(void **state)
{
	struct place *place = *state;
	place_open(place);
	place_close(place);
	assert_int_equal(chmod(place->directory, 0777), 0);
	assert_int_equal(chmod(place->path, 0444), 0);
	for (int mode = 0; mode < 2; mode++) {
		pid_t child = fork();
		if (child == 0) {
			char why[400] = "";
			if (geteuid() == 0 && seteuid(65534) != 0)
				_exit(3);
			struct db *db = db_open(place->path, DB_WRITE, why, sizeof why);
			_exit(db == NULL && strstr(why, mode == 0 ? "cannot write" : "cannot read") != NULL &&
				      strstr(why, "Permission denied") != NULL
				  ? 0
				  : 1);
		}
		int status;
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		assert_int_equal(chmod(place->path, 0), 0);
	}
}

static void
a_file_with_two_names_is_refused(void **state)
{
	struct place *place = *state;
	char other[FOLDER_FILE_MAX + 32];
	place_open(place);
	snprintf(other, sizeof other, "%s/other", place->directory);
	assert_int_equal(link(place->path, other), 0);
	/* While it is served by one name, and when nobody serves it. */
	assert_refused(place, DB_WRITE, other, "has 2 names");
	place_close(place);
	assert_refused(place, DB_WRITE, place->path, "has 2 names");
	assert_int_equal(unlink(other), 0);
	place_open(place);
}

static void
a_second_daemon_is_refused(void **state)
{
	struct place *place = *state;
	char other[FOLDER_FILE_MAX + 32];
	place_open(place);
	assert_refused(place, DB_WRITE, place->path, "in use by another iuvod, process ");
	/* By another name too, and from another process. */
	snprintf(other, sizeof other, "%s/link", place->directory);
	assert_int_equal(symlink(place->path, other), 0);
	assert_refused(place, DB_WRITE, other, "in use by another iuvod");
	pid_t child = fork();
	if (child == 0) {
		struct db *db = db_open(place->path, DB_WRITE, place->why, sizeof place->why);
		_exit(db == NULL && strstr(place->why, "in use by another iuvod") != NULL ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	/* The refusals have not taken it away. */
	struct game_row row;
	place_game(place, 1, NULL, &row);
	assert_refused(place, DB_WRITE, place->path, "in use by another iuvod");
	place_close(place);
	place_open(place);
}

static void
a_daemon_that_died_is_no_hindrance(void **state)
{
	struct place *place = *state;
	pid_t child = fork();
	if (child == 0) {
		struct game_row row;
		place_open(place);
		place_game(place, 7, NULL, &row);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	struct game_row found;
	place_open(place);
	PLACE_OK(games_by_id(place->db, place->arena, "game0000000000000000000007", &found));
}

static void
inspecting_creates_nothing(void **state)
{
	struct place *place = *state;
	struct game_row row, found;
	size_t len_before, len_after;
	place_open(place);
	place_game(place, 1, NULL, &row);
	/* Beside a daemon: what it has committed is seen. */
	struct db *beside = db_open(place->path, DB_INSPECT, place->why, sizeof place->why);
	assert_non_null(beside);
	PLACE_OK(games_by_id(beside, place->arena, row.id, &found));
	assert_int_equal(db_write_begin(beside), FAULT_STORAGE);
	db_close(beside);
	place_close(place);
	/* Alone: not a byte, not a name is changed, and no daemon starts meanwhile. */
	char *before = place_bytes(place->path, &len_before);
	struct db *alone = db_open(place->path, DB_INSPECT, place->why, sizeof place->why);
	assert_non_null(alone);
	PLACE_OK(games_by_id(alone, place->arena, row.id, &found));
	assert_null(db_open(place->path, DB_WRITE, place->why, sizeof place->why));
	db_close(alone);
	char *after = place_bytes(place->path, &len_after), *names = place_names(place);
	assert_int_equal(len_before, len_after);
	assert_memory_equal(before, after, len_before);
	assert_string_equal(names, "games.sqlite ");
	free(before);
	free(after);
	free(names);
}

static void
any_name_is_a_name(void **state)
{
	struct place *place = *state;
	static const char *const names[] = {
	    "a b", "50%", "what?immutable=1", "#1", "J\xC3\xB6rg", ":memory:", "a&b=c", "'"};
	char path[FOLDER_FILE_MAX];
	struct stat file;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", place->directory, names[i]);
		struct db *db = db_open(path, DB_WRITE, place->why, sizeof place->why);
		assert_non_null(db);
		db_close(db);
		assert_int_equal(stat(path, &file), 0);
		assert_true(file.st_size > 0);
	}
	/* Also without a directory before it. */
	char back[4096];
	assert_non_null(getcwd(back, sizeof back));
	assert_int_equal(chdir(place->directory), 0);
	unlink(":memory:");
	struct db *db = db_open(":memory:", DB_WRITE, place->why, sizeof place->why);
	assert_non_null(db);
	db_close(db);
	assert_int_equal(stat(":memory:", &file), 0);
	assert_int_equal(chdir(back), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(a_new_file_is_made),
	    TEST(an_empty_file_is_taken),
	    TEST(no_database_is_refused),
	    TEST(what_is_no_file_is_refused),
	    TEST(another_application_is_refused),
	    TEST(a_newer_schema_is_refused),
	    TEST(without_permission_it_is_refused),
	    TEST(a_file_with_two_names_is_refused),
	    TEST(a_second_daemon_is_refused),
	    TEST(a_daemon_that_died_is_no_hindrance),
	    TEST(inspecting_creates_nothing),
	    TEST(any_name_is_a_name),
	};
	return cmocka_run_group_tests_name("store open", tests, NULL, NULL);
}

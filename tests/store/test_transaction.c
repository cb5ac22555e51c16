#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/moves.h"

static enum fault
find(struct db *db, struct place *place, unsigned number)
{
	struct game_row row;
	char id[ID_LEN + 1];
	snprintf(id, sizeof id, "game%022u", number);
	return games_by_id(db, place->arena, id, &row);
}

static void
add(struct place *place, unsigned number)
{
	struct game_row row;
	PLACE_OK(db_savepoint(place->db));
	row = (struct game_row){.variant = "iuvo-2",
	    .status = "active",
	    .start = "s",
	    .position = "s",
	    .twice = "",
	    .clock_type = "none",
	    .on_timeout = "forfeit"};
	snprintf(row.id, sizeof row.id, "game%022u", number);
	PLACE_OK(games_insert(place->db, &row));
}

/* Of a batch, one call is taken back and the others stay. */
static void
one_call_of_a_batch_is_taken_back(void **state)
{
	struct place *place = *state;
	assert_false(db_in_transaction(place->db));
	PLACE_OK(db_write_begin(place->db));
	assert_true(db_in_transaction(place->db));
	add(place, 1);
	PLACE_OK(db_release(place->db));
	add(place, 2);
	PLACE_OK(db_rollback_to(place->db));
	add(place, 3);
	PLACE_OK(db_release(place->db));
	PLACE_OK(db_commit(place->db));
	assert_false(db_in_transaction(place->db));
	PLACE_OK(find(place->db, place, 1));
	assert_int_equal(find(place->db, place, 2), FAULT_NO_SUCH_GAME);
	PLACE_OK(find(place->db, place, 3));
	/* A call outside of any savepoint has nothing to go back to. */
	assert_int_not_equal(db_rollback_to(place->db), FAULT_NONE);
	assert_true(strlen(db_error(place->db)) > 0);
}

static void
an_abandoned_batch_leaves_nothing(void **state)
{
	struct place *place = *state;
	PLACE_OK(db_write_begin(place->db));
	add(place, 1);
	db_end(place->db);
	assert_false(db_in_transaction(place->db));
	assert_int_equal(find(place->db, place, 1), FAULT_NO_SUCH_GAME);
	db_end(place->db);
}

/* A reader keeps to the moment at which its call began, and cannot write. */
static void
a_call_reads_one_moment(void **state)
{
	struct place *place = *state;
	struct game_row row;
	struct db *reader = db_open(place->path, DB_READ, place->why, sizeof place->why);
	assert_non_null(reader);
	PLACE_OK(db_read_begin(reader));
	assert_int_equal(find(reader, place, 1), FAULT_NO_SUCH_GAME);
	place_game(place, 1, NULL, &row);
	assert_int_equal(find(reader, place, 1), FAULT_NO_SUCH_GAME);
	db_end(reader);
	PLACE_OK(db_read_begin(reader));
	PLACE_OK(find(reader, place, 1));
	assert_int_not_equal(games_update(reader, &row), FAULT_NONE);
	db_end(reader);
	db_close(reader);
}

static void
a_probe_writes(void **state)
{
	struct place *place = *state;
	char wal[FOLDER_FILE_MAX + 8];
	size_t len_before, len_after;
	snprintf(wal, sizeof wal, "%s-wal", place->path);
	PLACE_OK(db_probe(place->db));
	char *before = place_bytes(wal, &len_before);
	PLACE_OK(db_probe(place->db));
	char *after = place_bytes(wal, &len_after);
	assert_true(len_before > 0);
	assert_true(len_before != len_after || memcmp(before, after, len_after) != 0);
	assert_false(db_in_transaction(place->db));
	free(before);
	free(after);
}

static void
play(struct place *place, int64_t game, unsigned first, unsigned count)
{
	static char position[3000];
	memset(position, 'x', sizeof position - 1);
	for (unsigned ply = first; ply < first + count; ply++) {
		struct move_row row = {ply, 1, "c1-d3", NULL, "own", ply, position, NULL, 1, -1, ply, "{}", true};
		PLACE_OK(moves_insert(place->db, game, &row));
	}
}

/* Under load, with a reader that comes and goes, the WAL stays under 64 MiB. */
static void
the_wal_stays_short(void **state)
{
	struct place *place = *state;
	struct game_row games[200];
	char wal[FOLDER_FILE_MAX + 8];
	struct stat file;
	off_t longest = 0, written = 0;
	struct db *reader = db_open(place->path, DB_READ, place->why, sizeof place->why);
	assert_non_null(reader);
	snprintf(wal, sizeof wal, "%s-wal", place->path);
	for (unsigned i = 0; i < 200; i++)
		place_game(place, i, NULL, &games[i]);
	for (unsigned batch = 0; batch < 130; batch++) {
		/* Its snapshot is one batch old when the checkpoint comes. */
		PLACE_OK(db_read_begin(reader));
		PLACE_OK(find(reader, place, 1));
		PLACE_OK(db_write_begin(place->db));
		for (unsigned i = 0; i < 200; i++)
			play(place, games[i].game, batch + 1, 1);
		PLACE_OK(db_commit(place->db));
		written += 200 * 4096;
		if (batch % 4 == 3)
			db_end(reader);
		db_checkpoint(place->db);
		db_end(reader);
		assert_int_equal(stat(wal, &file), 0);
		if (file.st_size > longest)
			longest = file.st_size;
	}
	db_close(reader);
	assert_true(written > 96 << 20);
	assert_true(longest > 1 << 20);
	assert_true(longest < 64 << 20);
}

static int
enter(void **state)
{
	if (place_enter(state) != 0)
		return -1;
	place_open(*state);
	return 0;
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(one_call_of_a_batch_is_taken_back),
	    TEST(an_abandoned_batch_leaves_nothing),
	    TEST(a_call_reads_one_moment),
	    TEST(a_probe_writes),
	    TEST(the_wal_stays_short),
	};
	return cmocka_run_group_tests_name("store transaction", tests, NULL, NULL);
}

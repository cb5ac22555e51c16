#include "place.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

int
place_enter(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	if (place == NULL || !token_init())
		return -1;
	if (!folder_make(NULL, "store", place->directory))
		return -1;
	snprintf(place->path, sizeof place->path, "%s/games.sqlite", place->directory);
	place->arena = arena_open(1 << 26);
	*state = place;
	return place->arena == NULL ? -1 : 0;
}

int
place_leave(void **state)
{
	struct place *place = *state;
	place_close(place);
	arena_close(place->arena);
	bool gone = folder_remove(place->directory);
	free(place);
	return gone ? 0 : -1;
}

void
place_open(struct place *place)
{
	place->db = db_open(place->path, DB_WRITE, place->why, sizeof place->why);
	if (place->db == NULL)
		fail_msg("%s", place->why);
}

void
place_close(struct place *place)
{
	db_close(place->db);
	place->db = NULL;
}

void
place_sql(struct place *place, const char *path, const char *sql)
{
	sqlite3 *sqlite;
	(void)place;
	assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
	if (sqlite3_exec(sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(sqlite));
	sqlite3_close(sqlite);
}

char *
place_bytes(const char *path, size_t *len)
{
	enum { ROOM = 1 << 20 };
	char *bytes = malloc(ROOM);
	FILE *file = fopen(path, "rb");
	*len = file == NULL ? 0 : fread(bytes, 1, ROOM, file);
	assert_true(*len < ROOM);
	if (file != NULL)
		fclose(file);
	return bytes;
}

void
place_write(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

char *
place_names(const struct place *place)
{
	struct dirent **entries;
	char *names = calloc(1, 4096);
	int count = scandir(place->directory, &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.')
			strcat(strcat(names, entries[i]->d_name), " ");
		free(entries[i]);
	}
	free(entries);
	return names;
}

void
place_game(struct place *place, unsigned number, void (*change)(struct game_row *row), struct game_row *row)
{
	*row = (struct game_row){
	    .variant = "iuvo-2",
	    .status = "active",
	    .listed = true,
	    .start = "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    .position = "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
	    .turn = 1,
	    .seq = 1,
	    .twice = "",
	    .clock_type = "none",
	    .on_timeout = "forfeit",
	    .created_ms = 1000 + number,
	    .updated_ms = 1000 + number,
	};
	snprintf(row->id, sizeof row->id, "game%022u", number);
	if (change != NULL)
		change(row);
	PLACE_OK(db_write_begin(place->db));
	PLACE_OK(games_insert(place->db, row));
	PLACE_OK(db_commit(place->db));
}

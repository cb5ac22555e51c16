/* A directory of its own for each test of the store, and rows to put into it. */
#ifndef IUVOD_TESTS_STORE_PLACE_H
#define IUVOD_TESTS_STORE_PLACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "store/db.h"
#include "store/games.h"
#include "tests/folder.h"

struct place {
	char directory[FOLDER_MAX];
	char path[FOLDER_FILE_MAX]; /* of the data file; it is not there at first */
	struct db *db;              /* opened by place_open */
	struct arena *arena;
	char why[400];
};

/* For cmocka: set-up and tear-down. */
int place_enter(void **state);
int place_leave(void **state);

/* Opens the data file as place->db for writing, or fails the test. */
void place_open(struct place *place);
void place_close(struct place *place);

/* Runs SQL on a file of the directory, as another program would. */
void place_sql(struct place *place, const char *path, const char *sql);

/* A file's bytes, from malloc; *len is 0 if it is not there. */
char *place_bytes(const char *path, size_t *len);
void place_write(const char *path, const void *bytes, size_t len);

/* The names in the directory, sorted, each followed by a space; from malloc. */
char *place_names(const struct place *place);

/* Adds an active, listed game of iuvo-2 with an id made of its number, changed as `change` says, in a transaction of
 * its own. */
void place_game(struct place *place, unsigned number, void (*change)(struct game_row *row), struct game_row *row);

#define PLACE_OK(call) assert_int_equal((call), FAULT_NONE)

#endif

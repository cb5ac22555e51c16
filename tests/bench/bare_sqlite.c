/*
 * A yardstick: SQLite alone, as the service opens it (WAL, synchronous=FULL),
 * inserting rows of the size of a move in groups, each group durable.
 *
 *     bare_sqlite FILE GROUP SECONDS     prints the rows a second
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE moves (game INTEGER, ply INTEGER, seat INTEGER, move TEXT, position TEXT, at INTEGER,"
    " PRIMARY KEY (game, ply)) WITHOUT ROWID, STRICT;";
static const char insert[] = "INSERT INTO moves VALUES (?, ?, 1, 'e1-f3', ?, 1700000000000)";
static const char position[] = "iuvo-2 B3B1B/B6/o1o1o1o/7/o1o1oAo/7/A1A3A 1 - -";

static void
check(sqlite3 *db, int code)
{
	if (code == SQLITE_OK || code == SQLITE_DONE)
		return;
	fprintf(stderr, "bare_sqlite: %s\n", sqlite3_errmsg(db));
	exit(1);
}

static double
seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* One group: a ply of each of as many games. */
static void
write_group(sqlite3 *db, sqlite3_stmt *statement, int group, int ply)
{
	check(db, sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
	for (int game = 0; game < group; game++) {
		sqlite3_bind_int(statement, 1, game * 7919);
		sqlite3_bind_int(statement, 2, ply);
		sqlite3_bind_text(statement, 3, position, -1, SQLITE_STATIC);
		check(db, sqlite3_step(statement));
		sqlite3_reset(statement);
	}
	check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
}

int
main(int argc, char **argv)
{
	sqlite3 *db;
	sqlite3_stmt *statement;
	if (argc != 4) {
		fprintf(stderr, "usage: bare_sqlite FILE GROUP SECONDS\n");
		return 2;
	}
	int group = atoi(argv[2]);
	check(NULL, sqlite3_open(argv[1], &db));
	check(db, sqlite3_exec(db, schema, NULL, NULL, NULL));
	check(db, sqlite3_prepare_v2(db, insert, -1, &statement, NULL));
	double begin = seconds(), end = begin + atof(argv[3]), now = begin;
	long rows = 0;
	for (int ply = 1; now < end; ply++, now = seconds()) {
		write_group(db, statement, group, ply);
		rows += group;
	}
	printf("%.0f\n", (double)rows / (now - begin));
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return 0;
}

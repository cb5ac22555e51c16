/*
 * What it costs to load a game, and of that to look whether a second row tells of
 * the same position: lookup FILE SECONDS, with the data file of a server that has stopped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "play/game.h"
#include "store/alive.h"
#include "tests/bench/bench.h"

enum { GAMES_MAX = 4096 };

static struct game_row rows[GAMES_MAX];
static struct arena *arena, *held;
static struct db *db;
static unsigned games;

static void
find_games(void)
{
	bool found = true;
	for (int64_t after = 0; games < GAMES_MAX && found; after = rows[games - 1].game) {
		if (games_next(db, held, after, &rows[games], &found) != FAULT_NONE)
			bench_die("the games cannot be read", NULL);
		games += found;
		if (games == 0)
			bench_die("there is no game", NULL);
	}
}

static enum fault
load(const struct game_row *row)
{
	struct game game;
	return game_load(db, arena, row->id, &game);
}

static enum fault
agree(const struct game_row *row)
{
	return games_agree(db, row);
}

/* Microseconds for one of them, in a transaction of its own, as a request has it: of the passes the quickest. */
static double
measure(enum fault (*one)(const struct game_row *row), double seconds)
{
	int64_t end = clock_mono_us() + (int64_t)(seconds * 1e6), least = INT64_MAX;
	for (int64_t now = clock_mono_us(), before; now < end;) {
		for (unsigned i = 0; i < games; i++) {
			arena_reset(arena);
			if (db_read_begin(db) != FAULT_NONE || one(&rows[i]) != FAULT_NONE)
				bench_die("a game cannot be read", NULL);
			db_end(db);
		}
		before = now;
		now = clock_mono_us();
		least = now - before < least ? now - before : least;
	}
	return (double)least / games;
}

/* What any first read of a transaction costs: the locks. */
static enum fault
begin(const struct game_row *row)
{
	struct alive_row alive;
	(void)row;
	return alive_read(db, &alive);
}

int
main(int argc, char **argv)
{
	char why[256];
	if (argc != 3)
		bench_die("usage: lookup FILE SECONDS", NULL);
	db = db_open(argv[1], DB_READ, why, sizeof why);
	if (db == NULL)
		bench_die(why, NULL);
	arena = arena_open(LIMIT_ARENA);
	held = arena_open(LIMIT_ARENA);
	if (arena == NULL || held == NULL)
		bench_die("no memory", NULL);
	find_games();
	double seconds = atof(argv[2]), bare = measure(begin, seconds);
	double whole = measure(load, seconds) - bare, check = measure(agree, seconds) - bare;
	printf("games=%u load_us=%.2f check_us=%.2f begin_us=%.2f\n", games, whole, check, bare);
	arena_close(held);
	arena_close(arena);
	db_close(db);
	return 0;
}

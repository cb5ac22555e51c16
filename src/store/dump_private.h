/* What the files of dump.h share: the tables, and the statements that read and fill them. */
#ifndef IUVOD_STORE_DUMP_PRIVATE_H
#define IUVOD_STORE_DUMP_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/dump_statements.h"

/* In this order they are written and read: what a row refers to stands before it. */
#define DUMP_ORDER(T) \
	T(sequences, SEQUENCES) \
	T(players, PLAYERS) \
	T(player_tokens, PLAYER_TOKENS) \
	T(games, GAMES) \
	T(seats, SEATS) \
	T(tokens, TOKENS) \
	T(moves, MOVES) \
	T(endings, ENDINGS) \
	T(events, EVENTS) \
	T(offers, OFFERS) \
	T(sat, SAT) \
	T(feed, FEED) \
	T(retries, RETRIES) \
	T(alive, ALIVE) \
	T(probe, PROBE)

/* clang-format off */
enum dump_statement {
#define S(name, text, sql) name,
	DUMP_TABLE(S)
#undef S
};
/* clang-format on */

struct dump_table {
	const char *name;
	enum dump_statement read, write;
};

enum {
#define T(name, upper) +1
	DUMP_TABLES = 0 DUMP_ORDER(T)
#undef T
};

extern const struct dump_table dump_tables[DUMP_TABLES];
extern const char *const dump_sql[];

/* False, with a line in why[room] that tells what SQLite says: "cannot WHAT NAME: …". */
bool dump_refuse(sqlite3 *sqlite, const char *what, const char *name, char *why, size_t room);

#endif

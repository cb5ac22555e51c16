/*
 * Inside store/ only: a connection, and running one of its statements.
 *
 *     struct query query = query_begin(db, STATEMENT_SEATS_OF);
 *     query_put_int(&query, game);
 *     while (query_next(&query))
 *             … query_int(&query, 0) …
 *     return query_end(&query);
 *
 * The first failure sticks, what follows does nothing, and query_end tells.
 */
#ifndef IUVOD_STORE_QUERY_PRIVATE_H
#define IUVOD_STORE_QUERY_PRIVATE_H

#include <sqlite3.h>

#include "base/arena.h"
#include "store/db.h"
#include "store/lock.h"
#include "store/statements.h"

/* clang-format off */
enum statement {
#define S(name, text, sql) name,
	STATEMENT_TABLE(S)
#undef S
	STATEMENT_COUNT
};
/* clang-format on */

/* Each with its name in sql/queries.sql. */
struct query_text {
	const char *name, *sql;
};

extern const struct query_text query_texts[STATEMENT_COUNT];

/* Largest numbers that a sound row has. */
enum { QUERY_SEATS = 15, QUERY_PLIES = 1 << 16, QUERY_SEQ = 1 << 30 };

struct db {
	sqlite3 *sqlite;
	enum db_mode mode;
	unsigned schema;
	struct lock lock;       /* of DB_WRITE, and of DB_INSPECT where nobody serves */
	unsigned wal_pages;     /* in the WAL after the last commit of this connection */
	unsigned wal_looked_at; /* wal_pages at the last checkpoint that was tried */
	bool scrub;             /* the WAL is to be cut */
	bool damaged;           /* met since db_write_begin, which can then not be committed */
	char error[256];
	sqlite3_stmt *statements[STATEMENT_COUNT];
};

struct query {
	struct db *db;
	enum statement statement;
	sqlite3_stmt *stmt;
	int put;  /* parameters put so far */
	int code; /* of SQLite; SQLITE_OK while nothing has failed */
};

struct query query_begin(struct db *db, enum statement statement);

/* Parameters, in order.  Texts and blobs are borrowed until query_end; NULL is SQL's NULL. */
void query_put_int(struct query *query, int64_t value);
void query_put_text(struct query *query, const char *text);
void query_put_blob(struct query *query, const void *bytes, size_t len);
/* A number that is NULL in the file where there is none: 0. */
void query_put_key(struct query *query, int64_t value);
/* A number from 0 on; -1 is SQL's NULL. */
void query_put_natural(struct query *query, int64_t value);

/* Steps to the next row; false at the end and on failure. */
bool query_next(struct query *query);

/*
 * Columns of the row.  One that is not of the type, or no number from 0 to most,
 * is damaged: SQLITE_CORRUPT sticks, and 0 or a text without bytes is given.  Text
 * and blob are copied to the arena.
 */
int64_t query_int(struct query *query, int column);
int64_t query_key(struct query *query, int column); /* 0 for SQL's NULL */
unsigned query_count(struct query *query, int column, unsigned most);
const char *query_text(struct query *query, int column, struct arena *arena);
const char *query_text_or_null(struct query *query, int column, struct arena *arena);
const void *query_blob(struct query *query, int column, struct arena *arena, size_t *len);
/* A text into room bytes, which it must fit exactly with its NUL. */
void query_id(struct query *query, int column, char *out, size_t room);
int64_t query_natural(struct query *query, int column);
bool query_is_null(struct query *query, int column);

/* Ends it, so that the statement can run again, and tells how it went. */
enum fault query_end(struct query *query);

/* The same for what was asked for one row, that was found or not: then `none`, if nothing else went wrong. */
enum fault query_end_found(struct query *query, bool found, enum fault none);

/* The same for n rows that were read: *count is n, unless it went wrong. */
enum fault query_end_count(struct query *query, unsigned n, unsigned *count);

/* Reads the one number that a query yields, 0 where it yields no row, and ends it; *number is untouched on failure. */
enum fault query_end_number(struct query *query, int64_t *number);

/* Runs a statement that yields no row. */
enum fault query_run(struct query *query);

/* The fault that a result code of SQLite means to a caller; keeps its details for db_error. */
enum fault query_fault(struct db *db, const char *name, int code);

#endif

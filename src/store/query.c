#include "store/query_private.h"

#include <stdio.h>
#include <string.h>

static const char *const names[STATEMENT_COUNT] = {
#define S(name, text, sql) text,
    STATEMENT_TABLE(S)
#undef S
};

struct query
query_begin(struct db *db, enum statement statement)
{
	return (struct query){.db = db, .statement = statement, .stmt = db->statements[statement]};
}

static void
put(struct query *query, int code)
{
	if (query->code == SQLITE_OK)
		query->code = code;
}

void
query_put_int(struct query *query, int64_t value)
{
	put(query, sqlite3_bind_int64(query->stmt, ++query->put, value));
}

void
query_put_text(struct query *query, const char *text)
{
	put(query, sqlite3_bind_text(query->stmt, ++query->put, text, -1, SQLITE_STATIC));
}

void
query_put_blob(struct query *query, const void *bytes, size_t len)
{
	/* Without bytes a pointer may be NULL, which would bind NULL. */
	put(query, sqlite3_bind_blob64(query->stmt, ++query->put, len > 0 ? bytes : "", len, SQLITE_STATIC));
}

void
query_put_null(struct query *query)
{
	put(query, sqlite3_bind_null(query->stmt, ++query->put));
}

void
query_put_key(struct query *query, int64_t value)
{
	if (value == 0)
		query_put_null(query);
	else
		query_put_int(query, value);
}

void
query_put_natural(struct query *query, int64_t value)
{
	if (value < 0)
		query_put_null(query);
	else
		query_put_int(query, value);
}

bool
query_next(struct query *query)
{
	if (query->code != SQLITE_OK)
		return false;
	int code = sqlite3_step(query->stmt);
	if (code == SQLITE_ROW)
		return true;
	if (code != SQLITE_DONE)
		query->code = code;
	return false;
}

int64_t
query_int(struct query *query, int column)
{
	return sqlite3_column_int64(query->stmt, column);
}

int64_t
query_natural(struct query *query, int column)
{
	return query_is_null(query, column) ? -1 : query_int(query, column);
}

bool
query_is_null(struct query *query, int column)
{
	return sqlite3_column_type(query->stmt, column) == SQLITE_NULL;
}

const void *
query_blob(struct query *query, int column, struct arena *arena, size_t *len)
{
	if (query_is_null(query, column))
		return NULL;
	/* A text too is fetched as a blob: as text SQLite would copy it first, to put a NUL behind it. */
	const void *bytes = sqlite3_column_blob(query->stmt, column);
	*len = (size_t)sqlite3_column_bytes(query->stmt, column);
	char *copy = bytes == NULL && *len > 0 ? NULL : arena_copy(arena, bytes, *len);
	if (copy == NULL)
		put(query, SQLITE_NOMEM);
	return copy;
}

const char *
query_text(struct query *query, int column, struct arena *arena)
{
	size_t len;
	return query_blob(query, column, arena, &len);
}

void
query_id(struct query *query, int column, char *out, size_t room)
{
	const void *bytes = sqlite3_column_blob(query->stmt, column);
	size_t len = (size_t)sqlite3_column_bytes(query->stmt, column);
	if (bytes == NULL || len + 1 != room) {
		put(query, SQLITE_CORRUPT);
		return;
	}
	memcpy(out, bytes, len);
	out[len] = '\0';
}

enum fault
query_end(struct query *query)
{
	/* Before the reset, which may change the message. */
	enum fault fault = query_fault(query->db, names[query->statement], query->code);
	sqlite3_reset(query->stmt);
	return fault;
}

enum fault
query_run(struct query *query)
{
	query_next(query);
	return query_end(query);
}

enum fault
query_fault(struct db *db, const char *name, int code)
{
	if (code == SQLITE_OK)
		return FAULT_NONE;
	/* The message of the connection belongs to its last call, which need not be the one that failed. */
	bool same = sqlite3_extended_errcode(db->sqlite) == code;
	snprintf(db->error, sizeof db->error, "%s: %s (%d)", name,
	    same ? sqlite3_errmsg(db->sqlite) : sqlite3_errstr(code), code);
	switch (code & 0xFF) {
	case SQLITE_NOMEM:
		return FAULT_OUT_OF_MEMORY;
	case SQLITE_CONSTRAINT:
	case SQLITE_MISUSE:
	case SQLITE_RANGE:
	case SQLITE_MISMATCH:
		return FAULT_INTERNAL; /* what was to be written contradicts itself: no disk is to blame */
	default:
		return FAULT_STORAGE;
	}
}

#include "store/query_private.h"

#include <stdio.h>
#include <string.h>

const struct query_text query_texts[STATEMENT_COUNT] = {
#define S(statement, name, sql) [statement] = {name, sql},
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

static void
put_null(struct query *query)
{
	put(query, sqlite3_bind_null(query->stmt, ++query->put));
}

void
query_put_key(struct query *query, int64_t value)
{
	if (value == 0)
		put_null(query);
	else
		query_put_int(query, value);
}

void
query_put_natural(struct query *query, int64_t value)
{
	if (value < 0)
		put_null(query);
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

/* A column of a STRICT table has no other type, unless its page is damaged or is that of another table. */
static bool
is_of(struct query *query, int column, int type)
{
	bool fits = sqlite3_column_type(query->stmt, column) == type;
	if (!fits)
		put(query, SQLITE_CORRUPT);
	return fits;
}

int64_t
query_int(struct query *query, int column)
{
	return is_of(query, column, SQLITE_INTEGER) ? sqlite3_column_int64(query->stmt, column) : 0;
}

int64_t
query_key(struct query *query, int column)
{
	return query_is_null(query, column) ? 0 : query_int(query, column);
}

unsigned
query_count(struct query *query, int column, unsigned most)
{
	int64_t value = query_int(query, column);
	if (value >= 0 && value <= most)
		return (unsigned)value;
	put(query, SQLITE_CORRUPT);
	return 0;
}

bool
query_is_null(struct query *query, int column)
{
	return sqlite3_column_type(query->stmt, column) == SQLITE_NULL;
}

int64_t
query_natural(struct query *query, int column)
{
	return query_is_null(query, column) ? -1 : query_int(query, column);
}

static const void *
copy_bytes(struct query *query, int column, struct arena *arena, size_t *len)
{
	/* A text too is fetched as a blob: as text SQLite would copy it first, to put a NUL behind it. */
	const void *bytes = sqlite3_column_blob(query->stmt, column);
	*len = (size_t)sqlite3_column_bytes(query->stmt, column);
	char *copy = bytes == NULL && *len > 0 ? NULL : arena_copy(arena, bytes, *len);
	if (copy == NULL)
		put(query, SQLITE_NOMEM);
	return copy;
}

const void *
query_blob(struct query *query, int column, struct arena *arena, size_t *len)
{
	return is_of(query, column, SQLITE_BLOB) ? copy_bytes(query, column, arena, len) : NULL;
}

const char *
query_text(struct query *query, int column, struct arena *arena)
{
	size_t len = 0;
	if (!is_of(query, column, SQLITE_TEXT))
		return "";
	const char *text = copy_bytes(query, column, arena, &len);
	return text == NULL ? "" : text;
}

const char *
query_text_or_null(struct query *query, int column, struct arena *arena)
{
	return query_is_null(query, column) ? NULL : query_text(query, column, arena);
}

void
query_id(struct query *query, int column, char *out, size_t room)
{
	const void *bytes = sqlite3_column_blob(query->stmt, column);
	size_t len = (size_t)sqlite3_column_bytes(query->stmt, column);
	if (sqlite3_column_type(query->stmt, column) != SQLITE_TEXT || bytes == NULL || len + 1 != room) {
		put(query, SQLITE_CORRUPT);
		memset(out, 0, room);
		return;
	}
	memcpy(out, bytes, len);
	out[len] = '\0';
}

enum fault
query_end(struct query *query)
{
	/* Before the reset, which may change the message. */
	enum fault fault = query_fault(query->db, query_texts[query->statement].name, query->code);
	sqlite3_reset(query->stmt);
	return fault;
}

enum fault
query_end_found(struct query *query, bool found, enum fault none)
{
	enum fault fault = query_end(query);
	return fault == FAULT_NONE && !found ? none : fault;
}

enum fault
query_end_count(struct query *query, unsigned n, unsigned *count)
{
	enum fault fault = query_end(query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

enum fault
query_end_number(struct query *query, int64_t *number)
{
	int64_t found = query_next(query) ? query_int(query, 0) : 0;
	enum fault fault = query_end(query);
	if (fault == FAULT_NONE)
		*number = found;
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
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		db->damaged = true;
		return FAULT_DAMAGED_DATA;
	default:
		return FAULT_STORAGE;
	}
}

/* Writes a dump: dump_write of dump.h. */
#include "store/dump.h"

#include <errno.h>
#include <string.h>

#include "base/line.h"
#include "store/dump_private.h"
#include "store/query_private.h"
#include "store/schema_private.h"

const char *const dump_sql[] = {
#define S(name, text, sql) [name] = sql,
    DUMP_TABLE(S)
#undef S
};

const struct dump_table dump_tables[DUMP_TABLES] = {
#define T(name, upper) {#name, DUMP_READ_##upper, DUMP_WRITE_##upper},
    DUMP_ORDER(T)
#undef T
};

bool
dump_refuse(sqlite3 *sqlite, const char *what, const char *name, char *why, size_t room)
{
	snprintf(why, room, "cannot %s %s: %s", what, name, sqlite3_errmsg(sqlite));
	return false;
}

/* One value as a field; false if no sound file has it. */
static bool
put_value(struct text *line, sqlite3_stmt *stmt, int column)
{
	const char *name = sqlite3_column_name(stmt, column);
	const void *bytes = NULL;
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL:
		line_null(line, name);
		return true;
	case SQLITE_INTEGER:
		line_int(line, name, sqlite3_column_int64(stmt, column));
		return true;
	case SQLITE_BLOB:
		bytes = sqlite3_column_blob(stmt, column);
		line_hex(line, name, bytes, (size_t)sqlite3_column_bytes(stmt, column));
		return true;
	case SQLITE_TEXT:
		bytes = sqlite3_column_text(stmt, column);
		return bytes != NULL && line_text(line, name, bytes, (size_t)sqlite3_column_bytes(stmt, column));
	}
	return false;
}

static bool
put_row(struct text *line, const char *table, sqlite3_stmt *stmt)
{
	line_begin(line);
	bool good = line_text(line, "table", table, strlen(table));
	for (int i = 0; i < sqlite3_column_count(stmt) && good; i++)
		good = put_value(line, stmt, i);
	line_end(line);
	return good;
}

static bool
send_line(const struct text *line, FILE *out, char *why, size_t room)
{
	if (text_failed(line))
		snprintf(why, room, "no memory for a line");
	else if (fwrite(line->bytes, 1, line->len, out) != line->len)
		snprintf(why, room, "cannot write: %s", strerror(errno));
	else
		return true;
	return false;
}

static bool
write_table(sqlite3 *sqlite, const struct dump_table *table, struct text *line, FILE *out, int64_t *rows, char *why,
    size_t room)
{
	sqlite3_stmt *stmt = NULL;
	bool good = true;
	int code = sqlite3_prepare_v2(sqlite, dump_sql[table->read], -1, &stmt, NULL);
	while (code == SQLITE_OK && good && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		code = SQLITE_OK;
		++*rows;
		good = put_row(line, table->name, stmt);
		if (!good)
			snprintf(why, room, "a row of %s is damaged: %s", table->name, line->bytes);
		good = good && send_line(line, out, why, room);
	}
	if (good && code != SQLITE_DONE)
		good = dump_refuse(sqlite, "read", table->name, why, room);
	sqlite3_finalize(stmt);
	return good;
}

bool
dump_write(struct db *db, FILE *out, char *why, size_t room)
{
	struct text line = TEXT_EMPTY;
	int64_t rows = 0;
	if (db_read_begin(db) != FAULT_NONE)
		return dump_refuse(db->sqlite, "read", "the file", why, room);
	line_begin(&line);
	line_int(&line, "iuvod_dump", DUMP_VERSION);
	line_int(&line, "schema", schema_latest);
	line_end(&line);
	bool good = send_line(&line, out, why, room);
	for (unsigned i = 0; i < DUMP_TABLES && good; i++)
		good = write_table(db->sqlite, &dump_tables[i], &line, out, &rows, why, room);
	line_begin(&line);
	line_text(&line, "table", "end", 3);
	line_int(&line, "rows", rows);
	line_end(&line);
	good = good && send_line(&line, out, why, room);
	text_free(&line);
	db_end(db);
	return good;
}

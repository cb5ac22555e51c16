/* Reads a dump into a new file: dump_read of dump.h. */
#include "store/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/memory.h"
#include "store/connection_private.h"
#include "store/dump_private.h"
#include "store/schema_private.h"

enum { FIELDS_MAX = 48 };

/* A load under way. */
struct load {
	sqlite3 *sqlite;
	FILE *in;
	char *bytes; /* the line: DUMP_LINE_MAX bytes and a NUL */
	size_t len;
	uint64_t number; /* of the line, from 1 */
	int64_t rows;
	struct line_field fields[FIELDS_MAX];
	unsigned count;
	sqlite3_stmt *read[DUMP_TABLES], *write[DUMP_TABLES];
	char *why;
	size_t room;
};

static bool
refuse(struct load *load, const char *what, const char *name)
{
	snprintf(load->why, load->room, "line %" PRIu64 ": %s%s%s", load->number, what, *name == '\0' ? "" : " ", name);
	return false;
}

/* Reads the next line and its fields. */
static bool
next_line(struct load *load)
{
	const char *why = NULL;
	int c = EOF;
	load->len = 0;
	load->number++;
	while (load->len < DUMP_LINE_MAX && (c = getc_unlocked(load->in)) != EOF && c != '\n')
		load->bytes[load->len++] = (char)c;
	load->bytes[load->len] = '\0';
	if (ferror(load->in))
		return refuse(load, "cannot be read:", strerror(errno));
	if (load->len == DUMP_LINE_MAX)
		return refuse(load, "it is too long", "");
	if (c == EOF && load->len == 0)
		return refuse(load, "the last line is missing: the dump was cut off", "");
	return line_read(load->bytes, load->len, load->fields, FIELDS_MAX, &load->count, &why) || refuse(load, why, "");
}

/* A field that must be a number. */
static bool
find_number(const struct load *load, const char *name, int64_t *number)
{
	const struct line_field *field = line_find(load->fields, load->count, name);
	if (field == NULL || field->kind != LINE_INT)
		return false;
	*number = field->number;
	return true;
}

static bool
read_head(struct load *load)
{
	char needs[64];
	int64_t version, schema;
	if (!next_line(load))
		return false;
	if (load->count != 2 || !find_number(load, "iuvod_dump", &version) || !find_number(load, "schema", &schema) ||
	    version != DUMP_VERSION)
		return refuse(load, "it is no dump that this iuvod can read", "");
	if (schema == schema_latest)
		return true;
	snprintf(needs, sizeof needs, "schema %" PRId64 ", this iuvod loads those of schema %u", schema, schema_latest);
	return refuse(load, "it is a dump of", needs);
}

/* What the line tells of a column, decoded where it stands if it is bytes. */
static bool
bind(struct load *load, const struct line_field *field, const char *type, sqlite3_stmt *stmt, int at)
{
	char *bytes = load->bytes + (field->text == NULL ? 0 : field->text - load->bytes);
	bool blob = type != NULL && strcmp(type, "BLOB") == 0;
	if (field->kind == LINE_NULL)
		return sqlite3_bind_null(stmt, at) == SQLITE_OK;
	if (field->kind == LINE_INT)
		return sqlite3_bind_int64(stmt, at, field->number) == SQLITE_OK;
	if (!blob)
		return sqlite3_bind_text(stmt, at, field->text, (int)field->len, SQLITE_STATIC) == SQLITE_OK;
	return line_unhex(field->text, field->len, (unsigned char *)bytes) &&
	       sqlite3_bind_blob(stmt, at, bytes, (int)field->len / 2, SQLITE_STATIC) == SQLITE_OK;
}

static bool
bind_row(struct load *load, sqlite3_stmt *columns, sqlite3_stmt *stmt)
{
	int count = sqlite3_column_count(columns);
	for (int i = 0; i < count; i++) {
		const char *name = sqlite3_column_name(columns, i);
		const struct line_field *field = line_find(load->fields, load->count, name);
		if (field == NULL)
			return refuse(load, "there is no field", name);
		if (!bind(load, field, sqlite3_column_decltype(columns, i), stmt, i + 1))
			return refuse(load, "the value cannot be that of", name);
	}
	return load->count == (unsigned)count + 1 || refuse(load, "it has a field that the table has not", "");
}

static bool
read_row(struct load *load, unsigned table)
{
	sqlite3_stmt *stmt = load->write[table];
	bool good = bind_row(load, load->read[table], stmt);
	if (good && sqlite3_step(stmt) != SQLITE_DONE)
		good = refuse(load, sqlite3_errmsg(load->sqlite), "");
	sqlite3_reset(stmt);
	load->rows++;
	return good;
}

static bool
find_table(const char *name, unsigned *table)
{
	for (unsigned i = 0; i < DUMP_TABLES; i++)
		if (strcmp(dump_tables[i].name, name) == 0) {
			*table = i;
			return true;
		}
	return false;
}

static bool
read_end(struct load *load)
{
	int64_t rows;
	if (load->count != 2 || !find_number(load, "rows", &rows) || rows != load->rows)
		return refuse(load, "it does not count the rows before it: some are missing", "");
	return getc_unlocked(load->in) == EOF || refuse(load, "something stands behind it", "");
}

static bool
read_rows(struct load *load)
{
	for (;;) {
		unsigned table;
		if (!next_line(load))
			return false;
		const struct line_field *field = line_find(load->fields, load->count, "table");
		if (field == NULL || field->kind != LINE_TEXT)
			return refuse(load, "there is no field table", "");
		if (strcmp(field->text, "end") == 0)
			return read_end(load);
		if (!find_table(field->text, &table))
			return refuse(load, "there is no table", field->text);
		if (!read_row(load, table))
			return false;
	}
}

static bool
execute(struct load *load, enum schema_statement statement)
{
	return sqlite3_exec(load->sqlite, schema_sql(statement), NULL, NULL, NULL) == SQLITE_OK ||
	       dump_refuse(load->sqlite, "make", "a data file", load->why, load->room);
}

/* A data file of the newest schema without rows, and the statements that fill it. */
static bool
prepare(struct load *load, const char *name)
{
	unsigned schema = 0;
	if (!execute(load, SCHEMA_SETTINGS) || !execute(load, SCHEMA_SETTINGS_COPY) ||
	    !schema_read(load->sqlite, name, schema_latest, &schema, load->why, load->room) ||
	    !schema_raise(load->sqlite, name, schema_migrations, schema_latest, &schema, load->why, load->room))
		return false;
	for (unsigned i = 0; i < DUMP_TABLES; i++)
		if (sqlite3_prepare_v2(load->sqlite, dump_sql[dump_tables[i].read], -1, &load->read[i], NULL) !=
			SQLITE_OK ||
		    sqlite3_prepare_v2(load->sqlite, dump_sql[dump_tables[i].write], -1, &load->write[i], NULL) !=
			SQLITE_OK)
			return dump_refuse(load->sqlite, "prepare", dump_tables[i].name, load->why, load->room);
	return true;
}

static void
end(struct load *load)
{
	for (unsigned i = 0; i < DUMP_TABLES; i++) {
		sqlite3_finalize(load->read[i]);
		sqlite3_finalize(load->write[i]);
	}
	sqlite3_close(load->sqlite);
	free(load->bytes);
}

bool
dump_read(struct copy *copy, FILE *in, char *why, size_t room)
{
	struct load load = {.in = in, .why = why, .room = room, .bytes = memory_take(DUMP_LINE_MAX + 1)};
	const char *name = copy_name(copy);
	bool good = load.bytes != NULL || connection_refuse(why, room, name, NULL);
	good = good && read_head(&load);
	good = good && connection_open(name, false, SQLITE_OPEN_READWRITE, &load.sqlite, why, room);
	good = good && prepare(&load, name) && execute(&load, SCHEMA_MIGRATION_BEGIN);
	good = good && read_rows(&load) && execute(&load, SCHEMA_MIGRATION_COMMIT);
	end(&load);
	return good;
}

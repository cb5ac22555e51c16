#include "store/schema_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/file.h"
#include "store/migrations.h"

const struct migration schema_migrations[] = {
#define M(name, sql) {name, sql},
    MIGRATION_TABLE(M)
#undef M
};

const unsigned schema_latest = sizeof schema_migrations / sizeof *schema_migrations;

const char *
schema_sql(enum schema_statement statement)
{
	static const char *const texts[] = {
#define S(name, text, sql) sql,
	    SCHEMA_TABLE(S)
#undef S
	};
	return texts[statement];
}

/* The one number that a statement yields; a result code of SQLite. */
static int
read_number(sqlite3 *sqlite, enum schema_statement statement, int64_t *number)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(sqlite, schema_sql(statement), -1, &stmt, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_step(stmt);
	if (code == SQLITE_ROW) {
		*number = sqlite3_column_int64(stmt, 0);
		code = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	return code;
}

static bool
refuse(sqlite3 *sqlite, const char *path, int code, char *why, size_t room)
{
	switch (code & 0xFF) {
	case SQLITE_NOTADB:
		snprintf(why, room, "%s is not a database", path);
		break;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		snprintf(why, room, "%s is locked by another program", path);
		break;
	default:
		snprintf(why, room, "cannot read %s: %s", path, sqlite3_errmsg(sqlite));
	}
	return false;
}

bool
schema_read(sqlite3 *sqlite, const char *path, unsigned latest, unsigned *schema, char *why, size_t room)
{
	int64_t application, version, objects;
	int code = read_number(sqlite, SCHEMA_OBJECT_COUNT, &objects);
	if (code == SQLITE_OK)
		code = read_number(sqlite, SCHEMA_APPLICATION_ID, &application);
	if (code == SQLITE_OK)
		code = read_number(sqlite, SCHEMA_USER_VERSION, &version);
	if (code != SQLITE_OK)
		return refuse(sqlite, path, code, why, room);
	bool empty = application == 0 && version == 0 && objects == 0;
	if (!empty && application != SCHEMA_IUVOD) {
		snprintf(why, room, "%s is a database of another application", path);
		return false;
	}
	if (version < 0 || version > latest) {
		snprintf(why, room, "%s has schema %lld, this program knows up to %u: a newer iuvod wrote it", path,
		    (long long)version, latest);
		return false;
	}
	if (!empty && version == 0) {
		snprintf(why, room, "%s is damaged: it is a data file of iuvod without a schema", path);
		return false;
	}
	*schema = (unsigned)version;
	return true;
}

/* Makes the file for a copy, so that no other of that name is ever written over; its name, from malloc, or NULL. */
static char *
reserve_copy(const char *path, unsigned schema)
{
	char suffix[48];
	snprintf(suffix, sizeof suffix, ".before-%u", schema);
	for (unsigned n = 1;; n++) {
		char *name = file_beside(path, suffix);
		if (name == NULL)
			return NULL;
		int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0) {
			close(fd);
			return name;
		}
		free(name);
		if (errno != EEXIST)
			return NULL;
		snprintf(suffix, sizeof suffix, ".before-%u.%u", schema, n);
	}
}

static bool
write_copy(sqlite3 *sqlite, const char *name)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(sqlite, schema_sql(SCHEMA_BACK_UP), -1, &stmt, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	return code == SQLITE_DONE && file_sync(name);
}

static bool
back_up(sqlite3 *sqlite, const char *path, unsigned schema, char *why, size_t room)
{
	char *name = reserve_copy(path, schema);
	if (name == NULL) {
		snprintf(why, room, "cannot make a copy of %s before its schema changes: %s", path, strerror(errno));
		return false;
	}
	bool done = write_copy(sqlite, name);
	if (!done) {
		snprintf(why, room, "cannot copy %s to %s: %s", path, name, sqlite3_errmsg(sqlite));
		unlink(name);
	}
	free(name);
	return done;
}

/* Runs one migration; what it leaves must say that it is ours, and of that schema. */
static bool
migrate_once(
    sqlite3 *sqlite, const char *path, const struct migration *migration, unsigned schema, char *why, size_t room)
{
	unsigned is = 0;
	int code = sqlite3_exec(sqlite, schema_sql(SCHEMA_MIGRATION_BEGIN), NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(sqlite, migration->sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && !schema_read(sqlite, path, schema, &is, why, room))
		goto undo;
	if (code == SQLITE_OK && is != schema) {
		snprintf(why, room, "migration %s does not lead to schema %u", migration->name, schema);
		goto undo;
	}
	if (code == SQLITE_OK)
		code = sqlite3_exec(sqlite, schema_sql(SCHEMA_MIGRATION_COMMIT), NULL, NULL, NULL);
	if (code == SQLITE_OK)
		return true;
	snprintf(why, room, "migration %s of %s failed: %s", migration->name, path, sqlite3_errmsg(sqlite));
undo:
	if (!sqlite3_get_autocommit(sqlite))
		sqlite3_exec(sqlite, schema_sql(SCHEMA_MIGRATION_ROLLBACK), NULL, NULL, NULL);
	return false;
}

bool
schema_raise(sqlite3 *sqlite, const char *path, const struct migration *migrations, unsigned latest, unsigned *schema,
    char *why, size_t room)
{
	while (*schema < latest) {
		if (!migrate_once(sqlite, path, &migrations[*schema], *schema + 1, why, room))
			return false;
		++*schema;
	}
	return true;
}

bool
schema_migrate(sqlite3 *sqlite, const char *path, const struct migration *migrations, unsigned latest, unsigned *schema,
    char *why, size_t room)
{
	bool made = *schema == 0; /* there is nothing in it yet that a copy could keep */
	while (*schema < latest) {
		unsigned next = *schema + 1;
		if (!made && !back_up(sqlite, path, next, why, room))
			return false;
		if (!schema_raise(sqlite, path, migrations, next, schema, why, room))
			return false;
	}
	return true;
}

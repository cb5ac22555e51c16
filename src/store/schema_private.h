/* Inside store/ only: what a data file says it is, and bringing its schema up to date. */
#ifndef IUVOD_STORE_SCHEMA_PRIVATE_H
#define IUVOD_STORE_SCHEMA_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "store/schema_statements.h"

/* The application_id by which a data file is known as ours: "Iuvo". */
enum { SCHEMA_IUVOD = 0x4975766F };

/* Statements of sql/file.sql, for files that are being opened. */
/* clang-format off */
enum schema_statement {
#define S(name, text, sql) name,
	SCHEMA_TABLE(S)
#undef S
	SCHEMA_STATEMENT_COUNT
};
/* clang-format on */

const char *schema_sql(enum schema_statement statement);

struct migration {
	const char *name;
	const char *sql; /* sets user_version, and the first one application_id */
};

/* What this program knows: schema_migrations[i] brings a file from schema i to i + 1. */
extern const struct migration schema_migrations[];
extern const unsigned schema_latest;

/*
 * Reads the schema of a file: 0 for one without any content, on which ours may
 * be made.  False, with a line in why[room], if it cannot be read, is no database
 * or another application's, or is newer than `latest`.
 */
bool schema_read(sqlite3 *sqlite, const char *path, unsigned latest, unsigned *schema, char *why, size_t room);

/*
 * Runs migrations[*schema] to migrations[latest - 1], each in one transaction.
 * Before each a copy of the file is made as FILE.before-N, where N is the schema
 * that it leads to, or as FILE.before-N.1, .2 … if that is there; not of a file
 * without content.  On failure false, with a line in why[room]: the file then has
 * the schema of the last that succeeded, in *schema.
 */
bool schema_migrate(sqlite3 *sqlite, const char *path, const struct migration *migrations, unsigned latest,
    unsigned *schema, char *why, size_t room);

/* The same without copies, of a file that is one itself. */
bool schema_raise(sqlite3 *sqlite, const char *path, const struct migration *migrations, unsigned latest,
    unsigned *schema, char *why, size_t room);

#endif

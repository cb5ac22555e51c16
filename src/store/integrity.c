#include "store/integrity.h"

#include <stdio.h>
#include <string.h>

#include "store/query_private.h"
#include "store/schema_private.h"

enum {
	REFERENCES_MAX = 20, /* told at most; integrity_check has its own bound */
	LINE_MAX_SHOWN = 512
};

struct walk {
	void (*wrong)(void *arg, const char *line);
	void *arg;
};

/*
 * "ok" alone is what a sound file answers.  Else the first row has several lines, of which the first names
 * the database, and there is only one.
 */
static void
tell_pages(sqlite3_stmt *stmt, const struct walk *walk)
{
	char line[LINE_MAX_SHOWN];
	const char *text = (const char *)sqlite3_column_text(stmt, 0);
	if (text == NULL || strcmp(text, "ok") == 0)
		return;
	for (size_t len; *text != '\0'; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (len == 0 || strncmp(text, "*** in database ", 16) == 0)
			continue;
		snprintf(line, sizeof line, "%.*s", (int)len, text);
		walk->wrong(walk->arg, line);
	}
}

static void
tell_reference(sqlite3_stmt *stmt, const struct walk *walk)
{
	char line[256];
	const char *table = (const char *)sqlite3_column_text(stmt, 0),
		   *to = (const char *)sqlite3_column_text(stmt, 2);
	snprintf(
	    line, sizeof line, "a row of %s refers to none of %s", table == NULL ? "?" : table, to == NULL ? "?" : to);
	walk->wrong(walk->arg, line);
}

static enum fault
run(struct db *db, enum schema_statement statement, const char *name, unsigned max,
    void (*tell)(sqlite3_stmt *stmt, const struct walk *walk), const struct walk *walk)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(db->sqlite, schema_sql(statement), -1, &stmt, NULL);
	for (unsigned n = 0; code == SQLITE_OK && n < max; n++) {
		int step = sqlite3_step(stmt);
		if (step == SQLITE_DONE)
			break;
		if (step == SQLITE_ROW)
			tell(stmt, walk);
		else
			code = step;
	}
	enum fault fault = query_fault(db, name, code);
	sqlite3_finalize(stmt);
	return fault;
}

static void
tell_counts(sqlite3_stmt *stmt, const struct walk *walk)
{
	if (sqlite3_column_int(stmt, 0) != 1)
		walk->wrong(walk->arg, "it does not say rightly how many games of each status there are");
}

enum fault
integrity_check(struct db *db, void (*wrong)(void *arg, const char *line), void *arg)
{
	const struct walk walk = {wrong, arg};
	enum fault fault = run(db, SCHEMA_INTEGRITY_CHECK, "integrity_check", UINT32_MAX, tell_pages, &walk);
	if (fault == FAULT_NONE)
		fault = run(db, SCHEMA_FOREIGN_KEY_CHECK, "foreign_key_check", REFERENCES_MAX, tell_reference, &walk);
	if (fault == FAULT_NONE && db->schema == schema_latest)
		fault = run(db, SCHEMA_GAME_COUNTS_CHECK, "game_counts_check", 1, tell_counts, &walk);
	return fault;
}

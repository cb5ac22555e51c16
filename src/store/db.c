/* db.h: opening a data file in each of its modes, transactions, and the WAL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/connection_private.h"
#include "store/file.h"
#include "store/query_private.h"
#include "store/schema_private.h"

enum {
	SMALLEST = 512,        /* bytes of a database of one page of the smallest size */
	BUSY_RESTART_MS = 50,  /* that readers are waited for when the WAL is to begin anew or to be cut */
	WAL_CHECKPOINT = 2048, /* pages that may be added to the WAL before a checkpoint: 8 MiB */
	WAL_RESTART = 8192     /* pages from which a checkpoint waits for readers: 32 MiB */
};

static int
note_wal(void *arg, sqlite3 *sqlite, const char *name, int pages)
{
	struct db *db = arg;
	(void)sqlite;
	(void)name;
	db->wal_pages = (unsigned)pages;
	return SQLITE_OK;
}

/*
 * Looks at a file without locking, creating or recovering anything.  What its
 * WAL holds is not seen: schema_read is asked again on the real connection.
 */
static bool
preview(const char *path, char *why, size_t room)
{
	sqlite3 *sqlite = NULL;
	unsigned schema;
	bool ours = connection_open(path, true, SQLITE_OPEN_READONLY, &sqlite, why, room) &&
		    schema_read(sqlite, path, schema_latest, &schema, why, room);
	/* After a checkpoint that was broken off, or beside one, the file makes sense with its WAL only. */
	bool unclear = !ours && sqlite3_errcode(sqlite) != SQLITE_OK && file_has_wal(path);
	sqlite3_close(sqlite);
	return ours || unclear;
}

static bool
execute(struct db *db, enum schema_statement statement, const char *path, char *why, size_t room)
{
	if (sqlite3_exec(db->sqlite, schema_sql(statement), NULL, NULL, NULL) == SQLITE_OK)
		return true;
	return connection_refuse(why, room, path, db->sqlite);
}

/*
 * Where nobody serves and no WAL waits, an inspection needs no file beside the
 * data file; with the lock it keeps daemons from starting meanwhile, where it
 * may have one.
 */
static bool
open_inspect(struct db *db, const char *path, char *why, size_t room)
{
	bool served = lock_take(&db->lock, path, why, room) == LOCK_HELD_BY_OTHER;
	bool immutable = !served && !file_has_wal(path);
	return connection_open(path, immutable, SQLITE_OPEN_READONLY, &db->sqlite, why, room);
}

static bool
open_write(struct db *db, const char *path, char *why, size_t room)
{
	return lock_take(&db->lock, path, why, room) == LOCK_TAKEN &&
	       connection_open(path, false, SQLITE_OPEN_READWRITE, &db->sqlite, why, room);
}

/* The last connection to be closed checkpoints, whichever it is, so that readers too must be able to. */
static bool
open_read(struct db *db, const char *path, char *why, size_t room)
{
	return connection_open(path, false, SQLITE_OPEN_READWRITE, &db->sqlite, why, room);
}

static bool
is_wal(sqlite3 *sqlite)
{
	sqlite3_stmt *stmt = NULL;
	bool wal = sqlite3_prepare_v2(sqlite, schema_sql(SCHEMA_USE_WAL), -1, &stmt, NULL) == SQLITE_OK &&
		   sqlite3_step(stmt) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") == 0;
	sqlite3_finalize(stmt);
	return wal;
}

/* Brings a file of ours up to date, or makes one of ours of an empty file. */
static bool
settle_write(struct db *db, const char *path, char *why, size_t room)
{
	if (!is_wal(db->sqlite))
		return connection_refuse(why, room, path, db->sqlite);
	sqlite3_wal_hook(db->sqlite, note_wal, db);
	if (!schema_migrate(db->sqlite, path, schema_migrations, schema_latest, &db->schema, why, room))
		return false;
	/* The file itself shall say what it is, to who looks without the WAL. */
	sqlite3_wal_checkpoint_v2(db->sqlite, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	return execute(db, SCHEMA_SETTINGS_WRITER, path, why, room);
}

static bool
refuse_empty(const char *path, char *why, size_t room)
{
	snprintf(why, room, "%s is empty", path);
	return false;
}

static bool
settle_read(struct db *db, const char *path, char *why, size_t room)
{
	if (db->schema == schema_latest)
		return execute(db, SCHEMA_SETTINGS_READER, path, why, room);
	if (db->schema == 0)
		return refuse_empty(path, why, room);
	snprintf(why, room, "%s has schema %u, older than this program's %u: `iuvod migrate` brings it up to date",
	    path, db->schema, schema_latest);
	return false;
}

static bool
prepare_statements(struct db *db, const char *path, char *why, size_t room)
{
	for (int i = 0; i < STATEMENT_COUNT; i++) {
		int code = sqlite3_prepare_v3(
		    db->sqlite, query_texts[i].sql, -1, SQLITE_PREPARE_PERSISTENT, &db->statements[i], NULL);
		if (code != SQLITE_OK) {
			snprintf(why, room, "cannot prepare %s on %s: %s", query_texts[i].name, path,
			    sqlite3_errmsg(db->sqlite));
			return false;
		}
	}
	return true;
}

static bool
open_all(struct db *db, const char *path, char *why, size_t room)
{
	static bool (*const open_mode[])(struct db *, const char *, char *, size_t) = {
	    [DB_WRITE] = open_write, [DB_READ] = open_read, [DB_INSPECT] = open_inspect, [DB_COPY] = open_inspect};
	uint64_t size;
	if (!file_check(path, db->mode, &size, why, room))
		return false;
	/* SQLite takes a file of one byte for an empty one and would write over it. */
	if (size > 0 && size < SMALLEST && !file_has_wal(path)) {
		snprintf(why, room, "%s is not a database", path);
		return false;
	}
	if (size > 0 && !preview(path, why, room))
		return false;
	if (!open_mode[db->mode](db, path, why, room))
		return false;
	if (!schema_read(db->sqlite, path, schema_latest, &db->schema, why, room))
		return false;
	if (!execute(db, SCHEMA_SETTINGS, path, why, room))
		return false;
	if (db->mode == DB_COPY && db->schema > 0 && db->schema < schema_latest)
		return true; /* its rows are not those that the statements ask for */
	if (!(db->mode == DB_WRITE ? settle_write : settle_read)(db, path, why, room))
		return false;
	if (!prepare_statements(db, path, why, room))
		return false;
	if (db->mode != DB_INSPECT)
		sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	return true;
}

struct db *
db_open(const char *path, enum db_mode mode, char *why, size_t room)
{
	struct db *db = memory_take(sizeof *db);
	if (db == NULL) {
		connection_refuse(why, room, path, NULL);
		return NULL;
	}
	*db = (struct db){.mode = mode, .lock = {NULL, -1}};
	if (open_all(db, path, why, room))
		return db;
	db_close(db);
	return NULL;
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(db->statements[i]);
	sqlite3_close(db->sqlite);
	lock_give(&db->lock);
	free(db);
}

unsigned
db_schema_latest(void)
{
	return schema_latest;
}

unsigned
db_schema(struct db *db)
{
	return db->schema;
}

const char *
db_migration(unsigned schema)
{
	return schema_migrations[schema - 1].name;
}

static enum fault
run(struct db *db, enum statement statement)
{
	struct query query = query_begin(db, statement);
	return query_run(&query);
}

enum fault
db_read_begin(struct db *db)
{
	return run(db, STATEMENT_READ_BEGIN);
}

enum fault
db_write_begin(struct db *db)
{
	db->damaged = false;
	return run(db, STATEMENT_WRITE_BEGIN);
}

enum fault
db_savepoint(struct db *db)
{
	return run(db, STATEMENT_SAVEPOINT);
}

enum fault
db_release(struct db *db)
{
	return run(db, STATEMENT_RELEASE);
}

enum fault
db_rollback_to(struct db *db)
{
	enum fault fault = run(db, STATEMENT_ROLLBACK_TO);
	/* Going back to a savepoint leaves it standing. */
	return fault != FAULT_NONE ? fault : db_release(db);
}

enum fault
db_commit(struct db *db)
{
	return run(db, STATEMENT_COMMIT);
}

void
db_end(struct db *db)
{
	if (db_in_transaction(db))
		run(db, STATEMENT_ROLLBACK);
}

bool
db_in_transaction(struct db *db)
{
	return !sqlite3_get_autocommit(db->sqlite);
}

bool
db_damaged(const struct db *db)
{
	return db->damaged;
}

void
db_scrub(struct db *db)
{
	db->scrub = true;
}

static bool
cut_wal(struct db *db)
{
	sqlite3_busy_timeout(db->sqlite, BUSY_RESTART_MS);
	int code = sqlite3_wal_checkpoint_v2(db->sqlite, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(db->sqlite, CONNECTION_BUSY_MS);
	return code == SQLITE_OK;
}

void
db_checkpoint(struct db *db)
{
	if (db->scrub && cut_wal(db)) {
		db->scrub = false;
		db->wal_pages = db->wal_looked_at = 0;
	}
	if (db->wal_pages < db->wal_looked_at)
		db->wal_looked_at = 0; /* it has begun anew since */
	if (db->wal_pages - db->wal_looked_at < WAL_CHECKPOINT)
		return;
	bool restart = db->wal_pages >= WAL_RESTART;
	sqlite3_busy_timeout(db->sqlite, BUSY_RESTART_MS);
	sqlite3_wal_checkpoint_v2(
	    db->sqlite, NULL, restart ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	sqlite3_busy_timeout(db->sqlite, CONNECTION_BUSY_MS);
	/* Whether it succeeded or somebody was in the way: the next try is as many pages away. */
	db->wal_looked_at = db->wal_pages;
}

enum fault
db_probe(struct db *db)
{
	enum fault fault = db_write_begin(db);
	if (fault == FAULT_NONE)
		fault = run(db, STATEMENT_PROBE);
	if (fault == FAULT_NONE)
		fault = db_commit(db);
	db_end(db);
	return fault;
}

const char *
db_error(struct db *db)
{
	return db->error;
}

void
db_statistics(struct db *db, void (*each)(void *arg, const char *name, uint64_t runs, uint64_t scanned), void *arg)
{
	for (int i = 0; i < STATEMENT_COUNT; i++) {
		int runs = sqlite3_stmt_status(db->statements[i], SQLITE_STMTSTATUS_RUN, 0);
		int scanned = sqlite3_stmt_status(db->statements[i], SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
		each(arg, query_texts[i].name, (uint64_t)runs, (uint64_t)scanned);
	}
}

/*
 * The data file: one SQLite database in WAL mode, `synchronous=FULL`.  One
 * connection of mode DB_WRITE belongs to the writer thread; each loop thread
 * has one of mode DB_READ.  A connection is used by one thread at a time.
 *
 * No header of store/ names a type of SQLite.
 */
#ifndef IUVOD_STORE_DB_H
#define IUVOD_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

struct db;

enum db_mode {
	DB_WRITE,   /* creates the file if need be, migrates it, may write; one at a time, also among processes */
	DB_READ,    /* query_only: serving */
	DB_INSPECT, /* for `verify`: the file must exist and is neither created nor migrated nor changed */
	DB_COPY, /* the same of any schema that this program knows: of an older one for copy.h and integrity.h alone */
};

/*
 * Opens the data file and prepares every statement of sql/queries.sql.  On
 * failure returns NULL with a line for the operator in why[room]: not a
 * database, another application's, a newer schema, no permission, …; the file
 * is then as it was.
 */
struct db *db_open(const char *path, enum db_mode mode, char *why, size_t room);

/* NULL is allowed.  Checkpoints if it was the last connection. */
void db_close(struct db *db);

/* The newest migration this program knows, and that the file has. */
unsigned db_schema_latest(void);
unsigned db_schema(struct db *db);

/* The name of the migration that leads to a schema from 1 to db_schema_latest. */
const char *db_migration(unsigned schema);

/*
 * Transactions.  db_read_begin/db_end around every call of the read lane; the
 * writer: db_write_begin (BEGIN IMMEDIATE), for each call db_savepoint and
 * db_release or db_rollback_to, then db_commit.
 *
 * FAULT_STORAGE or FAULT_OUT_OF_MEMORY on failure, here and in all that reads
 * and writes rows; FAULT_DAMAGED_DATA where a page or a row cannot be what was written; FAULT_INTERNAL if what was to
 * be written contradicts what is stored (two moves for one ply) or itself.  After any fault ask db_in_transaction:
 * SQLite may have rolled the whole of it back, and then every call of the batch has failed.  After a failed db_commit
 * the outcome is unknown: the writer must close the connection and open a new one.
 */
enum fault db_read_begin(struct db *db);
enum fault db_write_begin(struct db *db);
enum fault db_savepoint(struct db *db);
enum fault db_release(struct db *db);
enum fault db_rollback_to(struct db *db);
enum fault db_commit(struct db *db);
void db_end(struct db *db); /* ROLLBACK if a transaction is open: ends a read, abandons a write */
bool db_in_transaction(struct db *db);

/*
 * Whether damage was met since db_write_begin (FAULT_DAMAGED_DATA): SQLite commits nothing of such a
 * transaction.  What else it was to do must be done again, in another.
 */
bool db_damaged(const struct db *db);

/* Runs a checkpoint if the WAL is longer than it should be; the writer calls it between batches. */
void db_checkpoint(struct db *db);

/*
 * Something was deleted that shall be found nowhere: when it is committed, the
 * WAL, which has older copies of what was written, is brought into the file and cut.  At the next
 * db_checkpoint at which no reader is in the way; at the latest when the file is closed.
 */
void db_scrub(struct db *db);

/* Writes a row in a transaction of its own, to learn whether the disk takes writes (GET /readyz).  Writer only. */
enum fault db_probe(struct db *db);

/* Details of the last failure of this connection, for the log; never for an answer. */
const char *db_error(struct db *db);

/*
 * Calls back for each statement with its name, how often it ran and how many
 * rows it stepped over in full table scans, for the test that forbids them.
 */
void db_statistics(
    struct db *db, void (*each)(void *arg, const char *name, uint64_t runs, uint64_t scanned), void *arg);

#endif

/* Inside store/ only: the data file as the file system knows it. */
#ifndef IUVOD_STORE_FILE_H
#define IUVOD_STORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/db.h"

/*
 * Whether the file can be what the mode needs: a regular file that may be read
 * and, for DB_WRITE, written; it is created, empty, if DB_WRITE finds none.
 * Otherwise false, with a line in why[room].
 */
bool file_check(const char *path, enum db_mode mode, uint64_t *size, char *why, size_t room);

/*
 * The name by which SQLite opens it, whatever characters it has.  Immutable: no
 * lock is taken, no file is created, a WAL is not looked at.  From malloc; NULL if there is no memory.
 */
char *file_uri(const char *path, bool immutable);

/* The file itself, symbolic links resolved, with a suffix.  From malloc; NULL if there is no memory. */
char *file_beside(const char *path, const char *suffix);

/* Whether there is a WAL with something in it. */
bool file_has_wal(const char *path);

/* What is written and its name survive a power cut; false with errno if that cannot be said. */
bool file_sync(const char *name);

#endif

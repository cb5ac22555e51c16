/* Inside store/ only: a connection of SQLite to a file, before anything is asked of it. */
#ifndef IUVOD_STORE_CONNECTION_PRIVATE_H
#define IUVOD_STORE_CONNECTION_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONNECTION_BUSY_MS = 1000 }; /* how long another program (a backup, the sqlite3 shell) may be in the way */

/*
 * Opens a connection and hardens it; nothing is read from the file yet.  What is
 * in *sqlite then must be closed, also on failure.  Immutable: see file_uri.
 */
bool connection_open(const char *path, bool immutable, int flags, sqlite3 **sqlite, char *why, size_t room);

/* Says that the file cannot be opened, and why; NULL for lack of memory.  Always false. */
bool connection_refuse(char *why, size_t room, const char *path, sqlite3 *sqlite);

#endif

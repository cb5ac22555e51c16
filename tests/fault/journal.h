/*
 * A journal of what a process asked of its disk, in the order in which it asked
 * (the file named by IUVOD_SHIM_JOURNAL; none without it).  With the files as
 * they were before, and with what was synced, a test makes of it what a power
 * cut may have left: disk.py.  All functions may be called from any thread.
 */
#ifndef IUVOD_TESTS_JOURNAL_H
#define IUVOD_TESTS_JOURNAL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum journal_kind { JOURNAL_WRITE = 1, JOURNAL_LENGTH, JOURNAL_SYNC, JOURNAL_MADE, JOURNAL_GONE, JOURNAL_MOVED };

/* Held around an entry and what it tells of, so that the two have one order. */
extern pthread_mutex_t journal_mutex;

void journal_open(const char *path);

/* Bytes of the journal until now; 0 if there is none. */
uint64_t journal_mark(void);

/*
 * Writes an entry of the open file, or of the one that `name` names (file < 0).
 * bytes: those written, or the names, each with its NUL.  at: where it is written, the new
 * length, or how long the journal was when the sync began.
 */
void journal_file(enum journal_kind kind, int file, int64_t at, const void *bytes, size_t len);
void journal_name(enum journal_kind kind, const char *name, const char *to);

#endif

/* Whether a data file hangs together as SQLite sees it: pages, indexes, constraints, references, counts. */
#ifndef IUVOD_STORE_INTEGRITY_H
#define IUVOD_STORE_INTEGRITY_H

#include "store/db.h"

/*
 * Looks through the whole file, as it stands at one moment; `wrong` is called with a
 * line for what is found, at most some twenty times.  FAULT_STORAGE or
 * FAULT_OUT_OF_MEMORY if it could not be done.  In no transaction.
 */
enum fault integrity_check(struct db *db, void (*wrong)(void *arg, const char *line), void *arg);

#endif

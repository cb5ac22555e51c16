/* What each statement of a connection cost, for the log at its end: a test forbids whole-table scans with it. */
#ifndef IUVOD_HTTP_STATISTICS_H
#define IUVOD_HTTP_STATISTICS_H

#include "store/db.h"

/* At debug level: a line `event=statement name=… runs=… scanned=…` for each statement that ran. */
void statistics_log(struct db *db);

#endif

#include "http/statistics.h"

#include <inttypes.h>

#include "base/log.h"

static void
log_one(void *arg, const char *name, uint64_t runs, uint64_t scanned)
{
	(void)arg;
	if (runs > 0)
		log_line(LOG_DEBUG, "statement", "name=%s runs=%" PRIu64 " scanned=%" PRIu64, name, runs, scanned);
}

void
statistics_log(struct db *db)
{
	if (db != NULL && log_enabled(LOG_DEBUG))
		db_statistics(db, log_one, NULL);
}

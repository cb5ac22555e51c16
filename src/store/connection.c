#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/connection_private.h"
#include "store/file.h"
#include "store/vfs_private.h"

/* Each connection belongs to one thread, and a count of all allocations would be a lock that all of them take. */
static void
prepare_library(void)
{
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_initialize();
	vfs_register();
}

bool
connection_refuse(char *why, size_t room, const char *path, sqlite3 *sqlite)
{
	snprintf(why, room, "cannot open %s: %s", path, sqlite == NULL ? "out of memory" : sqlite3_errmsg(sqlite));
	return false;
}

bool
connection_open(const char *path, bool immutable, int flags, sqlite3 **sqlite, char *why, size_t room)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, prepare_library);
	char *uri = file_uri(path, immutable);
	if (uri == NULL)
		return connection_refuse(why, room, path, NULL);
	int code =
	    sqlite3_open_v2(uri, sqlite, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	free(uri);
	if (code != SQLITE_OK)
		return connection_refuse(why, room, path, *sqlite);
	sqlite3_db_config(*sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(*sqlite, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(*sqlite, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	/* A file that turns out not to be ours is left as it is. */
	sqlite3_db_config(*sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_busy_timeout(*sqlite, CONNECTION_BUSY_MS);
	return true;
}

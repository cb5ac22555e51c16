/* The row of `alive`: when the service was last seen to run, and what it still has to give back of the time before. */
#ifndef IUVOD_STORE_ALIVE_H
#define IUVOD_STORE_ALIVE_H

#include "store/db.h"

struct alive_row {
	int64_t at_ms;   /* 0: never */
	int64_t owed_ms; /* that the games behind `given` have not got back yet; 0: nothing is owed */
	int64_t given;   /* key of a game */
};

enum fault alive_read(struct db *db, struct alive_row *row);
enum fault alive_write(struct db *db, const struct alive_row *row);

#endif

/*
 * The whole server as text, a line of JSON for each row: `iuvod dump` and `iuvod load`.
 *
 * The first line is {"iuvod_dump":1,"schema":N}.  Then {"table":"games", …} with
 * every column by name: numbers, texts, null; bytes are lower-case hex.  The last
 * is {"table":"end","rows":N}: what was cut off is not taken for the whole.
 * Equal data give equal bytes.
 */
#ifndef IUVOD_STORE_DUMP_H
#define IUVOD_STORE_DUMP_H

#include <stdio.h>

#include "store/copy.h"

enum { DUMP_VERSION = 1, DUMP_LINE_MAX = 1024 * 1024 /* bytes of a line that is read */ };

/*
 * Writes all rows as they stand at one moment, a row at a time; others may go on to
 * write.  False with a line for the operator in why[room].
 */
bool dump_write(struct db *db, FILE *out, char *why, size_t room);

/*
 * Makes a data file of them, in a copy that is empty or has no rows.  False, with the number of the
 * line in why[room], if anything is not as dump_write writes it or contradicts itself.
 */
bool dump_read(struct copy *copy, FILE *in, char *why, size_t room);

#endif

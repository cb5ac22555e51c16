/*
 * Cursors of lists: where a page ended, as opaque text.  A cursor names a game
 * by its public id, and carries a checksum over the filters it was issued for, so
 * that it is good for that list alone.  It is no secret and grants nothing.
 */
#ifndef IUVOD_API_CURSOR_H
#define IUVOD_API_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/token.h"

enum { CURSOR_LEN = 2 + ID_LEN + 16 + 16 };

struct cursor {
	char id[ID_LEN + 1]; /* of the last game of the page before */
	int64_t updated_ms;  /* when it had changed, as that page saw it */
};

/* filters: the filters of the list, written out in one certain way. */
void cursor_write(const struct cursor *cursor, const char *filters, char text[CURSOR_LEN + 1]);

/* False if the text is no cursor of the list with these filters. */
bool cursor_read(const char *text, const char *filters, struct cursor *cursor);

#endif

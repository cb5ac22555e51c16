/* A page of a list of games, and the way to the next one (HTTP.md rule 11). */
#ifndef IUVOD_API_PAGE_H
#define IUVOD_API_PAGE_H

#include "api/call.h"
#include "api/cursor.h"
#include "store/games.h"

struct page {
	const char *target;  /* of the list: path and query without its cursor, encoded, in one certain order */
	const char *cursor;  /* as it was sent; NULL for the first page */
	struct cursor after; /* the same, read */
};

/*
 * Writes down which list it is, by its path (without the base path) and those of
 * these parameters that were sent (names ends with NULL), and reads its cursor.
 * FAULT_INVALID_CURSOR, FAULT_OUT_OF_MEMORY.
 */
enum fault page_prepare(struct call *call, const char *path, const char *const *names, struct page *page);

/* From the id in the cursor to the key behind which the page begins; 0 for the first.  FAULT_INVALID_CURSOR. */
enum fault page_after(struct call *call, const struct page *page, int64_t *game);

/* Replies with the page.  place_ms: what the last row is ordered by besides its key, if there is another page. */
enum fault page_reply(struct call *call, const struct page *page, const struct game_row *rows, unsigned count,
    bool more, int64_t place_ms);

#endif

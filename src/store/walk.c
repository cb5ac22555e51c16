#include "store/walk.h"

#include "store/query_private.h"

/* False at the end, and at a row that makes no sense. */
static bool
read_row(struct query *query, struct walk_row *row)
{
	if (!query_next(query))
		return false;
	*row = (struct walk_row){.game = query_int(query, 0),
	    .open = query_int(query, 1) != 0,
	    .clock = query_int(query, 2) != 0,
	    .offers = query_int(query, 3) != 0,
	    .deadline_ms = query_key(query, 4),
	    .due_ms = query_key(query, 5)};
	return query->code == SQLITE_OK;
}

enum fault
walk_games(struct db *db, int64_t after, struct walk_row *rows, unsigned max, unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_WALK_GAMES);
	/* Not `above after`: that would be looked for on the page of the key itself, which may be the one that is
	 * damaged. */
	query_put_int(&query, after + 1);
	query_put_int(&query, max);
	while (n < max && read_row(&query, &rows[n]))
		n++;
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE || fault == FAULT_DAMAGED_DATA)
		*count = n;
	return fault;
}

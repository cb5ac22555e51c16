/* Rows of endings (moves.h). */
#include "store/moves.h"

#include "store/query_private.h"

enum fault
endings_insert(struct db *db, int64_t game, unsigned n, const struct ending_row *row)
{
	struct query query = query_begin(db, STATEMENT_ENDINGS_INSERT);
	query_put_int(&query, game);
	query_put_int(&query, n);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seat);
	query_put_text(&query, row->reason);
	query_put_text(&query, row->position);
	query_put_int(&query, row->at_ms);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct ending_row *row)
{
	row->ply = query_count(query, 0, QUERY_PLIES);
	row->seat = query_count(query, 1, QUERY_SEATS);
	row->reason = query_text(query, 2, arena);
	row->position = query_text(query, 3, arena);
	row->at_ms = query_int(query, 4);
}

enum fault
endings_of(struct db *db, struct arena *arena, int64_t game, struct ending_row *rows, unsigned max, unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_ENDINGS_OF);
	query_put_int(&query, game);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	return query_end_count(&query, n, count);
}

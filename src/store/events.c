#include "store/events.h"

#include "store/statement.h"

enum fault
events_insert(struct db *db, int64_t game, const struct event_row *row)
{
	struct query query = query_begin(db, STATEMENT_EVENTS_INSERT);
	query_put_int(&query, game);
	query_put_int(&query, row->seq);
	query_put_text(&query, row->type);
	query_put_int(&query, row->at_ms);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seat);
	query_put_text(&query, row->data);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct event_row *row)
{
	row->seq = (unsigned)query_int(query, 0);
	row->type = query_text(query, 1, arena);
	row->at_ms = query_int(query, 2);
	row->ply = (unsigned)query_int(query, 3);
	row->seat = (unsigned)query_int(query, 4);
	row->data = query_text(query, 5, arena);
}

enum fault
events_of(struct db *db, struct arena *arena, int64_t game, unsigned after, struct event_row *rows, unsigned max,
    unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_EVENTS_OF);
	query_put_int(&query, game);
	query_put_int(&query, after);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

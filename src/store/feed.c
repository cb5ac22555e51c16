#include "store/feed.h"

#include "store/query_private.h"

enum fault
feed_append(struct db *db, int64_t player, int64_t game, struct feed_row *row)
{
	struct query query = query_begin(db, STATEMENT_PLAYERS_COUNT);
	query_put_int(&query, player);
	int64_t seq;
	enum fault fault = query_end_number(&query, &seq);
	if (fault != FAULT_NONE)
		return fault;
	query = query_begin(db, STATEMENT_FEED_INSERT);
	query_put_int(&query, player);
	query_put_int(&query, seq);
	query_put_int(&query, game);
	query_put_int(&query, row->event.seq);
	query_put_int(&query, row->event.ply);
	query_put_int(&query, row->seats);
	query_put_int(&query, row->turn);
	fault = query_run(&query);
	if (fault == FAULT_NONE)
		row->seq = seq;
	return fault;
}

static void
read_row(struct query *query, struct arena *arena, struct feed_row *row)
{
	row->seq = query_int(query, 0);
	row->seats = query_count(query, 1, 1U << QUERY_SEATS);
	row->turn = query_int(query, 2) != 0;
	query_id(query, 3, row->id, sizeof row->id);
	row->event.seq = query_count(query, 4, QUERY_SEQ);
	row->event.type = query_text(query, 5, arena);
	row->event.at_ms = query_int(query, 6);
	row->event.ply = query_count(query, 7, QUERY_PLIES);
	row->event.seat = query_count(query, 8, QUERY_SEATS);
	row->event.data = query_text(query, 9, arena);
}

enum fault
feed_of(struct db *db, struct arena *arena, int64_t player, int64_t after, struct feed_row *rows, unsigned max,
    unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_FEED_OF);
	query_put_int(&query, player);
	query_put_int(&query, after);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	return query_end_count(&query, n, count);
}

enum fault
feed_since(struct db *db, int64_t after, struct feed_news *news, unsigned max, unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_FEED_SINCE);
	query_put_int(&query, after);
	query_put_int(&query, max);
	while (n < max && query_next(&query)) {
		news[n].entry = query_int(&query, 0);
		news[n++].player = query_int(&query, 1);
	}
	return query_end_count(&query, n, count);
}

enum fault
feed_last(struct db *db, int64_t *entry)
{
	struct query query = query_begin(db, STATEMENT_FEED_LAST);
	return query_end_number(&query, entry);
}

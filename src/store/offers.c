#include "store/offers.h"

#include "store/query_private.h"

enum fault
offers_insert(struct db *db, int64_t game, const struct offer_row *row)
{
	struct query query = query_begin(db, STATEMENT_OFFERS_INSERT);
	query_put_int(&query, game);
	query_put_text(&query, row->id);
	query_put_text(&query, row->kind);
	query_put_int(&query, row->seat);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->subject);
	query_put_int(&query, row->asked);
	query_put_int(&query, row->accepted);
	query_put_int(&query, row->declined);
	query_put_int(&query, row->at_ms);
	query_put_key(&query, row->due_ms);
	return query_run(&query);
}

enum fault
offers_update(struct db *db, int64_t game, const struct offer_row *row)
{
	struct query query = query_begin(db, STATEMENT_OFFERS_UPDATE);
	query_put_int(&query, row->asked);
	query_put_int(&query, row->accepted);
	query_put_int(&query, row->declined);
	query_put_key(&query, row->due_ms);
	query_put_int(&query, game);
	query_put_text(&query, row->id);
	return query_run(&query);
}

enum fault
offers_delete(struct db *db, int64_t game, const char *id)
{
	struct query query = query_begin(db, STATEMENT_OFFERS_DELETE);
	query_put_int(&query, game);
	query_put_text(&query, id);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct offer_row *row)
{
	query_id(query, 0, row->id, sizeof row->id);
	row->kind = query_text(query, 1, arena);
	row->seat = query_count(query, 2, QUERY_SEATS);
	row->ply = query_count(query, 3, QUERY_PLIES);
	row->subject = query_count(query, 4, QUERY_SEATS);
	row->asked = query_count(query, 5, 1U << QUERY_SEATS);
	row->accepted = query_count(query, 6, 1U << QUERY_SEATS);
	row->declined = query_count(query, 7, 1U << QUERY_SEATS);
	row->at_ms = query_int(query, 8);
	row->due_ms = query_key(query, 9);
}

enum fault
offers_of(struct db *db, struct arena *arena, int64_t game, struct offer_row *rows, unsigned max, unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_OFFERS_OF);
	query_put_int(&query, game);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	return query_end_count(&query, n, count);
}

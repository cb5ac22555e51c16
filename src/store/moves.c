#include "store/moves.h"

#include "store/statement.h"

enum fault
moves_insert(struct db *db, int64_t game, const struct move_row *row)
{
	struct query query = query_begin(db, STATEMENT_MOVES_INSERT);
	query_put_int(&query, game);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seat);
	query_put_text(&query, row->move);
	query_put_text(&query, row->path);
	query_put_text(&query, row->kind);
	query_put_int(&query, (int64_t)row->left);
	query_put_text(&query, row->position);
	query_put_text(&query, row->out);
	query_put_int(&query, row->at_ms);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct move_row *row)
{
	row->ply = (unsigned)query_int(query, 0);
	row->seat = (unsigned)query_int(query, 1);
	row->move = query_text(query, 2, arena);
	row->path = query_text(query, 3, arena);
	row->kind = query_text(query, 4, arena);
	row->left = (uint64_t)query_int(query, 5);
	row->position = query_text(query, 6, arena);
	row->out = query_text(query, 7, arena);
	row->at_ms = query_int(query, 8);
}

enum fault
moves_at(struct db *db, struct arena *arena, int64_t game, unsigned ply, struct move_row *row)
{
	struct move_row found;
	struct query query = query_begin(db, STATEMENT_MOVES_AT);
	query_put_int(&query, game);
	query_put_int(&query, ply);
	bool any = query_next(&query);
	if (any)
		read_row(&query, arena, &found);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE && !any)
		return FAULT_NO_SUCH_PLY;
	if (fault == FAULT_NONE)
		*row = found;
	return fault;
}

enum fault
moves_of(struct db *db, struct arena *arena, int64_t game, unsigned first, struct move_row *rows, unsigned max,
    unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_MOVES_OF);
	query_put_int(&query, game);
	query_put_int(&query, first);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

enum fault
moves_left_count(struct db *db, int64_t game, uint64_t left, unsigned *count)
{
	struct query query = query_begin(db, STATEMENT_MOVES_LEFT_COUNT);
	query_put_int(&query, game);
	query_put_int(&query, (int64_t)left);
	unsigned times = query_next(&query) ? (unsigned)query_int(&query, 0) : 0;
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*count = times;
	return fault;
}

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
read_ending(struct query *query, struct arena *arena, struct ending_row *row)
{
	row->ply = (unsigned)query_int(query, 0);
	row->seat = (unsigned)query_int(query, 1);
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
		read_ending(&query, arena, &rows[n++]);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

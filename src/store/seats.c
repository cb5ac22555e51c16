#include "store/seats.h"

#include "store/players.h"
#include "store/query_private.h"

/* Runs what writes a seat, and notes its player. */
static enum fault
run_and_note(struct query *query, struct db *db, int64_t game, int64_t player)
{
	enum fault fault = query_run(query);
	return fault != FAULT_NONE || player == 0 ? fault : players_note(db, player, game);
}

enum fault
seats_insert(struct db *db, int64_t game, bool listed, const struct seat_row *row)
{
	struct query query = query_begin(db, STATEMENT_SEATS_INSERT);
	query_put_int(&query, game);
	query_put_int(&query, row->seat);
	query_put_text(&query, row->name);
	query_put_text(&query, row->kind);
	query_put_int(&query, row->level);
	query_put_int(&query, row->own);
	query_put_text(&query, row->out_reason);
	query_put_natural(&query, row->remaining_ms);
	query_put_int(&query, listed);
	query_put_key(&query, row->player);
	query_put_int(&query, row->namesake);
	return run_and_note(&query, db, game, row->player);
}

enum fault
seats_out(struct db *db, int64_t game, unsigned seat, const char *reason)
{
	struct query query = query_begin(db, STATEMENT_SEATS_OUT);
	query_put_text(&query, reason);
	query_put_int(&query, game);
	query_put_int(&query, seat);
	return query_run(&query);
}

enum fault
seats_hold(struct db *db, int64_t game, const struct seat_row *row)
{
	struct query query = query_begin(db, STATEMENT_SEATS_HOLD);
	query_put_text(&query, row->name);
	query_put_text(&query, row->kind);
	query_put_int(&query, row->own);
	query_put_key(&query, row->player);
	query_put_int(&query, row->namesake);
	query_put_int(&query, game);
	query_put_int(&query, row->seat);
	return run_and_note(&query, db, game, row->player);
}

enum fault
seats_due(struct db *db, int64_t game, const struct seat_row *row)
{
	struct query query = query_begin(db, STATEMENT_SEATS_DUE);
	query_put_key(&query, row->due_ms);
	query_put_int(&query, game);
	query_put_int(&query, row->seat);
	return query_run(&query);
}

enum fault
seats_remaining(struct db *db, int64_t game, const struct seat_row *row)
{
	struct query query = query_begin(db, STATEMENT_SEATS_REMAINING);
	query_put_natural(&query, row->remaining_ms);
	query_put_int(&query, game);
	query_put_int(&query, row->seat);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct seat_row *row)
{
	row->seat = query_count(query, 0, QUERY_SEATS);
	row->name = query_text_or_null(query, 1, arena);
	row->kind = query_text(query, 2, arena);
	row->level = query_count(query, 3, QUERY_PLIES);
	row->own = query_int(query, 4) != 0;
	row->out_reason = query_text_or_null(query, 5, arena);
	row->remaining_ms = query_natural(query, 6);
	row->due_ms = query_key(query, 7);
	row->namesake = query_int(query, 8) != 0;
	row->player = query_key(query, 9);
	row->player_id[0] = '\0';
	if (row->player != 0)
		query_id(query, 10, row->player_id, sizeof row->player_id);
}

enum fault
seats_of(struct db *db, struct arena *arena, int64_t game, struct seat_row *rows, unsigned max, unsigned *count)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_SEATS_OF);
	query_put_int(&query, game);
	query_put_int(&query, max);
	while (n < max && query_next(&query))
		read_row(&query, arena, &rows[n++]);
	return query_end_count(&query, n, count);
}

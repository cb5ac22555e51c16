#include "store/events.h"

#include <string.h>

#include "store/query_private.h"

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

enum fault
events_tip(struct db *db, int64_t game, struct event_tip *tip)
{
	struct query query = query_begin(db, STATEMENT_EVENTS_TIP);
	query_put_int(&query, game);
	bool found = query_next(&query);
	struct event_tip last = {0};
	if (found)
		last = (struct event_tip){
		    query_count(&query, 0, QUERY_SEQ), query_count(&query, 1, QUERY_PLIES), query_int(&query, 2) != 0};
	enum fault fault = query_end_found(&query, found, FAULT_NO_SUCH_GAME);
	if (fault == FAULT_NONE)
		*tip = last;
	return fault;
}

static void
read_row(struct query *query, struct arena *arena, struct event_row *row)
{
	row->seq = query_count(query, 0, QUERY_SEQ);
	row->type = query_text(query, 1, arena);
	row->at_ms = query_int(query, 2);
	row->ply = query_count(query, 3, QUERY_PLIES);
	row->seat = query_count(query, 4, QUERY_SEATS);
	row->data = query_text(query, 5, arena);
}

/*
 * How many of the events up to seq lie in rows of moves: all that have no row of
 * their own, seq having no gaps.  So many plies need not be looked at.
 */
static enum fault
count_in_moves(struct db *db, int64_t game, unsigned seq, int64_t *count)
{
	struct query query = query_begin(db, STATEMENT_EVENTS_COUNT);
	query_put_int(&query, game);
	query_put_int(&query, seq);
	int64_t others;
	enum fault fault = query_end_number(&query, &others);
	if (fault == FAULT_NONE)
		*count = others < seq ? seq - others : 0;
	return fault;
}

/* Reads from whichever has the lower seq next. */
static unsigned
merge(struct query *own, struct query *moves, struct arena *arena, struct event_row *rows, unsigned max)
{
	unsigned n = 0;
	bool own_next = query_next(own), move_next = query_next(moves);
	while (n < max && (own_next || move_next)) {
		bool take_own = own_next && (!move_next || query_int(own, 0) < query_int(moves, 0));
		struct event_row *row = &rows[n++];
		read_row(take_own ? own : moves, arena, row);
		row->taken_back = take_own && row->type != NULL && strcmp(row->type, "move_played") == 0;
		if (take_own)
			own_next = query_next(own);
		else
			move_next = query_next(moves);
	}
	return n;
}

enum fault
events_of(struct db *db, struct arena *arena, int64_t game, unsigned after, struct event_row *rows, unsigned max,
    unsigned *count)
{
	int64_t plies;
	enum fault fault = count_in_moves(db, game, after, &plies);
	if (fault != FAULT_NONE)
		return fault;
	struct query own = query_begin(db, STATEMENT_EVENTS_OF);
	query_put_int(&own, game);
	query_put_int(&own, after);
	query_put_int(&own, max);
	struct query moves = query_begin(db, STATEMENT_EVENTS_IN_MOVES);
	query_put_int(&moves, game);
	query_put_int(&moves, plies);
	query_put_int(&moves, after);
	query_put_int(&moves, max);
	unsigned n = merge(&own, &moves, arena, rows, max);
	fault = query_end(&own);
	enum fault other = query_end(&moves);
	if (fault == FAULT_NONE)
		fault = other;
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

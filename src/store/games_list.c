/* Pages of games: which filters there are, and the statement for each. */
#include <string.h>

#include "store/games_private.h"

enum { BY_VARIANT = 1, BY_STATUS = 2, BY_TURN = 4, BY_NAME = 8, BY_UPDATED = 16 };

/* Every combination that is served: one index for each, so that a page costs the same however deep. */
#define LIST_TABLE(L) \
	L("variant", BY_VARIANT, STATEMENT_LIST_VARIANT) \
	L("status", BY_STATUS, STATEMENT_LIST_STATUS) \
	L("variant, status", BY_VARIANT | BY_STATUS, STATEMENT_LIST_VARIANT_STATUS) \
	L("turn", BY_TURN, STATEMENT_LIST_TURN) \
	L("status, turn", BY_STATUS | BY_TURN, STATEMENT_LIST_TURN) \
	L("name", BY_NAME, STATEMENT_LIST_NAME) \
	L("updated_since", BY_UPDATED, STATEMENT_LIST_UPDATED)

const char *const games_filters[] = {
#define L(text, filters, statement) text,
    LIST_TABLE(L)
#undef L
	NULL};

static const struct {
	unsigned filters;
	enum statement statement;
} lists[] = {{0, STATEMENT_LIST},
#define L(text, filters, statement) {filters, statement},
    LIST_TABLE(L)
#undef L
};

static bool
find_list(const struct games_filter *filter, unsigned *filters, enum statement *statement)
{
	*filters = (filter->variant != NULL ? BY_VARIANT : 0) | (filter->status != NULL ? BY_STATUS : 0) |
		   (filter->turn != 0 ? BY_TURN : 0) | (filter->name != NULL ? BY_NAME : 0) |
		   (filter->updated_since_ms >= 0 ? BY_UPDATED : 0);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (lists[i].filters != *filters)
			continue;
		*statement = lists[i].statement;
		return true;
	}
	return false;
}

/* What the page begins behind. */
static void
put_place(struct query *query, const struct games_filter *filter, unsigned filters)
{
	if (!(filters & BY_UPDATED)) {
		query_put_int(query, filter->after_game == 0 ? INT64_MAX : filter->after_game);
	} else if (filter->after_game == 0) {
		query_put_int(query, filter->updated_since_ms);
		query_put_int(query, 0);
	} else {
		query_put_int(query, filter->after_updated_ms);
		query_put_int(query, filter->after_game);
	}
}

static struct query
begin_list(struct db *db, const struct games_filter *filter, unsigned filters, enum statement statement)
{
	struct query query = query_begin(db, statement);
	if (filters & BY_VARIANT)
		query_put_text(&query, filter->variant);
	if (filters & BY_TURN)
		query_put_int(&query, filter->turn);
	else if (filters & BY_STATUS)
		query_put_text(&query, filter->status);
	if (filters & BY_NAME)
		query_put_text(&query, filter->name);
	put_place(&query, filter, filters);
	query_put_int(&query, (int64_t)filter->limit + 1);
	return query;
}

/* Ends a query that reads a page, and one row more to see whether there is another. */
static enum fault
read_page(struct query *query, struct arena *arena, unsigned limit, struct game_row *rows, unsigned *count, bool *more)
{
	unsigned n = 0;
	bool another = query_next(query);
	for (; another && n < limit; another = query_next(query))
		games_read(query, arena, &rows[n++]);
	enum fault fault = query_end(query);
	if (fault != FAULT_NONE)
		return fault;
	*count = n;
	*more = another;
	return FAULT_NONE;
}

enum fault
games_list(struct db *db, struct arena *arena, const struct games_filter *filter, struct game_row *rows,
    unsigned *count, bool *more)
{
	unsigned filters;
	enum statement statement;
	if (!find_list(filter, &filters, &statement))
		return FAULT_UNSUPPORTED_FILTERS;
	/* Only an active game has somebody whose turn it is. */
	if ((filters & BY_TURN) && (filters & BY_STATUS) && strcmp(filter->status, "active") != 0) {
		*count = 0;
		*more = false;
		return FAULT_NONE;
	}
	struct query query = begin_list(db, filter, filters, statement);
	return read_page(&query, arena, filter->limit, rows, count, more);
}

enum fault
games_of_player(struct db *db, struct arena *arena, const struct games_place *place, struct game_row *rows,
    unsigned *count, bool *more)
{
	static const enum statement statements[] = {
	    [GAMES_ALL] = STATEMENT_LIST_PLAYER,
	    [GAMES_LISTED] = STATEMENT_LIST_PLAYER_LISTED,
	    [GAMES_NEEDING] = STATEMENT_LIST_PLAYER_DUE,
	};
	struct query query = query_begin(db, statements[place->which]);
	query_put_int(&query, place->player);
	if (place->which == GAMES_NEEDING)
		query_put_int(&query, place->after_due_ms);
	if (place->which == GAMES_NEEDING || place->after_game != 0)
		query_put_int(&query, place->after_game);
	else
		query_put_int(&query, INT64_MAX);
	query_put_int(&query, (int64_t)place->limit + 1);
	return read_page(&query, arena, place->limit, rows, count, more);
}

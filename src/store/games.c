#include "store/games.h"

#include <stdlib.h>
#include <string.h>

#include "store/players.h"
#include "store/query_private.h"

enum fault
games_insert(struct db *db, struct game_row *row)
{
	struct query query = query_begin(db, STATEMENT_GAMES_INSERT);
	query_put_text(&query, row->id);
	query_put_text(&query, row->variant);
	query_put_text(&query, row->status);
	query_put_int(&query, row->listed);
	query_put_int(&query, row->imported);
	query_put_text(&query, row->start);
	query_put_text(&query, row->position);
	query_put_int(&query, row->turn);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seq);
	query_put_text(&query, row->reason);
	query_put_int(&query, row->winner);
	query_put_key(&query, row->deadline_ms);
	query_put_int(&query, row->created_ms);
	query_put_int(&query, row->updated_ms);
	query_put_text(&query, row->clock_type);
	query_put_text(&query, row->on_timeout);
	query_put_int(&query, row->per_move_seconds);
	query_put_int(&query, row->initial_seconds);
	query_put_int(&query, row->increment_seconds);
	query_put_blob(&query, row->twice, row->twice_len);
	query_put_text(&query, row->tags);
	query_put_key(&query, row->creator);
	query_put_key(&query, row->due_ms);
	query_put_text(&query, row->rematch_of);
	query_put_key(&query, row->thinks);
	enum fault fault = query_run(&query);
	if (fault != FAULT_NONE)
		return fault;
	row->game = sqlite3_last_insert_rowid(db->sqlite);
	return row->creator == 0 ? FAULT_NONE : players_note(db, row->creator, row->game);
}

/* The parameters that both updates begin with. */
static struct query
begin_update(struct db *db, enum statement statement, const struct game_row *row)
{
	struct query query = query_begin(db, statement);
	query_put_text(&query, row->position);
	query_put_int(&query, row->turn);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seq);
	query_put_text(&query, row->reason);
	query_put_int(&query, row->winner);
	query_put_key(&query, row->deadline_ms);
	query_put_int(&query, row->updated_ms);
	query_put_key(&query, row->due_ms);
	query_put_natural(&query, row->paused_ms);
	query_put_int(&query, row->offers);
	query_put_text(&query, row->rematch);
	query_put_key(&query, row->thinks);
	query_put_blob(&query, row->twice, row->twice_len);
	query_put_blob(&query, row->marks, row->marks_len);
	return query;
}

enum fault
games_update(struct db *db, const struct game_row *row)
{
	struct query query = begin_update(db, STATEMENT_GAMES_GO_ON, row);
	query_put_int(&query, row->game);
	query_put_text(&query, row->status);
	enum fault fault = query_run(&query);
	if (fault != FAULT_NONE || sqlite3_changes(db->sqlite) == 1)
		return fault;
	query = begin_update(db, STATEMENT_GAMES_UPDATE, row);
	query_put_text(&query, row->status);
	query_put_int(&query, row->game);
	fault = query_run(&query);
	if (fault == FAULT_NONE && sqlite3_changes(db->sqlite) == 0)
		return FAULT_NO_SUCH_GAME;
	return fault;
}

/* Columns of the fragment `game` in sql/queries.sql, in its order. */
static void
read_row(struct query *query, struct arena *arena, struct game_row *row)
{
	int c = 0;
	row->game = query_int(query, c++);
	query_id(query, c++, row->id, sizeof row->id);
	row->variant = query_text(query, c++, arena);
	row->status = query_text(query, c++, arena);
	row->listed = query_int(query, c++) != 0;
	row->imported = query_int(query, c++) != 0;
	row->start = query_text(query, c++, arena);
	row->position = query_text(query, c++, arena);
	row->turn = query_count(query, c++, QUERY_SEATS);
	row->ply = query_count(query, c++, QUERY_PLIES);
	row->seq = query_count(query, c++, QUERY_SEQ);
	row->reason = query_text_or_null(query, c++, arena);
	row->winner = query_count(query, c++, QUERY_SEATS);
	row->deadline_ms = query_key(query, c++);
	row->created_ms = query_int(query, c++);
	row->updated_ms = query_int(query, c++);
	row->clock_type = query_text(query, c++, arena);
	row->on_timeout = query_text(query, c++, arena);
	row->per_move_seconds = query_int(query, c++);
	row->initial_seconds = query_int(query, c++);
	row->increment_seconds = query_int(query, c++);
	row->twice = query_blob(query, c++, arena, &row->twice_len);
	row->tags = query_text_or_null(query, c++, arena);
	row->creator = query_key(query, c++);
	row->due_ms = query_key(query, c++);
	row->paused_ms = query_natural(query, c++);
	row->offers = query_count(query, c++, QUERY_PLIES);
	row->rematch_of = query_text_or_null(query, c++, arena);
	row->rematch = query_text_or_null(query, c++, arena);
	row->thinks = (unsigned)query_key(query, c++);
	row->marks = NULL;
	row->marks_len = 0;
}

enum fault
games_counts(struct db *db, struct games_counts *counts)
{
	struct query query = query_begin(db, STATEMENT_GAMES_COUNTS);
	struct games_counts found = {0};
	bool any = query_next(&query);
	if (any)
		found = (struct games_counts){query_natural(&query, 0), query_natural(&query, 1),
		    query_natural(&query, 2), query_natural(&query, 3)};
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE && !any)
		return FAULT_DAMAGED_DATA;
	if (fault == FAULT_NONE)
		*counts = found;
	return fault;
}

enum fault
games_by_id(struct db *db, struct arena *arena, const char *id, struct game_row *row)
{
	struct game_row found;
	struct query query = query_begin(db, STATEMENT_GAMES_BY_ID);
	query_put_text(&query, id);
	bool any = query_next(&query);
	if (any)
		read_row(&query, arena, &found);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE && !any)
		return FAULT_NO_SUCH_GAME;
	if (fault == FAULT_NONE)
		*row = found;
	return fault;
}

enum fault
games_agree(struct db *db, const struct game_row *row)
{
	struct query query = query_begin(db, STATEMENT_GAMES_AGREE);
	query_put_int(&query, row->game);
	query_put_int(&query, row->ply);
	query_put_text(&query, row->ply == 0 ? row->start : NULL);
	query_put_text(&query, row->position);
	bool agrees = query_next(&query) && query_int(&query, 0) != 0;
	enum fault fault = query_end(&query);
	return fault == FAULT_NONE && !agrees ? FAULT_DAMAGED_DATA : fault;
}

enum fault
games_next(struct db *db, struct arena *arena, int64_t after, struct game_row *row, bool *found)
{
	struct game_row next;
	struct query query = query_begin(db, STATEMENT_GAMES_NEXT);
	query_put_int(&query, after);
	bool any = query_next(&query);
	if (any)
		read_row(&query, arena, &next);
	enum fault fault = query_end(&query);
	if (fault != FAULT_NONE)
		return fault;
	*found = any;
	if (any)
		*row = next;
	return FAULT_NONE;
}

/* Reads the keys that a query yields. */
static enum fault
read_keys(struct query *query, struct game_key *keys, unsigned max, unsigned *count)
{
	unsigned n = 0;
	while (n < max && query_next(query)) {
		keys[n].game = query_int(query, 0);
		query_id(query, 1, keys[n].id, sizeof keys[n].id);
		n++;
	}
	enum fault fault = query_end(query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

/* Reads the first column of what a query yields. */
static enum fault
read_games(struct query *query, int64_t *games, unsigned max, unsigned *count)
{
	unsigned n = 0;
	while (n < max && query_next(query))
		games[n++] = query_int(query, 0);
	enum fault fault = query_end(query);
	if (fault == FAULT_NONE)
		*count = n;
	return fault;
}

enum fault
games_overdue(struct db *db, int64_t now_ms, int64_t *games, unsigned max, unsigned *count)
{
	struct query query = query_begin(db, STATEMENT_GAMES_OVERDUE);
	query_put_int(&query, now_ms);
	query_put_int(&query, max);
	return read_games(&query, games, max, count);
}

enum fault
games_id(struct db *db, int64_t game, char id[ID_LEN + 1])
{
	char read[ID_LEN + 1];
	struct query query = query_begin(db, STATEMENT_GAMES_ID);
	query_put_int(&query, game);
	bool found = query_next(&query);
	if (found)
		query_id(&query, 0, read, sizeof read);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE && !found)
		return FAULT_NO_SUCH_GAME;
	if (fault == FAULT_NONE)
		memcpy(id, read, sizeof read);
	return fault;
}

enum fault
games_next_due(struct db *db, int64_t *due_ms)
{
	struct query query = query_begin(db, STATEMENT_GAMES_NEXT_DUE);
	int64_t due = query_next(&query) ? query_int(&query, 0) : 0;
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*due_ms = due;
	return fault;
}

enum fault
games_running(struct db *db, int64_t since_ms, int64_t after, struct game_key *keys, unsigned max, unsigned *count)
{
	struct query query = query_begin(db, STATEMENT_GAMES_RUNNING);
	query_put_int(&query, after);
	query_put_int(&query, since_ms);
	query_put_int(&query, max);
	return read_keys(&query, keys, max, count);
}

enum fault
games_thinking(struct db *db, unsigned thinks, int64_t after, int64_t *games, unsigned max, unsigned *count)
{
	struct query query = query_begin(db, STATEMENT_GAMES_THINKING);
	query_put_int(&query, thinks);
	query_put_int(&query, after);
	query_put_int(&query, max);
	return read_games(&query, games, max, count);
}

enum fault
games_any_clock(struct db *db, bool *any)
{
	struct query query = query_begin(db, STATEMENT_GAMES_ANY_CLOCK);
	bool found = query_next(&query);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*any = found;
	return fault;
}

enum fault
games_leave_alone(struct db *db, int64_t game)
{
	struct query query = query_begin(db, STATEMENT_GAMES_LEAVE_ALONE);
	query_put_int(&query, game);
	return query_run(&query);
}

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
		read_row(query, arena, &rows[n++]);
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

int64_t
games_due(const struct game_row *row)
{
	return row->deadline_ms == 0 ? INT64_MAX : row->deadline_ms;
}

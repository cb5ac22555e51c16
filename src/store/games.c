#include "store/games.h"

#include <string.h>

#include "store/games_private.h"
#include "store/players.h"

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

void
games_read(struct query *query, struct arena *arena, struct game_row *row)
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
	enum fault fault = query_end_found(&query, any, FAULT_DAMAGED_DATA);
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
		games_read(&query, arena, &found);
	enum fault fault = query_end_found(&query, any, FAULT_NO_SUCH_GAME);
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
	return query_end_found(&query, agrees, FAULT_DAMAGED_DATA);
}

enum fault
games_next(struct db *db, struct arena *arena, int64_t after, struct game_row *row, bool *found)
{
	struct game_row next;
	struct query query = query_begin(db, STATEMENT_GAMES_NEXT);
	query_put_int(&query, after);
	bool any = query_next(&query);
	if (any)
		games_read(&query, arena, &next);
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
	return query_end_count(query, n, count);
}

/* Reads the first column of what a query yields. */
static enum fault
read_games(struct query *query, int64_t *games, unsigned max, unsigned *count)
{
	unsigned n = 0;
	while (n < max && query_next(query))
		games[n++] = query_int(query, 0);
	return query_end_count(query, n, count);
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
	enum fault fault = query_end_found(&query, found, FAULT_NO_SUCH_GAME);
	if (fault == FAULT_NONE)
		memcpy(id, read, sizeof read);
	return fault;
}

enum fault
games_next_due(struct db *db, int64_t *due_ms)
{
	struct query query = query_begin(db, STATEMENT_GAMES_NEXT_DUE);
	return query_end_number(&query, due_ms);
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

int64_t
games_due(const struct game_row *row)
{
	return row->deadline_ms == 0 ? INT64_MAX : row->deadline_ms;
}

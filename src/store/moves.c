#include "store/moves.h"

#include <string.h>

#include "store/query_private.h"

/*
 * Whether a key was left before is asked with every move.  An index of the keys
 * would write a page more for each, so the game's row, which is written anyway,
 * has four bytes of each key; only if they are found are the moves looked through.
 */
void
moves_mark(uint64_t left, unsigned char mark[MOVES_MARK_LEN])
{
	for (int i = 0; i < MOVES_MARK_LEN; i++)
		mark[i] = (unsigned char)(left >> (8 * i));
}

static enum fault
find_mark(struct db *db, int64_t game, uint64_t left, bool *found)
{
	bool any = false;
	unsigned char mark[MOVES_MARK_LEN];
	moves_mark(left, mark);
	struct query query = query_begin(db, STATEMENT_GAMES_MARKS);
	query_put_int(&query, game);
	if (query_next(&query)) {
		const unsigned char *marks = sqlite3_column_blob(query.stmt, 0);
		int len = marks == NULL ? 0 : sqlite3_column_bytes(query.stmt, 0);
		for (int i = 0; i + MOVES_MARK_LEN <= len && !any; i += MOVES_MARK_LEN)
			any = memcmp(marks + i, mark, MOVES_MARK_LEN) == 0;
	}
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*found = any;
	return fault;
}

enum fault
moves_insert(struct db *db, int64_t game, const struct move_row *row)
{
	struct query query = query_begin(db, STATEMENT_MOVES_INSERT);
	query_put_int(&query, game);
	query_put_int(&query, row->ply);
	query_put_int(&query, row->seat);
	query_put_int(&query, row->at_ms);
	query_put_int(&query, (int64_t)row->left);
	query_put_text(&query, row->move);
	query_put_text(&query, row->kind);
	query_put_text(&query, row->path);
	query_put_text(&query, row->out);
	query_put_text(&query, row->position);
	query_put_natural(&query, row->remaining_ms);
	query_put_int(&query, row->seq);
	query_put_text(&query, row->event);
	return query_run(&query);
}

static void
read_row(struct query *query, struct arena *arena, struct move_row *row)
{
	row->ply = query_count(query, 0, QUERY_PLIES);
	row->seat = query_count(query, 1, QUERY_SEATS);
	row->at_ms = query_int(query, 2);
	row->left = (uint64_t)query_int(query, 3);
	row->move = query_text(query, 4, arena);
	row->kind = query_text(query, 5, arena);
	row->path = query_text_or_null(query, 6, arena);
	row->out = query_text_or_null(query, 7, arena);
	row->position = query_text(query, 8, arena);
	row->remaining_ms = query_natural(query, 9);
	row->agrees = query_int(query, 10) != 0;
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
	enum fault fault = query_end_found(&query, any, FAULT_NO_SUCH_PLY);
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
	return query_end_count(&query, n, count);
}

enum fault
moves_left_count(struct db *db, int64_t game, unsigned ply, uint64_t left, unsigned *count)
{
	bool found;
	enum fault fault = find_mark(db, game, left, &found);
	if (fault != FAULT_NONE)
		return fault;
	if (!found) {
		*count = 0;
		return FAULT_NONE;
	}
	struct query query = query_begin(db, STATEMENT_MOVES_LEFT_COUNT);
	query_put_int(&query, game);
	query_put_int(&query, ply);
	query_put_int(&query, (int64_t)left);
	unsigned times = query_next(&query) ? query_count(&query, 0, QUERY_PLIES) : 0;
	fault = query_end(&query);
	if (fault == FAULT_NONE)
		*count = times;
	return fault;
}

enum fault
moves_left(struct db *db, int64_t game, unsigned ply, uint64_t *keys)
{
	unsigned n = 0;
	struct query query = query_begin(db, STATEMENT_MOVES_LEFT);
	query_put_int(&query, game);
	query_put_int(&query, ply);
	while (n < ply && query_next(&query))
		keys[n++] = (uint64_t)query_int(&query, 0);
	return query_end_found(&query, n == ply, FAULT_DAMAGED_GAME);
}

enum fault
moves_remaining(struct db *db, int64_t game, unsigned ply, unsigned seat, int64_t *remaining_ms)
{
	int64_t found = -1;
	struct query query = query_begin(db, STATEMENT_MOVES_REMAINING);
	query_put_int(&query, game);
	query_put_int(&query, ply);
	query_put_int(&query, seat);
	if (query_next(&query) && !query_is_null(&query, 0))
		found = query_int(&query, 0);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*remaining_ms = found;
	return fault;
}

/* Writes the marks of these keys alone. */
static enum fault
mark_anew(struct db *db, struct arena *arena, int64_t game, const uint64_t *keys, unsigned count)
{
	size_t len = (size_t)count * MOVES_MARK_LEN;
	unsigned char *marks = arena_take(arena, len + 1);
	if (marks == NULL)
		return FAULT_OUT_OF_MEMORY;
	for (unsigned i = 0; i < count; i++)
		moves_mark(keys[i], marks + (size_t)i * MOVES_MARK_LEN);
	struct query query = query_begin(db, STATEMENT_GAMES_REMARK);
	query_put_blob(&query, marks, len);
	query_put_int(&query, game);
	return query_run(&query);
}

static enum fault
run_after(struct db *db, enum statement statement, int64_t game, unsigned ply)
{
	struct query query = query_begin(db, statement);
	query_put_int(&query, game);
	query_put_int(&query, ply);
	return query_run(&query);
}

enum fault
moves_take_back(struct db *db, struct arena *arena, int64_t game, unsigned ply, const uint64_t *keys)
{
	enum fault fault = run_after(db, STATEMENT_MOVES_KEEP_EVENTS, game, ply);
	if (fault == FAULT_NONE)
		fault = run_after(db, STATEMENT_MOVES_DELETE, game, ply);
	return fault == FAULT_NONE ? mark_anew(db, arena, game, keys, ply) : fault;
}

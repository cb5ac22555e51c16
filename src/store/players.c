#include "store/players.h"

#include "store/query_private.h"

enum { SEATS_MOST = 4 }; /* that an event game_created tells of */

enum fault
players_insert(struct db *db, struct player_row *row)
{
	struct query query = query_begin(db, STATEMENT_PLAYERS_INSERT);
	query_put_text(&query, row->id);
	query_put_text(&query, row->name);
	query_put_int(&query, row->created_ms);
	enum fault fault = query_run(&query);
	if (fault == FAULT_NONE)
		row->player = sqlite3_last_insert_rowid(db->sqlite);
	return fault;
}

/* Ends a query that finds one player or none. */
static enum fault
read_one(struct query *query, struct arena *arena, struct player_row *row)
{
	struct player_row found;
	bool any = query_next(query);
	if (any) {
		found.player = query_int(query, 0);
		query_id(query, 1, found.id, sizeof found.id);
		found.name = query_text(query, 2, arena);
		found.created_ms = query_int(query, 3);
		found.seq = query_int(query, 4);
	}
	enum fault fault = query_end_found(query, any, FAULT_NO_SUCH_PLAYER);
	if (fault == FAULT_NONE)
		*row = found;
	return fault;
}

enum fault
players_by_id(struct db *db, struct arena *arena, const char *id, struct player_row *row)
{
	struct query query = query_begin(db, STATEMENT_PLAYERS_BY_ID);
	query_put_text(&query, id);
	return read_one(&query, arena, row);
}

enum fault
players_by_key(struct db *db, struct arena *arena, int64_t player, struct player_row *row)
{
	struct query query = query_begin(db, STATEMENT_PLAYERS_BY_KEY);
	query_put_int(&query, player);
	return read_one(&query, arena, row);
}

enum fault
players_rename(struct db *db, int64_t player, const char *name)
{
	struct query query = query_begin(db, STATEMENT_PLAYERS_RENAME);
	query_put_text(&query, name);
	query_put_int(&query, player);
	return query_run(&query);
}

enum fault
players_note(struct db *db, int64_t player, int64_t game)
{
	struct query query = query_begin(db, STATEMENT_SAT_INSERT);
	query_put_int(&query, player);
	query_put_int(&query, game);
	return query_run(&query);
}

enum fault
players_sat(struct db *db, int64_t player, int64_t after, int64_t *game)
{
	struct query query = query_begin(db, STATEMENT_SAT_NEXT);
	query_put_int(&query, player);
	query_put_int(&query, after);
	return query_end_number(&query, game);
}

/* Runs a statement whose parameters are a game and the player's key. */
static enum fault
run_in_game(struct db *db, enum statement statement, int64_t game, int64_t player)
{
	struct query query = query_begin(db, statement);
	query_put_int(&query, game);
	query_put_int(&query, player);
	return query_run(&query);
}

/* Events name him by his id beside the name: there alone it is his, and not that of another who is called so. */
static enum fault
erase_events(struct db *db, const struct player_row *row, int64_t game)
{
	struct query query = query_begin(db, STATEMENT_EVENTS_ERASE_TAKER);
	query_put_int(&query, game);
	query_put_text(&query, row->id);
	enum fault fault = query_run(&query);
	for (int i = 0; i < SEATS_MOST && fault == FAULT_NONE; i++) {
		query = query_begin(db, STATEMENT_EVENTS_ERASE_SEAT);
		query_put_int(&query, i);
		query_put_int(&query, game);
		query_put_text(&query, row->id);
		fault = query_run(&query);
	}
	return fault;
}

enum fault
players_leave(struct db *db, const struct player_row *row, int64_t game)
{
	/* The tokens first: by the seats and the game that are his. */
	static const enum statement statements[] = {
	    STATEMENT_TOKENS_ERASE, STATEMENT_SEATS_ERASE, STATEMENT_GAMES_ERASE};
	enum fault fault = FAULT_NONE;
	for (size_t i = 0; i < sizeof statements / sizeof *statements && fault == FAULT_NONE; i++)
		fault = run_in_game(db, statements[i], game, row->player);
	return fault != FAULT_NONE ? fault : erase_events(db, row, game);
}

enum fault
players_delete(struct db *db, int64_t player)
{
	static const enum statement statements[] = {
	    STATEMENT_FEED_DELETE, STATEMENT_SAT_DELETE, STATEMENT_TOKENS_DELETE_PLAYER, STATEMENT_PLAYERS_DELETE};
	enum fault fault = FAULT_NONE;
	for (size_t i = 0; i < sizeof statements / sizeof *statements && fault == FAULT_NONE; i++) {
		struct query query = query_begin(db, statements[i]);
		query_put_int(&query, player);
		fault = query_run(&query);
	}
	return fault;
}

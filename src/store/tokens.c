/* Rows of tokens (seats.h). */
#include "store/seats.h"

#include <string.h>

#include "store/query_private.h"

/* The first eight bytes: what a search through the index may reveal by its time. */
static int64_t
prefix(const unsigned char hash[TOKEN_HASH_LEN])
{
	int64_t value;
	memcpy(&value, hash, sizeof value);
	return value;
}

enum fault
tokens_insert(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], const struct token_row *row)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_INSERT);
	query_put_int(&query, prefix(hash));
	query_put_blob(&query, hash, TOKEN_HASH_LEN);
	query_put_int(&query, row->game);
	query_put_int(&query, row->seat);
	return query_run(&query);
}

enum fault
tokens_delete(struct db *db, const struct token_row *row)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_DELETE);
	query_put_int(&query, row->game);
	query_put_int(&query, row->seat);
	return query_run(&query);
}

enum fault
tokens_replace(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], const struct token_row *row)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_REPLACE);
	query_put_int(&query, prefix(hash));
	query_put_blob(&query, hash, TOKEN_HASH_LEN);
	query_put_int(&query, row->game);
	query_put_int(&query, row->seat);
	enum fault fault = query_run(&query);
	return fault == FAULT_NONE && sqlite3_changes(db->sqlite) == 0 ? tokens_insert(db, hash, row) : fault;
}

enum fault
tokens_of(struct db *db, int64_t game, unsigned *seats)
{
	unsigned found = 0; /* the creator's as bit 0 */
	struct query query = query_begin(db, STATEMENT_TOKENS_OF);
	query_put_int(&query, game);
	while (query_next(&query))
		found |= 1U << query_count(&query, 0, QUERY_SEATS);
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*seats = found >> 1;
	return fault;
}

enum fault
tokens_move_on(struct db *db, int64_t game, int64_t next, unsigned seat_count)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_MOVE_ON);
	query_put_int(&query, next);
	query_put_int(&query, seat_count);
	query_put_int(&query, game);
	return query_run(&query);
}

static bool
is_same(struct query *query, const unsigned char hash[TOKEN_HASH_LEN])
{
	const void *stored = sqlite3_column_blob(query->stmt, 0);
	return stored != NULL && sqlite3_column_bytes(query->stmt, 0) == TOKEN_HASH_LEN &&
	       token_hash_equal(stored, hash);
}

enum fault
tokens_find(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], struct token_row *row)
{
	bool found = false;
	struct token_row holder;
	struct query query = query_begin(db, STATEMENT_TOKENS_FIND);
	query_put_int(&query, prefix(hash));
	while (!found && query_next(&query)) {
		found = is_same(&query, hash);
		holder = (struct token_row){query_int(&query, 1), query_count(&query, 2, QUERY_SEATS)};
	}
	enum fault fault = query_end_found(&query, found, FAULT_TOKEN_UNKNOWN);
	if (fault == FAULT_NONE)
		*row = holder;
	return fault;
}

enum fault
tokens_insert_player(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t player)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_INSERT_PLAYER);
	query_put_int(&query, prefix(hash));
	query_put_blob(&query, hash, TOKEN_HASH_LEN);
	query_put_int(&query, player);
	return query_run(&query);
}

enum fault
tokens_delete_player(struct db *db, int64_t player)
{
	struct query query = query_begin(db, STATEMENT_TOKENS_DELETE_PLAYER);
	query_put_int(&query, player);
	return query_run(&query);
}

enum fault
tokens_find_player(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t *player)
{
	int64_t found = 0;
	struct query query = query_begin(db, STATEMENT_TOKENS_FIND_PLAYER);
	query_put_int(&query, prefix(hash));
	while (found == 0 && query_next(&query))
		if (is_same(&query, hash))
			found = query_int(&query, 1);
	enum fault fault = query_end_found(&query, found != 0, FAULT_TOKEN_UNKNOWN);
	if (fault == FAULT_NONE)
		*player = found;
	return fault;
}

enum fault
tokens_in(struct db *db, const unsigned char hash[TOKEN_HASH_LEN], int64_t game, unsigned *seats, bool *creator)
{
	unsigned found = 0; /* the creator's as bit 0 */
	struct query query = query_begin(db, STATEMENT_TOKENS_IN);
	query_put_int(&query, prefix(hash));
	query_put_int(&query, game);
	while (query_next(&query))
		if (is_same(&query, hash))
			found |= 1U << query_count(&query, 1, QUERY_SEATS);
	enum fault fault = query_end(&query);
	if (fault != FAULT_NONE)
		return fault;
	*seats = found >> 1;
	*creator = (found & 1) != 0;
	return FAULT_NONE;
}

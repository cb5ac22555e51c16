#include "store/retries.h"

#include "store/query_private.h"

enum fault
retries_insert(struct db *db, const unsigned char hash[SEAL_KEY_LEN], int64_t expires_ms,
    const struct retry_about *about, const void *sealed, size_t len)
{
	struct query query = query_begin(db, STATEMENT_RETRIES_INSERT);
	query_put_blob(&query, hash, SEAL_KEY_LEN);
	query_put_int(&query, expires_ms);
	query_put_blob(&query, sealed, len);
	query_put_key(&query, about == NULL ? 0 : about->game);
	query_put_key(&query, about == NULL ? 0 : about->player);
	return query_run(&query);
}

enum fault
retries_find(struct db *db, struct arena *arena, const unsigned char hash[SEAL_KEY_LEN], const unsigned char **sealed,
    size_t *len)
{
	const unsigned char *found = NULL;
	size_t found_len = 0;
	struct query query = query_begin(db, STATEMENT_RETRIES_FIND);
	query_put_blob(&query, hash, SEAL_KEY_LEN);
	if (query_next(&query))
		found = query_blob(&query, 0, arena, &found_len);
	enum fault fault = query_end(&query);
	if (fault != FAULT_NONE)
		return fault;
	*sealed = found;
	*len = found_len;
	return FAULT_NONE;
}

static enum fault
erase(struct db *db, enum statement statement, int64_t key)
{
	struct query query = query_begin(db, statement);
	query_put_int(&query, key);
	return query_run(&query);
}

enum fault
retries_erase_game(struct db *db, int64_t game)
{
	return erase(db, STATEMENT_RETRIES_ERASE_GAME, game);
}

enum fault
retries_erase_player(struct db *db, int64_t player)
{
	return erase(db, STATEMENT_RETRIES_ERASE_PLAYER, player);
}

enum fault
retries_expire(struct db *db, int64_t now_ms, unsigned max, unsigned *count)
{
	struct query query = query_begin(db, STATEMENT_RETRIES_EXPIRE);
	query_put_int(&query, now_ms);
	query_put_int(&query, max);
	enum fault fault = query_run(&query);
	if (fault == FAULT_NONE)
		*count = (unsigned)sqlite3_changes(db->sqlite);
	return fault;
}

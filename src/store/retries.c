#include "store/retries.h"

#include "store/query_private.h"

enum fault
retries_insert(
    struct db *db, const unsigned char hash[SEAL_KEY_LEN], int64_t expires_ms, const void *sealed, size_t len)
{
	struct query query = query_begin(db, STATEMENT_RETRIES_INSERT);
	query_put_blob(&query, hash, SEAL_KEY_LEN);
	query_put_int(&query, expires_ms);
	query_put_blob(&query, sealed, len);
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

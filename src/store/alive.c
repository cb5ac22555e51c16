#include "store/alive.h"

#include "store/query_private.h"

enum fault
alive_read(struct db *db, struct alive_row *row)
{
	struct alive_row found = {0};
	struct query query = query_begin(db, STATEMENT_ALIVE_READ);
	if (query_next(&query))
		found = (struct alive_row){query_int(&query, 0), query_int(&query, 1), query_int(&query, 2)};
	enum fault fault = query_end(&query);
	if (fault == FAULT_NONE)
		*row = found;
	return fault;
}

enum fault
alive_write(struct db *db, const struct alive_row *row)
{
	struct query query = query_begin(db, STATEMENT_ALIVE_WRITE);
	query_put_int(&query, row->at_ms);
	query_put_int(&query, row->owed_ms);
	query_put_int(&query, row->given);
	return query_run(&query);
}

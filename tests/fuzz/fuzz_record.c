/*
 * A record as text.  What is read and found good is written, read and written
 * again, and that is the same; what is not says where.
 */
#include <string.h>

#include "base/limits.h"
#include "play/record.h"
#include "tests/fuzz/fuzz.h"

static void
check_where(const struct record_fault *where, const uint8_t *data, size_t size)
{
	unsigned lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	FUZZ_CHECK(where->why != NULL && where->line >= 1 && where->line <= lines && where->column >= 1);
}

static enum fault
read_record(struct arena *arena, const char *bytes, size_t len, struct record *record, struct record_fault *where)
{
	struct record_draft draft = {0};
	*where = (struct record_fault){.line = 1, .column = 1, .ply = -1, .ending = -1, .item = -1};
	enum fault fault = record_read(arena, bytes, len, &draft, where);
	return fault == FAULT_NONE ? record_check(arena, &draft, record, where) : fault;
}

static void
check_written(struct arena *arena, const struct record *record)
{
	struct text first = TEXT_EMPTY, second = TEXT_EMPTY;
	struct record again = {0};
	struct record_fault where;
	record_write(record, &first);
	FUZZ_CHECK(!text_failed(&first));
	FUZZ_CHECK(read_record(arena, first.bytes, first.len, &again, &where) == FAULT_NONE);
	record_write(&again, &second);
	FUZZ_CHECK(first.len == second.len && memcmp(first.bytes, second.bytes, first.len) == 0);
	text_free(&first);
	text_free(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	struct record record = {0};
	struct record_fault where;
	FUZZ_CHECK(arena != NULL);
	enum fault fault = read_record(arena, (const char *)data, size, &record, &where);
	if (fault == FAULT_NONE) {
		FUZZ_CHECK(record.move_count <= PLIES_MAX && record.ending_count <= SEATS_MAX);
		FUZZ_CHECK(record.tag_count <= LIMIT_TAGS);
		check_written(arena, &record);
	} else if (fault != FAULT_OUT_OF_MEMORY) {
		FUZZ_CHECK(fault == FAULT_MALFORMED_RECORD || fault == FAULT_NOT_A_START ||
			   fault == FAULT_RECORD_ILLEGAL_MOVE || fault == FAULT_RECORD_CONTRADICTED);
		check_where(&where, data, size);
	} else {
		FUZZ_CHECK(arena_capped(arena));
	}
	arena_close(arena);
	return 0;
}

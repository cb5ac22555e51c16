#include "play/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "play/verify_game.h"

enum { LINE_MAX_LEN = 1024 };

void
verify_differs(struct verify *verify, const char *format, ...)
{
	char line[LINE_MAX_LEN];
	va_list values;
	va_start(values, format);
	vsnprintf(line, sizeof line, format, values);
	va_end(values);
	verify->count->differences++;
	verify->difference(verify->arg, verify->row.id, line);
}

void
verify_text(struct verify *verify, const char *what, const char *stored, const char *replayed)
{
	if (stored == NULL)
		stored = "-";
	if (replayed == NULL)
		replayed = "-";
	if (strcmp(stored, replayed) != 0)
		verify_differs(verify, "%s: stored %s, replayed %s", what, stored, replayed);
}

/* The next game after *key, in a snapshot of its own, so that a long walk holds back no checkpoint. */
static enum fault
next_game(struct verify *verify, int64_t *key, bool *found)
{
	enum fault fault = FAULT_OUT_OF_MEMORY;
	verify->arena = arena_open(LIMIT_ARENA);
	if (verify->arena == NULL)
		return fault;
	fault = db_read_begin(verify->db);
	if (fault != FAULT_NONE)
		goto done;
	fault = games_next(verify->db, verify->arena, *key, &verify->row, found);
	if (fault == FAULT_NONE && *found) {
		*key = verify->row.game;
		verify->count->games++;
		fault = verify_game(verify);
		/* What can be read of the others is looked at all the same. */
		if (fault == FAULT_DAMAGED_DATA || fault == FAULT_DAMAGED_GAME) {
			verify_differs(verify, "cannot be read: %s", db_error(verify->db));
			fault = FAULT_NONE;
		}
	}
	db_end(verify->db);
done:
	arena_close(verify->arena);
	return fault;
}

enum fault
verify_all(struct db *db, struct verify_count *count, void (*difference)(void *arg, const char *id, const char *line),
    void *arg)
{
	struct verify_count counted = {0};
	struct verify verify = {.db = db, .count = &counted, .difference = difference, .arg = arg};
	int64_t key = 0;
	bool found = true;
	enum fault fault = FAULT_NONE;
	while (fault == FAULT_NONE && found)
		fault = next_game(&verify, &key, &found);
	if (fault == FAULT_NONE)
		*count = counted;
	return fault;
}

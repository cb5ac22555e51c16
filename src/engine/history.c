#include "engine/history.h"

void
history_begin(struct history *history, const struct position *start)
{
	history->count = 0;
	history->twice_count = 0;
	if (position_start_key(start, &history->keys[0]))
		history->count = 1;
}

/* A key that is left a third time is no longer one that was left exactly twice. */
static void
forget_twice(struct history *history, uint64_t left)
{
	unsigned i = 0;
	while (history->twice[i] != left)
		i++;
	history->twice[i] = history->twice[--history->twice_count];
}

void
history_add(struct history *history, uint64_t left)
{
	unsigned before = 0;
	for (unsigned i = 0; i < history->count; i++)
		before += history->keys[i] == left;
	history->keys[history->count++] = left;
	if (before == 1)
		history->twice[history->twice_count++] = left;
	else if (before == 2)
		forget_twice(history, left);
}

void
history_cut(struct history *history, unsigned count)
{
	history->count = 0;
	history->twice_count = 0;
	while (history->count < count)
		history_add(history, history->keys[history->count]);
}

struct past
history_past(const struct history *history)
{
	return history ? (struct past){history->twice, history->twice_count} : (struct past){0};
}

#include "engine/search_past.h"

#include <string.h>

static void
add(struct search_past *past, uint64_t key)
{
	unsigned at = key >> 50;
	while (past->keys[at] && past->keys[at] != key)
		at = (at + 1) % SEARCH_PAST_SLOTS;
	past->keys[at] = key;
	past->times[at]++;
	past->sieve[key % SEARCH_PAST_SIEVE / 64] |= UINT64_C(1) << key % 64;
}

void
search_past_begin(struct search_past *past, const struct history *history, uint64_t root)
{
	unsigned count = history ? history->count : 0;
	memset(past, 0, sizeof *past);
	past->way[0] = root;
	past->passed[0] = search_past_bit(root);
	if (count && history->keys[count - 1] == root)
		count--;
	for (unsigned i = 0; i < count; i++)
		add(past, history->keys[i]);
	past->empty = count == 0;
}

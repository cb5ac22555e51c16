#include "engine/level.h"

#include "engine/zobrist.h"

static const struct level levels[] = {
#define L(level, nodes, weaker, many_nodes, many_weaker) [level - LEVEL_LEAST] = {nodes, weaker},
    LEVEL_TABLE(L)
#undef L
};

static const struct level many_levels[] = {
#define L(level, nodes, weaker, many_nodes, many_weaker) [level - LEVEL_LEAST] = {many_nodes, many_weaker},
    LEVEL_TABLE(L)
#undef L
};

_Static_assert(sizeof levels / sizeof *levels == LEVEL_MOST - LEVEL_LEAST + 1, "each level has its row");

#define L(level, nodes, weaker, many_nodes, many_weaker) \
	_Static_assert( \
	    (nodes) <= SEARCH_PROOF_NODES, "level " #level " plays as it was measured, without a proof search");
LEVEL_TABLE(L)
#undef L

const struct level *
level_row(enum variant variant, unsigned level)
{
	return &(variant_row(variant)->seats > 2 ? many_levels : levels)[level - LEVEL_LEAST];
}

uint64_t
level_seed(const struct position *position, uint64_t seed)
{
	return seed ^ position->key;
}

/* Any legal move. */
static void
play_any(const struct position *position, const struct history *history, uint64_t chance, struct search_result *result)
{
	struct move moves[MOVES_MAX];
	struct past past = history_past(history);
	unsigned count = position_moves(position, &past, moves);
	*result = (struct search_result){0};
	if (count == 0)
		return;
	result->count = result->lines[0].count = 1;
	result->lines[0].moves[0] = moves[chance % count];
}

void
level_run(struct search *search, const struct position *position, const struct history *history, unsigned level,
    uint64_t seed, const _Atomic bool *stop, struct search_result *result)
{
	const struct level *row = level_row((enum variant)position->variant, level);
	uint64_t chance = zobrist_mix(zobrist_mix(seed) ^ level);
	struct search_limits limits = {.nodes = row->nodes, .seed = chance, .stop = stop};
	if (chance % 1000 < row->weaker)
		play_any(position, history, chance >> 16, result);
	else
		search_run(search, position, history, &limits, result);
}

#include "engine/level.h"

#include "engine/zobrist.h"

/* By columns of LEVEL_TABLE: two seats, more, more where a group may be split. */
static const struct level levels[][3] = {
#define L(level, nodes, weaker, many_nodes, many_weaker, loose_nodes, loose_weaker) \
	[level - LEVEL_LEAST] = {{nodes, weaker, 1}, {many_nodes, many_weaker, LEVEL_DRAWS_MANY}, \
	    {loose_nodes, loose_weaker, LEVEL_DRAWS_MANY}},
    LEVEL_TABLE(L)
#undef L
};

_Static_assert(sizeof levels / sizeof *levels == LEVEL_MOST - LEVEL_LEAST + 1, "each level has its row");

#define L(level, nodes, ...) \
	_Static_assert( \
	    (nodes) <= SEARCH_PROOF_NODES, "level " #level " plays as it was measured, without a proof search");
LEVEL_TABLE(L)
#undef L

const struct level *
level_row(enum variant variant, unsigned level)
{
	const struct variant_row *row = variant_row(variant);
	unsigned column = row->seats == 2 ? 0 : row->family == FAMILY_LOOSE ? 2 : 1;
	return &levels[level - LEVEL_LEAST][column];
}

uint64_t
level_seed(const struct position *position, uint64_t seed)
{
	return seed ^ position->key;
}

/* What a move is worth to whoever makes it, as it looks at once. */
static int
glance(struct search *search, const struct position *position, const struct history *history, const struct move *move)
{
	struct past past = history_past(history);
	struct position after;
	struct change change;
	position_play(position, &past, *move, &after, &change);
	return search_glance(search, &after, position->turn);
}

/* The worst of so many legal moves that are drawn by lot, each as likely as the others; one may be drawn twice. */
static void
play_weaker(struct search *search, const struct position *position, const struct history *history, unsigned draws,
    uint64_t chance, struct search_result *result)
{
	struct move moves[MOVES_MAX];
	struct past past = history_past(history);
	unsigned count = position_moves(position, &past, moves);
	*result = (struct search_result){0};
	if (count == 0)
		return;
	const struct move *worst = &moves[chance % count];
	int least = draws > 1 ? glance(search, position, history, worst) : 0;
	for (unsigned i = 1; i < draws; i++) {
		chance = zobrist_mix(chance);
		const struct move *move = &moves[chance % count];
		int score = glance(search, position, history, move);
		if (score < least) {
			least = score;
			worst = move;
		}
	}
	result->count = result->lines[0].count = 1;
	result->lines[0].moves[0] = *worst;
}

void
level_run(struct search *search, const struct position *position, const struct history *history, unsigned level,
    uint64_t seed, const _Atomic bool *stop, struct search_result *result)
{
	const struct level *row = level_row((enum variant)position->variant, level);
	uint64_t chance = zobrist_mix(zobrist_mix(seed) ^ level);
	struct search_limits limits = {.nodes = row->nodes, .seed = chance, .stop = stop};
	if (chance % 1000 < row->weaker)
		play_weaker(search, position, history, row->draws, chance >> 16, result);
	else
		search_run(search, position, history, &limits, result);
}

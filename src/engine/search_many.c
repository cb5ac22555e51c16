/*
 * The search for more than two seats, after Sturtevant and Korf's paranoid
 * search (2000): the others are taken to play against the seat at the root, so
 * that a window can cut.
 */
#include "engine/search_inside.h"

/* What a position is worth to the seat at the root, against the best of the others. */
static int
worth(const struct search *search, const struct position *position, unsigned seat, unsigned ply)
{
	int worths[SEATS_MAX] = {0}, best = -SEARCH_INFINITE;
	if (position->turn == 0)
		return position->winner == seat ? SEARCH_WON - (int)ply : position->winner ? (int)ply - SEARCH_WON : 0;
	if (rules_out(position, seat))
		return (int)ply - SEARCH_WON;
	search->rules->evaluate(position, search->weights, worths);
	for (unsigned other = 1; other <= SEATS_MAX; other++)
		if (other != seat && !rules_out(position, other) && worths[other - 1] > best)
			best = worths[other - 1];
	return worths[seat - 1] - best;
}

static int
visit(struct search *search, const struct position *position, unsigned seat, unsigned ply, unsigned depth, int alpha,
    int beta)
{
	struct move moves[MOVES_MAX];
	search->line_count[ply] = 0;
	if (depth == 0 || position->turn == 0 || rules_out(position, seat) || search->ended)
		return worth(search, position, seat, ply);
	unsigned count = search->rules->moves(position, NULL, moves);
	bool own = position->turn == seat;
	for (unsigned i = 0; i < count && alpha < beta && search_count(search); i++) {
		struct position after;
		position_play(position, NULL, moves[i], &after, NULL);
		int score = visit(search, &after, seat, ply + 1, depth - 1, alpha, beta);
		if (own ? score > alpha : score < beta) {
			*(own ? &alpha : &beta) = score;
			search_line_take(search, ply, moves[i]);
		}
	}
	return own ? alpha : beta;
}

bool
search_many(struct search *search, const struct position *root, unsigned first, unsigned depth)
{
	int best = -SEARCH_INFINITE;
	unsigned best_at = first;
	search->line_count[0] = 0;
	for (unsigned i = first; i < search->root_count && search_count(search); i++) {
		struct position after;
		position_play(root, NULL, search->root[i], &after, NULL);
		int score = visit(search, &after, root->turn, 1, depth - 1, best, SEARCH_INFINITE);
		if (search->ended || score <= best)
			continue;
		best = score;
		best_at = i;
		search_line_take(search, 0, search->root[i]);
	}
	if (search->line_count[0] == 0)
		return false;
	struct move move = search->root[best_at];
	search->root[best_at] = search->root[first];
	search->root[first] = move;
	search->root_score[first] = best;
	return true;
}

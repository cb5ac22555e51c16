#include "engine/search_leaf.h"

/* The last move of a line that the evaluation saw to win. */
static void
add_winning_move(struct search *search, const struct search_node *node)
{
	struct move moves[MOVES_MAX];
	unsigned count = search->rules->moves(&node->position, NULL, moves);
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		search->rules->make(&node->position, moves[i], &after);
		if (after.winner == node->position.turn && after.turn == 0) {
			search->line_count[node->ply + 1] = 0;
			search_line_take(search, node->ply, moves[i]);
			return;
		}
	}
}

/* Whether every move that the board allows is forbidden by the game's past (I16). */
static bool
past_blocks(struct search *search, const struct search_node *node)
{
	struct move moves[MOVES_MAX];
	unsigned count = search->rules->moves(&node->position, NULL, moves);
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		search->rules->make(&node->position, moves[i], &after);
		if (after.turn == 0)
			return false;
		uint64_t key = after.key ^ search->left;
		if (search_past_game(&search->past, key) + (search_past_way(&search->past, key, node->ply, 2) >= 0) < 2)
			return false;
	}
	return true;
}

enum forecast
search_leaf_estimate(struct search *search, const struct search_node *node, bool line, int *score)
{
	int worth[SEATS_MAX];
	unsigned turn = node->position.turn;
	enum forecast forecast = search->rules->evaluate(&node->position, search->weights, &search->memo, worth);
	if (forecast == FORECAST_BLOCKED) {
		*score = search_leaf_blocked(search, node->ply);
	} else if (forecast == FORECAST_WINS) {
		if (line)
			add_winning_move(search, node);
		*score = SEARCH_WON - (int)node->ply - 1;
	} else {
		int sum = worth[turn - 1] - worth[search->both - turn - 1];
		*score = sum >= SEARCH_DECIDED ? SEARCH_DECIDED - 1 : sum <= -SEARCH_DECIDED ? 1 - SEARCH_DECIDED : sum;
	}
	return forecast;
}

static int quiesce(struct search *search, const struct search_node *node, int alpha, int beta);

/* The value of a capture to the seat that makes it, with nothing but captures after it. */
static int
capture(struct search *search, const struct search_node *node, struct move move, int alpha, int beta)
{
	struct search_node child;
	search_node_make(search, node, move, &child);
	if (child.position.turn == 0)
		return search_leaf_ended(&child.position, node->position.turn, child.ply);
	if (child.ply >= search->last)
		return 0;
	return -quiesce(search, &child, -beta, -alpha);
}

/*
 * Where the search looks no further, captures are still looked at, since most
 * of Iuvo's games are decided by them and the evaluation does not foresee
 * them.  No capture can be repeated, so there is an end to it.  Nobody has to
 * capture: the estimate stands where it is better, and so nothing that is found
 * here claims a loss.
 */
static int
quiesce(struct search *search, const struct search_node *node, int alpha, int beta)
{
	struct move moves[MOVES_MAX];
	int best;
	enum forecast forecast = search_leaf_estimate(search, node, beta - alpha > 1, &best);
	if (forecast != FORECAST_CAPTURES || best >= beta || node->ply >= SEARCH_DEPTH_MAX)
		return best;
	unsigned count = search->rules->captures_of(&node->position, moves);
	for (unsigned i = 0; i < count && best < beta && !search->ended; i++) {
		int score = capture(search, node, moves[i], best > alpha ? best : alpha, beta);
		if (score <= best)
			continue;
		best = score;
		if (score > alpha)
			search_line_take(search, node->ply, moves[i]);
	}
	return best;
}

int
search_leaf(struct search *search, const struct search_node *node, int alpha, int beta)
{
	int score;
	if (!search->proving)
		return quiesce(search, node, alpha, beta);
	if (search_leaf_estimate(search, node, beta - alpha > 1, &score) >= FORECAST_BLOCKED)
		return score;
	return !search->past.empty && search->rules->forbids && past_blocks(search, node)
		   ? search_leaf_blocked(search, node->ply)
		   : 0;
}

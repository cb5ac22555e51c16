/*
 * The search for two seats: principal variation search (Marsland and Campbell,
 * 1982) with a transposition table.
 *
 * What it says of won and lost games is true, whatever it leaves out: a win is
 * claimed where one move leads to it, a loss where every legal move does, and
 * nothing but the rules makes the first of these claims.  Repetition cannot make a claim
 * false: a position that stood on the way from the root is worth nothing to
 * either seat, so no claim rests on it; one that the game left once before
 * the root is worth nothing either unless it is decided, and all below it is
 * kept apart in the table (its key is salted with what was repeated), so that
 * a third repetition is seen wherever it would be.
 *
 * That a win is the shortest is another matter.  search_two_prove asks for a
 * shorter one in a search of its own, in which only `whole` entries of the
 * table are believed: those that were found without help from a repetition
 * above them, and in such a search.  To come back to where one was never
 * hastens or delays best play; but a line that does not begin with the best move
 * may come back to the root and go on better.
 */
#include "engine/search_leaf.h"
#include "engine/search_order.h"

enum { ILLEGAL = SEARCH_INFINITE + 1, MARGIN = 120 };

static int visit(struct search *search, struct search_node *node, int depth, int alpha, int beta);

/* Only what is decided counts where the game has been before: a window that asks for no more. */
static int
search_again(struct search *search, struct search_node *child, int depth, int alpha, int beta)
{
	if (alpha > -SEARCH_DECIDED && alpha < SEARCH_DECIDED)
		alpha = alpha >= 0 ? SEARCH_DECIDED - 1 : -SEARCH_DECIDED;
	if (beta > -SEARCH_DECIDED && beta < SEARCH_DECIDED)
		beta = beta > 0 ? SEARCH_DECIDED : 1 - SEARCH_DECIDED;
	int score = -visit(search, child, depth, -beta, -alpha);
	return search_decided(score) ? score : 0;
}

/* What a move is worth to the seat that makes it, within a window; ILLEGAL where the past forbids it (I16). */
static int
follow(struct search *search, const struct search_node *node, struct move move, int depth, int alpha, int beta)
{
	struct search_node child;
	search_node_make(search, node, move, &child);
	if (child.position.turn == 0)
		return search_leaf_ended(&child.position, node->position.turn, child.ply);

	if (depth > 0)
		table_prefetch(&search->table, child.position.key ^ child.salt);
	uint64_t key = child.position.key ^ search->left;
	int at = search_past_way(&search->past, key, node->ply, 2);
	unsigned times = search_past_game(&search->past, key) + (at >= 0);
	if (at >= 0 && at < search->bound_to)
		search->bound_to = at;
	if (times >= 2)
		return search->rules->forbids ? ILLEGAL : 0;
	if (at > 0 || (at == 0 && !search->returns) || child.ply >= search->last)
		return 0;
	search_past_go(&search->past, child.ply, key);
	if (times == 0)
		return -visit(search, &child, depth, -beta, -alpha);
	child.salt ^= key * UINT64_C(0x9e3779b97f4a7c15);
	return search_again(search, &child, depth, alpha, beta);
}

/* Whether what the table knows settles a node; true with *score. */
static bool
settled(const struct search *search, const struct search_node *node, const struct table_hit *hit, int depth, int alpha,
    int beta, int *score)
{
	*score = search_from_table(hit->score, node->ply);
	bool deep = (int)hit->depth >= depth && (!search->proving || hit->whole);
	bool in_time =
	    !search_decided(*score) || (unsigned)(SEARCH_WON - (*score < 0 ? -*score : *score)) <= search->last;
	bool at_least = hit->bound != TABLE_UPPER && (deep || *score >= SEARCH_DECIDED);
	bool at_most = hit->bound != TABLE_LOWER && (deep || *score <= -SEARCH_DECIDED);
	return in_time && ((at_least && *score >= beta) || (at_most && *score <= alpha) || (at_least && at_most));
}

static void
keep(struct search *search, const struct search_node *node, int depth, int alpha, int beta, int score, struct move best)
{
	enum table_bound bound = score >= beta ? TABLE_LOWER : score <= alpha ? TABLE_UPPER : TABLE_EXACT;
	struct table_hit found = {
	    .score = search_to_table(score, node->ply),
	    .depth = (unsigned)depth,
	    .bound = bound,
	    .whole = search->proving && search->bound_to >= (int)node->ply,
	    .from = best.from,
	    .to = best.to,
	};
	table_keep(&search->table, node->position.key ^ node->salt, &found);
}

/* A move that is not the first: asked only whether it is better, at first `less` deep, unless it is. */
static int
follow_later(
    struct search *search, const struct search_node *node, struct move move, int depth, int less, int alpha, int beta)
{
	int score = follow(search, node, move, depth - less, alpha, alpha + 1);
	if (less > 0 && score > alpha && score != ILLEGAL && !search->ended)
		score = follow(search, node, move, depth, alpha, alpha + 1);
	if (score > alpha && score < beta && score != ILLEGAL && beta - alpha > 1 && !search->ended)
		score = follow(search, node, move, depth, alpha, beta);
	return score;
}

/*
 * How much less deep a move is searched that comes late in the order.  A
 * claim that it loses is true at any depth, and no shorter win may be missed
 * while proving.
 */
static int
reduction(const struct search *search, const struct search_order *order, struct move move, int depth)
{
	static const int8_t by_turn[] = {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2};
	if (search->proving || depth < 3 || move.captures)
		return 0;
	int less = order->next < 16 ? by_turn[order->next] : order->next < 40 ? 2 : 3;
	return less < depth - 1 ? less : depth - 2;
}

static int
try_moves(
    struct search *search, const struct search_node *node, struct search_order *order, int depth, int alpha, int beta)
{
	int best = -SEARCH_INFINITE, start = alpha;
	struct move move, best_move = {0};

	while (search_order_next(order, &move)) {
		int score = best == -SEARCH_INFINITE ? follow(search, node, move, depth - 1, alpha, beta)
						     : follow_later(search, node, move, depth - 1,
							   reduction(search, order, move, depth), alpha, beta);
		if (search->ended)
			return 0;
		if (score == ILLEGAL || score <= best)
			continue;
		best = score;
		if (score <= alpha)
			continue;
		alpha = score;
		best_move = move;
		search_line_take(search, node->ply, move);
		if (score >= beta) {
			search_order_learn(order, search, &node->position, node->ply, depth);
			break;
		}
	}
	if (best < start && order->left_out > 0)
		best = start; /* what was left out is taken to be no better than that, and not to be lost */
	if (best == -SEARCH_INFINITE)
		best = search_leaf_blocked(search, node->ply);
	keep(search, node, depth, start, beta, best, best_move);
	return best;
}

/* So far above the window that no few plies bring it back. */
static bool
far_above(int depth, int beta, int estimate)
{
	return depth <= 4 && beta > -SEARCH_DECIDED && beta < SEARCH_DECIDED && estimate - MARGIN * depth >= beta;
}

/*
 * What a move has to promise to be tried.  Nothing is left out where the window
 * asks whether the game is lost, so that no claim rests on it.
 *
 * On the last ply, where the estimate stands below alpha, it is as much as it
 * takes to reach that (futility pruning): only where promises are nearly all
 * that an evaluation is made of, as in the race that Halma is, with a hundred
 * moves for a seat.
 */
static int
least_promise(const struct search *search, int depth, int alpha, int beta, int estimate)
{
	const struct rules *rules = search->rules;
	if (search->proving || alpha <= -SEARCH_DECIDED)
		return SEARCH_ORDER_ALL;
	if (!rules->promises_tell || depth > 1 || alpha >= SEARCH_DECIDED || beta - alpha > 1)
		return rules->least;
	int wanted = alpha - estimate - rules->doubt;
	return wanted > rules->least ? wanted : rules->least;
}

/* The value of a position to the seat to move, as far as it matters in the window. */
static int
visit(struct search *search, struct search_node *node, int depth, int alpha, int beta)
{
	int ply = (int)node->ply, score, stored, outer = search->bound_to;
	struct table_hit hit;

	if (search->ended)
		return 0;
	if (depth <= 0 || ply >= SEARCH_DEPTH_MAX)
		return search_leaf(search, node, alpha, beta);
	/* Nothing is worse than to have lost now, or better than to win at once. */
	alpha = alpha > ply - SEARCH_WON ? alpha : ply - SEARCH_WON;
	beta = beta < SEARCH_WON - ply - 1 ? beta : SEARCH_WON - ply - 1;
	if (alpha >= beta)
		return alpha;
	/* The table after the evaluation, during whose work its line comes from memory. */
	score = 0;
	if (!search->proving && beta - alpha == 1) {
		enum forecast forecast = search_leaf_estimate(search, node, false, &score);
		if (forecast >= FORECAST_BLOCKED || far_above(depth, beta, score))
			return score;
	}

	bool known = table_find(&search->table, node->position.key ^ node->salt, &hit);
	if (known && beta - alpha == 1 && settled(search, node, &hit, depth, alpha, beta, &stored))
		return stored;

	struct search_order order;
	search->bound_to = SEARCH_DEPTH_MAX;
	search_order_begin(&order, search, &node->position, node->ply, known ? &hit : NULL,
	    least_promise(search, depth, alpha, beta, score), depth);
	score = try_moves(search, node, &order, depth, alpha, beta);
	search->bound_to = outer < search->bound_to ? outer : search->bound_to;
	return score;
}

/* The best of the root's moves within a window; *found is false if none was found to be better than alpha. */
static int
search_root(struct search *search, const struct position *root, unsigned first, unsigned depth, int alpha, int beta)
{
	struct search_node node = {.position = *root};
	node.position.chained = search->rules->phase(root) == PHASE_CHAIN;
	int best = -SEARCH_INFINITE;
	unsigned best_at = first;

	search->line_count[0] = 0;
	for (unsigned i = first; i < search->root_count; i++) {
		if (i > first && search_waits(search, root, search->root[i]) && alpha > -SEARCH_DECIDED &&
		    !search->proving)
			continue;
		int score = best == -SEARCH_INFINITE
				? follow(search, &node, search->root[i], (int)depth - 1, alpha, beta)
				: follow_later(search, &node, search->root[i], (int)depth - 1, 0, alpha, beta);
		if (search->ended)
			break;
		if (score <= best)
			continue;
		best = score;
		if (score <= alpha)
			continue;
		alpha = score;
		best_at = i;
		search_line_take(search, 0, search->root[i]);
		if (score >= beta)
			break;
	}
	if (search->line_count[0] > 0)
		search_bring_forward(search, first, best_at, best);
	return best;
}

/* A narrow window about what the iteration before found, opened where the score falls outside. */
bool
search_two(struct search *search, const struct position *root, unsigned first, unsigned depth)
{
	int guess = search->root_score[first], width = 60;
	int alpha = depth > 3 ? guess - width : -SEARCH_INFINITE, beta = depth > 3 ? guess + width : SEARCH_INFINITE;

	search->proving = false;
	for (;;) {
		int score = search_root(search, root, first, depth, alpha, beta);
		if (search->ended) /* that all moves lose is not known before all were tried */
			return search->line_count[0] > 0 && score > -SEARCH_DECIDED;
		if (score > alpha && score < beta)
			return true;
		width *= 4;
		if (score <= alpha)
			alpha = width > 1000 ? -SEARCH_INFINITE : guess - width;
		else
			beta = width > 1000 ? SEARCH_INFINITE : guess + width;
	}
}

bool
search_two_prove(struct search *search, const struct position *root, unsigned first, int *score)
{
	int plies = SEARCH_WON - (*score < 0 ? -*score : *score);
	int alpha = *score > 0 ? *score : -SEARCH_INFINITE, beta = *score > 0 ? SEARCH_INFINITE : *score;

	if (plies > 1) {
		search->proving = true;
		search->returns = first > 0 || search->limits->only;
		int found = search_root(search, root, first, (unsigned)plies - 1, alpha, beta);
		search->proving = search->returns = false;
		if (search->ended)
			return false;
		if (found > alpha && found < beta)
			*score = found;
	}
	return true;
}

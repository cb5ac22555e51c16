/*
 * The search for more than two seats: paranoid search (Sturtevant and Korf, On
 * pruning techniques for multi-player games, 2000).  All others are taken to
 * play together against the seat at the root, so one number tells what a
 * position is worth, a window cuts as it does with two seats, and the search
 * sees further than max^n (Luckhardt and Irani, 1986) in the same nodes.
 *
 * The choice was measured: `make -C build many` plays it in iuvo-4 against max^n
 * and against BRS+ (Esser, Gras, Winands, Schadd and Lanctot, Improving best-reply
 * search, 2013), two seats each, in all seatings of the same openings.  In 96
 * games with 4,000 nodes a ply it has 69.3 % (59.4 to 77.6) against max^n (7.3
 * plies deep against 6.2) and 56.2 % (46.3 to 65.7) against BRS+ (6.9 against
 * 7.5).  BRS+ leaves out replies, so a win that it sees need not be one; what
 * paranoid search claims to be won is won whatever the others play.
 *
 * It never claims a loss: the others need not play together.
 */
#include "engine/search_order.h"

enum { ILLEGAL = SEARCH_INFINITE + 1 };

struct node {
	struct position position;
	unsigned ply;
	unsigned seat; /* to move at the root */
};

static int visit(struct search *search, struct node *node, int depth, int alpha, int beta);

/* Whether the seat at the root is to move, and not one of those against it.  Scores are for the side to move. */
static bool
own_side(const struct node *node)
{
	return node->position.turn == node->seat;
}

/* The value of a game that is over, or over for the seat at the root, to that seat. */
static bool
over(const struct node *node, int *score)
{
	const struct position *position = &node->position;
	int lost = (int)node->ply - SEARCH_WON;
	if (position->turn == 0)
		*score = position->winner == 0 ? 0 : position->winner == node->seat ? -lost : lost;
	else if (position_out(position, node->seat))
		*score = lost;
	else
		return false;
	return true;
}

/* What a position is worth to the seat at the root: how far it is before the best of the others, and how far on. */
static int
lead(const struct search *search, const struct node *node, const int worth[SEATS_MAX])
{
	int score = search_before_others(&node->position, node->seat, worth) +
		    search_headway(search, &node->position, node->ply);
	return score >= SEARCH_DECIDED ? SEARCH_DECIDED - 1 : score <= -SEARCH_DECIDED ? 1 - SEARCH_DECIDED : score;
}

/* The value of a node to a side, which need not be the one to move there. */
static int
value_to(struct search *search, bool own, struct node *node, int depth, int alpha, int beta)
{
	int score;
	if (over(node, &score))
		return own ? score : -score;
	if (own_side(node) == own)
		return visit(search, node, depth, alpha, beta);
	return -visit(search, node, depth, -beta, -alpha);
}

/* The seat to move cannot: it goes out, and the turn passes on (I12, I15). */
static int
pass_on(struct search *search, const struct node *node, int depth, int alpha, int beta)
{
	struct node next = *node;
	struct change change = {0};
	search->rules->drop(&next.position, NULL, node->position.turn, REASON_BLOCKED, &change);
	return value_to(search, own_side(node), &next, depth, alpha, beta);
}

/* What a seat left: the key that I16 asks for, unless somebody dropped out. */
static uint64_t
left_by(unsigned seat, const struct position *after)
{
	return after->key ^ zobrist_turn(after->turn) ^ zobrist_turn(seat) ^ zobrist_out(after->out);
}

/*
 * What a move is worth to the side that makes it; ILLEGAL where the past
 * forbids it (I16).  A line that comes back is worth nothing.
 */
static int
follow(struct search *search, const struct node *node, struct move move, int depth, int alpha, int beta)
{
	struct node child = {.ply = node->ply + 1, .seat = node->seat};
	const struct position *after = &child.position;
	search->rules->make(&node->position, move, &child.position);
	search_count(search);
	search->line_count[child.ply] = 0;
	uint64_t key = left_by(node->position.turn, after);
	if (after->turn != 0 && after->out == node->position.out) {
		bool again = search_past_way(&search->past, key, node->ply, rules_in_count(after)) >= 0;
		unsigned times = search_past_game(&search->past, key) + again;
		if (times > 0)
			return times > 1 && search->rules->forbids ? ILLEGAL : 0;
	}
	if (after->turn != 0 && child.ply >= search->last)
		return 0;
	search_past_go(&search->past, child.ply, key);
	return value_to(search, own_side(node), &child, depth, alpha, beta);
}

/* Where the search looks no further, captures are still looked at; nobody has to capture. */
static int
horizon(struct search *search, const struct node *node, int alpha, int beta)
{
	struct move moves[MOVES_MAX];
	int worth[SEATS_MAX];
	enum forecast forecast = search->rules->evaluate(&node->position, search->weights, &search->memo, worth);
	if (forecast == FORECAST_BLOCKED)
		return pass_on(search, node, 0, alpha, beta);
	if (forecast == FORECAST_WINS)
		return SEARCH_WON - (int)node->ply - 1;
	int best = own_side(node) ? lead(search, node, worth) : -lead(search, node, worth);
	if (forecast != FORECAST_CAPTURES || best >= beta || node->ply >= SEARCH_DEPTH_MAX)
		return best;
	unsigned count = search->rules->moves(&node->position, NULL, moves);
	for (unsigned i = 0; i < count && best < beta && !search->ended; i++) {
		if (!moves[i].captures)
			continue;
		int score = follow(search, node, moves[i], 0, best > alpha ? best : alpha, beta);
		if (score != ILLEGAL && score > best)
			best = score;
	}
	return best;
}

static bool
settled(const struct node *node, const struct table_hit *hit, int depth, int alpha, int beta, int *score)
{
	*score = search_from_table(hit->score, node->ply);
	bool deep = (int)hit->depth >= depth;
	bool at_least = hit->bound != TABLE_UPPER && (deep || *score >= SEARCH_DECIDED);
	bool at_most = hit->bound != TABLE_LOWER && (deep || *score <= -SEARCH_DECIDED);
	return (at_least && *score >= beta) || (at_most && *score <= alpha) || (at_least && at_most);
}

/* A move that is not the first: whether it is better, a ply less deep where it comes late, and then how good. */
static int
follow_later(struct search *search, const struct node *node, const struct search_order *order, struct move move,
    int depth, int alpha, int beta)
{
	int less = depth >= 2 && order->next > 3 && !move.captures ? 1 : 0;
	int score = follow(search, node, move, depth - less, alpha, alpha + 1);
	if (less > 0 && score > alpha && score != ILLEGAL && !search->ended)
		score = follow(search, node, move, depth, alpha, alpha + 1);
	if (score > alpha && score < beta && score != ILLEGAL && !search->ended)
		score = follow(search, node, move, depth, alpha, beta);
	return score;
}

/* The best of a node's moves; ILLEGAL if there are none. */
static int
try_moves(struct search *search, const struct node *node, struct search_order *order, int depth, int alpha, int beta,
    struct move *best_move)
{
	int best = ILLEGAL;
	struct move move;
	while (search_order_next(order, &move)) {
		int score = best == ILLEGAL ? follow(search, node, move, depth - 1, alpha, beta)
					    : follow_later(search, node, order, move, depth - 1, alpha, beta);
		if (search->ended)
			return 0;
		if (score == ILLEGAL || (best != ILLEGAL && score <= best))
			continue;
		best = score;
		if (score <= alpha)
			continue;
		alpha = score;
		*best_move = move;
		search_line_take(search, node->ply, move);
		if (score >= beta) {
			search_order_learn(order, search, &node->position, node->ply, depth);
			break;
		}
	}
	return best;
}

/* The value of a position that is not over to the side to move, as far as it matters in the window. */
static int
visit(struct search *search, struct node *node, int depth, int alpha, int beta)
{
	struct search_order order;
	struct table_hit hit;
	struct move move = {0};
	int score;

	if (search->ended)
		return 0;
	if (depth <= 0 || node->ply >= SEARCH_DEPTH_MAX)
		return horizon(search, node, alpha, beta);
	bool known = table_find(&search->table, node->position.key, &hit);
	if (known && beta - alpha == 1 && settled(node, &hit, depth, alpha, beta, &score))
		return score;
	search_order_begin(&order, search, &node->position, node->ply, known ? &hit : NULL, SEARCH_ORDER_ALL, depth);
	score = try_moves(search, node, &order, depth, alpha, beta, &move);
	if (search->ended)
		return 0;
	if (score == ILLEGAL)
		return pass_on(search, node, depth, alpha, beta);
	struct table_hit found = {
	    .score = search_to_table(score, node->ply),
	    .depth = (unsigned)depth,
	    .bound = score >= beta    ? TABLE_LOWER
		     : score <= alpha ? TABLE_UPPER
				      : TABLE_EXACT,
	    .from = move.from,
	    .to = move.to,
	};
	table_keep(&search->table, node->position.key, &found);
	return score;
}

bool
search_many(struct search *search, const struct position *root, unsigned first, unsigned depth)
{
	struct node node = {.position = *root, .seat = root->turn};
	int best = -SEARCH_INFINITE, last = (int)depth - 1;
	unsigned best_at = first;

	node.position.chained = search->rules->phase(root) == PHASE_CHAIN;
	search->line_count[0] = 0;
	for (unsigned i = first; i < search->root_count; i++) {
		struct move move = search->root[i];
		int score = i == first ? best + 1 : follow(search, &node, move, last, best, best + 1);
		if (score > best && !search->ended)
			score = follow(search, &node, move, last, best, SEARCH_INFINITE);
		if (search->ended)
			break;
		if (score <= best || score == ILLEGAL)
			continue;
		best = score;
		best_at = i;
		search_line_take(search, 0, move);
	}
	if (search->line_count[0] > 0)
		search_bring_forward(search, first, best_at, best > -SEARCH_DECIDED ? best : SEARCH_LOST_TO_ALL);
	/* That all others together win whatever is played is not known before all moves were tried: the move stands as
	 * the iteration before had it, unless another was found that holds out longer. */
	return search->line_count[0] > 0 && !(search->ended && best <= -SEARCH_DECIDED && best_at == first);
}

#include "tests/engine/rivals.h"

#include <string.h>

#include "engine/search_order.h"

enum { ILLEGAL = SEARCH_INFINITE + 1 };

/* In the key of a node of BRS+ in whose round somebody has answered. */
static const uint64_t answered_key = UINT64_C(0x9d1f3a5b7c2e4861);

struct node {
	struct position position;
	unsigned ply;
	unsigned seat; /* to move at the root */
	bool answered; /* BRS+: one of the others has, since the seat at the root moved */
};

/* A seat before the best of the others, and how far on the game is: as in the search that these are measured by. */
static int
lead(const struct search *search, const struct position *position, const int worth[SEATS_MAX], unsigned seat,
    unsigned ply)
{
	int best = -SEARCH_INFINITE;
	for (unsigned i = 0; i < variant_row((enum variant)position->variant)->seats; i++)
		if (i + 1 != seat && !position_out(position, i + 1) && worth[i] > best)
			best = worth[i];
	int score = worth[seat - 1] - best + search_headway(search, position, ply);
	return score >= SEARCH_DECIDED ? SEARCH_DECIDED - 1 : score <= -SEARCH_DECIDED ? 1 - SEARCH_DECIDED : score;
}

/* The value to a seat of a position where the game is over, or the seat out; false if it is neither. */
static bool
over(const struct position *position, unsigned seat, unsigned ply, int *score)
{
	if (position->turn == 0)
		*score = position->winner == 0      ? 0
			 : position->winner == seat ? SEARCH_WON - (int)ply
						    : (int)ply - SEARCH_WON;
	else if (position_out(position, seat))
		*score = (int)ply - SEARCH_WON;
	else
		return false;
	return true;
}

static void
drop_blocked(const struct search *search, struct position *position)
{
	struct change change = {0};
	search->rules->drop(position, NULL, position->turn, REASON_BLOCKED, &change);
}

/* Makes a move; how often what it left was left before. */
static unsigned
make(struct search *search, const struct node *node, struct move move, struct node *child)
{
	const struct position *after = &child->position;
	*child = (struct node){.ply = node->ply + 1, .seat = node->seat, .answered = node->answered};
	search->rules->make(&node->position, move, &child->position);
	search_count(search);
	search->line_count[child->ply] = 0;
	uint64_t key =
	    after->key ^ zobrist_turn(after->turn) ^ zobrist_turn(node->position.turn) ^ zobrist_out(after->out);
	bool again = search_past_way(&search->past, key, node->ply, rules_in_count(after)) >= 0;
	search_past_go(&search->past, child->ply, key);
	if (after->turn == 0 || after->out != node->position.out)
		return 0;
	return search_past_game(&search->past, key) + again;
}

/* Where max^n looks no further: a value for every seat. */
static void
max_n_leaf(struct search *search, struct node *node, int values[SEATS_MAX])
{
	int worth[SEATS_MAX];
	enum forecast forecast = FORECAST_QUIET;
	while (node->position.turn != 0) {
		forecast = search->rules->evaluate(&node->position, search->weights, &search->memo, worth);
		if (forecast != FORECAST_BLOCKED)
			break;
		drop_blocked(search, &node->position);
	}
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		if (over(&node->position, i + 1, node->ply, &values[i]))
			continue;
		int won = SEARCH_WON - (int)node->ply - 1;
		values[i] = forecast != FORECAST_WINS      ? lead(search, &node->position, worth, i + 1, node->ply)
			    : i + 1 == node->position.turn ? won
							   : -won;
	}
}

static void max_n(struct search *search, struct node *node, int depth, int values[SEATS_MAX]);

/* Below a move; false where the past forbids it (I16). */
static bool
max_n_follow(struct search *search, const struct node *node, struct move move, int depth, int values[SEATS_MAX])
{
	struct node child;
	unsigned times = make(search, node, move, &child);
	if (times > 1)
		return false;
	if (times > 0)
		memset(values, 0, SEATS_MAX * sizeof *values);
	else
		max_n(search, &child, depth, values);
	return true;
}

/* The values of a node to every seat, if each plays for itself. */
static void
max_n(struct search *search, struct node *node, int depth, int values[SEATS_MAX])
{
	struct search_order order;
	bool any = false;
	unsigned mover = node->position.turn - 1u;

	if (depth <= 0 || node->position.turn == 0 || node->ply >= SEARCH_DEPTH_MAX) {
		max_n_leaf(search, node, values);
		return;
	}
	struct move move;
	search_order_begin(&order, search, &node->position, node->ply, NULL, SEARCH_ORDER_ALL, depth);
	while (!search->ended && !(any && search_decided(values[mover]) && values[mover] > 0) &&
	       search_order_next(&order, &move)) {
		int found[SEATS_MAX];
		if (!max_n_follow(search, node, move, depth - 1, found))
			continue;
		if (!any || found[mover] > values[mover]) {
			memcpy(values, found, sizeof found);
			search_line_take(search, node->ply, move);
		}
		any = true;
	}
	if (!any && !search->ended) {
		drop_blocked(search, &node->position);
		max_n(search, node, depth, values);
	}
}

bool
rivals_max_n(struct search *search, const struct position *root, unsigned first, unsigned depth)
{
	struct node node = {.position = *root, .seat = root->turn};
	int best = -SEARCH_INFINITE;
	unsigned best_at = first;

	search->line_count[0] = 0;
	for (unsigned i = first; i < search->root_count; i++) {
		int values[SEATS_MAX] = {0};
		bool legal = max_n_follow(search, &node, search->root[i], (int)depth - 1, values);
		if (search->ended)
			break;
		if (!legal || values[root->turn - 1] <= best)
			continue;
		best = values[root->turn - 1];
		best_at = i;
		search_line_take(search, 0, search->root[i]);
	}
	if (search->line_count[0] > 0)
		search_bring_forward(search, first, best_at, best);
	return search->line_count[0] > 0;
}

static int brs(struct search *search, struct node *node, int depth, int alpha, int beta);

/* The value of a move to the seat at the root; ILLEGAL where the past forbids it (I16). */
static int
brs_follow(
    struct search *search, const struct node *node, struct move move, bool answered, int depth, int alpha, int beta)
{
	struct node child;
	unsigned times = make(search, node, move, &child);
	child.answered = answered && child.position.turn != node->seat;
	return times > 1 ? ILLEGAL : times > 0 ? 0 : brs(search, &child, depth, alpha, beta);
}

static int
brs_leaf(struct search *search, const struct node *node, int depth, int alpha, int beta)
{
	int worth[SEATS_MAX];
	struct node next = *node;
	int won = SEARCH_WON - (int)node->ply - 1;
	switch (search->rules->evaluate(&node->position, search->weights, &search->memo, worth)) {
	case FORECAST_BLOCKED:
		drop_blocked(search, &next.position);
		return brs(search, &next, depth, alpha, beta);
	case FORECAST_WINS:
		return node->position.turn == node->seat ? won : -won;
	default:
		return lead(search, &node->position, worth, node->seat, node->ply);
	}
}

/* A bound that a search of a node found; the window is the one it began with. */
static void
brs_keep(struct search *search, const struct node *node, uint64_t key, int depth, int alpha, int beta, int score,
    struct move best)
{
	struct table_hit found = {
	    .score = search_to_table(score, node->ply),
	    .depth = (unsigned)depth,
	    .bound = score >= beta    ? TABLE_LOWER
		     : score <= alpha ? TABLE_UPPER
				      : TABLE_EXACT,
	    .from = best.from,
	    .to = best.to,
	};
	table_keep(&search->table, key, &found);
}

/* Whether the table tells the value within the window. */
static bool
brs_known(const struct table_hit *hit, unsigned ply, int depth, int alpha, int beta, int *score)
{
	*score = search_from_table(hit->score, ply);
	return (int)hit->depth >= depth && beta - alpha == 1 &&
	       ((hit->bound != TABLE_UPPER && *score >= beta) || (hit->bound != TABLE_LOWER && *score <= alpha));
}

/* What is left to try at a node, and what was found there. */
struct brs_node {
	struct search_order order;
	int alpha, beta, best;
	struct move first, move;
	bool any;
};

/* Tries a move: at first a little window, as in the search that this one is measured against. */
static void
brs_try(struct search *search, const struct node *node, struct brs_node *at, struct move move, bool answered, int depth)
{
	bool own = node->position.turn == node->seat;
	int less = at->any && depth >= 3 && at->order.next > 3 && !move.captures ? 1 : 0;
	int low = own ? at->alpha : at->beta - 1, score = ILLEGAL;

	if (at->any)
		score = brs_follow(search, node, move, answered, depth - 1 - less, low, low + 1);
	if (!at->any || (score != ILLEGAL && (own ? score > low : score <= low)))
		score = brs_follow(search, node, move, answered, depth - 1, at->alpha, at->beta);
	if (search->ended || score == ILLEGAL)
		return;
	if (!at->any)
		at->first = move;
	if (!at->any || (own ? score > at->best : score < at->best)) {
		at->best = score;
		at->move = move;
		search_line_take(search, node->ply, move);
	}
	at->any = true;
	if (own && score > at->alpha)
		at->alpha = score;
	if (!own && score < at->beta)
		at->beta = score;
}

/* The value of a node to the seat at the root. */
static int
brs(struct search *search, struct node *node, int depth, int alpha, int beta)
{
	struct brs_node at = {.alpha = alpha, .beta = beta};
	struct move move;
	struct table_hit hit;
	int score;
	bool own = node->position.turn == node->seat;
	bool last = rules_next(&node->position, node->position.turn ? node->position.turn : node->seat) == node->seat;

	if (over(&node->position, node->seat, node->ply, &score) || search->ended)
		return search->ended ? 0 : score;
	if (depth <= 0 || node->ply >= SEARCH_DEPTH_MAX)
		return brs_leaf(search, node, depth, alpha, beta);
	uint64_t key = node->position.key ^ (node->answered ? answered_key : 0);
	bool known = table_find(&search->table, key, &hit);
	if (known && brs_known(&hit, node->ply, depth, alpha, beta, &score))
		return score;
	search_order_begin(&at.order, search, &node->position, node->ply, known ? &hit : NULL, SEARCH_ORDER_ALL, depth);
	while (
	    !search->ended && at.alpha < at.beta && !(node->answered && at.any) && search_order_next(&at.order, &move))
		brs_try(search, node, &at, move, !own, depth);
	if (!own && !node->answered && !last && at.any && at.alpha < at.beta)
		brs_try(search, node, &at, at.first, false, depth);
	if (search->ended)
		return 0;
	if (!at.any) {
		drop_blocked(search, &node->position);
		return brs(search, node, depth, alpha, beta);
	}
	if (at.alpha >= at.beta)
		search_order_learn(&at.order, search, &node->position, node->ply, depth);
	brs_keep(search, node, key, depth, alpha, beta, at.best, at.move);
	return at.best;
}

bool
rivals_brs(struct search *search, const struct position *root, unsigned first, unsigned depth)
{
	struct node node = {.position = *root, .seat = root->turn};
	int best = -SEARCH_INFINITE, last = (int)depth - 1;
	unsigned best_at = first;

	search->line_count[0] = 0;
	for (unsigned i = first; i < search->root_count; i++) {
		struct move move = search->root[i];
		int score = i == first ? best + 1 : brs_follow(search, &node, move, false, last, best, best + 1);
		if (score > best && !search->ended)
			score = brs_follow(search, &node, move, false, last, best, SEARCH_INFINITE);
		if (search->ended)
			break;
		if (score == ILLEGAL || score <= best)
			continue;
		best = score;
		best_at = i;
		search_line_take(search, 0, move);
	}
	if (search->line_count[0] > 0)
		search_bring_forward(search, first, best_at, best);
	return search->line_count[0] > 0;
}

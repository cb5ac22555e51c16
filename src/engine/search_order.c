#include "engine/search_order.h"

#include <string.h>

static unsigned
name(struct move move)
{
	return weigh_ends(move.from, move.to);
}

/* The first of those that are worth most, of the moves not handed out. */
static unsigned
find_best(const struct search_order *order)
{
	return order->next + kernel_here()->best(order->worth + order->next, order->count - order->next);
}

/* Hands out the move at an index. */
static struct move
take(struct search_order *order, unsigned at)
{
	struct move move = order->moves[at];
	int worth = order->worth[at];
	order->moves[at] = order->moves[order->next];
	order->worth[at] = order->worth[order->next];
	order->moves[order->next] = move;
	order->worth[order->next++] = worth;
	return move;
}

/* Lists and weighs the moves; those that were handed out before come first, as if they were handed out from the list.
 */
static void
list(struct search_order *order)
{
	const struct search *search = order->search;
	struct position *position = order->position;
	struct move before[SEARCH_ORDER_NAMED];
	unsigned count = order->next;
	struct weigher weigher = {
	    .promises = &search->promises,
	    .history = search->history[position->turn - 1],
	    .seat = position->turn,
	    .waits = promise_waits(&search->promises, position),
	    .least = order->least,
	    .table = order->named[0],
	    .killers = {order->named[1], order->named[2]},
	    .moves = order->moves,
	    .worth = order->worth,
	    .best_worth = WEIGH_LEAST,
	};
	memcpy(before, order->moves, count * sizeof *before);
	search->rules->weigh(position, &weigher);
	order->count = weigher.count;
	order->left_out = weigher.left_out;
	order->best = weigher.best;
	order->listed = true;
	position->chained = weigher.chained;
	order->next = 0;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = i;
		while (name(order->moves[at]) != name(before[i]))
			at++;
		take(order, at);
	}
}

/* Finds those with a name that a list would begin with. */
static void
find_named(struct search_order *order)
{
	const struct search *search = order->search;
	struct position *position = order->position;
	bool waits = promise_waits(&search->promises, position);
	struct found found;
	search->rules->find(position, order->named, SEARCH_ORDER_NAMED, &found);
	position->chained = found.chained;
	for (unsigned i = 0; i < SEARCH_ORDER_NAMED; i++) {
		if (i > 0 && found.captures) /* they come first */
			return;
		if (!(found.legal >> i & 1) || (i > 0 && order->named[i] == order->named[0]))
			continue;
		if (i > 0 && promise_of(&search->promises, position->turn, found.moves[i], waits) < order->least)
			continue;
		order->moves[order->named_count++] = found.moves[i];
	}
}

void
search_order_begin(struct search_order *order, const struct search *search, struct position *position, unsigned ply,
    const struct table_hit *best, int least, int depth)
{
	const struct move *killers = search->killers[ply];
	order->search = search;
	order->position = position;
	order->least = least;
	order->named[0] = best ? weigh_ends(best->from, best->to) : 0; /* 0: no move, from a cell to itself */
	order->named[1] = name(killers[0]);
	order->named[2] = name(killers[1]);
	order->next = order->named_count = order->left_out = 0;
	order->listed = depth > 1;
	if (order->listed)
		list(order);
	else
		find_named(order);
}

bool
search_order_next(struct search_order *order, struct move *move)
{
	if (!order->listed && order->next < order->named_count) {
		*move = order->moves[order->next++];
		return true;
	}
	if (!order->listed)
		list(order);
	if (order->next >= order->count)
		return false;
	*move = take(order, order->next == 0 ? order->best : find_best(order));
	return true;
}

/* Moves a number towards a bound, the slower the nearer it is. */
static void
adjust(int16_t *number, int by)
{
	int size = by < 0 ? -by : by;
	*number = (int16_t)(*number + by - *number * size / SEARCH_HISTORY_MAX);
}

void
search_order_learn(
    const struct search_order *order, struct search *search, const struct position *position, unsigned ply, int depth)
{
	int16_t *history = search->history[position->turn - 1];
	struct move good = order->moves[order->next - 1];
	int by = depth * depth < 400 ? depth * depth : 400;

	if (good.captures)
		return;
	if (!move_same(search->killers[ply][0], good)) {
		search->killers[ply][1] = search->killers[ply][0];
		search->killers[ply][0] = good;
	}
	adjust(&history[good.from << 8 | good.to], by);
	for (unsigned i = 0; i + 1 < order->next; i++)
		if (!order->moves[i].captures)
			adjust(&history[order->moves[i].from << 8 | order->moves[i].to], -by);
}

#include "engine/search_order.h"

#include <limits.h>

void
search_order_begin(struct search_order *order, const struct search *search, const struct position *position,
    unsigned ply, const struct table_hit *best, int least)
{
	const struct move *killers = search->killers[ply];
	struct weigher weigher = {
	    .promises = &search->promises,
	    .history = search->history[position->turn - 1],
	    .seat = position->turn,
	    .waits = promise_waits(&search->promises, position),
	    .least = least,
	    .table = best ? weigh_ends(best->from, best->to) : UINT_MAX,
	    .killers = {weigh_ends(killers[0].from, killers[0].to), weigh_ends(killers[1].from, killers[1].to)},
	    .moves = order->moves,
	    .worth = order->worth,
	    .best_worth = WEIGH_LEAST,
	};
	search->rules->weigh(position, &weigher);
	order->count = weigher.count;
	order->next = 0;
	order->best = weigher.best;
	order->left_out = weigher.left_out;
	order->chained = weigher.chained;
}

/* The first of those that are worth most, of the moves not handed out. */
static unsigned
find_best(const struct search_order *order)
{
	return order->next + kernel_here()->best(order->worth + order->next, order->count - order->next);
}

struct move
search_order_next(struct search_order *order)
{
	unsigned best = order->next == 0 ? order->best : find_best(order);
	struct move move = order->moves[best];
	int worth = order->worth[best];
	order->moves[best] = order->moves[order->next];
	order->worth[best] = order->worth[order->next];
	order->moves[order->next] = move;
	order->worth[order->next++] = worth;
	return move;
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
	if (!search_same(search->killers[ply][0], good)) {
		search->killers[ply][1] = search->killers[ply][0];
		search->killers[ply][0] = good;
	}
	adjust(&history[good.from << 8 | good.to], by);
	for (unsigned i = 0; i + 1 < order->next; i++)
		if (!order->moves[i].captures)
			adjust(&history[order->moves[i].from << 8 | order->moves[i].to], -by);
}

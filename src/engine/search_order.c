#include "engine/search_order.h"

enum { WORTH_TABLE = 1 << 28, WORTH_CAPTURE = 1 << 20, WORTH_KILLER = 1 << 18 };

static inline int
weigh(const struct move killers[SEARCH_KILLERS], const int16_t *history, struct move move, int promise)
{
	if (move.captures)
		return WORTH_CAPTURE;
	for (unsigned i = 0; i < SEARCH_KILLERS; i++)
		if (search_same(killers[i], move))
			return WORTH_KILLER - (int)i;
	return history[move.from << 8 | move.to] + promise;
}

void
search_order_begin(struct search_order *order, const struct search *search, const struct position *position,
    unsigned ply, const struct table_hit *best, int least)
{
	const struct move *killers = search->killers[ply];
	const int16_t *history = search->history[position->turn - 1];
	unsigned listed = search->rules->moves(position, NULL, order->moves), count = 0;
	bool waits = promise_waits(&search->promises, position);
	for (unsigned i = 0; i < listed; i++) {
		struct move move = order->moves[i];
		bool known = best && move.from == best->from && move.to == best->to;
		int promise = promise_of(&search->promises, position->turn, move, waits);
		if (promise < least && !known)
			continue;
		order->moves[count] = move;
		order->worth[count++] = known ? WORTH_TABLE : weigh(killers, history, move, promise);
	}
	order->count = count;
	order->next = 0;
	order->left_out = listed - count;
}

struct move
search_order_next(struct search_order *order)
{
	unsigned best = order->next;
	for (unsigned i = best + 1; i < order->count; i++)
		if (order->worth[i] > order->worth[best])
			best = i;
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

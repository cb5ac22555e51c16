/* The path by which a chain is shown: a shortest one, and of those the first as text (H11). */
#include "engine/halma.h"

/* Cells in the order of their text, byte by byte: a1 a10 ... a16 a2 ... a9 (behind a cell stands `-` or the end). */
static unsigned
text_order(cell_t cell)
{
	static const uint8_t order[16] = {0, 8, 9, 10, 11, 12, 13, 14, 15, 1, 2, 3, 4, 5, 6, 7};
	return cell_file(cell) * 16 + order[cell_rank(cell)];
}

static unsigned
first_by_text(unsigned class, uint64_t set)
{
	unsigned best = bits_first(set);
	for (; set; set &= set - 1) {
		unsigned bit = bits_first(set);
		if (text_order(halma_cell(class, bit)) < text_order(halma_cell(class, best)))
			best = bit;
	}
	return best;
}

/*
 * The cells that lie `count` jumps from the start for each count, until one
 * layer has the goal; returns its number.
 */
static unsigned
find_layers(const struct halma_ways *ways, uint64_t start, uint64_t goal, uint64_t layers[PATH_MAX])
{
	uint64_t reached = layers[0] = start;
	unsigned last = 0;
	while (!(layers[last] & goal) && layers[last] && last + 1 < PATH_MAX) {
		layers[last + 1] = halma_jump(ways, layers[last]) & ~reached;
		reached |= layers[++last];
	}
	return last;
}

/* Keeps of each layer what leads to the goal in time. */
static void
trim_layers(const struct halma_ways *ways, uint64_t goal, uint64_t layers[PATH_MAX], unsigned last)
{
	layers[last] = goal;
	while (last-- > 0) {
		uint64_t kept = 0;
		for (uint64_t rest = layers[last]; rest; rest &= rest - 1)
			if (halma_jump(ways, bits_lowest(rest)) & layers[last + 1])
				kept |= bits_lowest(rest);
		layers[last] = kept;
	}
}

static void
find_chain(const struct halma_set *stones, unsigned seat, struct move move, struct path *path)
{
	uint64_t layers[PATH_MAX], goal = UINT64_C(1) << halma_bit(move.to);
	unsigned class = halma_class(move.from), at = halma_bit(move.from);
	struct halma_ways ways;

	halma_find_ways(stones, seat, class, true, &ways);
	unsigned last = find_layers(&ways, UINT64_C(1) << at, goal, layers);
	trim_layers(&ways, goal, layers, last);
	for (unsigned i = 1; i <= last; i++) {
		at = first_by_text(class, halma_jump(&ways, UINT64_C(1) << at) & layers[i]);
		path->cells[i] = halma_cell(class, at);
	}
	path->count = last + 1;
}

/* Most chains have one jump: then nothing is shorter. */
static bool
is_one_jump(const struct halma_set *stones, struct move move)
{
	int files = (int)cell_file(move.to) - (int)cell_file(move.from),
	    ranks = (int)cell_rank(move.to) - (int)cell_rank(move.from);
	if (files < -2 || files > 2 || ranks < -2 || ranks > 2)
		return false;
	return halma_set_has(stones,
	    cell_at((cell_file(move.from) + cell_file(move.to)) / 2, (cell_rank(move.from) + cell_rank(move.to)) / 2));
}

void
halma_path(const struct position *position, struct move move, struct path *path)
{
	struct halma_set stones = halma_both(&position->halma);

	path->cells[0] = move.from;
	if (halma_class(move.from) == halma_class(move.to) && !is_one_jump(&stones, move)) {
		find_chain(&stones, position->turn - 1u, move, path);
		return;
	}
	path->cells[1] = move.to;
	path->count = 2;
}

/* Halma's evaluation, part of a kernel: included once by each kernel's file, all static. */
#ifndef IUVOD_ENGINE_KERNEL_HALMA_EVALUATE_H
#define IUVOD_ENGINE_KERNEL_HALMA_EVALUATE_H

#include "engine/halma_evaluate.h"
#include "engine/halma_moves.h"

enum {
	HALMA_LAST = 6,     /* so many stones on the way, or fewer, look for the gaps */
	HALMA_DISTANCE = 9, /* so many steps from the end is far enough */
	HALMA_SEAL = 6,     /* fewer stones leave a way out even to the corner: by a step, or by a jump over one */
	HALMA_TEMPO = 50,   /* to be to move is half a ply */
	HALMA_SIXTEENTHS = 16
};

/* Files and ranks to the far corner for seat 1, and how far from the diagonal; the camp by both (H2). */
#define HALMA_TO_GO(file, rank) ((file) + 15 - (rank))
#define HALMA_OFF(file, rank) ((file) + (rank) > 15 ? (file) + (rank)-15 : 15 - (file) - (rank))
#define HALMA_NEAR(to_go, off) ((to_go) < 5 || ((to_go) == 5 && (off) < 4) ? 1 : 0)

/*
 * The terms that are sums over the stones are added all at once, each in bits
 * of its own; no sum of 19 stones needs more.
 */
enum { HALMA_AT_SQUARES = 0, HALMA_AT_WAY = 16, HALMA_AT_ASIDE = 32, HALMA_AT_HOME = 48, HALMA_AT_ARRIVED = 56 };

#define HALMA_WORTH(file, rank) \
	((uint64_t)(HALMA_TO_GO(file, rank) * HALMA_TO_GO(file, rank)) << HALMA_AT_SQUARES | \
	    (uint64_t)HALMA_TO_GO(file, rank) << HALMA_AT_WAY | (uint64_t)HALMA_OFF(file, rank) << HALMA_AT_ASIDE | \
	    (uint64_t)HALMA_NEAR(30 - HALMA_TO_GO(file, rank), HALMA_OFF(file, rank)) << HALMA_AT_HOME | \
	    (uint64_t)HALMA_NEAR(HALMA_TO_GO(file, rank), HALMA_OFF(file, rank)) << HALMA_AT_ARRIVED)
#define HALMA_WORTH_BIT(class, bit) HALMA_WORTH((bit) / 8 * 2 + ((class) & 1), (bit) % 8 * 2 + (class) / 2)
#define HALMA_WORTH_8(class, bit) \
	HALMA_WORTH_BIT(class, bit), HALMA_WORTH_BIT(class, bit + 1), HALMA_WORTH_BIT(class, bit + 2), \
	    HALMA_WORTH_BIT(class, bit + 3), HALMA_WORTH_BIT(class, bit + 4), HALMA_WORTH_BIT(class, bit + 5), \
	    HALMA_WORTH_BIT(class, bit + 6), HALMA_WORTH_BIT(class, bit + 7)
#define HALMA_WORTH_64(class) \
	HALMA_WORTH_8(class, 0), HALMA_WORTH_8(class, 8), HALMA_WORTH_8(class, 16), HALMA_WORTH_8(class, 24), \
	    HALMA_WORTH_8(class, 32), HALMA_WORTH_8(class, 40), HALMA_WORTH_8(class, 48), HALMA_WORTH_8(class, 56)

/* For seat 1, by class and bit; seat 2 has the same turned round, which is both numbers with all bits changed. */
static const uint64_t halma_worth[HALMA_CLASSES][64] = {
    {HALMA_WORTH_64(0)}, {HALMA_WORTH_64(1)}, {HALMA_WORTH_64(2)}, {HALMA_WORTH_64(3)}};

BITS_INLINE uint64_t
halma_worth_at(unsigned seat, unsigned class, unsigned bit)
{
	return seat == 0 ? halma_worth[class][bit] : halma_worth[class ^ 3][bit ^ 63];
}

BITS_INLINE uint64_t
halma_sum(const uint64_t own[HALMA_CLASSES], unsigned seat)
{
	uint64_t sum = 0;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		for (uint64_t rest = own[class]; rest; rest &= rest - 1)
			sum += halma_worth_at(seat, class, bits_first(rest));
	return sum;
}

/* The same, if need be out of the memo. */
BITS_INLINE uint64_t
halma_sum_again(const uint64_t own[HALMA_CLASSES], unsigned seat, struct memo *memo)
{
	struct memo_sum *known = memo_sum_at(memo, seat, own);
	if (((known->of[0] ^ own[0]) | (known->of[1] ^ own[1]) | (known->of[2] ^ own[2]) | (known->of[3] ^ own[3])) !=
	    0)
		*known = (struct memo_sum){{own[0], own[1], own[2], own[3]}, halma_sum(own, seat)};
	return known->sum;
}

BITS_INLINE int
halma_stones(const uint64_t own[HALMA_CLASSES])
{
	return (int)(bits_count(own[0]) + bits_count(own[1]) + bits_count(own[2]) + bits_count(own[3]));
}

BITS_INLINE int
halma_field(uint64_t sum, unsigned at, unsigned bits)
{
	return (int)(sum >> at & ((1u << bits) - 1));
}

/*
 * The cells of a class that chains of one, two and three jumps forward reach.
 * Seat 1 goes to the left and up, seat 2 to the right and down.
 */
BITS_INLINE int
halma_ladder(const struct halma_set *stones, const uint64_t own[HALMA_CLASSES], unsigned seat, unsigned class)
{
	int ahead = seat == 0 ? 1 : -1;
	uint64_t empty = ~stones->of[class], reached = own[class];
	unsigned by_file = halma_other(class, ahead, 0), by_rank = halma_other(class, 0, ahead), by_both = class ^ 3;
	int count = 0;

	uint64_t over_file = halma_step(stones->of[by_file], by_file, ahead, 0) & halma_shift(empty, ahead, 0);
	uint64_t over_rank = halma_step(stones->of[by_rank], by_rank, 0, -ahead) & halma_shift(empty, 0, -ahead);
	uint64_t over_both =
	    halma_step(stones->of[by_both], by_both, ahead, -ahead) & halma_shift(empty, ahead, -ahead);
	for (unsigned jumps = 0; jumps < 3; jumps++) {
		reached = halma_shift(reached & over_file, -ahead, 0) | halma_shift(reached & over_rank, 0, ahead) |
			  halma_shift(reached & over_both, -ahead, ahead);
		count += (int)bits_count(reached);
	}
	return count;
}

/* Steps of a king between two cells. */
BITS_INLINE int
halma_steps_between(cell_t a, cell_t b)
{
	int files = (int)cell_file(a) - (int)cell_file(b), ranks = (int)cell_rank(a) - (int)cell_rank(b);
	files = files < 0 ? -files : files;
	ranks = ranks < 0 ? -ranks : ranks;
	return files > ranks ? files : ranks;
}

/* The cells of a set, at most `most` of them. */
BITS_INLINE unsigned
halma_cells(const struct halma_set *set, cell_t *cells, unsigned most)
{
	unsigned count = 0;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		for (uint64_t rest = set->of[class]; rest && count < most; rest &= rest - 1)
			cells[count++] = halma_cell(class, bits_first(rest));
	return count;
}

/* The fewest steps that bring each stone to a gap of its own, of which there are as many: by sets of gaps filled. */
BITS_INLINE int
halma_fill(const cell_t *stones, const cell_t *gaps, unsigned count)
{
	int least[1 << HALMA_LAST] = {0};
	for (unsigned filled = 1; filled < 1u << count; filled++) {
		cell_t stone = stones[bits_count(filled) - 1];
		least[filled] = 1 << 20;
		for (unsigned rest = filled; rest; rest &= rest - 1) {
			int steps =
			    least[filled & ~(rest & -rest)] + halma_steps_between(stone, gaps[bits_first(rest)]);
			least[filled] = steps < least[filled] ? steps : least[filled];
		}
	}
	return least[(1u << count) - 1];
}

/* Steps from a cell outside the camp of the other seat to the nearest cell of it. */
BITS_INLINE int
halma_steps_to_camp(cell_t cell, const struct halma_set *camp)
{
	int nearest = 16;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
		for (uint64_t rest = camp->of[class]; rest; rest &= rest - 1) {
			int steps = halma_steps_between(cell, halma_cell(class, bits_first(rest)));
			nearest = steps < nearest ? steps : nearest;
		}
	}
	return nearest;
}

/*
 * The last stones, if there are few: the steps that they have to gaps of their
 * own in the camp, and how many of these are more than the steps to the camp
 * itself.  Both 0 where there are too many.
 */
BITS_INLINE void
halma_find_last(const uint64_t own[HALMA_CLASSES], unsigned seat, int *steps, int *detours)
{
	struct halma_set camp, gaps, outside;
	cell_t stones[HALMA_LAST], cells[HALMA_LAST];
	for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
		camp.of[class] = halma_camp(seat ^ 1, class);
		gaps.of[class] = camp.of[class] & ~own[class];
		outside.of[class] = own[class] & ~camp.of[class];
	}
	*steps = *detours = 0;
	if (halma_stones(gaps.of) != halma_stones(outside.of)) /* only a text has less stones than there are cells */
		return;
	unsigned count = halma_cells(&outside, stones, HALMA_LAST);
	halma_cells(&gaps, cells, HALMA_LAST);
	*steps = *detours = halma_fill(stones, cells, count);
	for (unsigned i = 0; i < count; i++)
		*detours -= halma_steps_to_camp(stones[i], &camp);
}

/*
 * The cells of a camp from which stones of its owner come out, however long it
 * takes, past `walls`, which they may jump over; all other stones make way.
 * Found from outside in.
 */
BITS_INLINE void
halma_find_exits(const struct halma_set *camp, const struct halma_set *walls, struct halma_set *exits)
{
	bool more = true;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		exits->of[class] = ~camp->of[class] & ~walls->of[class];
	while (more) {
		more = false;
		for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
			uint64_t out = exits->of[class];
#define D(index, file, rank) \
	{ \
		unsigned by = halma_other(class, file, rank); \
		out |= halma_step(exits->of[by], by, -(file), -(rank)) | \
		       (halma_step(walls->of[by], by, -(file), -(rank)) & \
			   halma_shift(exits->of[class], -(file), -(rank))); \
	}
			HALMA_EACH_DIRECTION(D)
#undef D
			out &= ~walls->of[class];
			more |= ((out ^ exits->of[class]) & camp->of[class]) != 0;
			exits->of[class] = out;
		}
	}
}

/* The stones of the other seat that do not come out of their camp past walls. */
BITS_INLINE int
halma_kept_in(const struct halma_set *camp, const struct halma_set *walls, const uint64_t other[HALMA_CLASSES])
{
	struct halma_set exits;
	int kept = 0;
	halma_find_exits(camp, walls, &exits);
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		kept += (int)bits_count(other[class] & camp->of[class] & ~exits.of[class]);
	return kept;
}

/* Those whom all stones of a seat keep in, and those whom its stones in that camp do, which never leave it (H6). */
BITS_INLINE void
halma_keep_in(const struct halma_board *board, unsigned seat, int *barred, int *sealed)
{
	const uint64_t *own = board->of[seat], *other = board->of[seat ^ 1];
	struct halma_set camp, arrived, all;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
		camp.of[class] = halma_camp(seat ^ 1, class);
		arrived.of[class] = own[class] & camp.of[class];
		all.of[class] = own[class];
	}
	*barred = halma_kept_in(&camp, &all, other);
	*sealed = *barred > 0 ? halma_kept_in(&camp, &arrived, other) : 0;
}

BITS_INLINE void
halma_find_terms(const struct halma_board *board, const struct halma_set *stones, unsigned seat, uint64_t sum,
    uint64_t other_sum, int terms[HALMA_WEIGHT_COUNT])
{
	const uint64_t *own = board->of[seat];
	int arrived = halma_field(sum, HALMA_AT_ARRIVED, 8), outside = halma_stones(own) - arrived;
	int others_at_home = halma_field(other_sum, HALMA_AT_HOME, 8);

	terms[HALMA_WAY] = halma_field(sum, HALMA_AT_WAY, 16);
	terms[HALMA_STRAGGLER] = halma_field(sum, HALMA_AT_SQUARES, 16);
	terms[HALMA_ASIDE] = halma_field(sum, HALMA_AT_ASIDE, 16);
	terms[HALMA_HOME] = halma_field(sum, HALMA_AT_HOME, 8);
	terms[HALMA_CROWD] = arrived * others_at_home;
	terms[HALMA_BARRED] = terms[HALMA_SEALED] = 0;
	if (arrived >= HALMA_SEAL && others_at_home > 0)
		halma_keep_in(board, seat, &terms[HALMA_BARRED], &terms[HALMA_SEALED]);
	terms[HALMA_LADDER] = -halma_ladder(stones, own, seat, 0) - halma_ladder(stones, own, seat, 1) -
			      halma_ladder(stones, own, seat, 2) - halma_ladder(stones, own, seat, 3);
	terms[HALMA_GAP] = terms[HALMA_HASTE] = 0;
	if (outside <= HALMA_LAST) {
		int steps;
		halma_find_last(own, seat, &steps, &terms[HALMA_GAP]);
		if (others_at_home > 0 && steps > 0 && steps < HALMA_DISTANCE)
			terms[HALMA_HASTE] = HALMA_DISTANCE - steps;
	}
}

BITS_INLINE int
halma_cost(const int terms[HALMA_WEIGHT_COUNT], const int *weights)
{
	int cost = 0;
	for (unsigned i = 0; i < HALMA_WEIGHT_COUNT; i++)
		cost += terms[i] * weights[i];
	return cost;
}

static void
halma_kernel_terms(const struct position *position, unsigned seat, int terms[HALMA_WEIGHT_COUNT])
{
	const struct halma_board *board = &position->halma;
	struct halma_set stones = halma_both(board);
	uint64_t first = halma_sum(board->of[0], 0), second = halma_sum(board->of[1], 1);
	if (seat == 1)
		halma_find_terms(board, &stones, 0, first, second, terms);
	else
		halma_find_terms(board, &stones, 1, second, first, terms);
}

/* What a stone on a cell costs a seat (costs of struct rules), in the terms that are sums over the stones. */
static void
halma_kernel_costs(unsigned seat, const int *weights, int cost[256])
{
	for (unsigned cell = 0; cell < 256; cell++) {
		uint64_t worth = halma_worth_at(seat, halma_class((cell_t)cell), halma_bit((cell_t)cell));
		cost[cell] = weights[HALMA_WAY] * halma_field(worth, HALMA_AT_WAY, 16) +
			     weights[HALMA_STRAGGLER] * halma_field(worth, HALMA_AT_SQUARES, 16) +
			     weights[HALMA_ASIDE] * halma_field(worth, HALMA_AT_ASIDE, 16) +
			     weights[HALMA_HOME] * halma_field(worth, HALMA_AT_HOME, 8);
	}
}

/* Whether a seat has one stone left on the way, and it may land in a gap of the camp (H7). */
BITS_INLINE bool
halma_wins(const struct halma_set *stones, const uint64_t own[HALMA_CLASSES], unsigned seat)
{
	for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
		uint64_t out = own[class] & ~halma_camp(seat ^ 1, class), home = 0;
		struct halma_set landings;
		if (!out)
			continue;
		halma_landings(stones, seat, class, true, out, &landings);
		for (unsigned other = 0; other < HALMA_CLASSES; other++)
			home |= landings.of[other] & halma_camp(seat ^ 1, other);
		return home != 0;
	}
	return false;
}

/* What is certain of the seat to move, of whose stones so many stand outside the opposing camp. */
BITS_INLINE enum forecast
halma_forecast(const struct halma_set *stones, const uint64_t own[HALMA_CLASSES], unsigned seat, int outside)
{
	if (outside == 1 && halma_wins(stones, own, seat))
		return FORECAST_WINS;
	if (!halma_steps(own, stones, seat) && halma_count(own, stones, seat) == 0)
		return FORECAST_BLOCKED;
	return FORECAST_QUIET;
}

static enum forecast
halma_kernel_evaluate(const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	const struct halma_board *board = &position->halma;
	struct halma_set stones = halma_both(board);
	uint64_t sums[2] = {halma_sum_again(board->of[0], 0, memo), halma_sum_again(board->of[1], 1, memo)};
	unsigned mover = position->turn - 1u;
	int terms[HALMA_WEIGHT_COUNT],
	    outside = halma_stones(board->of[mover]) - halma_field(sums[mover], HALMA_AT_ARRIVED, 8);

	enum forecast forecast = mover == 0 ? halma_forecast(&stones, board->of[0], 0, outside)
					    : halma_forecast(&stones, board->of[1], 1, outside);
	if (forecast != FORECAST_QUIET)
		return forecast;
	halma_find_terms(board, &stones, 0, sums[0], sums[1], terms);
	worth[0] = -halma_cost(terms, weights) / HALMA_SIXTEENTHS;
	halma_find_terms(board, &stones, 1, sums[1], sums[0], terms);
	worth[1] = -halma_cost(terms, weights) / HALMA_SIXTEENTHS;
	worth[mover] += HALMA_TEMPO;
	return FORECAST_QUIET;
}

#endif

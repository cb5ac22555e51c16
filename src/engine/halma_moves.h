/*
 * The generator of Halma: where a stone may land.  All who ask for moves
 * (lists, counts, the judge, perft) ask here.
 *
 * A jump changes file and rank by two or not at all, so a chain stays in one
 * of four classes of cells, by the parities of file and rank; each class is a
 * board of 8 x 8 in one word, on which a jump is a step of a king.  It leaps
 * over stones of the other classes, and a step leads into another class: no
 * step shares a landing with a jump.  The cells that jumps join are found by
 * flooding within one word.
 *
 * H6 is a set of cells for each direction from which the camp would be left.
 * It is constant, and taken from the cells that may be left in that direction.
 */
#ifndef IUVOD_ENGINE_HALMA_MOVES_H
#define IUVOD_ENGINE_HALMA_MOVES_H

#include <stdbool.h>

#include "engine/bits.h"
#include "engine/position.h"

enum { HALMA_CLASSES = 4, HALMA_DIRECTIONS = 8 };

/* Index, and what the file and the rank change by. */
#define HALMA_EACH_DIRECTION(D) \
	D(0, 1, 0) D(1, -1, 0) D(2, 0, 1) D(3, 0, -1) D(4, 1, 1) D(5, -1, -1) D(6, 1, -1) D(7, -1, 1)

/* The camp of seat 1 (H2): its part in one row, and of one class; seat 2 has the same turned round. */
#define HALMA_BIT(class, file, rank) \
	((((file)&1) | ((rank)&1) << 1) == (class) ? UINT64_C(1) << (((file) >> 1) * 8 + ((rank) >> 1)) : 0)
#define HALMA_ROW(class, turned, rank, width) \
	(((width) > 0 ? HALMA_BIT(class, (turned) ? 0 : 15, (turned) ? 15 - (rank) : (rank)) : 0) | \
	    ((width) > 1 ? HALMA_BIT(class, (turned) ? 1 : 14, (turned) ? 15 - (rank) : (rank)) : 0) | \
	    ((width) > 2 ? HALMA_BIT(class, (turned) ? 2 : 13, (turned) ? 15 - (rank) : (rank)) : 0) | \
	    ((width) > 3 ? HALMA_BIT(class, (turned) ? 3 : 12, (turned) ? 15 - (rank) : (rank)) : 0) | \
	    ((width) > 4 ? HALMA_BIT(class, (turned) ? 4 : 11, (turned) ? 15 - (rank) : (rank)) : 0))
#define HALMA_CAMP(class, turned) \
	(HALMA_ROW(class, turned, 0, 5) | HALMA_ROW(class, turned, 1, 5) | HALMA_ROW(class, turned, 2, 4) | \
	    HALMA_ROW(class, turned, 3, 3) | HALMA_ROW(class, turned, 4, 2))

/* A set of cells: one word for each class. */
struct halma_set {
	uint64_t of[HALMA_CLASSES];
};

/* The ways that a chain may take in one class: for each direction the cells from which a jump is open. */
struct halma_ways {
	uint64_t open[HALMA_DIRECTIONS];
};

BITS_INLINE unsigned
halma_class(cell_t cell)
{
	return (cell_file(cell) & 1) | (cell_rank(cell) & 1) << 1;
}

BITS_INLINE unsigned
halma_bit(cell_t cell)
{
	return (cell_file(cell) >> 1) * 8 + (cell_rank(cell) >> 1);
}

BITS_INLINE cell_t
halma_cell(unsigned class, unsigned bit)
{
	return cell_at((bit >> 3) * 2 + (class & 1), (bit & 7) * 2 + (class >> 1));
}

/* The stones of both seats. */
BITS_INLINE struct halma_set
halma_both(const struct halma_board *board)
{
	struct halma_set both;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		both.of[class] = board->of[0][class] | board->of[1][class];
	return both;
}

/* The camp of a seat (from 0), by class: constant wherever class and seat are. */
BITS_INLINE uint64_t
halma_camp(unsigned seat, unsigned class)
{
	static const uint64_t camps[2][HALMA_CLASSES] = {
	    {HALMA_CAMP(0, 0), HALMA_CAMP(1, 0), HALMA_CAMP(2, 0), HALMA_CAMP(3, 0)},
	    {HALMA_CAMP(0, 1), HALMA_CAMP(1, 1), HALMA_CAMP(2, 1), HALMA_CAMP(3, 1)},
	};
	return camps[seat][class];
}

/* A word moved by one cell of its class. */
BITS_INLINE uint64_t
halma_shift(uint64_t word, int file, int rank)
{
	const uint64_t edge = UINT64_C(0x0101010101010101);
	if (rank > 0)
		word = (word & ~(edge << 7)) << 1;
	else if (rank < 0)
		word = (word & ~edge) >> 1;
	return file > 0 ? word << 8 : file < 0 ? word >> 8 : word;
}

/* The class in which a step ends. */
BITS_INLINE unsigned
halma_other(unsigned class, int file, int rank)
{
	return class ^ (file != 0 ? 1 : 0) ^ (rank != 0 ? 2 : 0);
}

/* What a step changes the half of a coordinate by. */
BITS_INLINE int
halma_half(unsigned parity, int by)
{
	return by > 0 ? (int)parity : by < 0 ? (int)parity - 1 : 0;
}

/* A word of a class moved by one step, into the class where it ends. */
BITS_INLINE uint64_t
halma_step(uint64_t word, unsigned class, int file, int rank)
{
	return halma_shift(word, halma_half(class & 1, file), halma_half(class >> 1, rank));
}

/* The cells of the camp that a step, or a jump, would leave it from (H6); seat is the mover. */
BITS_INLINE uint64_t
halma_step_leaves(unsigned seat, unsigned class, int file, int rank)
{
	unsigned other = halma_other(class, file, rank);
	return halma_camp(seat ^ 1, class) & ~halma_step(halma_camp(seat ^ 1, other), other, -file, -rank);
}

BITS_INLINE uint64_t
halma_jump_leaves(unsigned seat, unsigned class, int file, int rank)
{
	return halma_camp(seat ^ 1, class) & ~halma_shift(halma_camp(seat ^ 1, class), -file, -rank);
}

/* The ways in a class.  `bound` is whether H6 binds. */
BITS_INLINE void
halma_find_ways(const struct halma_set *stones, unsigned seat, unsigned class, bool bound, struct halma_ways *ways)
{
	uint64_t empty = ~stones->of[class];
#define D(index, file, rank) \
	{ \
		unsigned other = halma_other(class, file, rank); \
		uint64_t open = \
		    halma_step(stones->of[other], other, -(file), -(rank)) & halma_shift(empty, -(file), -(rank)); \
		ways->open[index] = bound ? open & ~halma_jump_leaves(seat, class, file, rank) : open; \
	}
	HALMA_EACH_DIRECTION(D)
#undef D
}

/* The cells from which some jump is open. */
BITS_INLINE uint64_t
halma_any_way(const struct halma_ways *ways)
{
	const uint64_t *open = ways->open;
	return open[0] | open[1] | open[2] | open[3] | open[4] | open[5] | open[6] | open[7];
}

/* Where one jump from each of a set of cells of a class leads. */
BITS_INLINE uint64_t
halma_jump(const struct halma_ways *ways, uint64_t from)
{
	const uint64_t *open = ways->open;
	return (from & open[0]) << 8 | (from & open[1]) >> 8 | (from & open[2]) << 1 | (from & open[3]) >> 1 |
	       (from & open[4]) << 9 | (from & open[5]) >> 9 | (from & open[6]) << 7 | (from & open[7]) >> 7;
}

/* Where chains of jumps from a stone may end, its own cell left out (H5). */
BITS_INLINE uint64_t
halma_chains(const struct halma_ways *ways, uint64_t stone)
{
	uint64_t reached = stone;
	for (;;) {
		uint64_t more = reached | halma_jump(ways, reached);
		if (more == reached)
			return reached ^ stone;
		reached = more;
	}
}

/* Adds the landings of steps of stones of a class (H4). */
BITS_INLINE void
halma_add_steps(const struct halma_set *stones, unsigned seat, unsigned class, bool bound, uint64_t from,
    struct halma_set *landings){
#define D(index, file, rank) \
	{ \
		unsigned other = halma_other(class, file, rank); \
		uint64_t movers = bound ? from & ~halma_step_leaves(seat, class, file, rank) : from; \
		landings->of[other] |= halma_step(movers, class, file, rank) & ~stones->of[other]; \
	}
    HALMA_EACH_DIRECTION(D)
#undef D
}

/* How many moves the stones of one class have. */
BITS_INLINE unsigned halma_count_class(
    const uint64_t own[HALMA_CLASSES], const struct halma_set *stones, unsigned seat, unsigned class)
{
	unsigned count = 0;
	uint64_t from = own[class];
#define D(index, file, rank) \
	{ \
		unsigned other = halma_other(class, file, rank); \
		uint64_t movers = from & ~halma_step_leaves(seat, class, file, rank); \
		count += bits_count(halma_step(movers, class, file, rank) & ~stones->of[other]); \
	}
	HALMA_EACH_DIRECTION(D)
#undef D
	struct halma_ways ways;
	halma_find_ways(stones, seat, class, true, &ways);
	for (uint64_t rest = from & halma_any_way(&ways); rest; rest &= rest - 1)
		count += bits_count(halma_chains(&ways, bits_lowest(rest)));
	return count;
}

/* How many moves a seat has. */
BITS_INLINE unsigned
halma_count(const uint64_t own[HALMA_CLASSES], const struct halma_set *stones, unsigned seat)
{
	return halma_count_class(own, stones, seat, 0) + halma_count_class(own, stones, seat, 1) +
	       halma_count_class(own, stones, seat, 2) + halma_count_class(own, stones, seat, 3);
}

/* Whether a stone of one class has a step. */
BITS_INLINE bool
halma_steps_class(const uint64_t own[HALMA_CLASSES], const struct halma_set *stones, unsigned seat, unsigned class)
{
#define D(index, file, rank) \
	{ \
		unsigned other = halma_other(class, file, rank); \
		uint64_t movers = own[class] & ~halma_step_leaves(seat, class, file, rank); \
		if (halma_step(movers, class, file, rank) & ~stones->of[other]) \
			return true; \
	}
	HALMA_EACH_DIRECTION(D)
#undef D
	return false;
}

/* Whether a seat has a step: nearly always, and much sooner known than the number of its moves. */
BITS_INLINE bool
halma_steps(const uint64_t own[HALMA_CLASSES], const struct halma_set *stones, unsigned seat)
{
	return halma_steps_class(own, stones, seat, 0) || halma_steps_class(own, stones, seat, 1) ||
	       halma_steps_class(own, stones, seat, 2) || halma_steps_class(own, stones, seat, 3);
}

/* Whether all of a seat's stones stand in the opposing camp (H7). */
BITS_INLINE bool
halma_arrived(const uint64_t own[HALMA_CLASSES], unsigned seat)
{
	uint64_t outside = 0, any = 0;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++) {
		outside |= own[class] & ~halma_camp(seat ^ 1, class);
		any |= own[class];
	}
	return !outside && any;
}

/* Where one stone may land; class need not be constant. */
static inline void
halma_landings(const struct halma_set *stones, unsigned seat, unsigned class, bool bound, uint64_t stone,
    struct halma_set *landings)
{
	struct halma_ways ways;
	*landings = (struct halma_set){{0}};
	halma_add_steps(stones, seat, class, bound, stone, landings);
	halma_find_ways(stones, seat, class, bound, &ways);
	landings->of[class] |= halma_chains(&ways, stone);
}

/* The same where the class is constant and its ways, with H6, are known. */
BITS_INLINE void
halma_landings_by(const struct halma_set *stones, unsigned seat, unsigned class, const struct halma_ways *ways,
    uint64_t stone, struct halma_set *landings)
{
	*landings = (struct halma_set){{0}};
	halma_add_steps(stones, seat, class, true, stone, landings);
	if (stone & halma_any_way(ways))
		landings->of[class] |= halma_chains(ways, stone);
}

/* The cells of one file as 16 bits, in order of rank. */
BITS_INLINE unsigned
halma_column(const struct halma_set *set, unsigned file)
{
	unsigned column = 0;
	for (unsigned odd = 0; odd < 2; odd++) {
		unsigned spread = set->of[(file & 1) | odd << 1] >> (file >> 1) * 8 & 0xff;
		spread = (spread | spread << 4) & 0x0f0f;
		spread = (spread | spread << 2) & 0x3333;
		spread = (spread | spread << 1) & 0x5555;
		column |= spread << odd;
	}
	return column;
}

#endif

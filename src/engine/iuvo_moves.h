/*
 * The generator of Iuvo: which stones may move and where they may land.  All
 * who ask for moves (lists, counts, the judge, perft) ask here.
 *
 * The board has 7 x 7 cells at bit file * 8 + rank.  Rank 8 and file h stay
 * empty, so a shift to a neighbour or round a corner never brings a stone onto
 * a cell where it is none: what wraps lands on rank 8, which no mask keeps.
 */
#ifndef IUVOD_ENGINE_IUVO_MOVES_H
#define IUVOD_ENGINE_IUVO_MOVES_H

#include <stdbool.h>

#include "engine/bits.h"
#include "engine/position.h"

#define IUVO_CELLS UINT64_C(0x007f7f7f7f7f7f7f)
#define IUVO_RANK_1 UINT64_C(0x0001010101010101)
#define IUVO_RANK_7 (IUVO_RANK_1 << 6)
#define IUVO_FILE_A UINT64_C(0x000000000000007f)
#define IUVO_FILE_G (IUVO_FILE_A << 48)
#define IUVO_START UINT64_C(0x0055005500550055) /* I2 */

/* The landings of a knight's jump from each bit (I7). */
extern const uint64_t iuvo_jumps[56];

/* A position of Iuvo seen by the seat to move. */
struct iuvo_view {
	uint64_t stones;
	uint64_t movable; /* I6, I11 */
	uint64_t enemies; /* what may be captured in the chain phase (I10) */
	bool loose;       /* I9L */
	bool chained;     /* known to be a single chain, as after any jump of the chain phase */
};

/* What the seat at an index sees. */
BITS_INLINE void
iuvo_look(const struct iuvo_board *board, unsigned seat, uint64_t resting, bool loose, struct iuvo_view *view)
{
	const uint64_t *owned = board->owned;
	uint64_t owned_by_any = owned[0] | owned[1] | owned[2] | owned[3];

	view->stones = board->stones;
	view->movable = (owned[seat] | (board->stones & ~owned_by_any)) & ~resting;
	view->enemies = owned_by_any & ~owned[seat];
	view->loose = loose;
	view->chained = false;
}

/* What a look at the whole board tells of every jump. */
struct iuvo_scan {
	uint64_t stones;
	uint64_t landings; /* where a stone may land that holds nothing together */
	uint64_t joins;    /* empty cells where a stone could join two groups */
	uint64_t free;     /* movable stones that hold nothing together */
	uint64_t cut;      /* movable stones that do, or, where `holes`, that may */
	bool holes;        /* the stones may enclose a cell, or do for certain if they are chained */
	bool chained;      /* a single chain */
};

BITS_INLINE unsigned
iuvo_bit(cell_t cell)
{
	return cell - cell_file(cell) * 8; /* of 16 for each file 8 are left */
}

BITS_INLINE cell_t
iuvo_cell(unsigned bit)
{
	return (cell_t)(bit + (bit & ~7u));
}

/* The resting stone as a set. */
BITS_INLINE uint64_t
iuvo_resting(cell_or_none_t cell)
{
	return cell == CELL_NONE ? 0 : UINT64_C(1) << iuvo_bit((cell_t)cell);
}

/* The neighbours of a set. */
BITS_INLINE uint64_t
iuvo_beside(uint64_t set)
{
	return set << 1 | set >> 1 | set << 8 | set >> 8;
}

/* The stones that hang together with a seed among them. */
BITS_INLINE uint64_t
iuvo_group(uint64_t seed, uint64_t stones)
{
	for (;;) {
		uint64_t grown = (seed | iuvo_beside(seed)) & stones;
		if (grown == seed)
			return seed;
		seed = grown;
	}
}

/* Vertices - edges + 2x2 blocks: the number of groups less the number of holes (Euler). */
BITS_INLINE int
iuvo_groups_less_holes(uint64_t stones)
{
	uint64_t tall = stones & stones >> 1;
	uint64_t wide = stones & stones >> 8;
	return (int)(bits_count(stones) + bits_count(tall & tall >> 8)) - (int)(bits_count(tall) + bits_count(wide));
}

/*
 * Whether the stones may enclose a hole, an empty cell from which no king
 * walks out.  The leftmost cells of a hole have stones on their left, at both
 * corners there and, for the lowest of them, below; its rightmost the same
 * mirrored.  Where no such two cells are, no hole is.
 */
BITS_INLINE bool
iuvo_may_have_holes(uint64_t stones)
{
	uint64_t floor = stones << 1 & ~stones;
	uint64_t left = floor & stones << 8 & stones << 9 & stones << 7;
	uint64_t right = floor & stones >> 8 & stones >> 7 & stones >> 9;
	return left && right;
}

/* Are the stones chained, and are there holes?  Of one chain its number of holes is known. */
BITS_INLINE void
iuvo_measure(const struct iuvo_view *view, struct iuvo_scan *scan)
{
	int balance = iuvo_groups_less_holes(view->stones);

	scan->chained = view->chained;
	scan->holes = balance != 1;
	if (view->chained)
		return;
	scan->holes = iuvo_may_have_holes(view->stones);
	scan->chained = balance == 1;
	if (__builtin_expect(scan->holes, 0) && balance <= 1) {
		scan->chained = iuvo_group(bits_lowest(view->stones), view->stones) == view->stones;
		scan->holes = !scan->chained || balance != 1;
	}
}

/*
 * A stone whose neighbours hang together inside its ring of eight cells holds
 * nothing together.  Going round the ring, a run of neighbours starts at a
 * neighbour that is not linked to the one before by the corner between them;
 * two starts or more mean that the ring does not hold.  Eight shifts tell this
 * for every cell at once, the empty ones too: an empty cell with two runs is
 * where a stone may join groups (the start of a knight's jump is never in the
 * ring of its landing).
 *
 * Where no hole is, a ring that does not hold means a cut for certain.
 */
BITS_INLINE void
iuvo_scan(const struct iuvo_view *view, struct iuvo_scan *scan)
{
	uint64_t stones = view->stones;
	uint64_t north = stones >> 1, south = stones << 1, east = stones >> 8, west = stones << 8;
	uint64_t north_east = north & east & stones >> 9, south_east = south & east & stones >> 7;
	uint64_t south_west = south & west & stones << 9, north_west = north & west & stones << 7;
	uint64_t starts_north = north & ~north_west, starts_east = east & ~north_east;
	uint64_t starts_south = south & ~south_east, starts_west = west & ~south_west;
	uint64_t split = (starts_north & starts_south) | (starts_east & starts_west) |
			 ((starts_north | starts_south) & (starts_east | starts_west));

	scan->stones = stones;
	iuvo_measure(view, scan);
	if (view->loose && !scan->chained)
		split = 0;
	uint64_t open = scan->chained ? ~stones | view->enemies : ~stones;
	scan->landings = (north | south | east | west) & open & IUVO_CELLS;
	scan->joins = split & ~stones & IUVO_CELLS;
	scan->free = view->movable & ~split;
	scan->cut = view->movable & split;
}

/*
 * Where a stone that holds others together may land: on an empty cell beside
 * every group that its leaving would make (I9).  It cannot capture: the cells
 * that are left are those without its own, which do not hang together.
 */
BITS_INLINE uint64_t
iuvo_joining_landings(const struct iuvo_scan *scan, unsigned bit)
{
	uint64_t allowed = iuvo_jumps[bit] & scan->joins;
	if (!allowed && !scan->holes)
		return 0;
	uint64_t others = scan->stones ^ UINT64_C(1) << bit;
	uint64_t rest = iuvo_beside(UINT64_C(1) << bit) & others;
	uint64_t group = iuvo_group(bits_lowest(rest), others);

	rest &= ~group;
	if (!rest) /* round a hole they stay together */
		return iuvo_jumps[bit] & scan->landings;
	allowed &= iuvo_beside(group);
	while (rest && allowed) {
		group = iuvo_group(bits_lowest(rest), others);
		rest &= ~group;
		allowed &= iuvo_beside(group);
	}
	return allowed;
}

/*
 * The same in a single chain without a hole, where the stones after the jump
 * tell by themselves whether they are one group.  The few landings that are
 * left to try make this cheaper than the floods.
 */
BITS_INLINE uint64_t
iuvo_chaining_landings(const struct iuvo_scan *scan, unsigned bit)
{
	uint64_t allowed = 0, others = scan->stones ^ UINT64_C(1) << bit;

	for (uint64_t rest = iuvo_jumps[bit] & scan->joins; rest; rest &= rest - 1) {
		uint64_t to = bits_lowest(rest), after = others | to;
		bool joined =
		    iuvo_may_have_holes(after) ? iuvo_group(to, after) == after : iuvo_groups_less_holes(after) == 1;
		allowed |= joined ? to : 0;
	}
	return allowed;
}

/*
 * Which of both: out of line, since it is asked for seldom, and would take the
 * registers of those who ask.  What it needs comes by value, so that a scan need
 * not be in memory for it.
 */
static __attribute__((noinline, unused)) uint64_t
iuvo_cut_landings_of(uint64_t stones, uint64_t landings, uint64_t joins, bool chained, bool holes, unsigned bit)
{
	struct iuvo_scan scan = {.stones = stones, .landings = landings, .joins = joins, .holes = holes};
	return chained && !holes ? iuvo_chaining_landings(&scan, bit) : iuvo_joining_landings(&scan, bit);
}

BITS_INLINE uint64_t
iuvo_cut_landings(const struct iuvo_scan *scan, unsigned bit)
{
	if (!(iuvo_jumps[bit] & scan->joins) && !scan->holes)
		return 0;
	return iuvo_cut_landings_of(scan->stones, scan->landings, scan->joins, scan->chained, scan->holes, bit);
}

/* Where a movable stone may land. */
BITS_INLINE uint64_t
iuvo_landings(const struct iuvo_scan *scan, unsigned bit)
{
	if (scan->cut >> bit & 1)
		return iuvo_cut_landings(scan, bit);
	return iuvo_jumps[bit] & scan->landings;
}

/* The jumps from a set of cells onto another: ranks are kept from wrapping by two leaps of two. */
BITS_INLINE unsigned
iuvo_count_jumps(uint64_t from, uint64_t to)
{
	uint64_t up = from & ~IUVO_RANK_7, down = from & ~IUVO_RANK_1;
	return bits_count(up << 10 & to) + bits_count(up >> 6 & to) + bits_count(down << 6 & to) +
	       bits_count(down >> 10 & to) + bits_count(from << 17 & to) + bits_count(from << 15 & to) +
	       bits_count(from >> 15 & to) + bits_count(from >> 17 & to);
}

/* How many moves there are of stones that hold others together. */
BITS_INLINE unsigned
iuvo_count_cut(const struct iuvo_scan *scan)
{
	unsigned count = 0;
	if (!scan->joins && !scan->holes)
		return 0;
	for (uint64_t cut = scan->cut; cut; cut &= cut - 1)
		count += bits_count(iuvo_cut_landings(scan, bits_first(cut)));
	return count;
}

/* How many moves there are. */
BITS_INLINE unsigned
iuvo_count(const struct iuvo_scan *scan)
{
	return iuvo_count_jumps(scan->free, scan->landings) + iuvo_count_cut(scan);
}

#endif

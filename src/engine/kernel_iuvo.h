/* Iuvo's part of a kernel: included once by each kernel's file, all static. */
#ifndef IUVOD_ENGINE_KERNEL_IUVO_H
#define IUVOD_ENGINE_KERNEL_IUVO_H

#include "engine/iuvo.h"
#include "engine/iuvo_moves.h"

/* What perft needs of a position. */
struct iuvo_node {
	struct iuvo_board board;
	uint64_t resting;
	const uint64_t *targets; /* by seat (I5) */
	unsigned seat;           /* index of the seat to move */
	unsigned seats;          /* of the variant: a power of two */
	unsigned out;
	bool loose;
};

static void
iuvo_kernel_scan(const struct position *position, struct iuvo_scan *scan)
{
	struct iuvo_view view;
	bool loose = variant_row((enum variant)position->variant)->family == FAMILY_LOOSE;
	iuvo_look(&position->iuvo, position->turn - 1u, iuvo_resting(position->resting), loose, &view);
	iuvo_scan(&view, scan);
}

static unsigned
iuvo_kernel_count(const struct position *position)
{
	struct iuvo_scan scan;
	iuvo_kernel_scan(position, &scan);
	return iuvo_count(&scan);
}

static unsigned
iuvo_kernel_moves(const struct position *position, struct move *moves)
{
	struct iuvo_scan scan;
	unsigned count = 0;

	iuvo_kernel_scan(position, &scan);
	for (uint64_t from = scan.free | scan.cut; from; from &= from - 1) {
		unsigned bit = bits_first(from);
		enum move_kind kind = iuvo_kind(&position->iuvo, position->turn, bit);
		for (uint64_t to = iuvo_landings(&scan, bit); to; to &= to - 1)
			moves[count++] = (struct move){iuvo_cell(bit), iuvo_cell(bits_first(to)), (uint8_t)kind,
			    (scan.stones & bits_lowest(to)) != 0};
	}
	return count;
}

/* The next seat in turn order that is in. */
static inline void
iuvo_pass_turn(struct iuvo_node *node)
{
	do
		node->seat = (node->seat + 1) & (node->seats - 1);
	while (node->out >> node->seat & 1);
}

/* At most one seat is in. */
static inline bool
iuvo_last_one(const struct iuvo_node *node)
{
	return bits_few(~node->out & ((1u << node->seats) - 1));
}

/* The seat to move is blocked: false if that ends the game (I12, I15). */
static bool
iuvo_block(struct iuvo_node *node)
{
	node->out |= 1u << node->seat;
	if (iuvo_last_one(node))
		return false;
	node->board.owned[node->seat] = 0;
	iuvo_pass_turn(node);
	return true;
}

/* One jump and what follows from it, but for blocked seats; false if the game is over (I12-I14). */
BITS_INLINE bool
iuvo_make(const struct iuvo_node *node, uint64_t from, uint64_t to, struct iuvo_node *after)
{
	unsigned empty = 0;
	bool neutral = true, won = false;

	*after = *node;
	after->board.stones = (node->board.stones ^ from) | to;
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		uint64_t owned = node->board.owned[i] & ~to;
		if (owned & from) {
			owned ^= from | to;
			neutral = false;
		}
		after->board.owned[i] = owned;
		empty |= (owned == 0) << i;
		won |= owned && !(owned & ~node->targets[i]);
	}
	after->resting = neutral ? to : 0;
	after->out |= empty & ((1u << node->seats) - 1);
	if (won || iuvo_last_one(after))
		return false;
	iuvo_pass_turn(after);
	return true;
}

/*
 * Whether the seat to move has a move is seen only when its moves are looked
 * for, so blocked seats go out here, one level below the move that blocked
 * them.
 */
static uint64_t
iuvo_perft(struct iuvo_node *node, unsigned depth)
{
	for (;;) {
		struct iuvo_view view;
		struct iuvo_scan scan;
		iuvo_look(&node->board, node->seat, node->resting, node->loose, &view);
		iuvo_scan(&view, &scan);
		if (depth == 1) {
			unsigned count = iuvo_count(&scan);
			if (count)
				return count;
		} else {
			uint64_t total = 0;
			bool moves = false;
			for (uint64_t from = scan.free | scan.cut; from; from &= from - 1) {
				uint64_t to = iuvo_landings(&scan, bits_first(from));
				moves |= to != 0;
				for (; to; to &= to - 1) {
					struct iuvo_node after;
					if (iuvo_make(node, bits_lowest(from), bits_lowest(to), &after))
						total += iuvo_perft(&after, depth - 1);
				}
			}
			if (moves)
				return total;
		}
		if (!iuvo_block(node))
			return 0;
	}
}

static uint64_t
iuvo_kernel_perft(const struct position *position, unsigned depth)
{
	const struct variant_row *row = variant_row((enum variant)position->variant);
	struct iuvo_node node = {
	    .board = position->iuvo,
	    .resting = iuvo_resting(position->resting),
	    .targets = iuvo_targets((enum variant)position->variant),
	    .seat = position->turn - 1u,
	    .seats = row->seats,
	    .out = position->out,
	    .loose = row->family == FAMILY_LOOSE,
	};
	if (iuvo_kernel_count(position) == 0) /* the position stands as it is, whoever is blocked in it */
		return 0;
	return iuvo_perft(&node, depth);
}

#endif

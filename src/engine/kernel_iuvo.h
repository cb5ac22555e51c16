/* Iuvo's part of a kernel: included once by each kernel's file, all static. */
#ifndef IUVOD_ENGINE_KERNEL_IUVO_H
#define IUVOD_ENGINE_KERNEL_IUVO_H

#include "engine/iuvo.h"
#include "engine/iuvo_evaluate.h"
#include "engine/iuvo_moves.h"
#include "engine/weigh.h"

static void
iuvo_kernel_scan(const struct position *position, struct iuvo_scan *scan)
{
	struct iuvo_view view;
	bool loose = variant_row((enum variant)position->variant)->family == FAMILY_LOOSE;
	iuvo_look(&position->iuvo, position->turn - 1u, iuvo_resting(position->resting), loose, &view);
	view.chained = position->chained;
	iuvo_scan(&view, scan);
}

static unsigned
iuvo_kernel_count(const struct position *position)
{
	struct iuvo_scan scan;
	iuvo_kernel_scan(position, &scan);
	return iuvo_count(&scan);
}

/* Whose stones there are, for the kinds of moves. */
struct iuvo_kinds {
	uint64_t own;    /* the mover's, */
	uint64_t shared; /* and another's too */
};

BITS_INLINE struct iuvo_kinds
iuvo_kinds(const struct position *position)
{
	const uint64_t *owned = position->iuvo.owned;
	struct iuvo_kinds kinds = {.own = owned[position->turn - 1u]};
	for (unsigned i = 0; i < SEATS_MAX; i++)
		kinds.shared |= i + 1 != position->turn ? kinds.own & owned[i] : 0;
	return kinds;
}

BITS_INLINE enum move_kind
iuvo_kind_at(const struct iuvo_kinds *kinds, unsigned bit)
{
	return !(kinds->own >> bit & 1) ? MOVE_NEUTRAL : kinds->shared >> bit & 1 ? MOVE_SHARED : MOVE_OWN;
}

/* The moves that land on some of the cells. */
BITS_INLINE unsigned
iuvo_list(const struct position *position, const struct iuvo_scan *scan, uint64_t cells, struct move *moves)
{
	struct iuvo_kinds kinds = iuvo_kinds(position);
	unsigned count = 0;
	for (uint64_t from = scan->free | scan->cut; from; from &= from - 1) {
		unsigned bit = bits_first(from);
		cell_t cell = iuvo_cell(bit);
		uint8_t kind = (uint8_t)iuvo_kind_at(&kinds, bit);
		for (uint64_t to = iuvo_landings(scan, bit) & cells; to; to &= to - 1) {
			unsigned landing = bits_first(to);
			moves[count++] =
			    (struct move){cell, iuvo_cell(landing), kind, (scan->stones >> landing & 1) != 0};
		}
	}
	return count;
}

static unsigned
iuvo_kernel_moves(const struct position *position, struct move *moves)
{
	struct iuvo_scan scan;
	iuvo_kernel_scan(position, &scan);
	return iuvo_list(position, &scan, IUVO_CELLS, moves);
}

static void
iuvo_kernel_weigh(const struct position *position, struct weigher *weigher)
{
	struct weigher local = *weigher;
	struct iuvo_kinds kinds = iuvo_kinds(position);
	struct iuvo_scan scan;

	iuvo_kernel_scan(position, &scan);
	for (uint64_t from = scan.free | scan.cut; from; from &= from - 1) {
		unsigned bit = bits_first(from);
		uint64_t to = iuvo_landings(&scan, bit);
		struct weigh_stone stone = weigh_from(&local, iuvo_cell(bit), iuvo_kind_at(&kinds, bit));
		for (; to; to &= to - 1)
			weigh_add(&local, &stone, iuvo_cell(bits_first(to)), (scan.stones & bits_lowest(to)) != 0);
	}
	local.chained = scan.chained;
	*weigher = local;
}

static void
iuvo_kernel_find(const struct position *position, const unsigned *ends, unsigned count, struct found *found)
{
	struct iuvo_kinds kinds = iuvo_kinds(position);
	struct iuvo_scan scan;

	iuvo_kernel_scan(position, &scan);
	found->chained = scan.chained;
	found->captures = iuvo_evaluate_attacked(&scan) != 0;
	found->legal = 0;
	for (unsigned i = 0; i < count; i++) {
		cell_t from = (cell_t)(ends[i] >> 8), to = (cell_t)ends[i];
		unsigned bit = iuvo_bit(from), landing = iuvo_bit(to);
		uint64_t movable = scan.free | scan.cut;
		if (!(movable >> bit & iuvo_jumps[bit] >> landing & 1) || !(iuvo_landings(&scan, bit) >> landing & 1))
			continue;
		found->legal |= 1u << i;
		found->moves[i] =
		    (struct move){from, to, (uint8_t)iuvo_kind_at(&kinds, bit), (scan.stones >> landing & 1) != 0};
	}
}

/* Stones that hold others together capture round a hole alone (iuvo_joining_landings). */
static unsigned
iuvo_kernel_captures(const struct position *position, struct move *moves)
{
	struct iuvo_scan scan;
	iuvo_kernel_scan(position, &scan);
	if (!scan.holes)
		scan.cut = 0;
	scan.joins = 0;
	return iuvo_list(position, &scan, scan.stones & scan.landings, moves);
}

static enum forecast
iuvo_kernel_evaluate(const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	return iuvo_evaluate_position(position, weights, memo, worth);
}

/* What perft needs of a position. */
struct iuvo_node {
	struct iuvo_board board;
	uint64_t resting;
	unsigned seat; /* index of the seat to move */
	unsigned out;
	bool chained; /* known to be */
};

/* What stays the same below a position. */
struct iuvo_frame {
	const uint64_t *targets; /* by seat (I5) */
	bool loose;
};

/* The next seat in turn order that is in; the number of seats is a power of two. */
BITS_INLINE void
iuvo_pass_turn(struct iuvo_node *node, unsigned seats)
{
	do
		node->seat = (node->seat + 1) & (seats - 1);
	while (seats > 2 && node->out >> node->seat & 1);
}

/* At most one seat is in. */
BITS_INLINE bool
iuvo_last_one(const struct iuvo_node *node, unsigned seats)
{
	return bits_few(~node->out & ((1u << seats) - 1));
}

/* The seat to move is blocked: false if that ends the game (I12, I15). */
static bool
iuvo_block(struct iuvo_node *node, unsigned seats)
{
	node->out |= 1u << node->seat;
	if (iuvo_last_one(node, seats))
		return false;
	node->board.owned[node->seat] = 0;
	iuvo_pass_turn(node, seats);
	return true;
}

/* One jump and what follows from it, but for blocked seats; false if the game is over (I12-I14). */
BITS_INLINE bool
iuvo_make(const struct iuvo_frame *frame, const struct iuvo_node *node, uint64_t from, uint64_t to,
    struct iuvo_node *after, unsigned seats)
{
	unsigned empty = 0;
	bool neutral = true, won = false;

	after->board.stones = (node->board.stones ^ from) | to;
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		uint64_t owned = i < seats ? node->board.owned[i] & ~to : 0;
		bool moves = (owned & from) != 0;
		owned = moves ? owned ^ (from | to) : owned;
		neutral &= !moves;
		after->board.owned[i] = owned;
		empty |= (unsigned)(owned == 0) << i;
		won |= owned && !(owned & ~frame->targets[i]);
	}
	after->resting = neutral ? to : 0;
	after->seat = node->seat;
	after->out = node->out | (empty & ((1u << seats) - 1));
	after->chained = node->chained;
	if (won || iuvo_last_one(after, seats))
		return false;
	iuvo_pass_turn(after, seats);
	return true;
}

BITS_INLINE void
iuvo_node_scan(const struct iuvo_frame *frame, const struct iuvo_node *node, struct iuvo_scan *scan)
{
	struct iuvo_view view;
	iuvo_look(&node->board, node->seat, node->resting, frame->loose, &view);
	view.chained = node->chained;
	iuvo_scan(&view, scan);
}

static uint64_t iuvo_perft_2(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth);
static uint64_t iuvo_perft_4(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth);

BITS_INLINE uint64_t
iuvo_perft(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth, unsigned seats)
{
	return seats == 2 ? iuvo_perft_2(frame, node, depth) : iuvo_perft_4(frame, node, depth);
}

/* What is below one jump: counted where that is all, or gone into. */
BITS_INLINE uint64_t
iuvo_perft_jump(const struct iuvo_frame *frame, const struct iuvo_node *node, uint64_t from, uint64_t to,
    unsigned depth, unsigned seats)
{
	struct iuvo_node after;
	struct iuvo_scan scan;

	if (!iuvo_make(frame, node, from, to, &after, seats))
		return 0;
	if (depth == 1) {
		iuvo_node_scan(frame, &after, &scan);
		unsigned count = iuvo_count(&scan);
		if (count)
			return count;
	}
	return iuvo_perft(frame, &after, depth, seats);
}

/* What is below the moves of a seat; false if it has none. */
BITS_INLINE bool
iuvo_perft_moves(
    const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth, unsigned seats, uint64_t *total)
{
	struct iuvo_scan scan;
	uint64_t sum = 0;
	bool moves = false;

	iuvo_node_scan(frame, node, &scan);
	node->chained = scan.chained;
	for (uint64_t from = scan.free | scan.cut; from; from &= from - 1) {
		uint64_t to = iuvo_landings(&scan, bits_first(from));
		moves |= to != 0;
		if (depth == 1) {
			sum += bits_count(to);
			continue;
		}
		for (; to; to &= to - 1)
			sum += iuvo_perft_jump(frame, node, bits_lowest(from), bits_lowest(to), depth - 1, seats);
	}
	*total = sum;
	return moves;
}

/*
 * Whether the seat to move has a move is seen only when its moves are looked
 * for, so blocked seats go out here, one level below the move that blocked
 * them.
 */
BITS_INLINE uint64_t
iuvo_perft_seats(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth, unsigned seats)
{
	uint64_t total = 0;
	while (!iuvo_perft_moves(frame, node, depth, seats, &total))
		if (!iuvo_block(node, seats))
			return 0;
	return total;
}

static uint64_t
iuvo_perft_2(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth)
{
	return iuvo_perft_seats(frame, node, depth, 2);
}

static uint64_t
iuvo_perft_4(const struct iuvo_frame *frame, struct iuvo_node *node, unsigned depth)
{
	return iuvo_perft_seats(frame, node, depth, 4);
}

static uint64_t
iuvo_kernel_perft(const struct position *position, unsigned depth)
{
	const struct variant_row *row = variant_row((enum variant)position->variant);
	struct iuvo_frame frame = {iuvo_targets((enum variant)position->variant), row->family == FAMILY_LOOSE};
	struct iuvo_node node = {
	    .board = position->iuvo,
	    .resting = iuvo_resting(position->resting),
	    .seat = position->turn - 1u,
	    .out = position->out,
	};
	unsigned count = iuvo_kernel_count(position);
	if (count == 0 || depth == 1) /* the position stands as it is, whoever is blocked in it */
		return count;
	return iuvo_perft(&frame, &node, depth, row->seats);
}

#endif

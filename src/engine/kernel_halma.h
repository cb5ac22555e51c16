/* Halma's part of a kernel: included once by each kernel's file, all static. */
#ifndef IUVOD_ENGINE_KERNEL_HALMA_H
#define IUVOD_ENGINE_KERNEL_HALMA_H

#include "engine/halma_moves.h"
#include "engine/weigh.h"

static unsigned
halma_kernel_count(const struct position *position)
{
	struct halma_set stones = halma_both(&position->halma);
	if (position->turn == 1)
		return halma_count(position->halma.of[0], &stones, 0);
	return halma_count(position->halma.of[1], &stones, 1);
}

/* Who takes the moves: a list, or what weighs them. */
struct halma_taker {
	struct move *moves;
	unsigned count;
	struct weigher *weigher; /* NULL: the list */
};

BITS_INLINE void
halma_take(struct halma_taker *taker, const struct weigh_stone *stone, cell_t to)
{
	if (taker->weigher)
		weigh_add(taker->weigher, stone, to, false);
	else
		taker->moves[taker->count++] = (struct move){stone->move.from, to, MOVE_OWN, false};
}

/* Hands over landings by file and rank (T4): two files are one byte of the words, and most have no landing. */
BITS_INLINE void
halma_take_stone(struct halma_taker *taker, cell_t from, const struct halma_set *landings)
{
	uint64_t even = landings->of[0] | landings->of[2], odd = landings->of[1] | landings->of[3];
	struct weigh_stone stone = {.move = {.from = from}};

	if (taker->weigher)
		stone = weigh_from(taker->weigher, from, MOVE_OWN);
	while (even | odd) {
		unsigned pair = bits_first(even | odd) / 8;
		for (unsigned file = pair * 2; file < pair * 2 + 2; file++)
			for (unsigned to = halma_column(landings, file); to; to &= to - 1)
				halma_take(taker, &stone, cell_at(file, bits_first(to)));
		even &= ~(UINT64_C(0xff) << pair * 8);
		odd &= ~(UINT64_C(0xff) << pair * 8);
	}
}

BITS_INLINE void
halma_landings_of(const struct halma_set *stones, unsigned seat, const struct halma_ways *ways, cell_t cell,
    struct halma_set *landings)
{
	uint64_t stone = UINT64_C(1) << halma_bit(cell);
	switch (halma_class(cell)) {
	case 0:
		halma_landings_by(stones, seat, 0, &ways[0], stone, landings);
		break;
	case 1:
		halma_landings_by(stones, seat, 1, &ways[1], stone, landings);
		break;
	case 2:
		halma_landings_by(stones, seat, 2, &ways[2], stone, landings);
		break;
	default:
		halma_landings_by(stones, seat, 3, &ways[3], stone, landings);
	}
}

BITS_INLINE void
halma_take_seat(const struct halma_board *board, unsigned seat, struct halma_taker *taker)
{
	struct halma_set own, stones = halma_both(board);
	struct halma_ways ways[HALMA_CLASSES];

	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		own.of[class] = board->of[seat][class];
	halma_find_ways(&stones, seat, 0, true, &ways[0]);
	halma_find_ways(&stones, seat, 1, true, &ways[1]);
	halma_find_ways(&stones, seat, 2, true, &ways[2]);
	halma_find_ways(&stones, seat, 3, true, &ways[3]);
	for (unsigned file = 0; file < 16; file++) {
		for (unsigned from = halma_column(&own, file); from; from &= from - 1) {
			struct halma_set landings;
			cell_t cell = cell_at(file, bits_first(from));
			halma_landings_of(&stones, seat, ways, cell, &landings);
			halma_take_stone(taker, cell, &landings);
		}
	}
}

static unsigned
halma_kernel_moves(const struct position *position, struct move *moves)
{
	struct halma_taker taker = {.moves = moves};
	if (position->turn == 1)
		halma_take_seat(&position->halma, 0, &taker);
	else
		halma_take_seat(&position->halma, 1, &taker);
	return taker.count;
}

static void
halma_kernel_weigh(const struct position *position, struct weigher *weigher)
{
	struct weigher local = *weigher;
	struct halma_taker taker = {.weigher = &local};
	if (position->turn == 1)
		halma_take_seat(&position->halma, 0, &taker);
	else
		halma_take_seat(&position->halma, 1, &taker);
	*weigher = local;
}

static uint64_t halma_perft(const struct halma_board *board, unsigned seat, unsigned depth);

/* Perft below the moves of one stone to the cells of one class. */
BITS_INLINE uint64_t
halma_perft_moves(const struct halma_board *board, unsigned seat, unsigned from_class, uint64_t from, unsigned to_class,
    uint64_t to, unsigned depth)
{
	uint64_t total = 0;
	for (; to; to &= to - 1) {
		struct halma_board after = *board;
		after.of[seat][from_class] ^= from;
		after.of[seat][to_class] ^= bits_lowest(to);
		if (!halma_arrived(after.of[seat], seat))
			total += halma_perft(&after, seat ^ 1, depth);
	}
	return total;
}

BITS_INLINE uint64_t
halma_perft_class(const struct halma_board *board, unsigned seat, unsigned class, unsigned depth)
{
	uint64_t total = 0;
	struct halma_set stones = halma_both(board);
	struct halma_ways ways;

	halma_find_ways(&stones, seat, class, true, &ways);
	for (uint64_t rest = board->of[seat][class]; rest; rest &= rest - 1) {
		uint64_t from = bits_lowest(rest);
		struct halma_set landings = {{0}};
		halma_add_steps(&stones, seat, class, true, from, &landings);
		landings.of[class] |= halma_chains(&ways, from);
		for (unsigned to = 0; to < HALMA_CLASSES; to++)
			total += halma_perft_moves(board, seat, class, from, to, landings.of[to], depth - 1);
	}
	return total;
}

/* A seat that is blocked draws (H9) and so has nothing below it, as its count of nothing says. */
BITS_INLINE uint64_t
halma_perft_seat(const struct halma_board *board, unsigned seat, unsigned depth)
{
	if (depth == 1) {
		struct halma_set stones = halma_both(board);
		return halma_count(board->of[seat], &stones, seat);
	}
	return halma_perft_class(board, seat, 0, depth) + halma_perft_class(board, seat, 1, depth) +
	       halma_perft_class(board, seat, 2, depth) + halma_perft_class(board, seat, 3, depth);
}

static uint64_t
halma_perft(const struct halma_board *board, unsigned seat, unsigned depth)
{
	return seat == 0 ? halma_perft_seat(board, 0, depth) : halma_perft_seat(board, 1, depth);
}

/* A seat beside one that is out has no game left after its move. */
static uint64_t
halma_kernel_perft(const struct position *position, unsigned depth)
{
	if (position->out && depth > 1)
		return 0;
	return halma_perft(&position->halma, position->turn - 1u, depth);
}

#endif

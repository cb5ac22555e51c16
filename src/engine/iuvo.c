#include "engine/iuvo.h"

#include "engine/iuvo_evaluate.h"
#include "engine/rules.h"

#define JUMP(file, rank, by_file, by_rank) \
	((file) + (by_file) >= 0 && (file) + (by_file) < 7 && (rank) + (by_rank) >= 0 && (rank) + (by_rank) < 7 \
		? UINT64_C(1) << ((((file) + (by_file)) * 8 + (rank) + (by_rank)) & 63) \
		: 0)
#define JUMPS(file, rank) \
	(JUMP(file, rank, 1, 2) | JUMP(file, rank, 2, 1) | JUMP(file, rank, 2, -1) | JUMP(file, rank, 1, -2) | \
	    JUMP(file, rank, -1, -2) | JUMP(file, rank, -2, -1) | JUMP(file, rank, -2, 1) | JUMP(file, rank, -1, 2))
#define JUMPS_OF_FILE(file) \
	JUMPS(file, 0), JUMPS(file, 1), JUMPS(file, 2), JUMPS(file, 3), JUMPS(file, 4), JUMPS(file, 5), \
	    JUMPS(file, 6), 0

const uint64_t iuvo_jumps[56] = {
    JUMPS_OF_FILE(0),
    JUMPS_OF_FILE(1),
    JUMPS_OF_FILE(2),
    JUMPS_OF_FILE(3),
    JUMPS_OF_FILE(4),
    JUMPS_OF_FILE(5),
    JUMPS_OF_FILE(6),
};

/* I3, I4: the edge that each seat starts from; across the board are its targets (I5). */
#define SOUTH (IUVO_START & (IUVO_RANK_1))
#define NORTH (IUVO_START & (IUVO_RANK_7))
#define WEST (IUVO_START & (IUVO_FILE_A))
#define EAST (IUVO_START & (IUVO_FILE_G))
static const uint64_t edges_of_two[SEATS_MAX] = {SOUTH, NORTH};
static const uint64_t edges_of_four[SEATS_MAX] = {SOUTH, WEST, NORTH, EAST};
const uint64_t iuvo_targets_of_two[SEATS_MAX] = {NORTH, SOUTH};
const uint64_t iuvo_targets_of_four[SEATS_MAX] = {NORTH, EAST, SOUTH, WEST};

static void
start(struct position *position)
{
	bool two = variant_row((enum variant)position->variant)->seats == 2;

	position->iuvo.stones = IUVO_START;
	for (unsigned i = 0; i < SEATS_MAX; i++)
		position->iuvo.owned[i] = two ? edges_of_two[i] : edges_of_four[i];
}

/* The part of a key that a stone makes. */
static uint64_t
stone_key(cell_t cell, unsigned owners)
{
	uint64_t key = zobrist_stone(cell);
	for (unsigned i = 0; i < SEATS_MAX; i++)
		if (owners >> i & 1)
			key ^= zobrist_owner(i + 1, cell);
	return key;
}

static uint64_t
stones_key(const struct position *position)
{
	uint64_t key = 0;
	for (uint64_t rest = position->iuvo.stones; rest; rest &= rest - 1)
		key ^= zobrist_stone(iuvo_cell(bits_first(rest)));
	for (unsigned i = 0; i < SEATS_MAX; i++)
		for (uint64_t rest = position->iuvo.owned[i]; rest; rest &= rest - 1)
			key ^= zobrist_owner(i + 1, iuvo_cell(bits_first(rest)));
	return key;
}

/* What a jump changes in the part of the key that the stones make. */
static uint64_t
jump_key(const struct iuvo_board *board, struct move move)
{
	unsigned owners = iuvo_owners_at(board, iuvo_bit(move.from));
	uint64_t key = stone_key(move.from, owners) ^ stone_key(move.to, owners);
	if (move.captures)
		key ^= stone_key(move.to, iuvo_owners_at(board, iuvo_bit(move.to)));
	return key;
}

uint64_t
iuvo_left_key(const struct position *position, struct move move)
{
	uint64_t stones = position->key ^ zobrist_turn(position->turn) ^ zobrist_out(position->out) ^
			  zobrist_resting(position->resting) ^ jump_key(&position->iuvo, move);
	return stones ^ zobrist_resting(move.kind == MOVE_NEUTRAL ? move.to : CELL_NONE) ^ zobrist_turn(position->turn);
}

/* I16 strikes moves from a list. */
static unsigned
moves(const struct position *position, const struct past *past, struct move *moves)
{
	unsigned count = kernel_here()->iuvo_moves(position, moves);
	if (!past || past->count == 0)
		return count;
	unsigned kept = 0;
	for (unsigned i = 0; i < count; i++)
		if (!rules_twice(past, iuvo_left_key(position, moves[i])))
			moves[kept++] = moves[i];
	return kept;
}

static void
weigh(const struct position *position, struct weigher *weigher)
{
	kernel_here()->iuvo_weigh(position, weigher);
}

static void
find(const struct position *position, const unsigned *ends, unsigned count, struct found *found)
{
	kernel_here()->iuvo_find(position, ends, count, found);
}

/* Those of the moves that capture, in their order. */
static unsigned
captures_of(const struct position *position, struct move *moves)
{
	return kernel_here()->iuvo_captures(position, moves);
}

static unsigned
count(const struct position *position, const struct past *past)
{
	struct move list[MOVES_MAX];
	if (!past || past->count == 0)
		return kernel_here()->iuvo_count(position);
	return moves(position, past, list);
}

/* I12: the seat is struck from the owners of every stone. */
static void
strike(struct position *position, unsigned seat)
{
	for (uint64_t rest = position->iuvo.owned[seat - 1]; rest; rest &= rest - 1)
		position->key ^= zobrist_owner(seat, iuvo_cell(bits_first(rest)));
	position->iuvo.owned[seat - 1] = 0;
}

/* A seat goes out; the elimination that ends the game leaves the owners as they were.  False if it ends. */
static bool
eliminate(struct position *position, unsigned seat, enum reason reason, struct change *change)
{
	if (!rules_seat_out(position, seat, reason, change))
		return false;
	strike(position, seat);
	return true;
}

/*
 * It is a seat's turn, unless it is blocked: then it is the next one's (I15).
 * The past may be the one before the move: what the move left was moved by
 * another seat, so nobody who is asked here could leave the same.
 */
static void
settle(struct position *position, const struct past *past, unsigned seat, struct change *change)
{
	for (;;) {
		rules_turn(position, seat);
		if (count(position, past) != 0)
			return;
		if (!eliminate(position, seat, REASON_BLOCKED, change))
			return;
		seat = rules_next(position, seat);
	}
}

/* One pass over the owners, without branches: the number of seats is constant wherever this is inlined. */
BITS_INLINE void
jump_seats(struct position *position, struct move move, unsigned seats)
{
	struct iuvo_board *board = &position->iuvo;
	unsigned bit = iuvo_bit(move.from);
	uint64_t from = UINT64_C(1) << bit, to = UINT64_C(1) << iuvo_bit(move.to);
	uint64_t key = zobrist_stone(move.from) ^ zobrist_stone(move.to);

	if (move.captures)
		key ^= stone_key(move.to, iuvo_owners_at(board, iuvo_bit(move.to)));
	for (unsigned i = 0; i < seats; i++) {
		uint64_t owned = board->owned[i], moves = -(owned >> bit & 1);
		key ^= moves & (zobrist_owner(i + 1, move.from) ^ zobrist_owner(i + 1, move.to));
		board->owned[i] = (owned & ~to) ^ (moves & (from | to));
	}
	position->key ^= key;
	board->stones = (board->stones ^ from) | to;
	position->key ^= zobrist_resting(position->resting);
	position->resting = move.kind == MOVE_NEUTRAL ? move.to : CELL_NONE;
	position->key ^= zobrist_resting(position->resting);
}

static void
jump(struct position *position, struct move move)
{
	if (variant_row((enum variant)position->variant)->seats == 2)
		jump_seats(position, move, 2);
	else
		jump_seats(position, move, SEATS_MAX);
}

static bool
holds(const struct position *position, unsigned seat)
{
	return position->iuvo.owned[seat - 1] != 0;
}

static bool
arrived(const struct position *position, unsigned seat)
{
	uint64_t owned = position->iuvo.owned[seat - 1];
	return owned && !(owned & ~iuvo_targets((enum variant)position->variant)[seat - 1]);
}

/* Seats left without a stone go out, in turn order, the mover last (I14); false if that ends the game. */
static bool
drop_empty(struct position *position, unsigned mover, struct change *change)
{
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	for (unsigned i = 1; i <= seats; i++) {
		unsigned seat = (mover - 1 + i) % seats + 1;
		if (position_out(position, seat) || holds(position, seat))
			continue;
		if (!eliminate(position, seat, REASON_CAPTURED, change))
			return false;
	}
	return true;
}

/* I13: the first, from the mover, whose stones are all on targets; 0 if nobody's are. */
static unsigned
find_arrived(const struct position *position, unsigned mover)
{
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	for (unsigned i = 0; i < seats; i++) {
		unsigned seat = (mover - 1 + i) % seats + 1;
		if (!position_out(position, seat) && arrived(position, seat))
			return seat;
	}
	return 0;
}

/* I14: the order of what follows from a jump.  A game's length is asked last (I18): who has won has won. */
static void
play(struct position *position, const struct past *past, struct move move, struct change *change)
{
	unsigned mover = position->turn;

	change->left = iuvo_left_key(position, move);
	jump(position, move);
	position->ply++;
	if (!drop_empty(position, mover, change))
		return;
	unsigned winner = find_arrived(position, mover);
	if (winner) {
		rules_end(position, winner, REASON_TARGET);
		return;
	}
	if (rules_in_count(position) == 1) { /* only a position text leaves one seat to move alone */
		rules_end(position, rules_next(position, mover), REASON_NONE);
		return;
	}
	settle(position, past, rules_next(position, mover), change);
	if (position->turn != 0 && position->ply >= PLIES_MAX)
		rules_end(position, 0, REASON_LENGTH);
}

/* As play, but for the past, for blocked seats and for length. */
static void
make_any(const struct position *before, struct move move, struct position *after)
{
	unsigned mover = before->turn;
	struct change change = {0};
	bool unsettled =
	    move.captures || before->ply == 0; /* only a text leaves seats that are home or have no stone */

	*after = *before;
	jump(after, move);
	after->ply++;
	if (unsettled && !drop_empty(after, mover, &change))
		return;
	unsigned winner = 0;
	if (unsettled || move.kind == MOVE_SHARED)
		winner = find_arrived(after, mover);
	else if (move.kind == MOVE_OWN && arrived(after, mover))
		winner = mover;
	if (winner || rules_in_count(after) == 1)
		rules_end(after, winner ? winner : rules_next(after, mover), winner ? REASON_TARGET : REASON_NONE);
	else
		rules_turn(after, rules_next(after, mover));
}

/*
 * The same for nearly every move, without branches where they could not be
 * foreseen: the stone is the mover's own or nobody's, nothing is captured, and
 * nobody was home or without a stone before.
 */
static void
make(const struct position *before, struct move move, struct position *after)
{
	unsigned mover = before->turn;
	uint64_t both = UINT64_C(1) << iuvo_bit(move.from) | UINT64_C(1) << iuvo_bit(move.to);
	uint64_t own = move.kind == MOVE_OWN ? ~UINT64_C(0) : 0;

	if (move.captures || move.kind == MOVE_SHARED || before->ply == 0 || before->out) {
		make_any(before, move, after);
		return;
	}
	*after = *before;
	after->key ^= zobrist_stone(move.from) ^ zobrist_stone(move.to) ^ zobrist_resting(before->resting) ^
		      (own & (zobrist_owner(mover, move.from) ^ zobrist_owner(mover, move.to))) ^
		      (~own & zobrist_resting(move.to));
	after->iuvo.stones ^= both;
	after->iuvo.owned[mover - 1] ^= own & both;
	after->resting = own ? CELL_NONE : move.to;
	after->ply++;
	if (own && arrived(after, mover))
		rules_end(after, mover, REASON_TARGET);
	else
		rules_turn(after, rules_next(after, mover));
}

static void
drop(struct position *position, const struct past *past, unsigned seat, enum reason reason, struct change *change)
{
	unsigned turn = position->turn;

	if (!eliminate(position, seat, reason, change))
		return;
	settle(position, past, turn == seat ? rules_next(position, seat) : turn, change);
}

static void
path(const struct position *position, struct move move, struct path *path)
{
	(void)position;
	path->count = 2;
	path->cells[0] = move.from;
	path->cells[1] = move.to;
}

static int
owners(const struct position *position, cell_t cell)
{
	unsigned bit = iuvo_bit(cell);
	return position->iuvo.stones >> bit & 1 ? (int)iuvo_owners_at(&position->iuvo, bit) : -1;
}

static unsigned
list_cells(uint64_t set, cell_t *cells)
{
	unsigned count = 0;
	for (; set; set &= set - 1)
		cells[count++] = iuvo_cell(bits_first(set));
	return count;
}

static unsigned
stones(const struct position *position, cell_t *cells)
{
	return list_cells(position->iuvo.stones, cells);
}

static unsigned
targets(enum variant variant, unsigned seat, cell_t *cells)
{
	return list_cells(iuvo_targets(variant)[seat - 1], cells);
}

static void
put(struct position *position, cell_t cell, unsigned owners)
{
	uint64_t stone = UINT64_C(1) << iuvo_bit(cell);
	position->iuvo.stones |= stone;
	for (unsigned i = 0; i < SEATS_MAX; i++)
		if (owners >> i & 1)
			position->iuvo.owned[i] |= stone;
}

static uint64_t
perft(const struct position *position, unsigned depth)
{
	return kernel_here()->iuvo_perft(position, depth);
}

static enum forecast
evaluate(const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	return kernel_here()->iuvo_evaluate(position, weights, memo, worth);
}

/*
 * Groups that are left to join, then stones that are left to capture.  The
 * number of groups is that less the holes, which hardly any have.
 */
static int
headway(const struct position *position)
{
	enum { GROUP = 80, STONE = 10 };
	const uint64_t *owned = position->iuvo.owned;
	int groups = iuvo_groups_less_holes(position->iuvo.stones);
	return groups > 1 ? -GROUP * groups : -STONE * (int)bits_count(owned[0] | owned[1] | owned[2] | owned[3]);
}

/* Jumps of the race. */
static void
costs(enum variant variant, unsigned index, const int *weights, int cost[256])
{
	const uint32_t *way = iuvo_evaluate_way(variant_row(variant)->seats, index);
	(void)weights;
	for (uint64_t rest = IUVO_CELLS; rest; rest &= rest - 1)
		cost[iuvo_cell(bits_first(rest))] = 1600 * iuvo_evaluate_near(way[bits_first(rest)]);
}

static enum phase
phase(const struct position *position)
{
	uint64_t stones = position->iuvo.stones;
	return stones && iuvo_group(bits_lowest(stones), stones) == stones ? PHASE_CHAIN : PHASE_GATHERING;
}

static const uint8_t *
census(enum variant variant)
{
	/* I3 and I4 in numbers. */
	static const uint8_t two[1 << SEATS_MAX] = {[0] = 8, [1] = 4, [2] = 4};
	static const uint8_t four[1 << SEATS_MAX] = {
	    [0] = 4, [1] = 2, [2] = 2, [4] = 2, [8] = 2, [3] = 1, [6] = 1, [12] = 1, [9] = 1};
	return variant_row(variant)->seats == 2 ? two : four;
}

/* What both readings of I9 share: the kernels ask for the family themselves; only the weights differ. */
/* clang-format off */
#define IUVO_ROW \
	.start = start, \
	.stones_key = stones_key, \
	.moves = moves, \
	.count = count, \
	.judge = iuvo_judge, \
	.play = play, \
	.drop = drop, \
	.path = path, \
	.owners = owners, \
	.stones = stones, \
	.targets = targets, \
	.holds = holds, \
	.arrived = arrived, \
	.put = put, \
	.perft = perft, \
	.phase = phase, \
	.census = census, \
	.make = make, \
	.evaluate = evaluate, \
	.headway = headway, \
	.costs = costs, \
	.waits = NULL, \
	.weigh = weigh, \
	.find = find, \
	.captures_of = captures_of, \
	.least = -1024, \
	.weight_count = IUVO_WEIGHTS, \
	.weight_names = iuvo_evaluate_names, \
	.neutral = true, \
	.rests = true, \
	.captures = true, \
	.chains = false, \
	.camps = false, \
	.start_counts = false, \
	.forbids = true, \
	.blocked_lose = true
/* clang-format on */

const struct rules iuvo_rules = {
    IUVO_ROW, .weights = iuvo_evaluate_weights, .many_weights = iuvo_evaluate_many_weights};
const struct rules iuvo_loose_rules = {
    IUVO_ROW, .weights = iuvo_evaluate_loose_weights, .many_weights = iuvo_evaluate_many_loose_weights};

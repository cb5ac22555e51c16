#include "engine/halma.h"

#include "engine/halma_evaluate.h"
#include "engine/rules.h"

static void
start(struct position *position)
{
	for (unsigned seat = 0; seat < 2; seat++)
		for (unsigned class = 0; class < HALMA_CLASSES; class ++)
			position->halma.of[seat][class] = halma_camp(seat, class);
}

static uint64_t
stones_key(const struct position *position)
{
	uint64_t key = 0;
	for (unsigned seat = 0; seat < 2; seat++)
		for (unsigned class = 0; class < HALMA_CLASSES; class ++)
			for (uint64_t rest = position->halma.of[seat][class]; rest; rest &= rest - 1)
				key ^= zobrist_owner(seat + 1, halma_cell(class, bits_first(rest)));
	return key;
}

/* Repetition ends the game (H8), and no move is refused for it. */
static unsigned
moves(const struct position *position, const struct past *past, struct move *moves)
{
	(void)past;
	return kernel_here()->halma_moves(position, moves);
}

static void
weigh(const struct position *position, struct weigher *weigher)
{
	kernel_here()->halma_weigh(position, weigher);
}

static bool
find_one(const struct position *position, cell_t from, cell_t to)
{
	const struct halma_board *board = &position->halma;
	struct halma_set landings, stones = halma_both(board);
	unsigned seat = position->turn - 1u, class = halma_class(from);
	uint64_t stone = UINT64_C(1) << halma_bit(from);

	if (!(board->of[seat][class] & stone))
		return false;
	halma_landings(&stones, seat, class, true, stone, &landings);
	return halma_set_has(&landings, to);
}

static void
find(const struct position *position, const unsigned *ends, unsigned count, struct found *found)
{
	*found = (struct found){0};
	for (unsigned i = 0; i < count; i++) {
		cell_t from = (cell_t)(ends[i] >> 8), to = (cell_t)ends[i];
		found->legal |= (unsigned)find_one(position, from, to) << i;
		found->moves[i] = (struct move){.from = from, .to = to, .kind = MOVE_OWN};
	}
}

static unsigned
count(const struct position *position, const struct past *past)
{
	(void)past;
	return kernel_here()->halma_count(position);
}

static bool
holds(const struct position *position, unsigned seat)
{
	const uint64_t *of = position->halma.of[seat - 1];
	return (of[0] | of[1] | of[2] | of[3]) != 0;
}

static bool
arrived(const struct position *position, unsigned seat)
{
	return halma_arrived(position->halma.of[seat - 1], seat - 1);
}

static void
jump(struct position *position, struct move move)
{
	unsigned mover = position->turn;
	uint64_t *of = position->halma.of[mover - 1];

	of[halma_class(move.from)] ^= UINT64_C(1) << halma_bit(move.from);
	of[halma_class(move.to)] ^= UINT64_C(1) << halma_bit(move.to);
	position->key ^= zobrist_owner(mover, move.from) ^ zobrist_owner(mover, move.to);
}

/* H9, asked after every ply. */
static bool
blocked(const struct position *position)
{
	struct halma_set stones = halma_both(&position->halma);
	unsigned seat = position->turn - 1u;
	if (seat == 0 ? halma_steps(position->halma.of[0], &stones, 0) : halma_steps(position->halma.of[1], &stones, 1))
		return false;
	return count(position, NULL) == 0;
}

/* H7 before H8 before H9, and the length last (H12). */
static void
play(struct position *position, const struct past *past, struct move move, struct change *change)
{
	unsigned mover = position->turn;

	jump(position, move);
	position->ply++;
	rules_turn(position, 3 - mover);
	change->left = position->key ^ zobrist_out(position->out);
	if (arrived(position, mover))
		rules_end(position, mover, REASON_TARGET);
	else if (position->out != 0) /* only a position text leaves one seat to move alone */
		rules_end(position, mover, REASON_NONE);
	else if (rules_twice(past, change->left))
		rules_end(position, 0, REASON_REPETITION);
	else if (blocked(position))
		rules_end(position, 0, REASON_BLOCKED);
	else if (position->ply >= PLIES_MAX)
		rules_end(position, 0, REASON_LENGTH);
}

/* As play, but for repetition, for blocked seats and for length. */
static void
make(const struct position *before, struct move move, struct position *after)
{
	*after = *before;
	jump(after, move);
	after->ply++;
	rules_turn(after, 3u - before->turn);
	if (arrived(after, before->turn))
		rules_end(after, before->turn, REASON_TARGET);
	else if (after->out != 0) /* only a position text leaves one seat to move alone */
		rules_end(after, before->turn, REASON_NONE);
}

/*
 * A stone that is home and comes no further in waits.  But while stones stand in
 * their own camp, they may wait there (H7), and the others may have to make way
 * for them.
 */
static bool
nobody_at_home(const struct position *position)
{
	uint64_t home = 0;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		home |= (position->halma.of[0][class] & halma_camp(0, class)) |
			(position->halma.of[1][class] & halma_camp(1, class));
	return home == 0;
}

static void
drop(struct position *position, const struct past *past, unsigned seat, enum reason reason, struct change *change)
{
	(void)past;
	rules_seat_out(position, seat, reason, change);
}

static int
owners(const struct position *position, cell_t cell)
{
	unsigned class = halma_class(cell), bit = halma_bit(cell);
	for (unsigned seat = 0; seat < 2; seat++)
		if (position->halma.of[seat][class] >> bit & 1)
			return 1 << seat;
	return -1;
}

static unsigned
list_cells(const struct halma_set *set, cell_t *cells)
{
	unsigned count = 0;
	for (unsigned file = 0; file < 16; file++)
		for (unsigned column = halma_column(set, file); column; column &= column - 1)
			cells[count++] = cell_at(file, bits_first(column));
	return count;
}

static unsigned
stones(const struct position *position, cell_t *cells)
{
	struct halma_set both = halma_both(&position->halma);
	return list_cells(&both, cells);
}

static unsigned
targets(enum variant variant, unsigned seat, cell_t *cells)
{
	struct halma_set camp;
	(void)variant;
	for (unsigned class = 0; class < HALMA_CLASSES; class ++)
		camp.of[class] = halma_camp(2 - seat, class);
	return list_cells(&camp, cells);
}

static void
put(struct position *position, cell_t cell, unsigned owners)
{
	position->halma.of[owners == 1 ? 0 : 1][halma_class(cell)] |= UINT64_C(1) << halma_bit(cell);
}

static uint64_t
perft(const struct position *position, unsigned depth)
{
	return kernel_here()->halma_perft(position, depth);
}

static enum phase
phase(const struct position *position)
{
	(void)position;
	return PHASE_NONE;
}

static const uint8_t *
census(enum variant variant)
{
	static const uint8_t camps[1 << SEATS_MAX] = {[1] = 19, [2] = 19}; /* H2 in numbers */
	(void)variant;
	return camps;
}

const struct rules halma_rules = {
    .start = start,
    .stones_key = stones_key,
    .moves = moves,
    .count = count,
    .judge = halma_judge,
    .play = play,
    .drop = drop,
    .path = halma_path,
    .owners = owners,
    .stones = stones,
    .targets = targets,
    .holds = holds,
    .arrived = arrived,
    .put = put,
    .perft = perft,
    .phase = phase,
    .census = census,
    .make = make,
    .evaluate = halma_evaluate,
    .costs = halma_evaluate_costs,
    .waits = nobody_at_home,
    .weigh = weigh,
    .find = find,
    .captures_of = NULL,
    .promises_tell = true,
    .doubt = HALMA_DOUBT,
    .least = HALMA_LEAST,
    .weights = halma_evaluate_weights,
    .weight_count = HALMA_WEIGHT_COUNT,
    .weight_names = halma_evaluate_names,
    .neutral = false,
    .rests = false,
    .captures = false,
    .chains = true,
    .camps = true,
    .start_counts = true,
    .forbids = false,
    .blocked_lose = false,
};

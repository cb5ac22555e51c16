/*
 * What a position of Iuvo is worth to each seat, term by term: a sum of what is
 * seen, each times its weight, in Elo: a seat that stands better by 400 wins ten
 * games for each that it loses, as far as the games tell to which the weights
 * were fitted (tests/tune/tune.c).
 *
 * Weights differ by phase: while the stones gather nobody is captured and
 * everybody may run; in the chain hardly a stone is free.  They differ by I9 and
 * I9L too: where a group may be split, the chain need never form, and who runs
 * is not held up by it, so the race is what counts from the first ply.  With
 * four seats they are others again (README.md tells how they were found): few
 * stones are less of a loss among four, and where two are left who own a stone
 * together nobody can be captured any more, so they are only a shorter way.
 *
 * Included by the kernels, since counting is most of it.
 */
#ifndef IUVOD_ENGINE_IUVO_EVALUATE_H
#define IUVOD_ENGINE_IUVO_EVALUATE_H

#include "engine/iuvo.h"
#include "engine/memo.h"
#include "engine/rules.h"

/* clang-format off */
/*
 *        term                two seats: gathering, chain, the same where gathering is loose;
 *                            four: gathering, chain, together, gathering and chain where it is loose; what is seen of a seat
 */
#define IUVO_TERM_TABLE(T) \
	T(IUVO_TERM_RACE,     "race",           1,   -8,  -45,  -30,     1,  -13,    4,  -45,   -4) /* jumps that bring every stone to a target of its own, on an empty board */ \
	T(IUVO_TERM_FAR,      "far",            6,    3,  -10,    3,     6,   10,  -25,  -10,    0) /* jumps of the stone that has furthest to go */ \
	T(IUVO_TERM_HOME,     "home",         -18,   22,   25,   30,   -18,   15,    8,   25,    5) /* stones on targets */ \
	T(IUVO_TERM_ONE,      "one",            0, -573,    0, -573,     0, -134,  -53,    0, -207) /* one stone is left: the race is short, and one capture loses */ \
	T(IUVO_TERM_TWO,      "two",            0, -295,    0, -295,     0,  -48,  -56,    0, -104) /* two stones are left */ \
	T(IUVO_TERM_THREE,    "three",          0, -135,    0, -135,     0,  -32,  -28,    0,  -34) /* three stones are left */ \
	T(IUVO_TERM_MOBILITY, "mobility",       1,   -3,    1,   -3,     1,   -1,    4,    1,   -3) /* jumps of own stones */ \
	T(IUVO_TERM_DANGER,   "danger",        -9,  -10,   -9,  -10,    -9,   -1,   -8,   -9,  -11) /* jumps that there are fewer than eight: a seat that is blocked has lost */ \
	T(IUVO_TERM_FREE,     "free",          33,   25,    5,   25,    33,   47,   14,    5,   41) /* own stones that can jump */ \
	T(IUVO_TERM_ASIDE,    "aside",          7,   29,    0,   10,     7,   28,    3,    0,   20) /* cells that own stones stand away from the centre */ \
	T(IUVO_TERM_PINNED,   "pinned",        -7,  -30,   -7,  -30,    -7,    6,  -15,   -7,    0) /* own stones off target that cannot move: they hold the others together */ \
	T(IUVO_TERM_OPEN,     "open",          -5,   -8,    8,    8,    -5,    6,   17,    8,    3) /* targets to be reached that a stone may land on: empty or to be captured, beside a stone */ \
	T(IUVO_TERM_SHUT,     "shut",         -12,  -32,  -25,  -32,   -12,   10,  -14,  -25,    1) /* targets under a neutral stone */ \
	T(IUVO_TERM_THREATS,  "threats",        0,   25,    0,   25,     0,   15,   -7,    0,    2) /* enemies that could be captured, were it the seat's turn */ \
	T(IUVO_TERM_TURN,     "turn",          13,   12,   13,   12,    13,    6,   12,   13,   15) /* it is */
/* clang-format on */

enum iuvo_term {
#define T(name, word, ...) name,
	IUVO_TERM_TABLE(T)
#undef T
	    IUVO_TERM_COUNT
};

/* The terms that a seat's stones have by themselves, wherever others stand. */
#define IUVO_ALONE \
	(1u << IUVO_TERM_RACE | 1u << IUVO_TERM_FAR | 1u << IUVO_TERM_HOME | 1u << IUVO_TERM_ONE | \
	    1u << IUVO_TERM_TWO | 1u << IUVO_TERM_THREE | 1u << IUVO_TERM_ASIDE)

/* The cell in the middle, those up to one from it, and those furthest from it. */
#define IUVO_CENTRE (UINT64_C(1) << 27)
#define IUVO_INNER UINT64_C(0x0000001c1c1c0000)
#define IUVO_EDGE (IUVO_FILE_A | IUVO_FILE_G | IUVO_RANK_1 | IUVO_RANK_7)

/* With so many moves nobody is soon blocked. */
enum { IUVO_SAFE_MOVES = 8 };

/*
 * By phase: gathering, in the chain, and, of four seats, in the chain with two
 * left who own a stone together.
 */
enum iuvo_stage { IUVO_GATHERING, IUVO_CHAIN, IUVO_TOGETHER, IUVO_STAGES };
enum { IUVO_WEIGHTS = IUVO_STAGES * IUVO_TERM_COUNT };
extern const int iuvo_evaluate_weights[IUVO_WEIGHTS];
extern const int iuvo_evaluate_loose_weights[IUVO_WEIGHTS]; /* under I9L */
extern const int iuvo_evaluate_many_weights[IUVO_WEIGHTS];  /* of four seats */
extern const int iuvo_evaluate_many_loose_weights[IUVO_WEIGHTS];
extern const char *const iuvo_evaluate_names[IUVO_WEIGHTS];

/*
 * A knight's distance from each bit to the four targets on an edge (I5), on an
 * empty board, a byte each, by the edge's seat in Iuvo for four, from which
 * the stones come: 0 to the north, 1 east, 2 south, 3 west.
 */
extern const uint32_t iuvo_evaluate_distances[SEATS_MAX][56];

/* The distances that count for the seat at an index. */
BITS_INLINE const uint32_t *
iuvo_evaluate_way(unsigned seats, unsigned seat)
{
	return iuvo_evaluate_distances[seats == 2 ? seat * 2 : seat];
}

/* The two ways to give two stones two targets: the shorter. */
BITS_INLINE unsigned
iuvo_evaluate_pair(uint32_t a, uint32_t b, unsigned i, unsigned j)
{
	unsigned straight = (a >> i & 0xff) + (b >> j & 0xff), crossed = (a >> j & 0xff) + (b >> i & 0xff);
	return straight < crossed ? straight : crossed;
}

BITS_INLINE unsigned
iuvo_evaluate_least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The shortest way to give each of four stones a target of its own; a stone that is gone has no distances. */
BITS_INLINE unsigned
iuvo_evaluate_race(const uint32_t d[4])
{
#define PAIRS(i, j, k, l) iuvo_evaluate_pair(d[0], d[1], i, j) + iuvo_evaluate_pair(d[2], d[3], k, l)
	unsigned race = PAIRS(0, 8, 16, 24);
	race = iuvo_evaluate_least(race, PAIRS(0, 16, 8, 24));
	race = iuvo_evaluate_least(race, PAIRS(0, 24, 8, 16));
	race = iuvo_evaluate_least(race, PAIRS(8, 16, 0, 24));
	race = iuvo_evaluate_least(race, PAIRS(8, 24, 0, 16));
	return iuvo_evaluate_least(race, PAIRS(16, 24, 0, 8));
#undef PAIRS
}

/* The jumps to the nearest target. */
BITS_INLINE int
iuvo_evaluate_near(uint32_t d)
{
	return (int)iuvo_evaluate_least(
	    iuvo_evaluate_least(d & 0xff, d >> 8 & 0xff), iuvo_evaluate_least(d >> 16 & 0xff, d >> 24));
}

/* The jumps of the stone that is furthest from every target. */
BITS_INLINE int
iuvo_evaluate_far(const uint32_t d[4])
{
	int far = 0;
	for (unsigned i = 0; i < 4; i++)
		far = iuvo_evaluate_near(d[i]) > far ? iuvo_evaluate_near(d[i]) : far;
	return far;
}

/* The cells a knight's jump from any of a set. */
BITS_INLINE uint64_t
iuvo_evaluate_spread(uint64_t from)
{
	uint64_t up = from & ~IUVO_RANK_7, down = from & ~IUVO_RANK_1;
	return (up << 10 | up >> 6 | down << 6 | down >> 10 | from << 17 | from << 15 | from >> 15 | from >> 17) &
	       IUVO_CELLS;
}

/* One seat as the evaluation sees it. */
struct iuvo_evaluate_seat {
	struct iuvo_scan scan;
	uint64_t owned;
	uint64_t targets;
	uint64_t attacked; /* enemies that it could capture */
	unsigned moves;
	int terms[IUVO_TERM_COUNT];
};

/* The board as nobody sees it: every stone moves, every owned one may be captured.  All seats' scans are parts of it.
 */
BITS_INLINE void
iuvo_evaluate_look(const struct position *position, struct iuvo_scan *all)
{
	const uint64_t *owned = position->iuvo.owned;
	struct iuvo_view view = {
	    .stones = position->iuvo.stones,
	    .movable = position->iuvo.stones,
	    .enemies = owned[0] | owned[1] | owned[2] | owned[3],
	    .loose = variant_row((enum variant)position->variant)->family == FAMILY_LOOSE,
	    .chained = position->chained,
	};
	iuvo_scan(&view, all);
}

/* The terms of IUVO_ALONE. */
BITS_INLINE void
iuvo_evaluate_see_alone(uint64_t owned, uint64_t targets, const uint32_t *way, int terms[IUVO_TERM_COUNT])
{
	uint32_t distances[4] = {0};
	unsigned count = 0;
	for (uint64_t rest = owned; rest && count < 4; rest &= rest - 1)
		distances[count++] = way[bits_first(rest)];
	terms[IUVO_TERM_RACE] = (int)iuvo_evaluate_race(distances);
	terms[IUVO_TERM_FAR] = iuvo_evaluate_far(distances);
	terms[IUVO_TERM_HOME] = (int)bits_count(owned & targets);
	terms[IUVO_TERM_ONE] = count == 1;
	terms[IUVO_TERM_TWO] = count == 2;
	terms[IUVO_TERM_THREE] = count == 3;
	terms[IUVO_TERM_ASIDE] =
	    (int)(bits_count(owned & ~IUVO_CENTRE) + bits_count(owned & ~IUVO_INNER) + bits_count(owned & IUVO_EDGE));
}

/* The enemies that a seat could capture: with free stones, or round a hole also with others. */
BITS_INLINE uint64_t
iuvo_evaluate_attacked(const struct iuvo_scan *scan)
{
	uint64_t enemies = scan->landings & scan->stones, attacked;
	if (!enemies)
		return 0;
	attacked = iuvo_evaluate_spread(scan->free) & enemies;
	if (scan->holes)
		for (uint64_t cut = scan->cut; cut; cut &= cut - 1)
			attacked |= iuvo_cut_landings(scan, bits_first(cut)) & enemies;
	return attacked;
}

/*
 * Own stones' jumps first, then those of neutral ones.  Jumps of stones that
 * hold others together are counted where there are few others: they cost most,
 * and tell least.
 */
BITS_INLINE void
iuvo_evaluate_see_moves(struct iuvo_evaluate_seat *seat)
{
	const struct iuvo_scan *scan = &seat->scan;
	unsigned moves = 0, able = 0;
	for (uint64_t rest = scan->free & seat->owned; rest; rest &= rest - 1) {
		unsigned jumps = bits_count(iuvo_jumps[bits_first(rest)] & scan->landings);
		moves += jumps;
		able += jumps != 0;
	}
	seat->terms[IUVO_TERM_MOBILITY] = (int)moves;
	seat->terms[IUVO_TERM_FREE] = (int)able;
	if (moves < IUVO_SAFE_MOVES)
		moves += iuvo_count_jumps(scan->free & ~seat->owned, scan->landings);
	if (moves < IUVO_SAFE_MOVES)
		moves += iuvo_count_cut(scan);
	seat->moves = moves;
	seat->terms[IUVO_TERM_DANGER] = moves < IUVO_SAFE_MOVES ? IUVO_SAFE_MOVES - (int)moves : 0;
}

/* The terms that are not of IUVO_ALONE. */
BITS_INLINE void
iuvo_evaluate_see_board(uint64_t neutral, bool turn, struct iuvo_evaluate_seat *seat)
{
	uint64_t wanted = seat->targets & ~seat->owned;
	iuvo_evaluate_see_moves(seat);
	seat->attacked = iuvo_evaluate_attacked(&seat->scan);
	seat->terms[IUVO_TERM_PINNED] = (int)bits_count(seat->owned & ~seat->scan.free & ~seat->targets);
	seat->terms[IUVO_TERM_OPEN] = (int)bits_count(wanted & seat->scan.landings);
	seat->terms[IUVO_TERM_SHUT] = (int)bits_count(wanted & neutral);
	seat->terms[IUVO_TERM_THREATS] = (int)bits_count(seat->attacked);
	seat->terms[IUVO_TERM_TURN] = turn;
}

/* What is seen of the seat at an index, but for the terms of its stones alone. */
BITS_INLINE void
iuvo_evaluate_see(
    const struct position *position, const struct iuvo_scan *all, unsigned index, struct iuvo_evaluate_seat *seat)
{
	const uint64_t *owned = position->iuvo.owned;
	uint64_t neutral = all->stones & ~(owned[0] | owned[1] | owned[2] | owned[3]);
	bool turn = position->turn == index + 1;
	uint64_t movable = (owned[index] | neutral) & ~(turn ? iuvo_resting(position->resting) : 0);

	seat->scan = *all;
	seat->scan.free &= movable;
	seat->scan.cut &= movable;
	seat->scan.landings &= ~owned[index];
	seat->owned = owned[index];
	seat->targets = iuvo_targets((enum variant)position->variant)[index];
	iuvo_evaluate_see_board(neutral, turn, seat);
}

/* Whether the seat to move wins with one jump: onto the last target, or onto the last enemy (I13, I14). */
BITS_INLINE bool
iuvo_evaluate_wins(const struct position *position, const struct iuvo_evaluate_seat *seat)
{
	const uint64_t *owned = position->iuvo.owned;
	uint64_t off = seat->owned & ~seat->targets, others = 0;
	for (unsigned i = 0; i < SEATS_MAX; i++)
		others |= i + 1 != position->turn ? owned[i] : 0; /* a stone of both keeps the other one in */
	if (seat->attacked && bits_few(others) && rules_in_count(position) == 2)
		return true;
	return off && bits_few(off) && seat->scan.stones &&
	       (iuvo_landings(&seat->scan, bits_first(off)) & seat->targets) &&
	       (off & (seat->scan.free | seat->scan.cut));
}

/* The terms of a seat that is in, unweighted, for whatever tunes the weights; returns the stage.
 */
enum iuvo_stage iuvo_evaluate_terms(const struct position *position, unsigned seat, int terms[IUVO_TERM_COUNT]);

/* The sum of some terms, by their bits. */
BITS_INLINE int
iuvo_evaluate_sum(const int terms[IUVO_TERM_COUNT], const int *weights, unsigned which)
{
	int sum = 0;
#pragma GCC unroll 16
	for (unsigned i = 0; i < IUVO_TERM_COUNT; i++)
		sum += which >> i & 1 ? terms[i] * weights[i] : 0;
	return sum;
}

/* What the stones of the seat at an index are worth by themselves, at each stage. */
static __attribute__((noinline, unused)) struct memo_entry
iuvo_evaluate_alone(const struct position *position, unsigned index, const int *weights)
{
	int terms[IUVO_TERM_COUNT];
	enum variant variant = (enum variant)position->variant;
	uint64_t owned = position->iuvo.owned[index];
	iuvo_evaluate_see_alone(
	    owned, iuvo_targets(variant)[index], iuvo_evaluate_way(variant_row(variant)->seats, index), terms);
	return (struct memo_entry){owned, {iuvo_evaluate_sum(terms, weights, IUVO_ALONE),
					      iuvo_evaluate_sum(terms, weights + IUVO_TERM_COUNT, IUVO_ALONE),
					      iuvo_evaluate_sum(terms, weights + 2 * IUVO_TERM_COUNT, IUVO_ALONE)}};
}

/*
 * Two seats of four that are left and own a stone together: neither may capture
 * it, so neither can be captured, and fewer stones are only a shorter way.
 */
BITS_INLINE enum iuvo_stage
iuvo_evaluate_stage(const struct position *position, unsigned seats, const struct iuvo_scan *all)
{
	if (!all->chained)
		return IUVO_GATHERING;
	if (seats == 2 || rules_in_count(position) != 2)
		return IUVO_CHAIN;
	const uint64_t *owned = position->iuvo.owned;
	uint64_t both = (owned[0] & owned[1]) | (owned[1] & owned[2]) | (owned[2] & owned[3]) | (owned[3] & owned[0]);
	return both ? IUVO_TOGETHER : IUVO_CHAIN;
}

/* What a seat is worth; the stage tells which weights are used. */
BITS_INLINE int
iuvo_evaluate_worth(const struct position *position, const struct iuvo_evaluate_seat *seat, unsigned index,
    enum iuvo_stage stage, const int *weights, struct memo *memo)
{
	int board = iuvo_evaluate_sum(seat->terms, weights + stage * IUVO_TERM_COUNT, ~IUVO_ALONE);
	struct memo_entry *entry = memo_at(memo, index, seat->owned);
	if (__builtin_expect(entry->stones != seat->owned, 0))
		*entry = iuvo_evaluate_alone(position, index, weights);
	return entry->worth[stage] + board;
}

/* The number of seats is constant wherever this is inlined. */
BITS_INLINE enum forecast
iuvo_evaluate_seats(
    const struct position *position, unsigned seats, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	unsigned mover = position->turn - 1u;
	struct iuvo_evaluate_seat seat;
	struct iuvo_scan all;

	for (unsigned i = 0; i < seats; i++) /* wanted at the end, and often not near */
		__builtin_prefetch(memo_at(memo, i, position->iuvo.owned[i]));
	iuvo_evaluate_look(position, &all);
	iuvo_evaluate_see(position, &all, mover, &seat);
	if (seat.moves == 0)
		return FORECAST_BLOCKED;
	if (iuvo_evaluate_wins(position, &seat))
		return FORECAST_WINS;
	enum iuvo_stage stage = iuvo_evaluate_stage(position, seats, &all);
	worth[mover] = iuvo_evaluate_worth(position, &seat, mover, stage, weights, memo);
	uint64_t attacked = seat.attacked;
	for (unsigned i = 0; i < seats; i++) {
		if (i == mover || position_out(position, i + 1))
			continue;
		iuvo_evaluate_see(position, &all, i, &seat);
		worth[i] = iuvo_evaluate_worth(position, &seat, i, stage, weights, memo);
	}
	return attacked ? FORECAST_CAPTURES : FORECAST_QUIET;
}

BITS_INLINE enum forecast
iuvo_evaluate_position(const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	if (variant_row((enum variant)position->variant)->seats == 2)
		return iuvo_evaluate_seats(position, 2, weights, memo, worth);
	return iuvo_evaluate_seats(position, SEATS_MAX, weights, memo, worth);
}

#endif

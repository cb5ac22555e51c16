/*
 * The table of rules: what each family of variants does, seen by position.c
 * and the text forms.  A new rule set is a row of functions, named in FAMILY_TABLE
 * (variant.h); nobody else asks which family a variant is of.
 */
#ifndef IUVOD_ENGINE_RULES_H
#define IUVOD_ENGINE_RULES_H

#include "engine/kernel.h"
#include "engine/position.h"
#include "engine/zobrist.h"

/*
 * As the functions of position.h of the same names, with these differences: play and
 * drop work in place and are always given a change that begins empty; moves,
 * count, judge and play are not called when the game is over.
 */
struct rules {
	void (*start)(struct position *position); /* variant is set, all else 0 */
	uint64_t (*stones_key)(const struct position *position);
	unsigned (*moves)(const struct position *position, const struct past *past, struct move *moves);
	unsigned (*count)(const struct position *position, const struct past *past);
	enum verdict (*judge)(const struct position *position, const struct past *past, const struct move_text *text,
	    struct move *move, struct judgement *judgement);
	void (*play)(struct position *position, const struct past *past, struct move move, struct change *change);
	void (*drop)(struct position *position, const struct past *past, unsigned seat, enum reason reason,
	    struct change *change);
	void (*path)(const struct position *position, struct move move, struct path *path);
	int (*owners)(const struct position *position, cell_t cell);
	unsigned (*stones)(const struct position *position, cell_t *cells);
	unsigned (*targets)(enum variant variant, unsigned seat, cell_t *cells);
	bool (*holds)(const struct position *position, unsigned seat);   /* the seat has a stone */
	bool (*arrived)(const struct position *position, unsigned seat); /* and all of them stand on its targets */
	void (*put)(struct position *position, cell_t cell, unsigned owners);
	uint64_t (*perft)(const struct position *position, unsigned depth); /* depth of at least 1 */
	enum phase (*phase)(const struct position *position);
	const uint8_t *(*census)(enum variant variant); /* how many stones the start has, [1 << SEATS_MAX] by owners */

	/*
	 * For the search.  make is play without a past, and faster: it leaves a
	 * blocked seat to move (its moves, when asked for, are none), and asks
	 * neither for repetition nor for the length of the game.  It wins games (I13,
	 * I14, H7) and passes the turn.
	 */
	void (*make)(const struct position *before, struct move move, struct position *after);
	/* Hands the moves over to be weighed (weigh.h), without regard to a past, in their order. */
	void (*weigh)(const struct position *position, struct weigher *weigher);
	/* Looks for up to FOUND_MAX moves by their ends (weigh_ends), without regard to a past: much sooner done than a
	 * list. */
	void (*find)(const struct position *position, const unsigned *ends, unsigned count, struct found *found);
	/* The moves that capture, without regard to a past, in their order; NULL where none does (FORECAST_CAPTURES).
	 */
	unsigned (*captures_of)(const struct position *position, struct move *moves);
	/*
	 * How well each seat stands by itself, into worth[seat - 1], in the unit of
	 * scores (search.h), the more the better.  With two seats in, the difference
	 * is the score.  The position is not over.  Returns what is certain of the seat to
	 * move; where it is blocked or wins, worth need not be set.  The memo is of
	 * this variant and these weights.
	 */
	enum forecast (*evaluate)(
	    const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX]);
	/*
	 * With more than two seats in: how near the game is to its end, whoever wins
	 * it, in the measure of evaluate; NULL: nobody asks.  It is added to what the
	 * seat at the root has, since three that hold up the fourth make a game that
	 * nobody wins, and who sees further wins the more games the more of them end.
	 */
	int (*headway)(const struct position *position);
	/* What it costs the seat at an index that a stone of it stands on a cell, in sixteenths (promise.h). */
	void (*costs)(enum variant variant, unsigned index, const int *weights, int cost[256]);
	/* Whether stones that are home and gain nothing only wait in this position; NULL: they never do. */
	bool (*waits)(const struct position *position);
	/*
	 * Whether the score after a move, but for captures and wins, is hardly ever better
	 * than the one before it by more than its promise and a doubt, which may be below 0.
	 */
	bool promises_tell;
	int doubt;
	int least; /* a move that promises less only waits: it is looked at where the game may be lost; -1024: none does
		    */
	const int *weights;      /* the evaluation's own weights, by its table of terms */
	const int *many_weights; /* the same in variants for more than two seats; NULL: there are none */
	unsigned weight_count;
	const char *const *weight_names; /* for whatever tunes them */

	bool neutral;      /* a stone may belong to nobody, */
	bool rests;        /* and rest */
	bool captures;     /* a seat may lose its last stone */
	bool chains;       /* a move may be a chain of jumps */
	bool camps;        /* seats play from camp to camp, not from an edge */
	bool start_counts; /* for repetition, the start has stood once */
	bool forbids;      /* a third repetition is no legal move, and asks who moved (I16), not who is to move (H8) */
	bool blocked_lose; /* a seat without a move is out (I12), not drawn (H9) */
};

#define F(name, row) extern const struct rules row;
FAMILY_TABLE(F)
#undef F

/* By enum family; the table that made the enum fills it, so no entry is missing. */
extern const struct rules *const rules_table[FAMILY_COUNT];

static inline const struct rules *
rules_of(enum variant variant)
{
	return rules_table[variant_row(variant)->family];
}

/* The evaluation's own weights in a variant. */
static inline const int *
rules_weights(enum variant variant)
{
	return variant_row(variant)->seats > 2 ? rules_of(variant)->many_weights : rules_of(variant)->weights;
}

/* What both families share. */

/* The seats that are in, bit seat - 1. */
static inline unsigned
rules_in(const struct position *position)
{
	return ((1u << variant_row((enum variant)position->variant)->seats) - 1) & ~(unsigned)position->out;
}

/* How many seats are in. */
static inline unsigned
rules_in_count(const struct position *position)
{
	static const uint8_t counts[1 << SEATS_MAX] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	return variant_row((enum variant)position->variant)->seats - counts[position->out];
}

/* The seat after another in turn order that is in; some seat must be. */
static inline unsigned
rules_next(const struct position *position, unsigned seat)
{
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	do
		seat = seat < seats ? seat + 1 : 1;
	while (position_out(position, seat));
	return seat;
}

static inline void
rules_turn(struct position *position, unsigned turn)
{
	position->key ^= zobrist_turn(position->turn) ^ zobrist_turn(turn);
	position->turn = (uint8_t)turn;
}

static inline void
rules_end(struct position *position, unsigned winner, enum reason reason)
{
	rules_turn(position, 0);
	position->winner = (uint8_t)winner;
	position->reason = (uint8_t)reason;
}

/* A seat goes out, and if one is left that one wins (I12, I14, H10); false if that ends the game. */
static inline bool
rules_seat_out(struct position *position, unsigned seat, enum reason reason, struct change *change)
{
	change->out[change->out_count].seat = (uint8_t)seat;
	change->out[change->out_count++].reason = (uint8_t)reason;
	position->out |= (uint8_t)(1u << (seat - 1));
	position->key ^= zobrist_out(1u << (seat - 1));
	unsigned left = rules_in_count(position);
	if (left > 1)
		return true;
	rules_end(position, left == 1 ? rules_next(position, seat) : 0, reason);
	return false;
}

/* A key that the game has left twice. */
static inline bool
rules_twice(const struct past *past, uint64_t key)
{
	for (size_t i = 0; past && i < past->count; i++)
		if (past->twice[i] == key)
			return true;
	return false;
}

/* A refusal and the place of it in the move as written. */
static inline enum verdict
rules_refuse(struct judgement *judgement, enum verdict verdict, unsigned landing)
{
	judgement->verdict = verdict;
	judgement->landing = landing;
	return verdict;
}

/* A cell of a move as written that lies on the board. */
static inline cell_t
rules_written(const struct move_text *text, unsigned index)
{
	return cell_at(text->cells[index].file, (unsigned)text->cells[index].rank);
}

/* The first cell of a move as written that is not on the board; text->count if all are. */
static inline unsigned
rules_off_board(const struct move_text *text, const struct variant_row *row)
{
	unsigned i = 0;
	while (i < text->count && text->cells[i].file < row->files && text->cells[i].rank >= 0 &&
	       (unsigned)text->cells[i].rank < row->ranks)
		i++;
	return i;
}

#endif

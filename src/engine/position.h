/*
 * Positions and what may be done with them: the whole of the rules as far as
 * play, record and interface see it.  A position is a plain value: copying it
 * is assignment, nothing is to be freed, every function here may be called on
 * any thread, none keeps or changes anything but its outputs.
 *
 * The past.  I16 and H8 look at the game's past, which no position has.  It is
 * an argument: the keys of the positions that the game has left exactly twice.
 * NULL stands for no past, as in analysis of a position text and in perft.
 */
#ifndef IUVOD_ENGINE_POSITION_H
#define IUVOD_ENGINE_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cell.h"
#include "engine/reason.h"
#include "engine/variant.h"
#include "engine/verdict.h"

/* Iuvo: bit file * 8 + rank, so that ascending bits are the order T4 and no shift wraps. */
struct iuvo_board {
	uint64_t stones;           /* every stone */
	uint64_t owned[SEATS_MAX]; /* the stones of each seat; a shared stone stands in two; neutral in none */
};

/*
 * Halma: a chain of jumps never leaves the cells whose file and rank have the
 * parities of its start, so each of those four classes is a word of its own:
 * word (file & 1) | (rank & 1) << 1, bit (file >> 1) * 8 + (rank >> 1).
 */
struct halma_board {
	uint64_t of[2][4]; /* the stones of each seat, by class */
};

struct position {
	union {
		struct iuvo_board iuvo;
		struct halma_board halma;
	};
	uint64_t key;           /* Zobrist: stones, owners, resting cell, seat to move (0 when over) and seats out */
	uint16_t ply;           /* plies played since the start that it came from; not part of the key */
	cell_or_none_t resting; /* I11; CELL_NONE if no stone rests */
	uint8_t variant;        /* enum variant */
	uint8_t turn;           /* seat to move, from 1; 0 when the game is over */
	uint8_t out;            /* bit seat - 1: the seats that are out (position_out) */
	uint8_t winner;         /* seat, when over; 0 for a draw, or where a position text does not tell */
	uint8_t reason;         /* enum reason: REASON_NONE while it goes on, or where a text does not tell */
	bool chained; /* Iuvo: the stones are known to be a single chain, as they are ever after (I9, I10); false:
			 nobody has looked.  Not part of the key: it only saves looking again */
};

/* What a game has behind it, for I16 and H8: keys left exactly twice, in no order.  Borrowed, never kept. */
struct past {
	const uint64_t *twice;
	size_t count;
};

/*
 * A whole turn, by its ends (H11).  The path of a Halma chain is derived when
 * somebody wants to see it (position_path): two chains with the same ends are
 * the same move, and lists of a thousand moves stay small.
 */
enum move_kind { MOVE_OWN, MOVE_SHARED, MOVE_NEUTRAL };

struct move {
	cell_t from;
	cell_t to;
	uint8_t kind;  /* enum move_kind: whose stone moves */
	bool captures; /* the stone that stood on `to` is captured */
};

enum {
	MOVES_MAX = 1352, /* no position has more legal moves: 19 stones, 8 steps and 63 landings each (Halma) */
	PATH_MAX = 64     /* start and landings of a chain: the cells of one class (Halma) */
};

/* The landings of a move, its start first: two cells for a jump in Iuvo or a step. */
struct path {
	unsigned count;
	cell_t cells[PATH_MAX];
};

/* What a move or a drop-out did beyond the new position. */
struct change {
	/* Key of what the ply left, for the past (I16: before drop-outs and the turn; H8: the position). */
	uint64_t left;
	unsigned out_count; /* seats that went out, in the order in which they did */
	struct {
		uint8_t seat;
		uint8_t reason; /* enum reason */
	} out[SEATS_MAX];
};

/* A move as somebody wrote it (T1).  Cells are as written, so they may lie beyond the board. */
struct move_text {
	unsigned count; /* cells written: 2, or more for a chain that is written out */
	struct {
		uint16_t file; /* from 0 */
		int16_t rank;  /* from 0; -1 for a rank written as 0 */
	} cells[PATH_MAX * 2]; /* a written chain may visit a cell twice */
	bool capture;          /* written with an x */
};

/* A verdict and the cells it is about, as written (at most two: what moves, where it fails). */
struct judgement {
	enum verdict verdict;
	unsigned landing; /* index in move_text.cells of the landing that fails; 0 for the start; else the last */
};

/* Whether a seat, from 1 to SEATS_MAX and not 0, is out. */
static inline bool
position_out(const struct position *position, unsigned seat)
{
	return position->out >> (seat - 1) & 1;
}

/* Whether two moves of one position are the same: a move is known by its ends (T1, H11). */
static inline bool
move_same(struct move a, struct move b)
{
	return a.from == b.from && a.to == b.to;
}

/* The position a game of this variant starts from (I2-I4, H2), ply 0. */
void position_start(enum variant variant, struct position *position);

/* The key computed from nothing but the other members: what position.key must equal. */
uint64_t position_key(const struct position *position);

/* Whether repetition counts the start once (H8); in Iuvo the start was left by nobody (I16). */
bool position_start_counts(enum variant variant);

/* The key that counts for repetition before ply 1 of a game from this position; false if the start does not count. */
bool position_start_key(const struct position *start, uint64_t *key);

/*
 * Lists the legal moves of the seat to move in canonical order (T4) into
 * moves[MOVES_MAX] and returns how many; 0 when the game is over.
 */
unsigned position_moves(const struct position *position, const struct past *past, struct move *moves);

/* How many position_moves would list, without making them. */
unsigned position_count(const struct position *position, const struct past *past);

/*
 * Judges a move as written.  Returns the verdict; if it is VERDICT_LEGAL,
 * *move (which may be NULL) is the move.  Otherwise *move is untouched.
 * *judgement (may be NULL) is always set.  The game must not be over.
 */
enum verdict position_judge(const struct position *position, const struct past *past, const struct move_text *text,
    struct move *move, struct judgement *judgement);

/*
 * Plays a legal move, with all that follows from it: captures, drop-outs in
 * their order, wins, draws, the turn (I10-I18, H6-H9, H12).  The past is the one
 * before the move.  *after may be *before.  *change may be NULL.
 */
void position_play(const struct position *before, const struct past *past, struct move move, struct position *after,
    struct change *change);

/*
 * A seat goes out by its own doing: REASON_RESIGNED or REASON_TIMEOUT, in turn
 * or out of turn (I12, I15, H10), with all that follows.  The seat must be in
 * and the game not over.  change->left is not meaningful.  *after may be *before.
 */
void position_drop(const struct position *before, const struct past *past, unsigned seat, enum reason reason,
    struct position *after, struct change *change);

/* All active seats agree on a draw (I17, H10).  *after may be *before. */
void position_agree(const struct position *before, struct position *after);

/* The shortest path of a legal move, the first of the shortest as text, byte by byte (H11). */
void position_path(const struct position *position, struct move move, struct path *path);

/* Reads. */

/* The owners of the stone on a cell of the board, bit seat - 1, 0 for a neutral one; -1 if there is none. */
int position_owners(const struct position *position, cell_t cell);

/* The stones on the board: cells in canonical order into cells[STONES_MAX]; returns how many. */
unsigned position_stones(const struct position *position, cell_t *cells);

/* Iuvo: stones gather until all of them are a single chain (I9, I10).  Halma has no phases. */
enum phase { PHASE_NONE, PHASE_GATHERING, PHASE_CHAIN };
enum phase position_phase(const struct position *position);

/* Whether moves of the variant may be chains of jumps, with landings between the ends (H5). */
bool position_has_chains(enum variant variant);

/* Whether seats play from their camps to the opposing ones (H2), not from an edge of the board (I4). */
bool position_has_camps(enum variant variant);

/* A seat's targets (I5) or opposing camp (H6, H7) in canonical order; returns how many (at most 19). */
unsigned position_targets(enum variant variant, unsigned seat, cell_t *cells);

/* Whether a game may start here (T2): false if it is `not-a-start`. */
bool position_is_start(const struct position *position);

#endif

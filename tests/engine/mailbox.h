/*
 * The second opinion: RULES.md as plainly as it can be put, for all five
 * variants.  Cells in an array with an edge around it, one flood fill for each
 * jump that is tried, one step after the other, no tables of masks, no keys.
 * It shares the words of the engine (variant, cell, reason, verdict, past of
 * its own) and not a line of its code, so that the two agree only where both
 * are right.  It also is the yardstick of tests/bench/bench_engine.c.
 */
#ifndef IUVOD_TESTS_MAILBOX_H
#define IUVOD_TESTS_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/notation.h"
#include "engine/position.h"

enum { MAILBOX_CELLS = 20 * 20 };

struct mailbox {
	enum variant variant;
	int stride; /* from one file to the next: the side of the board and an edge of two cells twice */
	unsigned seats;
	unsigned turn; /* 0 when over */
	unsigned out;  /* bit seat - 1 */
	unsigned ply;
	unsigned winner;
	enum reason reason;
	int resting;        /* a square, 0 if no stone rests */
	unsigned out_count; /* who went out by the last play or drop, in order */
	unsigned out_seat[SEATS_MAX];
	enum reason out_reason[SEATS_MAX];
	signed char at[MAILBOX_CELLS]; /* the owners of a stone, bit seat - 1, or one of the two below */
};

enum { MAILBOX_EMPTY = -1, MAILBOX_EDGE = -2 };

/* What was left, whole (I16: by whom; H8: who is to move). */
struct mailbox_left {
	uint32_t sum; /* of all that follows, to compare most in one go */
	unsigned seat;
	int resting;
	signed char at[MAILBOX_CELLS];
};

/* The whole past of a game, about 1.7 MB. */
struct mailbox_past {
	unsigned count;
	struct mailbox_left left[PLIES_MAX + 1];
};

struct mailbox_move {
	cell_t from;
	cell_t to;
};

/* Reads a position text that is known to be a good one (T2): it checks nothing. */
void mailbox_read(struct mailbox *box, const char *text);
void mailbox_write(const struct mailbox *box, char text[POSITION_TEXT_MAX]);

/* Empties the past and, in Halma, counts the start (H8). */
void mailbox_begin(struct mailbox_past *past, const struct mailbox *start);

/* The past may be NULL for none, in all that follow. */
unsigned mailbox_moves(const struct mailbox *box, const struct mailbox_past *past, struct mailbox_move *moves);
enum verdict mailbox_verdict(const struct mailbox *box, const struct mailbox_past *past, cell_t from, cell_t to);

/* Plays a legal move, or lets a seat drop out; what is left is added to the past. */
void mailbox_play(struct mailbox *box, struct mailbox_past *past, cell_t from, cell_t to);
void mailbox_drop(struct mailbox *box, struct mailbox_past *past, unsigned seat, enum reason reason);

/* Whether a game may start here (T2). */
bool mailbox_is_start(const struct mailbox *box);

uint64_t mailbox_perft(const struct mailbox *box, unsigned depth);

/* The path of a legal move as text, in Halma the shortest and of those the first (H11). */
void mailbox_path(const struct mailbox *box, cell_t from, cell_t to, char text[PATH_TEXT_MAX]);

#endif

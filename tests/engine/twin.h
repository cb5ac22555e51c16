/*
 * One game played twice, by the engine and by the second opinion (mailbox.h),
 * which must agree after every step: on the position, on who goes out and why,
 * on the outcome, and on the list of legal moves with each game's own past.
 * Every function asserts, and must run within a cmocka test.
 */
#ifndef IUVOD_TESTS_TWIN_H
#define IUVOD_TESTS_TWIN_H

#include "engine/history.h"
#include "tests/engine/mailbox.h"

struct twin {
	struct position position;
	struct history history;
	struct change change;         /* of the last step */
	struct move moves[MOVES_MAX]; /* the legal moves now */
	unsigned count;
	struct mailbox box;
	struct mailbox_past past;
};

/* About 2 MB: twin_new gives one from the heap, twin_free takes it back. */
struct twin *twin_new(void);
void twin_free(struct twin *twin);

void twin_begin(struct twin *twin, const char *position);
void twin_begin_at(struct twin *twin, const struct position *position);

/* A position of halma-2 by its stones: cells parted by spaces, of seat 1 and of seat 2. */
void twin_begin_halma(struct twin *twin, const char *ours, const char *theirs, unsigned turn);

/* A step is a move as a text or `resign:SEAT`, `timeout:SEAT`; it must be possible. */
void twin_step(struct twin *twin, const char *step);
void twin_steps(struct twin *twin, const char *steps); /* parted by spaces */
void twin_play(struct twin *twin, struct move move);
void twin_drop(struct twin *twin, unsigned seat, enum reason reason);

/* The verdict of a move as a text, with the past of the game; landing (may be NULL) as in struct judgement. */
enum verdict twin_verdict(const struct twin *twin, const char *move, unsigned *landing);

/* Expectations. */
void twin_assert_verdict(const struct twin *twin, const char *move, enum verdict expected);
void twin_assert_position(const struct twin *twin, const char *expected);
void twin_assert_outcome(const struct twin *twin, unsigned winner, enum reason reason);
void twin_assert_moves(const struct twin *twin, unsigned count, const char *const *expected);
/* Who went out by the last step, as "2 captured 3 blocked"; "" for nobody. */
void twin_assert_out(const struct twin *twin, const char *expected);

#endif

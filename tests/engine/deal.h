/*
 * Chance that is the same in every run, and positions and moves dealt by it:
 * what the property tests are played with.
 */
#ifndef IUVOD_TESTS_DEAL_H
#define IUVOD_TESTS_DEAL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/history.h"
#include "tests/engine/mailbox.h"

struct deal {
	uint64_t seed; /* never 0 */
};

/* A number below `below`. */
unsigned deal_below(struct deal *deal, unsigned below);

/*
 * A position text that T2 allows, for any variant, two seats or more in; not
 * always one that a game may start from.  Iuvo: few stones or all of them, a
 * single chain mostly, so that captures, blocked seats, repetition and holes
 * are near.  Halma: stones scattered along the way between the camps.
 */
void deal_position(struct deal *deal, enum variant variant, char text[POSITION_TEXT_MAX]);

/* Such a position as a value, of those from which a game may start. */
void deal_start(struct deal *deal, enum variant variant, struct position *position);

/* A position after so many plies by chance, and what they have left; in it all seats are in. */
void deal_opening(
    struct deal *deal, enum variant variant, unsigned plies, struct position *position, struct history *history);

/* Changes a few bytes of a text, which has room for three more, and returns its new length; no NUL ends it. */
size_t deal_mutation(struct deal *deal, char *text);

/*
 * Which of the listed moves to play.  Mostly any; sometimes the one that takes
 * back the seat's last move (so that positions repeat), or the one
 * that goes furthest to the far side (so that games are won).
 */
unsigned deal_move(struct deal *deal, const struct mailbox *box, const struct mailbox_move *moves, unsigned count,
    struct mailbox_move last);

#endif

/*
 * Verdicts: why a move is or is not legal.  The order is the order in which
 * they are asked: of several reasons the first that applies is the verdict.
 * A slug is the `code` of a refusal over HTTP; the rules are those of RULES.md
 * for each family, NULL where the family never gives the verdict.
 */
#ifndef IUVOD_ENGINE_VERDICT_H
#define IUVOD_ENGINE_VERDICT_H

#include "engine/variant.h"

/* clang-format off */
/*        enum                          slug                    Iuvo   loose  Halma    title, advice */
#define VERDICT_TABLE(V) \
	V(VERDICT_LEGAL,                "legal",                NULL,  NULL,  NULL,    "The move is legal", \
	    "") \
	V(VERDICT_OFF_BOARD,            "off-board",            "I1",  "I1",  "H1",    "A cell is not on the board", \
	    "Cells are a file letter and a rank number, a1 at the bottom left as seat 1 sees it. GET /v1/variants/{variant} tells how many files and ranks there are.") \
	V(VERDICT_NO_STONE,             "no-stone",             "I6",  "I6",  "H3",    "There is no stone to move", \
	    "Nothing stands on the first cell of the move. The game's `stones` tells where stones are.") \
	V(VERDICT_NOT_YOUR_STONE,       "not-your-stone",       "I6",  "I6",  "H3",    "The stone belongs to others", \
	    "You move a stone that you own, alone or shared, or in Iuvo a neutral one.") \
	V(VERDICT_STONE_RESTS,          "stone-rests",          "I11", "I11", NULL,    "The neutral stone was moved by the move before and rests", \
	    "A neutral stone that was moved may not be moved by the very next move. The game's `position` names the cell that rests.") \
	V(VERDICT_NULL_MOVE,            "null-move",            "I7",  "I7",  "H5",    "The move ends where it began", \
	    "A move must end on another cell than the one it began on, a chain of jumps too.") \
	V(VERDICT_NOT_A_JUMP,           "not-a-jump",           "I7",  "I7",  NULL,    "The move is not a knight's jump", \
	    "In Iuvo every move is one jump of a chess knight: two cells one way and one the other.") \
	V(VERDICT_NOT_A_STEP_OR_JUMP,   "not-a-step-or-jump",   NULL,  NULL,  "H4",    "Neither a step nor a chain of jumps leads there", \
	    "In Halma a stone steps to a neighbouring cell, or jumps in a straight line over one neighbouring stone to the empty cell behind it, any number of times.") \
	V(VERDICT_NOT_A_CHAIN_OF_JUMPS, "not-a-chain-of-jumps", NULL,  NULL,  "H5",    "A landing of the chain is not a jump from the one before", \
	    "Of a chain that is written out each landing must be one jump from the one before. Write the two ends alone, and any chain between them will do.") \
	V(VERDICT_LEAVES_CAMP,          "leaves-camp",          NULL,  NULL,  "H6",    "The stone would leave the opposing camp", \
	    "A stone that has entered the opposing camp may move within it, but never out again, not even between two jumps.") \
	V(VERDICT_OCCUPIED,             "occupied",             NULL,  NULL,  "H5",    "The cell is occupied", \
	    "A step or jump ends on an empty cell.") \
	V(VERDICT_CAPTURE_TOO_EARLY,    "capture-too-early",    "I10", "I10", NULL,    "Captures begin when all stones are a single chain", \
	    "While the stones are in several groups, a jump must end on an empty cell. The game's `phase` is then `gathering`.") \
	V(VERDICT_NEUTRAL_NOT_CAPTURED, "neutral-not-captured", "I10", "I10", NULL,    "A neutral stone is never captured", \
	    "Only a stone with at least one owner can be captured, and you must not be one of them.") \
	V(VERDICT_OWN_NOT_CAPTURED,     "own-not-captured",     "I10", "I10", NULL,    "Nobody captures a stone of his own, shared or not", \
	    "The stone there is yours, alone or shared with another seat.") \
	V(VERDICT_NO_CAPTURE,           "no-capture",           "T1",  "T1",  "T1",    "The move is written as a capture, but captures nothing", \
	    "Write the move with a hyphen, as c1-d3: an x says that a stone is captured, and none is.") \
	V(VERDICT_NO_NEIGHBOUR,         "no-neighbour",         "I8",  "I8",  NULL,    "The jump lands beside no other stone", \
	    "After the jump the stone must stand beside another one: above, below, to the left or to the right.") \
	V(VERDICT_BREAKS_GROUP,         "breaks-group",         "I9",  "I9L", NULL,    "The move parts stones that were in one group", \
	    "Stones that hang together before the jump, the jumping stone aside, must hang together after it; the jumping stone may be what holds them together where it lands. In the loose variants this binds only once all stones are a single chain.") \
	V(VERDICT_THIRD_REPETITION,     "third-repetition",     "I16", "I16", NULL,    "The move would leave the same position for the third time", \
	    "The same stones with the same owners on the same cells, and the same resting stone, moved by the same seat, may be left twice in a game, but not a third time.")

enum verdict {
#define V(name, slug, iuvo, loose, halma, title, advice) name,
	VERDICT_TABLE(V)
#undef V
	VERDICT_COUNT
};
/* clang-format on */

struct verdict_row {
	const char *slug;
	const char *title;
	const char *advice; /* what to do about it, for somebody who reads the problem; empty for VERDICT_LEGAL */
	const char *rule[FAMILY_COUNT]; /* NULL: this family never gives it */
};

/* The row of a verdict; static, never NULL.  Any thread. */
const struct verdict_row *verdict_row(enum verdict verdict);

#endif

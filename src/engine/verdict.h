/*
 * Verdicts: why a move is or is not legal.  The order is the order in which
 * they are asked: of several reasons the first that applies is the verdict.
 * A slug is the `code` of a refusal over HTTP; the rules are those of RULES.md
 * for each family, NULL where the family never gives the verdict.
 */
#ifndef IUVOD_ENGINE_VERDICT_H
#define IUVOD_ENGINE_VERDICT_H

#include "engine/variant.h"

/*        enum                          slug                    Iuvo   loose  Halma    title */
#define VERDICT_TABLE(V) \
	V(VERDICT_LEGAL,                "legal",                NULL,  NULL,  NULL,    "The move is legal") \
	V(VERDICT_OFF_BOARD,            "off-board",            "I1",  "I1",  "H1",    "A cell is not on the board") \
	V(VERDICT_NO_STONE,             "no-stone",             "I6",  "I6",  "H3",    "There is no stone to move") \
	V(VERDICT_NOT_YOUR_STONE,       "not-your-stone",       "I6",  "I6",  "H3",    "The stone belongs to others") \
	V(VERDICT_STONE_RESTS,          "stone-rests",          "I11", "I11", NULL,    "The neutral stone was moved by the move before and rests") \
	V(VERDICT_NULL_MOVE,            "null-move",            "I7",  "I7",  "H5",    "The move ends where it began") \
	V(VERDICT_NOT_A_JUMP,           "not-a-jump",           "I7",  "I7",  NULL,    "The move is not a knight's jump") \
	V(VERDICT_NOT_A_STEP_OR_JUMP,   "not-a-step-or-jump",   NULL,  NULL,  "H4",    "Neither a step nor a chain of jumps leads there") \
	V(VERDICT_NOT_A_CHAIN_OF_JUMPS, "not-a-chain-of-jumps", NULL,  NULL,  "H5",    "A landing of the chain is not a jump from the one before") \
	V(VERDICT_LEAVES_CAMP,          "leaves-camp",          NULL,  NULL,  "H6",    "The stone would leave the opposing camp") \
	V(VERDICT_OCCUPIED,             "occupied",             NULL,  NULL,  "H5",    "The cell is occupied") \
	V(VERDICT_CAPTURE_TOO_EARLY,    "capture-too-early",    "I10", "I10", NULL,    "Captures begin when all stones are a single chain") \
	V(VERDICT_NEUTRAL_NOT_CAPTURED, "neutral-not-captured", "I10", "I10", NULL,    "A neutral stone is never captured") \
	V(VERDICT_OWN_NOT_CAPTURED,     "own-not-captured",     "I10", "I10", NULL,    "Nobody captures a stone of his own, shared or not") \
	V(VERDICT_NO_CAPTURE,           "no-capture",           "T1",  "T1",  "T1",    "The move is written as a capture, but captures nothing") \
	V(VERDICT_NO_NEIGHBOUR,         "no-neighbour",         "I8",  "I8",  NULL,    "The jump lands beside no other stone") \
	V(VERDICT_BREAKS_GROUP,         "breaks-group",         "I9",  "I9L", NULL,    "The move parts stones that were in one group") \
	V(VERDICT_THIRD_REPETITION,     "third-repetition",     "I16", "I16", NULL,    "The move would leave the same position for the third time")

enum verdict {
#define V(name, slug, iuvo, loose, halma, title) name,
	VERDICT_TABLE(V)
#undef V
	VERDICT_COUNT
};

struct verdict_row {
	const char *slug;
	const char *title;
	const char *rule[FAMILY_COUNT]; /* NULL: this family never gives it */
};

/* The row of a verdict; static, never NULL.  Any thread. */
const struct verdict_row *verdict_row(enum verdict verdict);

#endif

/* Counts of move sequences, the test of rules (RULES.md T3).  Any thread; no heap. */
#ifndef IUVOD_ENGINE_PERFT_H
#define IUVOD_ENGINE_PERFT_H

#include "engine/position.h"

/*
 * The number of sequences of exactly depth legal moves; 1 for depth 0, 0 for a
 * finished game and depth above 0.  Repetition is left out (T3).  The last ply
 * is counted, not made.
 */
uint64_t perft_count(const struct position *position, unsigned depth);

#endif

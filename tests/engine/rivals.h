/*
 * What the search for more than two seats is measured against: the two other
 * ways that are written of, over the same generator, evaluation, order of moves
 * and, where it can be used, transposition table.  Each takes the place of
 * search_many in a search: search->many = rivals_max_n.
 */
#ifndef IUVOD_TESTS_RIVALS_H
#define IUVOD_TESTS_RIVALS_H

#include "engine/search_inside.h"

/*
 * max^n (Luckhardt and Irani, An algorithmic solution of n-person games, 1986):
 * every seat plays for itself, for its lead over the best of the others.
 */
search_line_of rivals_max_n;

/*
 * BRS+ (Esser, Gras, Winands, Schadd and Lanctot, Improving best-reply search,
 * 2013): of the others, one answers with whatever is worst for the seat at
 * the root, the rest play the move that comes first in the order of moves.
 */
search_line_of rivals_brs;

#endif

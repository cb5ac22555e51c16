/* The letters of stones in the text of a position (T2). */
#ifndef IUVOD_ENGINE_NOTATION_LETTER_H
#define IUVOD_ENGINE_NOTATION_LETTER_H

/* Each with its owners, bit seat - 1; seat 4 and seat 1 are neighbours too (I4). */
#define NOTATION_LETTER_TABLE(L) \
	L('o', 0) \
	L('A', 1) \
	L('B', 2) \
	L('C', 4) \
	L('D', 8) \
	L('p', 1 | 2) \
	L('q', 2 | 4) \
	L('r', 4 | 8) \
	L('s', 8 | 1)

#endif

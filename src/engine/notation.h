/*
 * Text forms of moves and positions (RULES.md T1, T2).  Nothing is allocated;
 * any thread.
 */
#ifndef IUVOD_ENGINE_NOTATION_H
#define IUVOD_ENGINE_NOTATION_H

#include "engine/position.h"

enum {
	CELL_TEXT_MAX = 4, /* p16 and NUL */
	MOVE_TEXT_MAX = 8, /* p16-p15 and NUL */
	PATH_TEXT_MAX = PATH_MAX * 4,
	POSITION_TEXT_MAX = 336 /* id, 16 ranks of 16 letters, turn, resting cell, seats out, NUL */
};

/* Where and why a text could not be read.  Strings are static. */
struct text_fault {
	const char *field; /* move; or variant, board, turn, resting, out */
	size_t at;         /* the byte of the text at which it goes wrong, from 0; its length if it ends too soon */
	const char *why;   /* a clause in English: "a rank has seven cells" */
};

/* Each writes NUL-terminated text and returns its length. */
size_t notation_cell(cell_t cell, char text[CELL_TEXT_MAX]);
size_t notation_move(struct move move, char text[MOVE_TEXT_MAX]);
size_t notation_path(const struct path *path, char text[PATH_TEXT_MAX]);
size_t notation_position(const struct position *position, char text[POSITION_TEXT_MAX]);

/*
 * Reads a move (T1): false if the text is no move at all, with *fault (never
 * NULL) telling why and *move untouched.  Whether it may be played is for
 * position_judge to say.  A third cell is read in every variant; in Iuvo the
 * judge refuses it.
 */
bool notation_read_move(const char *text, size_t len, struct move_text *move, struct text_fault *fault);

/* A cell, as in `from=c1`: false if it is none, or lies beyond the variant's board. */
bool notation_read_cell(enum variant variant, const char *text, size_t len, cell_t *cell);

/*
 * Reads a position (T2) that the variant's rules allow; else false with *fault,
 * and *position untouched.  ply is 0.  Where the seat to move is `-`, winner and
 * reason are what the board itself tells (all on targets; one seat not out),
 * else 0 and REASON_NONE.
 */
bool notation_read_position(const char *text, size_t len, struct position *position, struct text_fault *fault);

#endif

/*
 * The words of a board: who is to move, how it ended, what stands where.  Plain
 * text without markup, the same for the picture and the text board.  Any thread.
 */
#ifndef IUVOD_API_BOARD_WORDS_H
#define IUVOD_API_BOARD_WORDS_H

#include "api/board_plan.h"

/* How much room a code point takes, in a unit of the caller's. */
typedef unsigned board_words_width(uint32_t code_point);

/* Room for a name: a longer one is cut behind a whole code point and ends in dots. */
struct board_words_room {
	board_words_width *width;
	unsigned room;
	const char *dots;
	unsigned dots_width;
};

/* Columns of a terminal: 0 for a mark that combines, 2 for what East Asian scripts and pictures take. */
unsigned board_words_columns(uint32_t code_point);

/* The name of a seat, or "Seat 2" where it has none.  room may be NULL: all of it. */
void board_words_name(
    const struct board_plan *plan, unsigned seat, const struct board_words_room *room, struct text *out);

/* "ply 12, gathering" */
void board_words_ply(const struct board_plan *plan, struct text *out);

/* "Iuvo for two, ply 12, gathering" */
void board_words_title(const struct board_plan *plan, struct text *out);

/*
 * "To move: Ada", "Won, all stones on target: Ada", "A draw: the position stood
 * for the third time".  room is that of the whole line, or NULL.
 */
void board_words_status(const struct board_plan *plan, const struct board_words_room *room, struct text *out);

/* What a seat is up to: "to move", "out, resigned", "won", or "" */
void board_words_standing(const struct board_plan *plan, unsigned seat, struct text *out);

/* The last move: "m3-k5-i5", "c1xd3". */
void board_words_last(const struct board_plan *plan, struct text *out);

/* The whole position in sentences, for those who listen. */
void board_words_describe(const struct board_plan *plan, struct text *out);

#endif

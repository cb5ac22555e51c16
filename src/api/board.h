/*
 * Pictures of a position: an SVG that one would like to look at, and a text
 * board of at most 80 columns.  Pure functions of their arguments; any thread.
 */
#ifndef IUVOD_API_BOARD_H
#define IUVOD_API_BOARD_H

#include "base/text.h"
#include "engine/position.h"

struct board_view {
	const struct position *position;
	unsigned bottom_seat;           /* whose side is at the bottom; 1 is the default */
	unsigned seat_count;
	const char *names[SEATS_MAX];   /* NULL: none; any text that may be a name */
	bool has_last;                  /* the move that led here, to be marked */
	struct path last;
	bool has_legal;                 /* dots on the targets of one stone */
	cell_t legal_from;
	unsigned legal_count;
	const struct move *legal;       /* legal moves of the position that start at legal_from */
};

/* Each appends a whole document to out, whose failure sticks (base/text.h). */
void board_svg(const struct board_view *view, struct text *out);
void board_text(const struct board_view *view, struct text *out);

#endif

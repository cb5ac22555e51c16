/*
 * The parts of the picture: board_svg.c draws the document around them.
 * Coordinates are whole units of the viewBox, which is 800 wide.
 */
#ifndef IUVOD_API_BOARD_SVG_H
#define IUVOD_API_BOARD_SVG_H

#include "api/board_plan.h"

enum {
	SVG_WIDTH = 800,
	SVG_TOP = 136,   /* where the board begins */
	SVG_STONE = 36,  /* the radius at which stones and marks are defined */
	SVG_NEUTRAL = 30 /* that of a neutral stone */
};

struct board_svg_frame {
	const struct board_plan *plan;
	struct text *out;
	int cell;  /* units along a cell */
	int side;  /* units along the board */
	int left;  /* where the board begins */
	int scale; /* of stones, in hundredths */
};

/* The style sheet and the shapes that the rest refers to. */
void board_svg_style(struct text *out);
void board_svg_shapes(const struct board_svg_frame *frame);

/* The board: cells, coordinates, tints, the last move, the stones, the legal targets. */
void board_svg_board(const struct board_svg_frame *frame);

/* A stone of these owners (as position_owners) at a point, at hundredths of its full size, with a class for CSS or "".
 */
void board_svg_stone(
    const struct board_svg_frame *frame, int owners, bool rests, int x, int y, int scale, const char *class);

#endif

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
	unsigned bottom_seat; /* whose side is at the bottom; 1 is the default, and 0 means 1 */
	unsigned seat_count;
	const char *names[SEATS_MAX];      /* NULL: none; any text that may be a name */
	enum reason out_reason[SEATS_MAX]; /* why a seat that is out went out; REASON_NONE: not told */
	bool has_last;                     /* the move that led here, to be marked */
	struct path last;
	bool last_captures;
	unsigned last_seat; /* who made it; 0: not told */
	bool has_legal;     /* dots on the targets of one stone */
	cell_t legal_from;
	unsigned legal_count;
	const struct move *legal; /* legal moves of the position that start at legal_from */
};

/*
 * Each appends a whole document to out, whose failure sticks (base/text.h).
 * The picture needs style-src 'unsafe-inline' where a Content-Security-Policy is sent.
 */
void board_svg(const struct board_view *view, struct text *out);
void board_text(const struct board_view *view, struct text *out);

#endif

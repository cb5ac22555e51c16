/*
 * What both boards draw, worked out once: each cell as it is seen from the seat
 * at the bottom, with everything that is to be shown on it.  A value without a
 * lifetime of its own: it borrows the view.  Any thread.
 */
#ifndef IUVOD_API_BOARD_PLAN_H
#define IUVOD_API_BOARD_PLAN_H

#include "api/board.h"

enum { BOARD_SIDE_MAX = 16 };

struct board_cell {
	cell_t cell;
	int8_t owners;     /* as position_owners: -1 empty, 0 neutral, else bit seat - 1 */
	uint8_t targets;   /* bit seat - 1: the seats that want to get here */
	bool start : 1;    /* the last move began here, */
	bool passed : 1;   /* landed here on its way, */
	bool landing : 1;  /* and ended here */
	bool rests : 1;    /* the stone may not be moved now (I11) */
	bool chosen : 1;   /* the stone whose legal moves are shown, */
	bool legal : 1;    /* and where it may go, */
	bool captures : 1; /* capturing what stands there */
};

struct board_plan {
	const struct board_view *view;
	const struct variant_row *variant;
	unsigned side;                 /* cells along a side: every board is a square */
	unsigned turns;                /* quarter turns, counter-clockwise, from the view of seat 1 */
	unsigned stones[SEATS_MAX];    /* of each seat; a shared stone counts for both its owners */
	unsigned on_target[SEATS_MAX]; /* of those, on targets */
	unsigned neutral;
	unsigned shared;
	unsigned rests;
	unsigned legal, captures;                                /* targets shown, and those of them that capture */
	struct board_cell cells[BOARD_SIDE_MAX][BOARD_SIDE_MAX]; /* [row from the top][column from the left] */
};

/* Where a seat sits, as seen: the directions in which the turn goes round (I4). */
enum board_edge { EDGE_SOUTH, EDGE_WEST, EDGE_NORTH, EDGE_EAST };

void board_plan_make(const struct board_view *view, struct board_plan *plan);

/* Row and column, as seen, of a cell of the board. */
void board_plan_place(const struct board_plan *plan, cell_t cell, unsigned *row, unsigned *column);

/* The edge from which a seat plays.  Not where it plays from a camp in a corner (position_has_camps). */
enum board_edge board_plan_edge(const struct board_plan *plan, unsigned seat);

/* What stands beside a row or below a column, as seen: a file or a rank; NUL-terminated. */
void board_plan_row_label(const struct board_plan *plan, unsigned row, char label[4]);
void board_plan_column_label(const struct board_plan *plan, unsigned column, char label[4]);

static inline bool
board_plan_out(const struct board_plan *plan, unsigned seat)
{
	return position_out(plan->view->position, seat);
}

#endif

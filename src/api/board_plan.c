#include "api/board_plan.h"

#include <stdio.h>

void
board_plan_place(const struct board_plan *plan, cell_t cell, unsigned *row, unsigned *column)
{
	unsigned last = plan->side - 1, x = cell_file(cell), y = last - cell_rank(cell);
	/* A quarter turn counter-clockwise brings the left edge, where seat 2 of four sits, to the bottom. */
	for (unsigned i = 0; i < plan->turns; i++) {
		unsigned old_x = x;
		x = y;
		y = last - old_x;
	}
	*row = y;
	*column = x;
}

static struct board_cell *
seen(struct board_plan *plan, cell_t cell)
{
	unsigned row, column;
	board_plan_place(plan, cell, &row, &column);
	return &plan->cells[row][column];
}

static void
put_targets(struct board_plan *plan)
{
	cell_t targets[STONES_MAX];
	for (unsigned seat = 1; seat <= plan->variant->seats; seat++) {
		unsigned count = position_targets((enum variant)plan->view->position->variant, seat, targets);
		for (unsigned i = 0; i < count; i++)
			seen(plan, targets[i])->targets |= (uint8_t)(1u << (seat - 1));
	}
}

static void
put_last(struct board_plan *plan)
{
	const struct path *path = &plan->view->last;
	if (!plan->view->has_last || path->count < 2)
		return;
	seen(plan, path->cells[0])->start = true;
	seen(plan, path->cells[path->count - 1])->landing = true;
	for (unsigned i = 1; i + 1 < path->count; i++)
		seen(plan, path->cells[i])->passed = true;
}

static void
put_legal(struct board_plan *plan)
{
	const struct board_view *view = plan->view;
	if (!view->has_legal)
		return;
	seen(plan, view->legal_from)->chosen = true;
	for (unsigned i = 0; i < view->legal_count; i++) {
		struct board_cell *cell = seen(plan, view->legal[i].to);
		cell->legal = true;
		cell->captures = view->legal[i].captures;
		plan->legal++;
		plan->captures += view->legal[i].captures;
	}
}

static void
count_stone(struct board_plan *plan, const struct board_cell *cell)
{
	unsigned owners = (unsigned)cell->owners;
	plan->neutral += owners == 0;
	plan->shared += (owners & (owners - 1)) != 0;
	plan->rests += cell->rests;
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		plan->stones[i] += owners >> i & 1;
		plan->on_target[i] += owners >> i & cell->targets >> i & 1;
	}
}

void
board_plan_make(const struct board_view *view, struct board_plan *plan)
{
	const struct variant_row *variant = variant_row((enum variant)view->position->variant);
	unsigned bottom = view->bottom_seat >= 1 && view->bottom_seat <= variant->seats ? view->bottom_seat : 1;
	*plan = (struct board_plan){
	    .view = view, .variant = variant, .side = variant->files, .turns = (bottom - 1) * (4 / variant->seats)};
	put_targets(plan);
	put_last(plan);
	put_legal(plan);
	if (view->position->resting != CELL_NONE)
		seen(plan, (cell_t)view->position->resting)->rests = true;
	for (unsigned file = 0; file < plan->side; file++) {
		for (unsigned rank = 0; rank < plan->side; rank++) {
			struct board_cell *cell = seen(plan, cell_at(file, rank));
			cell->cell = cell_at(file, rank);
			cell->owners = (int8_t)position_owners(view->position, cell->cell);
			if (cell->owners >= 0)
				count_stone(plan, cell);
		}
	}
}

enum board_edge
board_plan_edge(const struct board_plan *plan, unsigned seat)
{
	/* Four seats sit at south, west, north, east; two at south and north. */
	return (enum board_edge)(((seat - 1) * (4 / plan->variant->seats) + 4 - plan->turns) % 4);
}

static void
label(bool rank, cell_t cell, char text[4])
{
	if (rank)
		snprintf(text, 4, "%u", cell_rank(cell) + 1);
	else
		snprintf(text, 4, "%c", (char)('a' + cell_file(cell)));
}

void
board_plan_row_label(const struct board_plan *plan, unsigned row, char text[4])
{
	label(plan->turns % 2 == 0, plan->cells[row][0].cell, text);
}

void
board_plan_column_label(const struct board_plan *plan, unsigned column, char text[4])
{
	label(plan->turns % 2 == 1, plan->cells[0][column].cell, text);
}

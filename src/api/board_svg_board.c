/* The board itself, from the bottom up: cells, tints, last move, stones, legal targets. */
#include "api/board_svg.h"


#include "engine/notation.h"

struct point {
	int x, y;
};

static struct point
corner(const struct board_svg_frame *frame, unsigned row, unsigned column)
{
	return (struct point){frame->left + (int)column * frame->cell, SVG_TOP + (int)row * frame->cell};
}

static struct point
middle(const struct board_svg_frame *frame, unsigned row, unsigned column)
{
	struct point at = corner(frame, row, column);
	return (struct point){at.x + frame->cell / 2, at.y + frame->cell / 2};
}

static struct point
middle_of(const struct board_svg_frame *frame, cell_t cell)
{
	unsigned row, column;
	board_plan_place(frame->plan, cell, &row, &column);
	return middle(frame, row, column);
}

/* Calls draw for each cell, row by row. */
typedef void draw_cell(
    const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column);

static void
each_cell(const struct board_svg_frame *frame, draw_cell *draw)
{
	for (unsigned row = 0; row < frame->plan->side; row++) {
		for (unsigned column = 0; column < frame->plan->side; column++)
			draw(frame, &frame->plan->cells[row][column], row, column);
	}
}

/* transform=: moved to a point, at hundredths of its size. */
static void
put_transform(struct text *out, struct point at, int scale)
{
	if (scale == 100)
		text_printf(out, "transform=\"translate(%d %d)\"", at.x, at.y);
	else
		text_printf(out, "transform=\"translate(%d %d) scale(.%02d)\"", at.x, at.y, scale);
}

void
board_svg_stone(const struct board_svg_frame *frame, int owners, bool rests, int x, int y, int scale, const char *class)
{
	struct text *out = frame->out;
	text_printf(out, "<g class=\"%s\" ", class);
	put_transform(out, (struct point){x, y}, scale);
	text_puts(out, "><use href=\"#iv-");
	if (owners == 0)
		text_char(out, '0');
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
		if (owners >> (seat - 1) & 1)
			text_int(out, seat);
	}
	text_puts(out, rests ? "\"/><use href=\"#iv-rest\"/></g>" : "\"/></g>");
}

/* Tints. */

static void
put_mark(const struct board_svg_frame *frame, unsigned seat, struct point at, int scale)
{
	text_printf(frame->out, "<use href=\"#iv-m%u\" class=\"iv-slot iv-c%u\" ", seat, seat);
	put_transform(frame->out, at, scale);
	text_puts(frame->out, "/>");
}

/* A corner that two seats want: each has the half that lies along its row of targets. */
static void
put_half(const struct board_svg_frame *frame, unsigned seat, unsigned other, struct point at, bool bare)
{
	static const int way[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
	const int *to_other = way[board_plan_edge(frame->plan, other)],
		  *to_seat = way[board_plan_edge(frame->plan, seat)];
	int x = to_other[0] - to_seat[0], y = to_other[1] - to_seat[1], half = frame->cell / 2;
	struct point in = {at.x + half, at.y + half};
	text_printf(frame->out, "<path class=\"iv-tint iv-c%u\" d=\"M%d %dL%d %dL%d %dz\"/>", seat, in.x + x * half,
	    in.y + y * half, in.x - y * half, in.y + x * half, in.x + y * half, in.y - x * half);
	if (bare)
		put_mark(frame, seat, (struct point){in.x + x * half * 2 / 5, in.y + y * half * 2 / 5},
		    frame->scale * 62 / 100);
}

static void
draw_targets(const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column)
{
	if (cell->targets == 0)
		return;
	struct point at = corner(frame, row, column);
	unsigned first = (unsigned)__builtin_ctz(cell->targets) + 1, rest = cell->targets & (cell->targets - 1u);
	if (rest != 0) {
		bool bare = cell->owners < 0 && !cell->legal;
		unsigned second = (unsigned)__builtin_ctz(rest) + 1;
		put_half(frame, first, second, at, bare);
		put_half(frame, second, first, at, bare);
		return;
	}
	text_printf(frame->out, "<path class=\"iv-tint iv-c%u\" d=\"M%d %dh%dv%dh-%dz\"/>", first, at.x, at.y,
	    frame->cell, frame->cell, frame->cell);
	if (cell->owners < 0 && !cell->legal)
		put_mark(frame, first, middle(frame, row, column), frame->scale);
}

/* Halma: the edge of a camp, where it is not the edge of the board. */
static void
draw_camp(const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column)
{
	const struct board_plan *plan = frame->plan;
	struct point at = corner(frame, row, column);
	if (column + 1 < plan->side && cell->targets != plan->cells[row][column + 1].targets)
		text_printf(frame->out, "M%d %dv%d", at.x + frame->cell, at.y, frame->cell);
	if (row + 1 < plan->side && cell->targets != plan->cells[row + 1][column].targets)
		text_printf(frame->out, "M%d %dh%d", at.x, at.y + frame->cell, frame->cell);
}

/* Iuvo: a bar along the edge from which a seat plays; bolder while it is to move. */
static void
put_edge(const struct board_svg_frame *frame, unsigned seat)
{
	bool out = board_plan_out(frame->plan, seat);
	int far = frame->side + 3, thick = 8;
	struct point at = {frame->left, SVG_TOP};
	int wide = frame->side, high = thick;
	enum board_edge edge = board_plan_edge(frame->plan, seat);
	if (edge == EDGE_WEST || edge == EDGE_EAST) {
		wide = thick;
		high = frame->side;
		at.x += edge == EDGE_WEST ? -thick - 3 : far;
	} else {
		at.y += edge == EDGE_NORTH ? -thick - 3 : far;
	}
	text_printf(frame->out, "<rect class=\"iv-c%u%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
	    seat, out ? " iv-gone" : "", at.x, at.y, wide, high);
}

/* Coordinates on all four sides. */
static void
put_coordinates(const struct board_svg_frame *frame)
{
	char label[4];
	for (unsigned i = 0; i < frame->plan->side; i++) {
		struct point at = middle(frame, i, i);
		board_plan_column_label(frame->plan, i, label);
		text_printf(frame->out,
		    "<text class=\"iv-co\" x=\"%d\" y=\"%d\">%s</text><text class=\"iv-co\" x=\"%d\" "
		    "y=\"%d\">%s</text>",
		    at.x, SVG_TOP - 18, label, at.x, SVG_TOP + frame->side + 32, label);
		board_plan_row_label(frame->plan, i, label);
		text_printf(frame->out,
		    "<text class=\"iv-co\" x=\"%d\" y=\"%d\">%s</text><text class=\"iv-co\" x=\"%d\" "
		    "y=\"%d\">%s</text>",
		    frame->left - 27, at.y + 7, label, frame->left + frame->side + 27, at.y + 7, label);
	}
}

/* What lies under the stones. */

static void
draw_last(const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column)
{
	struct point at = corner(frame, row, column);
	if (cell->start || cell->landing)
		text_printf(frame->out, "<path class=\"iv-last\" d=\"M%d %dh%dv%dh-%dz\"/>", at.x, at.y, frame->cell,
		    frame->cell, frame->cell);
}

/* The way of the last move.  It ends at the rim of the stone, whose middle is its last point. */
static void
put_way(const struct board_svg_frame *frame)
{
	const struct path *path = &frame->plan->view->last;
	struct point at = middle_of(frame, path->cells[0]);
	text_printf(frame->out, "<circle class=\"iv-hole\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x, at.y,
	    SVG_STONE * frame->scale / 100 * 5 / 6);
	text_printf(frame->out, "<path class=\"iv-way%s\" d=\"", frame->cell < 2 * SVG_STONE ? " iv-thin" : "");
	for (unsigned i = 0; i < path->count; i++) {
		at = middle_of(frame, path->cells[i]);
		text_printf(frame->out, "%c%d %d", i == 0 ? 'M' : 'L', at.x, at.y);
	}
	text_puts(frame->out, "\"/>");
}

/* Where a chain lands on its way, in order: the cells are empty. */
static void
put_landings(const struct board_svg_frame *frame)
{
	const struct path *path = &frame->plan->view->last;
	for (unsigned i = 1; i + 1 < path->count; i++) {
		struct point at = middle_of(frame, path->cells[i]);
		text_printf(frame->out,
		    "<circle class=\"iv-tip\" cx=\"%d\" cy=\"%d\" r=\"12\"/><text class=\"iv-no\" x=\"%d\" "
		    "y=\"%d\">%u</text>",
		    at.x, at.y, at.x, at.y + 6, i);
	}
}

/* Its tip lies above the stones: it may end between two that nearly touch. */
static void
put_tip(const struct board_svg_frame *frame)
{
	const struct path *path = &frame->plan->view->last;
	struct point before = middle_of(frame, path->cells[path->count - 2]),
		     at = middle_of(frame, path->cells[path->count - 1]);
	text_printf(frame->out, "<path fill=\"none\" marker-end=\"url(#iv-tip-%d)\" d=\"M%d %dL%d %d\"/>", frame->cell,
	    before.x, before.y, at.x, at.y);
}

static void
draw_stone(const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column)
{
	if (cell->owners < 0)
		return;
	struct point at = middle(frame, row, column);
	board_svg_stone(frame, cell->owners, cell->rests, at.x, at.y, frame->scale, "iv-stone");
}

/* What lies above them. */

static void
draw_above(const struct board_svg_frame *frame, const struct board_cell *cell, unsigned row, unsigned column)
{
	struct point at = middle(frame, row, column);
	int radius = SVG_STONE * frame->scale / 100, off = radius * 4 / 5;
	if (cell->landing && frame->plan->view->last_captures) {
		text_puts(frame->out, "<use href=\"#iv-hit\" ");
		put_transform(frame->out, (struct point){at.x + off, at.y - off}, 100);
		text_puts(frame->out, "/>");
	}
	if (cell->chosen)
		text_printf(frame->out, "<circle class=\"iv-chosen iv-ring\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x,
		    at.y, radius + 5);
	if (cell->legal && cell->captures)
		text_printf(frame->out,
		    "<circle class=\"iv-legal iv-ring\" stroke-dasharray=\"16 9\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x,
		    at.y, radius + 5);
	else if (cell->legal)
		text_printf(frame->out, "<circle class=\"iv-legal iv-dot\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", at.x, at.y,
		    radius * 2 / 5);
}

static void
put_ground(const struct board_svg_frame *frame)
{
	struct text *out = frame->out;
	text_printf(out, "<rect class=\"iv-edge\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>",
	    frame->left - 3, SVG_TOP - 3, frame->side + 6, frame->side + 6);
	text_printf(out, "<rect fill=\"url(#iv-cells-%d)\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", frame->cell,
	    frame->left, SVG_TOP, frame->side, frame->side);
	each_cell(frame, draw_targets);
	if (!position_has_camps((enum variant)frame->plan->view->position->variant)) {
		for (unsigned seat = 1; seat <= frame->plan->variant->seats; seat++)
			put_edge(frame, seat);
		return;
	}
	text_puts(out, "<path class=\"iv-camp\" d=\"");
	each_cell(frame, draw_camp);
	text_puts(out, "\"/>");
}

void
board_svg_board(const struct board_svg_frame *frame)
{
	put_ground(frame);
	put_coordinates(frame);
	bool last = frame->plan->view->has_last && frame->plan->view->last.count >= 2;
	if (last) {
		each_cell(frame, draw_last);
		put_way(frame);
	}
	each_cell(frame, draw_stone);
	if (last) {
		put_landings(frame);
		put_tip(frame);
	}
	each_cell(frame, draw_above);
}

/* The style sheet and the shapes of the picture: everything that says how it looks. */
#include "api/board_svg.h"

/*
 * Plain classes and no custom properties: librsvg knows neither those nor
 * prefers-color-scheme, and shows the light picture.  No rule looks at an
 * ancestor: what <use> brings in has none.  Every class begins with iv-, so that
 * a page that takes the picture in is left alone.
 */
static const char style[] =
    "<style>"
    ".iv{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}"
    ".iv-h1,.iv-h2,.iv-nm{fill:#2a2520}"
    ".iv-h1{font-size:30px;font-weight:700}"
    ".iv-h2{font-size:24px}"
    ".iv-nm{font-size:23px;font-weight:700}"
    ".iv-sm{font-size:18px;fill:#6a6054}"
    ".iv-co{font-size:19px;fill:#6a6054;text-anchor:middle}"
    ".iv-page{fill:#fbf8f1}"
    ".iv-edge{fill:#b39c72}"
    ".iv-a{fill:#f3ead6}"
    ".iv-b{fill:#e8dbbd}"
    ".iv-card{fill:#f2ebdd;stroke:#e0d5bf;stroke-width:2}"
    ".iv-on{stroke:#2a2520;stroke-width:3}"
    ".iv-gone{opacity:.6}"
    ".iv-c1{fill:#1f5fa6}"
    ".iv-c2{fill:#d96414}"
    ".iv-c3{fill:#0b8260}"
    ".iv-c4{fill:#a3478a}"
    ".iv-c0{fill:#fdfbf6}"
    ".iv-rim{stroke:#2a2520;stroke-opacity:.45;stroke-width:2}"
    ".iv-r0{stroke:#8b7d66;stroke-width:3}"
    ".iv-cut{fill:none;stroke:#fff;stroke-width:3}"
    ".iv-in{fill:none;stroke:#fff;stroke-opacity:.3;stroke-width:2}"
    ".iv-sh{fill:#000;fill-opacity:.22}"
    ".iv-mk{fill:#fff}"
    ".iv-rest{fill:#6a5c46}"
    ".iv-tint{fill-opacity:.2}"
    ".iv-slot{opacity:.55}"
    ".iv-camp{fill:none;stroke:#8a7549;stroke-width:4;stroke-linejoin:round;stroke-linecap:round}"
    ".iv-last{fill:#f2c230;fill-opacity:.5}"
    ".iv-way{fill:none;stroke:#2a2520;stroke-opacity:.75;stroke-width:6;stroke-linejoin:round}"
    ".iv-thin{stroke-width:4}"
    ".iv-tip{fill:#2a2520}"
    ".iv-no{font-size:17px;font-weight:700;fill:#fff;text-anchor:middle}"
    ".iv-hole{fill:none;stroke:#2a2520;stroke-opacity:.6;stroke-width:3;stroke-dasharray:7 6}"
    ".iv-dot{fill:#2a2520;fill-opacity:.55}"
    ".iv-ring{fill:none;stroke:#2a2520;stroke-opacity:.85;stroke-width:6}"
    ".iv-hit{fill:#c01f2e;stroke:#fff;stroke-width:3}"
    ".iv-x{fill:none;stroke:#fff;stroke-width:4;stroke-linecap:round}"
    "@media (prefers-color-scheme:dark){"
    ".iv-h1,.iv-h2,.iv-nm{fill:#ece8df}"
    ".iv-sm,.iv-co{fill:#a9a294}"
    ".iv-page{fill:#17191d}"
    ".iv-edge{fill:#5a5346}"
    ".iv-a{fill:#343a43}"
    ".iv-b{fill:#2a2f37}"
    ".iv-card{fill:#22262c;stroke:#363c45}"
    ".iv-on{stroke:#ece8df}"
    ".iv-c1{fill:#3f8ae0}"
    ".iv-c2{fill:#ee7a2b}"
    ".iv-c3{fill:#17a37b}"
    ".iv-c4{fill:#c466a8}"
    ".iv-c0{fill:#d8d2c4}"
    ".iv-rim{stroke:#000;stroke-opacity:.5}"
    ".iv-r0{stroke:#8f8876}"
    ".iv-sh{fill-opacity:.45}"
    ".iv-tint{fill-opacity:.26}"
    ".iv-slot{opacity:.8}"
    ".iv-camp{stroke:#9a8f78}"
    ".iv-last{fill:#e0b020;fill-opacity:.4}"
    ".iv-way,.iv-hole,.iv-ring{stroke:#f4f1ea}"
    ".iv-tip,.iv-dot{fill:#f4f1ea}"
    ".iv-no{fill:#17191d}"
    ".iv-hit{fill:#d8323f}"
    "}"
    "</style>";

void
board_svg_style(struct text *out)
{
	text_puts(out, style);
}

/* A mark for each seat that tells it without its colour: ring, square, triangle, cross. */
static const char shapes[] =
    "<path id=\"iv-m1\" fill-rule=\"evenodd\" d=\"M-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0z"
    "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z\"/>"
    "<path id=\"iv-m2\" d=\"M-14-14h28v28h-28z\"/>"
    "<path id=\"iv-m3\" d=\"M0-18L18 13h-36z\"/>"
    "<path id=\"iv-m4\" d=\"M-6-18h12v12h12v12h-12v12h-12v-12h-12v-12h12z\"/>"
    "<path id=\"iv-rest\" class=\"iv-rest\" d=\"M-11-13h8v26h-8zM3-13h8v26h-8z\"/>"
    "<g id=\"iv-0\"><circle cy=\"3\" r=\"31\" class=\"iv-sh\"/><circle r=\"30\" class=\"iv-c0 iv-r0\"/></g>"
    "<g id=\"iv-hit\"><circle r=\"14\" class=\"iv-hit\"/><path class=\"iv-x\" d=\"M-5-5L5 5M5-5L-5 5\"/></g>";

static void
put_stone(struct text *out, unsigned seat)
{
	text_printf(out,
	    "<g id=\"iv-%u\"><circle cy=\"3\" r=\"37\" class=\"iv-sh\"/><circle r=\"36\" class=\"iv-c%u iv-rim\"/>"
	    "<circle r=\"30\" class=\"iv-in\"/><use href=\"#iv-m%u\" class=\"iv-mk\"/></g>",
	    seat, seat, seat);
}

/* A disc in two halves: each lies towards the edge of its owner, as the corner did from which the stone came (I4). */
static void
put_shared(const struct board_svg_frame *frame, unsigned a, unsigned b)
{
	static const int way[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
	const int *to_a = way[board_plan_edge(frame->plan, a)], *to_b = way[board_plan_edge(frame->plan, b)];
	/* (x, y) points from the middle of b's half to that of a's; the cut is at a right angle to it, 36 units long
	 * each way. */
	int x = to_a[0] - to_b[0], y = to_a[1] - to_b[1];
	text_printf(frame->out,
	    "<g id=\"iv-%u%u\"><circle cy=\"3\" r=\"37\" class=\"iv-sh\"/><circle r=\"36\" class=\"iv-c%u iv-rim\"/>"
	    "<path class=\"iv-c%u\" d=\"M%d %dA35 35 0 0 0 %d %dz\"/><path class=\"iv-cut\" d=\"M%d %dL%d %d\"/>",
	    a, b, b, a, -25 * y, 25 * x, 25 * y, -25 * x, -25 * y, 25 * x, 25 * y, -25 * x);
	text_printf(frame->out,
	    "<use href=\"#iv-m%u\" class=\"iv-mk\" transform=\"translate(%d %d) scale(.62)\"/>"
	    "<use href=\"#iv-m%u\" class=\"iv-mk\" transform=\"translate(%d %d) scale(.62)\"/></g>",
	    a, 12 * x, 12 * y, b, -12 * x, -12 * y);
}

/*
 * The tip of an arrow.  The line ends in the middle of a stone, under it: the tip
 * stands back to its rim.  On small cells it is so short that it fits between that rim
 * and a stone jumped over, or the circle from which a step began.
 */
static void
put_tip(const struct board_svg_frame *frame)
{
	const struct board_view *view = frame->plan->view;
	if (!view->has_last || view->last.count < 2)
		return;
	bool small = frame->cell < 2 * SVG_STONE;
	bool neutral = position_owners(view->position, view->last.cells[view->last.count - 1]) == 0;
	int length = small ? 9 : 25, half = small ? 8 : 12;
	int rim = (neutral ? SVG_NEUTRAL : SVG_STONE) * frame->scale / 100 + (small ? 1 : 3);
	text_printf(frame->out,
	    "<marker id=\"iv-tip-%d\" orient=\"auto\" markerUnits=\"userSpaceOnUse\" markerWidth=\"%d\" "
	    "markerHeight=\"%d\" refX=\"%d\" refY=\"%d\"><path class=\"iv-tip\" d=\"M0 0L%d %dL0 %dL%d "
	    "%dz\"/></marker>",
	    frame->cell, length, 2 * half, length + rim, half, length, half, 2 * half, length / 4, half);
}

void
board_svg_shapes(const struct board_svg_frame *frame)
{
	const struct board_plan *plan = frame->plan;
	text_printf(frame->out,
	    "<defs><pattern id=\"iv-cells-%d\" patternUnits=\"userSpaceOnUse\" x=\"%d\" y=\"%d\" width=\"%d\" "
	    "height=\"%d\">"
	    "<path class=\"iv-a\" d=\"M0 0h%dv%dh-%dz\"/><path class=\"iv-b\" d=\"M%d 0h%dv%dh-%dzM0 "
	    "%dh%dv%dh-%dz\"/></pattern>",
	    frame->cell, frame->left, SVG_TOP, 2 * frame->cell, 2 * frame->cell, 2 * frame->cell, 2 * frame->cell,
	    2 * frame->cell, frame->cell, frame->cell, frame->cell, frame->cell, frame->cell, frame->cell, frame->cell,
	    frame->cell);
	text_puts(frame->out, shapes);
	for (unsigned seat = 1; seat <= plan->variant->seats; seat++)
		put_stone(frame->out, seat);
	for (unsigned seat = 1; plan->variant->seats == 4 && seat <= 4; seat++)
		put_shared(frame, seat < 4 ? seat : 1, seat < 4 ? seat + 1 : 4);
	put_tip(frame);
	text_puts(frame->out, "</defs>");
}

#include "api/board_words.h"

#include <string.h>

#include "engine/notation.h"

struct range {
	uint32_t first, last;
};

static bool
within(const struct range *ranges, size_t count, uint32_t code_point)
{
	for (size_t i = 0; i < count; i++) {
		if (code_point >= ranges[i].first && code_point <= ranges[i].last)
			return true;
	}
	return false;
}

unsigned
board_words_columns(uint32_t code_point)
{
	/* Coarse, and rather too wide than too narrow: a line may be short, but never breaks. */
	static const struct range none[] = {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a},
	    {0x64b, 0x65f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
	    {0xfe20, 0xfe2f}};
	static const struct range wide[] = {{0x1100, 0x115f}, {0x2600, 0x27bf}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
	    {0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	    {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff}, {0x1f000, 0x1faff}, {0x20000, 0x3fffd}};
	if (within(none, sizeof none / sizeof *none, code_point))
		return 0;
	return within(wide, sizeof wide / sizeof *wide, code_point) ? 2 : 1;
}

static unsigned
width_of(const char *bytes, size_t len, board_words_width *width)
{
	unsigned sum = 0;
	for (size_t at = 0; at < len;)
		sum += width(text_utf8_next(bytes, len, &at));
	return sum;
}

static void
put_cut(const char *name, const struct board_words_room *room, struct text *out)
{
	size_t len = strlen(name), at = 0, fits = 0;
	unsigned used = 0;
	while (at < len) {
		used += room->width(text_utf8_next(name, len, &at));
		if (used + room->dots_width <= room->room)
			fits = at;
		if (used > room->room) {
			text_put(out, name, fits);
			text_puts(out, room->dots);
			return;
		}
	}
	text_put(out, name, len);
}

void
board_words_name(const struct board_plan *plan, unsigned seat, const struct board_words_room *room, struct text *out)
{
	const char *name = plan->view->names[seat - 1];
	if (name == NULL || *name == '\0')
		text_printf(out, "Seat %u", seat);
	else if (room == NULL)
		text_puts(out, name);
	else
		put_cut(name, room, out);
}

void
board_words_ply(const struct board_plan *plan, struct text *out)
{
	const struct position *position = plan->view->position;
	text_printf(out, "ply %u", (unsigned)position->ply);
	enum phase phase = position_phase(position);
	if (phase != PHASE_NONE)
		text_puts(out, phase == PHASE_CHAIN ? ", chain" : ", gathering");
}

void
board_words_title(const struct board_plan *plan, struct text *out)
{
	text_printf(out, "%s, ", plan->variant->title);
	board_words_ply(plan, out);
}

/* Why the game ended, as a clause. */
static const char *
ending(enum reason reason)
{
	switch (reason) {
	case REASON_TARGET:
		return "all stones on target";
	case REASON_CAPTURED:
		return "the others have no stone left";
	case REASON_BLOCKED:
		return "no move left for the others";
	case REASON_RESIGNED:
		return "by resignation";
	case REASON_TIMEOUT:
		return "on time";
	case REASON_AGREEMENT:
		return "by agreement";
	case REASON_REPETITION:
		return "the position stood for the third time";
	case REASON_LENGTH:
		return "4096 plies were played";
	default:
		return NULL;
	}
}

/* Whether the game ended because one seat alone was left, and the others had gone out for several reasons. */
static bool
several_reasons(const struct board_plan *plan)
{
	const struct position *position = plan->view->position;
	if (position->reason != REASON_CAPTURED && position->reason != REASON_BLOCKED &&
	    position->reason != REASON_RESIGNED && position->reason != REASON_TIMEOUT)
		return false;
	for (unsigned seat = 1; plan->variant->seats > 2 && seat <= plan->variant->seats; seat++) {
		if (seat != position->winner && plan->view->out_reason[seat - 1] != (enum reason)position->reason)
			return true;
	}
	return false;
}

static void
put_draw(enum reason reason, struct text *out)
{
	const char *why = reason == REASON_BLOCKED ? "no move left" : ending(reason);
	text_puts(out, why == NULL ? "The game is over" : "A draw: ");
	if (why != NULL)
		text_puts(out, why);
}

void
board_words_status(const struct board_plan *plan, const struct board_words_room *room, struct text *out)
{
	const struct position *position = plan->view->position;
	size_t begin = out->len;
	if (position->turn == 0 && position->winner == 0) {
		put_draw((enum reason)position->reason, out);
		return;
	}
	/* The name stands last: whatever its script, it moves nothing behind it. */
	if (position->turn != 0) {
		text_puts(out, "To move: ");
	} else {
		const char *why =
		    several_reasons(plan) ? "the last seat in the game" : ending((enum reason)position->reason);
		text_puts(out, "Won");
		if (why != NULL)
			text_printf(out, ", %s", why);
		text_puts(out, ": ");
	}
	if (text_failed(out))
		return;
	struct board_words_room rest = {0};
	if (room != NULL) {
		unsigned used = width_of(out->bytes + begin, out->len - begin, room->width);
		rest = *room;
		rest.room = used < room->room ? room->room - used : 0;
	}
	board_words_name(
	    plan, position->turn != 0 ? position->turn : position->winner, room == NULL ? NULL : &rest, out);
}

void
board_words_standing(const struct board_plan *plan, unsigned seat, struct text *out)
{
	const struct position *position = plan->view->position;
	enum reason reason = plan->view->out_reason[seat - 1];
	if (position->turn == seat)
		text_puts(out, "to move");
	else if (position->turn == 0 && position->winner == seat)
		text_puts(out, "won");
	else if (board_plan_out(plan, seat) && reason != REASON_NONE)
		text_printf(out, "out, %s", reason_word(reason));
	else if (board_plan_out(plan, seat))
		text_puts(out, "out");
}

static void
put_cell(cell_t cell, struct text *out)
{
	char name[CELL_TEXT_MAX];
	text_put(out, name, notation_cell(cell, name));
}

void
board_words_last(const struct board_plan *plan, struct text *out)
{
	const struct board_view *view = plan->view;
	for (unsigned i = 0; i < view->last.count; i++) {
		if (i > 0)
			text_char(out, view->last_captures ? 'x' : '-');
		put_cell(view->last.cells[i], out);
	}
}

/* The cells, in canonical order, of the stones that have exactly these owners; how many. */
static unsigned
put_cells(const struct board_plan *plan, int owners, struct text *out)
{
	cell_t cells[STONES_MAX];
	unsigned count = position_stones(plan->view->position, cells), found = 0;
	for (unsigned i = 0; i < count; i++) {
		if (position_owners(plan->view->position, cells[i]) != owners)
			continue;
		text_puts(out, found++ > 0 ? ", " : " on ");
		put_cell(cells[i], out);
	}
	return found;
}

static void
describe_seat(const struct board_plan *plan, unsigned seat, struct text *out)
{
	unsigned count = plan->stones[seat - 1];
	bool named = plan->view->names[seat - 1] != NULL;
	if (named)
		text_printf(out, " Seat %u,", seat);
	text_char(out, ' ');
	board_words_name(plan, seat, NULL, out);
	text_puts(out, named ? ", " : " ");
	if (board_plan_out(plan, seat))
		text_puts(out, count == 0 ? "is out" : "is out, with");
	else
		text_puts(out, "has");
	if (count > 0 || !board_plan_out(plan, seat))
		text_printf(out, " %u stone%s", count, count == 1 ? "" : "s");
	put_cells(plan, 1 << (seat - 1), out);
	text_char(out, '.');
}

static void
describe_shared(const struct board_plan *plan, struct text *out)
{
	for (unsigned a = 1; a <= plan->variant->seats; a++) {
		for (unsigned b = a + 1; b <= plan->variant->seats; b++) {
			struct text cells = TEXT_EMPTY;
			unsigned found = put_cells(plan, 1 << (a - 1) | 1 << (b - 1), &cells);
			if (found > 0)
				text_printf(out, " Seats %u and %u share %u%s.", a, b, found,
				    cells.bytes == NULL ? "" : cells.bytes);
			out->failed |= text_failed(&cells);
			text_free(&cells);
		}
	}
}

static void
describe_last(const struct board_plan *plan, struct text *out)
{
	if (!plan->view->has_last)
		return;
	text_puts(out, " The last move was ");
	board_words_last(plan, out);
	if (plan->view->last_captures)
		text_puts(out, ", a capture");
	if (plan->view->last_seat != 0)
		text_printf(out, ", by seat %u", plan->view->last_seat);
	text_char(out, '.');
}

static void
describe_legal(const struct board_plan *plan, struct text *out)
{
	const struct board_view *view = plan->view;
	if (!view->has_legal)
		return;
	text_puts(out, " The stone on ");
	put_cell(view->legal_from, out);
	text_puts(out, view->legal_count == 0 ? " has no legal move" : " may go to");
	for (unsigned i = 0; i < view->legal_count; i++) {
		text_puts(out, i > 0 ? ", " : " ");
		put_cell(view->legal[i].to, out);
		if (view->legal[i].captures)
			text_puts(out, " with a capture");
	}
	text_char(out, '.');
}

void
board_words_describe(const struct board_plan *plan, struct text *out)
{
	board_words_title(plan, out);
	text_puts(out, ". ");
	board_words_status(plan, NULL, out);
	text_char(out, '.');
	describe_last(plan, out);
	for (unsigned seat = 1; seat <= plan->variant->seats; seat++)
		describe_seat(plan, seat, out);
	describe_shared(plan, out);
	if (plan->neutral > 0) {
		text_printf(out, " %u neutral", plan->neutral);
		put_cells(plan, 0, out);
		text_char(out, '.');
	}
	if (plan->rests > 0) {
		text_puts(out, " The neutral stone on ");
		put_cell((cell_t)plan->view->position->resting, out);
		text_puts(out, " rests.");
	}
	describe_legal(plan, out);
}

/* The document around the board: what it says to listeners, the head, the seats, the key. */
#include "api/board_svg.h"

#include <inttypes.h>
#include <string.h>

#include "api/board_words.h"

enum { CARD_GAP = 12, CARD_HEIGHT = 70, KEY_HEIGHT = 34, KEY_COLUMNS = 3, FOOT = 16, PLY_WIDTH = 190 };

/* XML takes no control characters, and no name has any: should one come all the same, it does no harm. */
static void
put_escaped(struct text *out, const char *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		size_t begin = at;
		uint32_t c = text_utf8_next(bytes, len, &at);
		switch (c) {
		case '<':
			text_puts(out, "&lt;");
			break;
		case '>':
			text_puts(out, "&gt;");
			break;
		case '&':
			text_puts(out, "&amp;");
			break;
		case '"':
			text_puts(out, "&quot;");
			break;
		default:
			if (c < 0x20 || (c & 0xfffe) == 0xfffe)
				text_puts(out, "\xef\xbf\xbd");
			else
				text_put(out, bytes + begin, at - begin);
		}
	}
}

/* Puts words escaped and frees them. */
static void
put_words(struct text *out, struct text *words)
{
	put_escaped(out, words->bytes == NULL ? "" : words->bytes, words->len);
	out->failed |= text_failed(words);
	text_free(words);
}

/* A rough width in hundredths of the size of the letters: fonts differ, so rather too wide. */
static unsigned
letter_width(uint32_t c)
{
	unsigned columns = board_words_columns(c);
	if (columns != 1)
		return columns * 52;
	if (c >= 0x80)
		return 84;
	if (strchr("MWmw@%", (int)c) != NULL)
		return 108;
	if (strchr("iIjlft.,:;'|! ()[]", (int)c) != NULL)
		return 40;
	return c >= 'A' && c <= 'Z' ? 76 : 66;
}

static struct board_words_room
room_for(int units, int size)
{
	return (struct board_words_room){letter_width, (unsigned)(units * 100 / size), "\xe2\x80\xa6", 100};
}

static void
put_listeners(const struct board_svg_frame *frame)
{
	struct text *out = frame->out, words = TEXT_EMPTY;
	uint64_t key = frame->plan->view->position->key;
	board_words_title(frame->plan, &words);
	text_printf(out, "<title id=\"iv-t-%016" PRIx64 "\">", key);
	put_words(out, &words);
	board_words_describe(frame->plan, &words);
	text_printf(out, "</title><desc id=\"iv-d-%016" PRIx64 "\">", key);
	put_words(out, &words);
	text_puts(out, "</desc>");
}

static void
put_head(const struct board_svg_frame *frame)
{
	const struct board_plan *plan = frame->plan;
	struct text *out = frame->out, words = TEXT_EMPTY;
	text_printf(out, "<text class=\"iv-h1\" x=\"%d\" y=\"48\">%s</text><text class=\"iv-h2\" x=\"%d\" y=\"90\">",
	    frame->left, plan->variant->title, frame->left);
	struct board_words_room room = room_for(frame->side - PLY_WIDTH, 24);
	board_words_status(plan, &room, &words);
	put_words(out, &words);
	text_printf(
	    out, "</text><text class=\"iv-sm\" text-anchor=\"end\" x=\"%d\" y=\"90\">", frame->left + frame->side);
	board_words_ply(plan, out);
	text_puts(out, "</text>");
}

static void
put_card_words(const struct board_svg_frame *frame, unsigned seat)
{
	const struct board_plan *plan = frame->plan;
	struct text *out = frame->out, words = TEXT_EMPTY;
	unsigned count = plan->stones[seat - 1], on_target = plan->on_target[seat - 1];
	board_words_standing(plan, seat, &words);
	if (words.len > 0) {
		text_puts(out, "<tspan font-weight=\"700\">");
		put_words(out, &words);
		text_puts(out, "</tspan>, ");
	}
	if (on_target > 0)
		text_printf(out, "%u of %u on target", on_target, count);
	else
		text_printf(out, "%u stone%s", count, count == 1 ? "" : "s");
}

/* A seat: its stone, its name, how it stands. */
static void
put_card(const struct board_svg_frame *frame, unsigned seat, int x, int y, int width)
{
	const struct position *position = frame->plan->view->position;
	struct text *out = frame->out, words = TEXT_EMPTY;
	bool on = position->turn == seat || (position->turn == 0 && position->winner == seat);
	text_printf(out, "<g%s><rect class=\"iv-card%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"12\"/>",
	    board_plan_out(frame->plan, seat) ? " class=\"iv-gone\"" : "", on ? " iv-on" : "", x, y, width,
	    CARD_HEIGHT);
	board_svg_stone(frame, 1 << (seat - 1), false, x + 38, y + CARD_HEIGHT / 2, 66, "iv-seat");
	/* The inner picture cuts off what a wide font makes too long. */
	text_printf(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><text class=\"iv-nm\" x=\"0\" y=\"31\">",
	    x + 76, y, width - 88, CARD_HEIGHT);
	struct board_words_room room = room_for(width - 88, 23);
	board_words_name(frame->plan, seat, &room, &words);
	put_words(out, &words);
	text_puts(out, "</text><text class=\"iv-sm\" x=\"0\" y=\"56\">");
	put_card_words(frame, seat);
	text_puts(out, "</text></svg></g>");
}

static int
put_cards(const struct board_svg_frame *frame, int y)
{
	int width = (frame->side - CARD_GAP) / 2;
	unsigned seats = frame->plan->variant->seats;
	for (unsigned i = 0; i < seats; i++)
		put_card(frame, i + 1, frame->left + (int)(i % 2) * (width + CARD_GAP),
		    y + (int)(i / 2) * (CARD_HEIGHT + CARD_GAP), width);
	return y + (int)(seats / 2) * (CARD_HEIGHT + CARD_GAP);
}

/* The key names what is on this board, and nothing else. */

enum key {
	KEY_NEUTRAL,
	KEY_SHARED,
	KEY_RESTS,
	KEY_TARGET,
	KEY_HOME,
	KEY_LAST,
	KEY_HIT,
	KEY_LEGAL,
	KEY_CAPTURE,
	KEY_COUNT
};

static bool
key_shown(const struct board_plan *plan, enum key key)
{
	switch (key) {
	case KEY_NEUTRAL:
		return plan->neutral > plan->rests;
	case KEY_SHARED:
		return plan->shared > 0;
	case KEY_RESTS:
		return plan->rests > 0;
	case KEY_TARGET:
		return true;
	case KEY_HOME:
		return !position_has_camps((enum variant)plan->view->position->variant);
	case KEY_LAST:
		return plan->view->has_last;
	case KEY_HIT:
		return plan->view->has_last && plan->view->last_captures;
	case KEY_LEGAL:
		return plan->legal > plan->captures;
	default:
		return plan->captures > 0;
	}
}

/* One shape for each seat, side by side: its target, or a piece of the bar along its edge. */
enum { KEY_SEAT_WIDTH = 22 };

static void
put_key_seats(const struct board_svg_frame *frame, enum key key, int x, int y)
{
	struct text *out = frame->out;
	for (unsigned seat = 1; seat <= frame->plan->variant->seats; seat++, x += KEY_SEAT_WIDTH) {
		if (key == KEY_HOME) {
			text_printf(out,
			    "<rect class=\"iv-c%u\" x=\"%d\" y=\"%d\" width=\"18\" height=\"8\" rx=\"4\"/>", seat,
			    x - 9, y - 4);
			continue;
		}
		text_printf(out, "<path class=\"iv-tint iv-c%u\" d=\"M%d %dh20v20h-20z\"/>", seat, x - 10, y - 10);
		text_printf(out,
		    "<use href=\"#iv-m%u\" class=\"iv-slot iv-c%u\" transform=\"translate(%d %d) scale(.40)\"/>", seat,
		    seat, x, y);
	}
}

/* How far from its shape the words of an entry begin. */
static int
key_words_at(const struct board_svg_frame *frame, enum key key)
{
	bool wide = key == KEY_TARGET || key == KEY_HOME;
	return wide ? 14 + KEY_SEAT_WIDTH * (int)frame->plan->variant->seats : 38;
}

static void
put_key_shape(const struct board_svg_frame *frame, enum key key, int x, int y)
{
	struct text *out = frame->out;
	switch (key) {
	case KEY_NEUTRAL:
	case KEY_RESTS:
		board_svg_stone(frame, 0, key == KEY_RESTS, x, y, 38, "iv-key");
		break;
	case KEY_SHARED:
		board_svg_stone(frame, 3, false, x, y, 38, "iv-key");
		break;
	case KEY_TARGET:
	case KEY_HOME:
		put_key_seats(frame, key, x, y);
		break;
	case KEY_LAST:
		text_printf(out, "<path class=\"iv-last\" d=\"M%d %dh24v24h-24z\"/>", x - 12, y - 12);
		break;
	case KEY_HIT:
		text_printf(out, "<use href=\"#iv-hit\" x=\"%d\" y=\"%d\"/>", x, y);
		break;
	case KEY_LEGAL:
		text_printf(out, "<circle class=\"iv-dot\" cx=\"%d\" cy=\"%d\" r=\"8\"/>", x, y);
		break;
	default:
		text_printf(
		    out, "<circle class=\"iv-ring\" stroke-dasharray=\"9 5\" cx=\"%d\" cy=\"%d\" r=\"11\"/>", x, y);
	}
}

static int
put_key(const struct board_svg_frame *frame, int y)
{
	static const char *const words[KEY_COUNT] = {"neutral", "shared by two seats", "neutral, must rest", "targets",
	    "home sides", "last move", "stone captured", "legal move", "legal capture"};
	int width = frame->side / KEY_COLUMNS, count = 0;
	for (enum key key = 0; key < KEY_COUNT; key++) {
		if (!key_shown(frame->plan, key))
			continue;
		int x = frame->left + count % KEY_COLUMNS * width, row = y + count / KEY_COLUMNS * KEY_HEIGHT;
		put_key_shape(frame, key, x + 14, row + 14);
		text_printf(frame->out, "<text class=\"iv-sm\" x=\"%d\" y=\"%d\">%s", x + key_words_at(frame, key),
		    row + 20, words[key]);
		if (key == KEY_LAST && frame->plan->view->last.count == 2) {
			text_char(frame->out, ' ');
			board_words_last(frame->plan, frame->out);
		}
		text_puts(frame->out, "</text>");
		count++;
	}
	return y + (count + KEY_COLUMNS - 1) / KEY_COLUMNS * KEY_HEIGHT;
}

static int
height_of(const struct board_svg_frame *frame)
{
	int keys = 0;
	for (enum key key = 0; key < KEY_COUNT; key++)
		keys += key_shown(frame->plan, key);
	return SVG_TOP + frame->side + 56 + (int)frame->plan->variant->seats / 2 * (CARD_HEIGHT + CARD_GAP) + 6 +
	       (keys + KEY_COLUMNS - 1) / KEY_COLUMNS * KEY_HEIGHT + FOOT;
}

void
board_svg(const struct board_view *view, struct text *out)
{
	struct board_plan plan;
	board_plan_make(view, &plan);
	bool wide = plan.side > 8;
	struct board_svg_frame frame = {.plan = &plan, .out = out, .cell = wide ? 44 : 100};
	frame.side = frame.cell * (int)plan.side;
	frame.left = (SVG_WIDTH - frame.side) / 2;
	frame.scale = wide ? 48 : 100;
	int height = height_of(&frame);
	text_printf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"iv\" viewBox=\"0 0 %d %d\" role=\"img\" "
	    "aria-labelledby=\"iv-t-%016" PRIx64 " iv-d-%016" PRIx64 "\">",
	    SVG_WIDTH, height, view->position->key, view->position->key);
	put_listeners(&frame);
	board_svg_style(out);
	board_svg_shapes(&frame);
	text_printf(out, "<rect class=\"iv-page\" width=\"%d\" height=\"%d\" rx=\"16\"/>", SVG_WIDTH, height);
	put_head(&frame);
	board_svg_board(&frame);
	put_key(&frame, put_cards(&frame, SVG_TOP + frame.side + 56) + 6);
	text_puts(out, "</svg>\n");
}

/*
 * The board as text: plain ASCII but for names, at most 80 columns.  Each cell
 * is three columns wide, so that a mark stands left and right of its letter.
 */
#include <string.h>

#include "api/board_plan.h"
#include "api/board_words.h"

enum { COLUMNS = 80 };

static struct board_words_room
room_for(size_t used)
{
	return (struct board_words_room){
	    board_words_columns, used < COLUMNS ? (unsigned)(COLUMNS - used) : 0, "...", 3};
}

/* The letter of T2; a resting stone is z. */
static char
stone_letter(const struct board_cell *cell)
{
	/* By owners, bit seat - 1. */
	static const char letters[16] = {
	    'o', 'A', 'B', 'p', 'C', '?', 'q', '?', 'D', 's', '?', '?', 'r', '?', '?', '?'};
	return cell->rests ? 'z' : letters[cell->owners & 15];
}

static char
cell_letter(const struct board_cell *cell)
{
	if (cell->owners >= 0)
		return stone_letter(cell);
	if (cell->legal)
		return '*';
	if (cell->passed)
		return '+';
	return cell->targets != 0 ? ':' : '.';
}

static void
put_cell(const struct board_cell *cell, struct text *out)
{
	const char *marks = "  ";
	if (cell->chosen)
		marks = "<>";
	else if (cell->captures)
		marks = "**";
	else if (cell->start || cell->landing)
		marks = cell->start ? "()" : "[]";
	text_char(out, marks[0]);
	text_char(out, cell_letter(cell));
	text_char(out, marks[1]);
}

static void
put_column_labels(const struct board_plan *plan, struct text *out)
{
	char label[4];
	text_puts(out, "   ");
	for (unsigned column = 0; column < plan->side; column++) {
		board_plan_column_label(plan, column, label);
		text_printf(out, " %-2s", label);
	}
	/* No blanks at the end of a line. */
	while (!text_failed(out) && out->bytes[out->len - 1] == ' ')
		out->bytes[--out->len] = '\0';
	text_char(out, '\n');
}

static void
put_rows(const struct board_plan *plan, struct text *out)
{
	char label[4];
	put_column_labels(plan, out);
	for (unsigned row = 0; row < plan->side; row++) {
		board_plan_row_label(plan, row, label);
		text_printf(out, "%2s ", label);
		for (unsigned column = 0; column < plan->side; column++)
			put_cell(&plan->cells[row][column], out);
		text_printf(out, " %s\n", label);
	}
	put_column_labels(plan, out);
}

/* Breaks the line before a hyphen where it would become too long: a chain may have many landings. */
static void
put_wrapped(const char *words, struct text *out)
{
	size_t used = strlen("Last move: ");
	for (const char *at = words; *at != '\0';) {
		size_t len = 1 + strcspn(at + 1, "-x");
		if (used + len > COLUMNS) {
			text_puts(out, "\n           ");
			used = strlen("Last move: ");
		}
		text_put(out, at, len);
		used += len;
		at += len;
	}
}

static void
put_last(const struct board_plan *plan, struct text *out)
{
	if (!plan->view->has_last)
		return;
	struct text words = TEXT_EMPTY;
	board_words_last(plan, &words);
	if (plan->view->last_captures)
		text_puts(&words, ", a stone was captured");
	text_puts(out, "Last move: ");
	put_wrapped(words.bytes == NULL ? "" : words.bytes, out);
	text_char(out, '\n');
	out->failed |= text_failed(&words);
	text_free(&words);
}

/* "> A  Ada: 4 stones, 2 on target, to move" */
static void
put_seat(const struct board_plan *plan, unsigned seat, struct text *out)
{
	struct text standing = TEXT_EMPTY, rest = TEXT_EMPTY;
	unsigned count = plan->stones[seat - 1];
	board_words_standing(plan, seat, &standing);
	text_printf(&rest, ": %u stone%s, %u on target", count, count == 1 ? "" : "s", plan->on_target[seat - 1]);
	if (standing.len > 0)
		text_printf(&rest, ", %s", standing.bytes);
	size_t begin = out->len;
	text_printf(out, "%c %c  ", plan->view->position->turn == seat ? '>' : ' ', (char)('A' + seat - 1));
	/* A name that is too long is cut, so that what follows it fits. */
	struct board_words_room room = room_for(out->len - begin + rest.len);
	board_words_name(plan, seat, &room, out);
	text_put(out, rest.bytes, rest.len);
	text_char(out, '\n');
	out->failed |= text_failed(&standing) || text_failed(&rest);
	text_free(&standing);
	text_free(&rest);
}

/* The key names what is on this board, and nothing else; an entry that does not fit begins a line. */
struct key {
	struct text *out;
	size_t used;
	bool begun;
};

static void
put_key(struct key *key, bool shown, const char *words)
{
	size_t len = strlen(words);
	if (!shown)
		return;
	/* What stands above is told apart by an empty line. */
	if (!key->begun)
		text_char(key->out, '\n');
	key->begun = true;
	if (key->used > 0 && key->used + 2 + len > COLUMNS) {
		text_char(key->out, '\n');
		key->used = 0;
	}
	if (key->used > 0)
		text_puts(key->out, ", ");
	text_puts(key->out, words);
	key->used += len + (key->used > 0 ? 2 : 0);
}

/* Which letters stand on the board. */
struct seen {
	bool letters[128];
};

static struct seen
look(const struct board_plan *plan)
{
	struct seen seen = {0};
	for (unsigned row = 0; row < plan->side; row++) {
		for (unsigned column = 0; column < plan->side; column++)
			seen.letters[(unsigned char)cell_letter(&plan->cells[row][column])] = true;
	}
	return seen;
}

static void
put_keys(const struct board_plan *plan, struct text *out)
{
	const struct board_view *view = plan->view;
	struct seen seen = look(plan);
	struct key key = {.out = out};
	put_key(&key, seen.letters['o'], "o neutral");
	put_key(&key, seen.letters['z'], "z neutral and resting");
	put_key(&key, seen.letters['p'], "p of A and B");
	put_key(&key, seen.letters['q'], "q of B and C");
	put_key(&key, seen.letters['r'], "r of C and D");
	put_key(&key, seen.letters['s'], "s of D and A");
	put_key(&key, seen.letters[':'], ": target");
	put_key(&key, view->has_last, "() last move from, [] to");
	put_key(&key, seen.letters['+'], "+ on its way");
	put_key(&key, view->has_legal, "<> chosen");
	put_key(&key, seen.letters['*'], "* may go here");
	put_key(&key, plan->captures > 0, "** may capture");
	if (key.used > 0)
		text_char(out, '\n');
}

void
board_text(const struct board_view *view, struct text *out)
{
	struct board_plan plan;
	board_plan_make(view, &plan);
	board_words_title(&plan, out);
	text_puts(out, "\n\n");
	put_rows(&plan, out);
	text_char(out, '\n');
	put_last(&plan, out);
	struct text status = TEXT_EMPTY;
	struct board_words_room room = room_for(0);
	board_words_status(&plan, &room, &status);
	if (status.len > 0)
		text_put(out, status.bytes, status.len);
	out->failed |= text_failed(&status);
	text_free(&status);
	text_puts(out, "\n\n");
	for (unsigned seat = 1; seat <= plan.variant->seats; seat++)
		put_seat(&plan, seat, out);
	put_keys(&plan, out);
}

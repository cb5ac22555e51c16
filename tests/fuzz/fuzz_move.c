/*
 * Moves as text (T1) in a position: `POSITION` on the first line, a move on each
 * line behind it.  Those that are legal are played.
 *
 * The list and the judge agree with each other and with the second opinion; a
 * move reads back as it is written, and so does the position behind it.
 */
#include <string.h>

#include "engine/history.h"
#include "engine/notation.h"
#include "tests/engine/mailbox.h"
#include "tests/fuzz/fuzz.h"

enum { MOVES_MOST = 64 }; /* lines that are looked at */

static struct position position;
static struct history history;
static struct mailbox box;
static struct mailbox_past box_past;

static bool
is_listed(const struct move *moves, unsigned count, cell_t from, cell_t to)
{
	for (unsigned i = 0; i < count; i++)
		if (moves[i].from == from && moves[i].to == to)
			return true;
	return false;
}

static bool
on_board(const struct move_text *text, unsigned at)
{
	const struct variant_row *row = variant_row((enum variant)position.variant);
	return text->cells[at].file < row->files && text->cells[at].rank >= 0 && text->cells[at].rank < (int)row->ranks;
}

/* A pair of cells that is written without an x: the second opinion says the same of it. */
static void
check_second_opinion(const struct move_text *text, enum verdict verdict)
{
	if (text->count != 2 || text->capture || !on_board(text, 0) || !on_board(text, 1))
		return;
	cell_t from = cell_at(text->cells[0].file, (unsigned)text->cells[0].rank);
	cell_t to = cell_at(text->cells[1].file, (unsigned)text->cells[1].rank);
	FUZZ_CHECK(mailbox_verdict(&box, &box_past, from, to) == verdict);
}

static void
check_written(const struct past *past, struct move move)
{
	char text[MOVE_TEXT_MAX];
	struct move_text read;
	struct text_fault fault;
	struct move again;
	size_t len = notation_move(move, text);
	FUZZ_CHECK(len == strlen(text) && notation_read_move(text, len, &read, &fault));
	FUZZ_CHECK(position_judge(&position, past, &read, &again, NULL) == VERDICT_LEGAL);
	FUZZ_CHECK(again.from == move.from && again.to == move.to && again.captures == move.captures);
}

static void
play(struct move move)
{
	char text[POSITION_TEXT_MAX], other[POSITION_TEXT_MAX];
	struct past past = history_past(&history);
	struct change change;
	position_play(&position, &past, move, &position, &change);
	history_add(&history, change.left);
	mailbox_play(&box, &box_past, move.from, move.to);
	notation_position(&position, text);
	mailbox_write(&box, other);
	FUZZ_CHECK(strcmp(text, other) == 0);
	FUZZ_CHECK(position.key == position_key(&position));
}

static void
try_move(const char *line, size_t len)
{
	static struct move moves[MOVES_MAX];
	struct past past = history_past(&history);
	struct move_text text;
	struct text_fault fault = {0};
	struct move move = {0};
	struct judgement judgement;
	if (!notation_read_move(line, len, &text, &fault)) {
		FUZZ_CHECK(fault.why != NULL && fault.field != NULL && fault.at <= len);
		return;
	}
	FUZZ_CHECK(text.count >= 2 && text.count <= PATH_MAX * 2);
	enum verdict verdict = position_judge(&position, &past, &text, &move, &judgement);
	FUZZ_CHECK(judgement.verdict == verdict && judgement.landing < text.count);
	check_second_opinion(&text, verdict);
	unsigned count = position_moves(&position, &past, moves);
	FUZZ_CHECK(count <= MOVES_MAX && count == position_count(&position, &past));
	if (verdict != VERDICT_LEGAL)
		return;
	FUZZ_CHECK(is_listed(moves, count, move.from, move.to));
	check_written(&past, move);
	play(move);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), *line = text;
	char written[POSITION_TEXT_MAX];
	struct text_fault fault;
	size_t len = strcspn(line, "\n");
	if (notation_read_position(line, len, &position, &fault) && position.turn != 0) {
		notation_position(&position, written);
		mailbox_read(&box, written);
		mailbox_begin(&box_past, &box);
		history_begin(&history, &position);
		for (unsigned i = 0; i < MOVES_MOST && line + len < text + size && position.turn != 0; i++) {
			line += len + 1;
			const char *end = memchr(line, '\n', (size_t)(text + size - line));
			len = end == NULL ? (size_t)(text + size - line) : (size_t)(end - line);
			try_move(line, len);
		}
	}
	free(text);
	return 0;
}

#include "api/refusal.h"

#include "api/problem.h"

enum { WRITTEN_CELL_MAX = 16 };

/*
 * What is said of each verdict, and the cells that it is about.  f is the cell
 * moved from, t the last one, l the landing that fails, p the cell before it.
 */
static const struct {
	const char *cells;
	const char *sentence;
} verdicts[VERDICT_COUNT] = {
    [VERDICT_LEGAL] = {"", ""},
    [VERDICT_OFF_BOARD] = {"l", "%l is not on the board."},
    [VERDICT_NO_STONE] = {"f", "No stone stands on %f."},
    [VERDICT_NOT_YOUR_STONE] = {"f", "The stone on %f belongs to others."},
    [VERDICT_STONE_RESTS] = {"f", "The neutral stone on %f was moved by the move before, and rests for this one."},
    [VERDICT_NULL_MOVE] = {"f", "The move ends on %f, where it began."},
    [VERDICT_NOT_A_JUMP] = {"fl", "A stone jumps like a chess knight, once, and %l is not reached so from %f."},
    [VERDICT_NOT_A_STEP_OR_JUMP] = {"ft", "Neither a step nor a chain of jumps leads from %f to %t."},
    [VERDICT_NOT_A_CHAIN_OF_JUMPS] = {"pl", "No jump leads from %p to %l."},
    [VERDICT_LEAVES_CAMP] = {"fl", "The stone on %f stands in the opposing camp and may not leave it for %l."},
    [VERDICT_OCCUPIED] = {"l", "%l is occupied."},
    [VERDICT_CAPTURE_TOO_EARLY] = {"l", "A stone stands on %l, and captures begin when all stones are a single chain."},
    [VERDICT_NEUTRAL_NOT_CAPTURED] = {"l", "The stone on %l is neutral, and neutral stones are never captured."},
    [VERDICT_OWN_NOT_CAPTURED] = {"l",
	"The stone on %l is the mover's own, alone or shared, and nobody captures those."},
    [VERDICT_NO_CAPTURE] = {"t", "The move is written with an x, but captures nothing on %t."},
    [VERDICT_NO_NEIGHBOUR] = {"l",
	"On %l the stone would stand beside no other, neither above, below, left nor right."},
    [VERDICT_BREAKS_GROUP] = {"fl",
	"With the stone gone from %f to %l, stones that were in one group would no longer be."},
    [VERDICT_THIRD_REPETITION] = {"fl",
	"From %f to %l: that would leave the same position for the third time in this game."},
};

/* A cell as it was written, which may lie beyond any board. */
static const char *
cell_text(const struct move_text *text, unsigned index, char out[WRITTEN_CELL_MAX])
{
	struct text written = TEXT_EMPTY;
	text_char(&written, (char)('a' + text->cells[index].file % 26));
	text_int(&written, text->cells[index].rank + 1);
	size_t len = written.len < WRITTEN_CELL_MAX - 1 ? written.len : WRITTEN_CELL_MAX - 1;
	if (written.bytes != NULL)
		memcpy(out, written.bytes, len);
	out[len] = '\0';
	text_free(&written);
	return out;
}

/* The index of a cell among those written, by its letter. */
static unsigned
cell_index(const struct refusal *refusal, char letter)
{
	unsigned last = refusal->text->count - 1;
	unsigned failing = refusal->judgement.landing < last ? refusal->judgement.landing : last;
	switch (letter) {
	case 't':
		return last;
	case 'l':
		return failing;
	case 'p':
		return failing == 0 ? 0 : failing - 1;
	default:
		return 0;
	}
}

static const char *
sentence(struct call *call, const struct refusal *refusal, const char *rule)
{
	char cell[WRITTEN_CELL_MAX];
	struct text out = TEXT_EMPTY;
	for (const char *c = verdicts[refusal->verdict].sentence; *c != '\0'; c++) {
		if (*c != '%') {
			text_char(&out, *c);
			continue;
		}
		text_puts(&out, cell_text(refusal->text, cell_index(refusal, *++c), cell));
	}
	const char *detail = problem_text(call, "%s (Rule %s.)", out.bytes == NULL ? "" : out.bytes, rule);
	text_free(&out);
	return detail;
}

enum fault
refusal_reply(struct call *call, const struct refusal *refusal)
{
	char cell[WRITTEN_CELL_MAX];
	const char *rule = verdict_row(refusal->verdict)->rule[variant_row(refusal->variant)->family];
	if (rule == NULL)
		rule = "T1";
	struct writer writer = problem_begin_verdict(call, refusal->verdict, sentence(call, refusal, rule));
	writer_key(&writer, "rule");
	writer_string(&writer, rule);
	writer_key(&writer, "move");
	writer_string(&writer, refusal->move);
	writer_key(&writer, "cells");
	writer_open(&writer, '[');
	for (const char *letter = verdicts[refusal->verdict].cells; *letter != '\0'; letter++)
		writer_string(&writer, cell_text(refusal->text, cell_index(refusal, *letter), cell));
	writer_close(&writer, ']');
	writer_key(&writer, "pointer");
	writer_string(&writer, refusal->pointer);
	writer_key(&writer, "ply");
	writer_int(&writer, refusal->ply);
	return problem_end(call, &writer);
}

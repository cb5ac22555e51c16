#include "api/refusal.h"

#include "api/problem.h"

enum { WRITTEN_CELL_MAX = 16 };

/* %f is the cell moved from, %t the last one, %l the one where it fails. */
static const char *const sentences[VERDICT_COUNT] = {
    [VERDICT_LEGAL] = "",
    [VERDICT_OFF_BOARD] = "%l is not on the board.",
    [VERDICT_NO_STONE] = "No stone stands on %f.",
    [VERDICT_NOT_YOUR_STONE] = "The stone on %f belongs to others.",
    [VERDICT_STONE_RESTS] = "The neutral stone on %f was moved by the move before, and rests for this one.",
    [VERDICT_NULL_MOVE] = "The move ends on %t, where it began.",
    [VERDICT_NOT_A_JUMP] = "A stone jumps like a chess knight, and no such jump leads from %f to %l.",
    [VERDICT_NOT_A_STEP_OR_JUMP] = "Neither a step nor a chain of jumps leads from %f to %t.",
    [VERDICT_NOT_A_CHAIN_OF_JUMPS] = "No jump leads to %l from the cell before it.",
    [VERDICT_LEAVES_CAMP] = "The stone on %f stands in the opposing camp and may not leave it for %l.",
    [VERDICT_OCCUPIED] = "%l is occupied.",
    [VERDICT_CAPTURE_TOO_EARLY] = "A stone stands on %l, and captures begin when all stones are a single chain.",
    [VERDICT_NEUTRAL_NOT_CAPTURED] = "The stone on %l is neutral, and neutral stones are never captured.",
    [VERDICT_OWN_NOT_CAPTURED] = "The stone on %l is the mover's own, alone or shared, and nobody captures those.",
    [VERDICT_NO_CAPTURE] = "The move is written with an x, but captures nothing on %t.",
    [VERDICT_NO_NEIGHBOUR] = "On %l the stone would stand beside no other, neither above, below, left nor right.",
    [VERDICT_BREAKS_GROUP] = "With the stone gone from %f to %l, stones that were in one group would no longer be.",
    [VERDICT_THIRD_REPETITION] =
	"The move from %f to %l would leave the same position for the third time in this game.",
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

static unsigned
failing_cell(const struct refusal *refusal)
{
	unsigned last = refusal->text->count - 1;
	return refusal->judgement.landing < last ? refusal->judgement.landing : last;
}

static const char *
sentence(struct call *call, const struct refusal *refusal, const char *rule)
{
	char cell[WRITTEN_CELL_MAX];
	struct text out = TEXT_EMPTY;
	for (const char *c = sentences[refusal->verdict]; *c != '\0'; c++) {
		if (*c != '%') {
			text_char(&out, *c);
			continue;
		}
		c++;
		unsigned index = *c == 'f' ? 0 : *c == 't' ? refusal->text->count - 1 : failing_cell(refusal);
		text_puts(&out, cell_text(refusal->text, index, cell));
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
	unsigned failing = failing_cell(refusal);
	if (rule == NULL)
		rule = "T1";
	struct writer writer = problem_begin_verdict(call, refusal->verdict, sentence(call, refusal, rule));
	writer_key(&writer, "rule");
	writer_string(&writer, rule);
	writer_key(&writer, "move");
	writer_string(&writer, refusal->move);
	writer_key(&writer, "cells");
	writer_open(&writer, '[');
	writer_string(&writer, cell_text(refusal->text, 0, cell));
	if (failing > 0)
		writer_string(&writer, cell_text(refusal->text, failing, cell));
	writer_close(&writer, ']');
	writer_key(&writer, "pointer");
	writer_string(&writer, refusal->pointer);
	writer_key(&writer, "ply");
	writer_int(&writer, refusal->ply);
	return problem_end(call, &writer);
}

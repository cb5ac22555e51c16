/* Iuvo's verdicts, in the order in which verdict.h lists them. */
#include "engine/iuvo.h"
#include "engine/rules.h"

/* A jump on the board by a stone that may be moved. */
struct jump {
	const struct position *position;
	unsigned from; /* bits */
	unsigned to;
	bool written_x;
	struct iuvo_scan scan;
};

static void
look(struct jump *jump)
{
	const struct position *position = jump->position;
	struct iuvo_view view;
	bool loose = variant_row((enum variant)position->variant)->family == FAMILY_LOOSE;
	iuvo_look(&position->iuvo, position->turn - 1u, iuvo_resting(position->resting), loose, &view);
	iuvo_scan(&view, &jump->scan);
}

/* Everything that the generator knows of a jump, told apart. */
static enum verdict
judge_landing(const struct jump *jump)
{
	const struct iuvo_board *board = &jump->position->iuvo;
	uint64_t to = UINT64_C(1) << jump->to;
	bool occupied = board->stones & to;
	unsigned victims = iuvo_owners_at(board, jump->to);

	if (occupied && !jump->scan.chained)
		return VERDICT_CAPTURE_TOO_EARLY;
	if (occupied && !victims)
		return VERDICT_NEUTRAL_NOT_CAPTURED;
	if (victims >> (jump->position->turn - 1) & 1)
		return VERDICT_OWN_NOT_CAPTURED;
	if (jump->written_x && !occupied)
		return VERDICT_NO_CAPTURE;
	if (!(iuvo_beside(board->stones) & to))
		return VERDICT_NO_NEIGHBOUR;
	if (!(iuvo_landings(&jump->scan, jump->from) & to))
		return VERDICT_BREAKS_GROUP;
	return VERDICT_LEGAL;
}

/* What can be said of the stone alone. */
static enum verdict
judge_stone(const struct position *position, cell_t from)
{
	unsigned bit = iuvo_bit(from);
	unsigned owners = iuvo_owners_at(&position->iuvo, bit);

	if (!(position->iuvo.stones >> bit & 1))
		return VERDICT_NO_STONE;
	if (owners && !(owners >> (position->turn - 1) & 1))
		return VERDICT_NOT_YOUR_STONE;
	if (position->resting == from)
		return VERDICT_STONE_RESTS;
	return VERDICT_LEGAL;
}

enum verdict
iuvo_judge(const struct position *position, const struct past *past, const struct move_text *text, struct move *move,
    struct judgement *judgement)
{
	unsigned off = rules_off_board(text, variant_row((enum variant)position->variant)), last = text->count - 1;
	if (off < text->count)
		return rules_refuse(judgement, VERDICT_OFF_BOARD, off);
	cell_t from = rules_written(text, 0), to = rules_written(text, last);
	enum verdict verdict = judge_stone(position, from);
	if (verdict != VERDICT_LEGAL)
		return rules_refuse(judgement, verdict, 0);
	if (from == to)
		return rules_refuse(judgement, VERDICT_NULL_MOVE, last);
	struct jump jump = {
	    .position = position, .from = iuvo_bit(from), .to = iuvo_bit(to), .written_x = text->capture};
	if (text->count != 2 || !(iuvo_jumps[jump.from] >> jump.to & 1))
		return rules_refuse(judgement, VERDICT_NOT_A_JUMP, last);
	look(&jump);
	verdict = judge_landing(&jump);
	if (verdict != VERDICT_LEGAL)
		return rules_refuse(judgement, verdict, last);
	struct move found = {from, to, (uint8_t)iuvo_kind(&position->iuvo, position->turn, jump.from),
	    (position->iuvo.stones >> jump.to & 1) != 0};
	if (rules_twice(past, iuvo_left_key(position, found)))
		return rules_refuse(judgement, VERDICT_THIRD_REPETITION, last);
	*move = found;
	return rules_refuse(judgement, VERDICT_LEGAL, last);
}

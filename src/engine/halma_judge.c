/* Halma's verdicts, in the order in which verdict.h lists them. */
#include "engine/halma.h"
#include "engine/rules.h"

/* A move written by its two ends: where could the stone go if its goal were empty, without H6 and with it? */
static enum verdict
judge_ends(const struct position *position, cell_t from, cell_t to)
{
	struct halma_set stones = halma_both(&position->halma), landings;
	bool occupied = halma_set_has(&stones, to);
	unsigned seat = position->turn - 1u, class = halma_class(from);
	uint64_t stone = UINT64_C(1) << halma_bit(from);

	stones.of[halma_class(to)] &= ~(UINT64_C(1) << halma_bit(to));
	halma_landings(&stones, seat, class, false, stone, &landings);
	if (!halma_set_has(&landings, to))
		return VERDICT_NOT_A_STEP_OR_JUMP;
	halma_landings(&stones, seat, class, true, stone, &landings);
	if (!halma_set_has(&landings, to))
		return VERDICT_LEAVES_CAMP;
	return occupied ? VERDICT_OCCUPIED : VERDICT_LEGAL;
}

/* What is asked of each hop of a chain that is written out. */
struct hop {
	const struct halma_set *stones; /* without the one that moves */
	unsigned seat;
	cell_t from;
	cell_t to;
};

/* A straight line over a neighbouring stone. */
static bool
hop_is_jump(const struct hop *hop)
{
	int by_file = (int)cell_file(hop->to) - (int)cell_file(hop->from);
	int by_rank = (int)cell_rank(hop->to) - (int)cell_rank(hop->from);
	bool straight =
	    (by_file == 0 || by_file == 2 || by_file == -2) && (by_rank == 0 || by_rank == 2 || by_rank == -2);
	if (!straight || hop->from == hop->to)
		return false;
	return halma_set_has(hop->stones,
	    cell_at((cell_file(hop->from) + cell_file(hop->to)) / 2, (cell_rank(hop->from) + cell_rank(hop->to)) / 2));
}

static bool
hop_stays(const struct hop *hop)
{
	uint64_t from = halma_camp(hop->seat ^ 1, halma_class(hop->from)) >> halma_bit(hop->from);
	uint64_t to = halma_camp(hop->seat ^ 1, halma_class(hop->to)) >> halma_bit(hop->to);
	return !(from & 1) || to & 1;
}

static bool
hop_is_free(const struct hop *hop)
{
	return !halma_set_has(hop->stones, hop->to);
}

static const struct question {
	bool (*fits)(const struct hop *hop);
	enum verdict otherwise;
} questions[] = {
    {hop_is_jump, VERDICT_NOT_A_CHAIN_OF_JUMPS},
    {hop_stays, VERDICT_LEAVES_CAMP},
    {hop_is_free, VERDICT_OCCUPIED},
};

/* A chain written out, landing by landing (T1): each question is asked of every hop before the next. */
static enum verdict
judge_chain(const struct position *position, const struct move_text *text, unsigned *landing)
{
	struct halma_set stones = halma_both(&position->halma);
	cell_t start = rules_written(text, 0);

	stones.of[halma_class(start)] &= ~(UINT64_C(1) << halma_bit(start));
	for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++) {
		for (unsigned last = 1; last < text->count; last++) {
			struct hop hop = {
			    &stones, position->turn - 1u, rules_written(text, last - 1), rules_written(text, last)};
			*landing = last;
			if (!questions[i].fits(&hop))
				return questions[i].otherwise;
		}
	}
	return VERDICT_LEGAL;
}

enum verdict
halma_judge(const struct position *position, const struct past *past, const struct move_text *text, struct move *move,
    struct judgement *judgement)
{
	unsigned off = rules_off_board(text, variant_row((enum variant)position->variant)), last = text->count - 1;
	(void)past;
	if (off < text->count)
		return rules_refuse(judgement, VERDICT_OFF_BOARD, off);
	cell_t from = rules_written(text, 0), to = rules_written(text, last);
	int owners = halma_rules.owners(position, from);
	if (owners < 0)
		return rules_refuse(judgement, VERDICT_NO_STONE, 0);
	if (owners != 1 << (position->turn - 1))
		return rules_refuse(judgement, VERDICT_NOT_YOUR_STONE, 0);
	if (from == to)
		return rules_refuse(judgement, VERDICT_NULL_MOVE, last);
	unsigned landing = last;
	enum verdict verdict = last == 1 ? judge_ends(position, from, to) : judge_chain(position, text, &landing);
	if (verdict != VERDICT_LEGAL)
		return rules_refuse(judgement, verdict, landing);
	if (text->capture)
		return rules_refuse(judgement, VERDICT_NO_CAPTURE, last);
	*move = (struct move){from, to, MOVE_OWN, false};
	return rules_refuse(judgement, VERDICT_LEGAL, last);
}

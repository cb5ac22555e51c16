/* Iuvo: what one stone may do (I6 to I11, I16). */
#include <string.h>

#include "tests/engine/mailbox_inside.h"

/* One stone that may jump, and the group in which it stands. */

struct jumper {
	int from;
	bool chained; /* the group is all there is */
	int count;
	int group[49];
};

static const int knight[8][2] = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}};

/* Fills group with the squares of the group that holds start; seen tells them by square. */
static int
flood(const signed char *at, int stride, int start, int group[49], bool seen[MAILBOX_CELLS])
{
	const int beside[4] = {-stride, -1, 1, stride};
	int count = 0;
	memset(seen, 0, (size_t)(stride * stride));
	seen[start] = true;
	group[count++] = start;
	for (int next = 0; next < count; next++) {
		for (int i = 0; i < 4; i++) {
			int square = group[next] + beside[i];
			if (at[square] >= 0 && !seen[square]) {
				seen[square] = true;
				group[count++] = square;
			}
		}
	}
	return count;
}

static int
count_stones(const struct mailbox *box)
{
	int count = 0;
	for (int i = 0; i < box->stride * box->stride; i++)
		count += box->at[i] >= 0;
	return count;
}

static void
jumper_at(const struct mailbox *box, int from, struct jumper *jumper)
{
	bool seen[MAILBOX_CELLS];
	jumper->from = from;
	jumper->count = flood(box->at, box->stride, from, jumper->group, seen);
	jumper->chained = jumper->count == count_stones(box);
}

/*
 * I9: only the group that the stone leaves can break, so one flood from any
 * other stone of that group must reach all the others, save the captured one.
 */
static bool
jumper_keeps_group(const struct mailbox *box, const struct jumper *jumper, int to)
{
	signed char at[MAILBOX_CELLS];
	memcpy(at, box->at, (size_t)(box->stride * box->stride));
	at[to] = at[jumper->from];
	at[jumper->from] = MAILBOX_EMPTY;
	int reached[49];
	bool seen[MAILBOX_CELLS], flooded = false;
	for (int i = 0; i < jumper->count; i++) {
		int stone = jumper->group[i];
		if (stone == jumper->from || stone == to)
			continue;
		if (!flooded)
			flood(at, box->stride, stone, reached, seen);
		flooded = true;
		if (!seen[stone])
			return false;
	}
	return true;
}

static bool
jumper_lands_beside(const struct mailbox *box, const struct jumper *jumper, int to)
{
	const int beside[4] = {-box->stride, -1, 1, box->stride};
	for (int i = 0; i < 4; i++)
		if (box->at[to + beside[i]] >= 0 && to + beside[i] != jumper->from)
			return true;
	return false;
}

void
mailbox_iuvo_move(struct mailbox *box, int from, int to)
{
	box->resting = box->at[from] == 0 ? to : 0;
	box->at[to] = box->at[from];
	box->at[from] = MAILBOX_EMPTY;
}

/* I16. */
static bool
iuvo_repeats(const struct mailbox *box, const struct mailbox_past *past, int from, int to)
{
	if (past == NULL)
		return false;
	struct mailbox after = *box;
	struct mailbox_left left;
	mailbox_iuvo_move(&after, from, to);
	mailbox_left_take(&after, box->turn, &left);
	return mailbox_left_count(past, &left) >= 2;
}

/* Of a stone that may move, to a knight's jump away on the board: I8 to I10, I16. */
static enum verdict
jumper_verdict(const struct mailbox *box, const struct mailbox_past *past, const struct jumper *jumper, int to)
{
	if (box->at[to] >= 0) {
		if (!jumper->chained)
			return VERDICT_CAPTURE_TOO_EARLY;
		if (box->at[to] == 0)
			return VERDICT_NEUTRAL_NOT_CAPTURED;
		if (owns(box->turn, box->at[to]))
			return VERDICT_OWN_NOT_CAPTURED;
	}
	if (!jumper_lands_beside(box, jumper, to))
		return VERDICT_NO_NEIGHBOUR;
	if ((jumper->chained || !is_loose(box)) && !jumper_keeps_group(box, jumper, to))
		return VERDICT_BREAKS_GROUP;
	if (iuvo_repeats(box, past, jumper->from, to))
		return VERDICT_THIRD_REPETITION;
	return VERDICT_LEGAL;
}

/* I6, I11; the verdict of a square from which nothing may move. */
static enum verdict
iuvo_from(const struct mailbox *box, int from)
{
	if (box->at[from] < 0)
		return VERDICT_NO_STONE;
	if (box->at[from] > 0 && !owns(box->turn, box->at[from]))
		return VERDICT_NOT_YOUR_STONE;
	return from == box->resting ? VERDICT_STONE_RESTS : VERDICT_LEGAL;
}

/* Lists what the stone on a square may do; stops after the first if moves is NULL. */
unsigned
mailbox_iuvo_list(const struct mailbox *box, const struct mailbox_past *past, int from, struct mailbox_move *moves)
{
	if (iuvo_from(box, from) != VERDICT_LEGAL)
		return 0;
	struct jumper jumper;
	jumper_at(box, from, &jumper);
	unsigned count = 0;
	for (int i = 0; i < 8; i++) {
		int to = from + knight[i][0] * box->stride + knight[i][1];
		if (box->at[to] == MAILBOX_EDGE || jumper_verdict(box, past, &jumper, to) != VERDICT_LEGAL)
			continue;
		if (moves == NULL)
			return 1;
		moves[count++] = (struct mailbox_move){cell_of(box, from), cell_of(box, to)};
	}
	return count;
}

enum verdict
mailbox_iuvo_verdict(const struct mailbox *box, const struct mailbox_past *past, int from, int to)
{
	enum verdict verdict = iuvo_from(box, from);
	if (verdict != VERDICT_LEGAL)
		return verdict;
	if (from == to)
		return VERDICT_NULL_MOVE;
	struct jumper jumper;
	jumper_at(box, from, &jumper);
	for (int i = 0; i < 8; i++)
		if (to == from + knight[i][0] * box->stride + knight[i][1])
			return jumper_verdict(box, past, &jumper, to);
	return VERDICT_NOT_A_JUMP;
}

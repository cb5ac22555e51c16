/* Lists, plays and endings of all variants. */
#include <string.h>

#include "tests/engine/mailbox_inside.h"

/* The past. */

void
mailbox_left_take(const struct mailbox *box, unsigned seat, struct mailbox_left *left)
{
	left->seat = seat;
	left->resting = box->resting;
	memcpy(left->at, box->at, sizeof left->at);
	uint32_t sum = seat * 977 + (uint32_t)left->resting;
	for (int i = 0; i < box->stride * box->stride; i++)
		sum = sum * 31 + (uint32_t)(left->at[i] + 3);
	left->sum = sum;
}

unsigned
mailbox_left_count(const struct mailbox_past *past, const struct mailbox_left *left)
{
	unsigned count = 0;
	for (unsigned i = 0; i < past->count; i++) {
		const struct mailbox_left *other = &past->left[i];
		count += other->sum == left->sum && other->seat == left->seat && other->resting == left->resting &&
			 memcmp(other->at, left->at, sizeof left->at) == 0;
	}
	return count;
}

void
mailbox_begin(struct mailbox_past *past, const struct mailbox *start)
{
	past->count = 0;
	if (!is_iuvo(start))
		mailbox_left_take(start, start->turn, &past->left[past->count++]);
}

static unsigned
list_from(const struct mailbox *box, const struct mailbox_past *past, int from, struct mailbox_move *moves)
{
	return is_iuvo(box) ? mailbox_iuvo_list(box, past, from, moves) : mailbox_halma_list(box, from, moves);
}

unsigned
mailbox_moves(const struct mailbox *box, const struct mailbox_past *past, struct mailbox_move *moves)
{
	unsigned count = 0;
	if (box->turn == 0)
		return 0;
	for (int from = 0; from < box->stride * box->stride; from++)
		count += list_from(box, past, from, moves + count);
	return count;
}

static bool
has_move(const struct mailbox *box, const struct mailbox_past *past)
{
	for (int from = 0; from < box->stride * box->stride; from++)
		if (list_from(box, past, from, NULL) > 0)
			return true;
	return false;
}

enum verdict
mailbox_verdict(const struct mailbox *box, const struct mailbox_past *past, cell_t from, cell_t to)
{
	int side = side_of(box);
	if ((from >> 4) >= side || (from & 15) >= side || (to >> 4) >= side || (to & 15) >= side)
		return VERDICT_OFF_BOARD;
	int start = square_of(box, from), end = square_of(box, to);
	return is_iuvo(box) ? mailbox_iuvo_verdict(box, past, start, end) : mailbox_halma_verdict(box, start, end);
}

void
mailbox_path(const struct mailbox *box, cell_t from, cell_t to, char text[PATH_TEXT_MAX])
{
	int start = square_of(box, from), end = square_of(box, to);
	if (is_iuvo(box)) {
		text = write_cell(box, start, text);
		*text++ = '-';
		write_cell(box, end, text);
	} else {
		mailbox_halma_path(box, start, end, text);
	}
}

static void
finish(struct mailbox *box, unsigned winner, enum reason reason)
{
	box->turn = 0;
	box->winner = winner;
	box->reason = reason;
}

/* I12, I14; true if the game goes on.  The drop-out that ends it leaves the owners. */
static bool
put_out(struct mailbox *box, unsigned seat, enum reason reason)
{
	box->out |= 1u << (seat - 1);
	box->out_seat[box->out_count] = seat;
	box->out_reason[box->out_count++] = reason;
	if (count_active(box) == 1) {
		finish(box, seat_after(box, seat), reason);
		return false;
	}
	for (int square = 0; square < box->stride * box->stride; square++)
		if (owns(seat, box->at[square]))
			box->at[square] = (signed char)(box->at[square] & ~(1 << (seat - 1)));
	return true;
}

/* I15: the seat to move has a move, or is out and the next one is asked. */
static void
pass_blocked(struct mailbox *box, const struct mailbox_past *past)
{
	while (!has_move(box, past)) {
		if (!put_out(box, box->turn, REASON_BLOCKED))
			return;
		box->turn = seat_after(box, box->turn);
	}
}

static int
count_owned(const struct mailbox *box, unsigned seat)
{
	int count = 0;
	for (int square = 0; square < box->stride * box->stride; square++)
		count += owns(seat, box->at[square]);
	return count;
}

/* I5: on the edge where the seat across the board began. */
static bool
on_target(const struct mailbox *box, unsigned seat, int square)
{
	int file = file_of(box, square), rank = rank_of(box, square);
	unsigned edge = box->seats == 2 && seat == 2 ? 3 : seat; /* south, west, north, east */
	switch (edge) {
	case 1:
		return rank == 6 && file % 2 == 0;
	case 2:
		return file == 6 && rank % 2 == 0;
	case 3:
		return rank == 0 && file % 2 == 0;
	default:
		return file == 0 && rank % 2 == 0;
	}
}

/* I13, H7: has stones, and all of them on targets. */
static bool
is_home(const struct mailbox *box, unsigned seat)
{
	for (int square = 0; square < box->stride * box->stride; square++) {
		if (!owns(seat, box->at[square]))
			continue;
		if (is_iuvo(box) ? !on_target(box, seat, square) : !mailbox_in_camp(box, 3 - seat, square))
			return false;
	}
	return count_owned(box, seat) > 0;
}

/* I14: those without a stone go out, all at once, in turn order from the mover; true if two are left. */
static bool
put_out_captured(struct mailbox *box)
{
	unsigned mover = box->turn, gone = 0; /* the mover himself only where a position text gave him none */
	for (unsigned seat = 1; seat <= box->seats; seat++)
		if (!is_out(box, seat) && count_owned(box, seat) == 0)
			gone |= 1u << (seat - 1);
	for (unsigned i = 0, seat = mover; i < box->seats; i++) {
		seat = seat % box->seats + 1;
		if ((gone >> (seat - 1) & 1) && !put_out(box, seat, REASON_CAPTURED))
			return false;
	}
	return true;
}

static void
iuvo_play(struct mailbox *box, struct mailbox_past *past, int from, int to)
{
	unsigned mover = box->turn;
	mailbox_iuvo_move(box, from, to);
	if (past != NULL)
		mailbox_left_take(box, mover, &past->left[past->count++]);
	if (!put_out_captured(box))
		return;
	/* the mover himself may be out: a position text gave him no stone */
	for (unsigned i = 0, seat = mover; i < box->seats; i++, seat = seat % box->seats + 1) {
		if (!is_out(box, seat) && is_home(box, seat)) {
			finish(box, seat, REASON_TARGET);
			return;
		}
	}
	box->turn = seat_after(box, mover);
	pass_blocked(box, past);
}

static void
halma_play(struct mailbox *box, struct mailbox_past *past, int from, int to)
{
	unsigned mover = box->turn, repeated = 0;
	box->at[to] = box->at[from];
	box->at[from] = MAILBOX_EMPTY;
	if (past != NULL) {
		struct mailbox_left *left = &past->left[past->count];
		mailbox_left_take(box, 3 - mover, left);
		repeated = mailbox_left_count(past, left);
		past->count++;
	}
	box->turn = 3 - mover;
	if (is_home(box, mover))
		finish(box, mover, REASON_TARGET);
	else if (repeated >= 2)
		finish(box, 0, REASON_REPETITION);
	else if (!has_move(box, past))
		finish(box, 0, REASON_BLOCKED);
}

void
mailbox_play(struct mailbox *box, struct mailbox_past *past, cell_t from, cell_t to)
{
	box->out_count = 0;
	box->ply++;
	if (is_iuvo(box))
		iuvo_play(box, past, square_of(box, from), square_of(box, to));
	else
		halma_play(box, past, square_of(box, from), square_of(box, to));
	if (box->turn != 0 && box->ply >= 4096)
		finish(box, 0, REASON_LENGTH); /* I18, H12 */
}

void
mailbox_drop(struct mailbox *box, struct mailbox_past *past, unsigned seat, enum reason reason)
{
	box->out_count = 0;
	if (!put_out(box, seat, reason))
		return;
	if (seat == box->turn)
		box->turn = seat_after(box, seat);
	pass_blocked(box, past);
}

bool
mailbox_is_start(const struct mailbox *box)
{
	if (box->turn == 0 || count_active(box) < 2)
		return false;
	for (unsigned seat = 1; seat <= box->seats; seat++)
		if (!is_out(box, seat) && (count_owned(box, seat) == 0 || is_home(box, seat)))
			return false;
	return has_move(box, NULL);
}

uint64_t
mailbox_perft(const struct mailbox *box, unsigned depth)
{
	if (depth == 0)
		return 1;
	struct mailbox_move moves[MOVES_MAX];
	unsigned count = mailbox_moves(box, NULL, moves);
	if (depth == 1)
		return count;
	uint64_t sum = 0;
	for (unsigned i = 0; i < count; i++) {
		struct mailbox after = *box;
		mailbox_play(&after, NULL, moves[i].from, moves[i].to);
		sum += mailbox_perft(&after, depth - 1);
	}
	return sum;
}

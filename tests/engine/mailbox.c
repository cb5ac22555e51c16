#include "tests/engine/mailbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES_MAX = 16 * 16 };

/* Squares and cells. */

static int
side_of(const struct mailbox *box)
{
	return box->stride - 4;
}

static int
square_at(const struct mailbox *box, int file, int rank)
{
	return (file + 2) * box->stride + rank + 2;
}

static int
square_of(const struct mailbox *box, cell_t cell)
{
	return square_at(box, cell >> 4, cell & 15);
}

static int
file_of(const struct mailbox *box, int square)
{
	return square / box->stride - 2;
}

static int
rank_of(const struct mailbox *box, int square)
{
	return square % box->stride - 2;
}

static cell_t
cell_of(const struct mailbox *box, int square)
{
	return (cell_t)(file_of(box, square) * 16 + rank_of(box, square));
}

static bool
is_iuvo(const struct mailbox *box)
{
	return box->variant != VARIANT_HALMA_2;
}

static bool
is_loose(const struct mailbox *box)
{
	return box->variant == VARIANT_IUVO_2_LOOSE || box->variant == VARIANT_IUVO_4_LOOSE;
}

/* All squares of the board in the order of T4. */
static int
squares_of(const struct mailbox *box, int squares[SQUARES_MAX])
{
	int count = 0;
	for (int file = 0; file < side_of(box); file++)
		for (int rank = 0; rank < side_of(box); rank++)
			squares[count++] = square_at(box, file, rank);
	return count;
}

/* Seats. */

static bool
owns(unsigned seat, int owners)
{
	return owners > 0 && (owners >> (seat - 1) & 1);
}

static bool
is_out(const struct mailbox *box, unsigned seat)
{
	return box->out >> (seat - 1) & 1;
}

static unsigned
seat_after(const struct mailbox *box, unsigned seat)
{
	do
		seat = seat % box->seats + 1;
	while (is_out(box, seat));
	return seat;
}

static unsigned
count_active(const struct mailbox *box)
{
	unsigned count = 0;
	for (unsigned seat = 1; seat <= box->seats; seat++)
		count += !is_out(box, seat);
	return count;
}

/* Text. */

static const struct {
	char letter;
	signed char owners;
} stone_letters[] = {
    {'o', 0},
    {'A', 1},
    {'B', 2},
    {'C', 4},
    {'D', 8},
    {'p', 1 | 2},
    {'q', 2 | 4},
    {'r', 4 | 8},
    {'s', 8 | 1},
};

static signed char
owners_of_letter(char letter)
{
	unsigned i = 0;
	while (stone_letters[i].letter != letter)
		i++;
	return stone_letters[i].owners;
}

static char
letter_of_owners(int owners)
{
	unsigned i = 0;
	while (stone_letters[i].owners != owners)
		i++;
	return stone_letters[i].letter;
}

static const char *
read_board(struct mailbox *box, const char *text)
{
	int file = 0, rank = side_of(box) - 1;
	for (; *text != ' '; text++) {
		if (*text == '/') {
			file = 0;
			rank--;
		} else if (*text >= '1' && *text <= '9') {
			char *end;
			file += (int)strtol(text, &end, 10);
			text = end - 1;
		} else {
			box->at[square_at(box, file++, rank)] = owners_of_letter(*text);
		}
	}
	return text + 1;
}

void
mailbox_read(struct mailbox *box, const char *text)
{
	memset(box, 0, sizeof *box);
	const char *board = strchr(text, ' ');
	variant_find(text, (size_t)(board - text), &box->variant);
	box->seats = strncmp(text, "iuvo-4", 6) == 0 ? 4 : 2;
	box->stride = is_iuvo(box) ? 7 + 4 : 16 + 4;
	memset(box->at, MAILBOX_EDGE, sizeof box->at);
	int squares[SQUARES_MAX], count = squares_of(box, squares);
	for (int i = 0; i < count; i++)
		box->at[squares[i]] = MAILBOX_EMPTY;
	const char *rest = read_board(box, board + 1);
	box->turn = *rest == '-' ? 0 : (unsigned)(*rest - '0');
	rest += 2;
	if (*rest != '-')
		box->resting = square_at(box, rest[0] - 'a', rest[1] - '1');
	for (rest = strchr(rest, ' ') + 1; *rest >= '1' && *rest <= '4'; rest++)
		box->out |= 1u << (*rest - '1');
}

static char *
write_rank(const struct mailbox *box, int rank, char *text)
{
	int empty = 0;
	for (int file = 0; file < side_of(box); file++) {
		int owners = box->at[square_at(box, file, rank)];
		if (owners == MAILBOX_EMPTY) {
			empty++;
			continue;
		}
		if (empty > 0)
			text += sprintf(text, "%d", empty);
		empty = 0;
		*text++ = letter_of_owners(owners);
	}
	if (empty > 0)
		text += sprintf(text, "%d", empty);
	return text;
}

static char *
write_cell(const struct mailbox *box, int square, char *text)
{
	return text + sprintf(text, "%c%d", 'a' + file_of(box, square), rank_of(box, square) + 1);
}

void
mailbox_write(const struct mailbox *box, char text[POSITION_TEXT_MAX])
{
	text += sprintf(text, "%s ", variant_row(box->variant)->id);
	for (int rank = side_of(box) - 1; rank >= 0; rank--) {
		text = write_rank(box, rank, text);
		*text++ = rank > 0 ? '/' : ' ';
	}
	*text++ = box->turn == 0 ? '-' : (char)('0' + box->turn);
	*text++ = ' ';
	if (box->resting == 0)
		*text++ = '-';
	else
		text = write_cell(box, box->resting, text);
	*text++ = ' ';
	for (unsigned seat = 1; seat <= box->seats; seat++)
		if (is_out(box, seat))
			*text++ = (char)('0' + seat);
	if (box->out == 0)
		*text++ = '-';
	*text = '\0';
}

/* The past. */

static void
left_take(const struct mailbox *box, unsigned seat, struct mailbox_left *left)
{
	left->seat = seat;
	left->resting = box->resting;
	memcpy(left->at, box->at, sizeof left->at);
	uint32_t sum = seat * 977 + (uint32_t)left->resting;
	for (int i = 0; i < box->stride * box->stride; i++)
		sum = sum * 31 + (uint32_t)(left->at[i] + 3);
	left->sum = sum;
}

static unsigned
left_count(const struct mailbox_past *past, const struct mailbox_left *left)
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
		left_take(start, start->turn, &past->left[past->count++]);
}

/* Iuvo: one stone that may jump, and the group in which it stands. */

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

static void
iuvo_move(struct mailbox *box, int from, int to)
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
	iuvo_move(&after, from, to);
	left_take(&after, box->turn, &left);
	return left_count(past, &left) >= 2;
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
static unsigned
iuvo_list(const struct mailbox *box, const struct mailbox_past *past, int from, struct mailbox_move *moves)
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

static enum verdict
iuvo_verdict(const struct mailbox *box, const struct mailbox_past *past, int from, int to)
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

/* Halma. */

static const int around[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

/* H2: whether a square lies in the camp in which a seat starts. */
static bool
in_camp(const struct mailbox *box, unsigned seat, int square)
{
	static const int row[5] = {5, 5, 4, 3, 2};
	int across = file_of(box, square), up = rank_of(box, square);
	if (seat == 1)
		across = 15 - across;
	else
		up = 15 - up;
	return up < 5 && across < row[up];
}

/* H6: whether a stone of the seat to move that stands on one square may land on another. */
static bool
camp_allows(const struct mailbox *box, int from, int to)
{
	unsigned other = 3 - box->turn;
	return !in_camp(box, other, from) || in_camp(box, other, to);
}

/*
 * H4, H5: marks where the stone on a square can go, a step or any number of
 * jumps; with the camp rule (H6) or as if there were none.  The squares reached
 * by jumps are in `jumped`, its start among them.
 */
struct reach {
	bool to[MAILBOX_CELLS];
	bool jumped[MAILBOX_CELLS];
};

static void
reach_jumps(const struct mailbox *box, const signed char *at, int from, bool camp, struct reach *reach)
{
	reach->jumped[from] = true;
	for (int i = 0; i < 8; i++) {
		int one = around[i][0] * box->stride + around[i][1], to = from + 2 * one;
		if (at[from + one] < 0 || at[to] != MAILBOX_EMPTY || reach->jumped[to])
			continue;
		if (camp && !camp_allows(box, from, to))
			continue;
		reach_jumps(box, at, to, camp, reach);
	}
}

static void
reach_from(const struct mailbox *box, int from, bool camp, struct reach *reach)
{
	signed char at[MAILBOX_CELLS];
	memcpy(at, box->at, sizeof at);
	at[from] = MAILBOX_EMPTY;
	memset(reach, 0, sizeof *reach);
	reach_jumps(box, at, from, camp, reach);
	memcpy(reach->to, reach->jumped, sizeof reach->to);
	for (int i = 0; i < 8; i++) {
		int to = from + around[i][0] * box->stride + around[i][1];
		if (at[to] == MAILBOX_EMPTY && (!camp || camp_allows(box, from, to)))
			reach->to[to] = true;
	}
	reach->to[from] = false;
}

static unsigned
halma_list(const struct mailbox *box, int from, struct mailbox_move *moves)
{
	if (!owns(box->turn, box->at[from]))
		return 0;
	struct reach reach;
	reach_from(box, from, true, &reach);
	unsigned count = 0;
	for (int to = 0; to < MAILBOX_CELLS; to++) {
		if (!reach.to[to])
			continue;
		if (moves == NULL)
			return 1;
		moves[count++] = (struct mailbox_move){cell_of(box, from), cell_of(box, to)};
	}
	return count;
}

/* Whether a step or a last jump would lead from what is reached to a square, if that were empty. */
static bool
reach_beside(const struct mailbox *box, const struct reach *reach, int from, int to, bool camp)
{
	for (int i = 0; i < 8; i++) {
		int one = around[i][0] * box->stride + around[i][1];
		if (to - one == from && (!camp || camp_allows(box, from, to)))
			return true;
		int last = to - 2 * one;
		if (last < 0 || last >= MAILBOX_CELLS || !reach->jumped[last] || to - one == from)
			continue;
		if (box->at[to - one] >= 0 && (!camp || camp_allows(box, last, to)))
			return true;
	}
	return false;
}

static enum verdict
halma_verdict(const struct mailbox *box, int from, int to)
{
	if (box->at[from] < 0)
		return VERDICT_NO_STONE;
	if (!owns(box->turn, box->at[from]))
		return VERDICT_NOT_YOUR_STONE;
	if (from == to)
		return VERDICT_NULL_MOVE;
	struct reach bound, unbound;
	reach_from(box, from, true, &bound);
	reach_from(box, from, false, &unbound);
	if (!reach_beside(box, &unbound, from, to, false))
		return VERDICT_NOT_A_STEP_OR_JUMP;
	if (!reach_beside(box, &bound, from, to, true))
		return VERDICT_LEAVES_CAMP;
	return box->at[to] >= 0 ? VERDICT_OCCUPIED : VERDICT_LEGAL;
}

/* H11: keeps the shortest text to each square, of the shortest the first, one landing further at a time. */
struct route {
	char text[MAILBOX_CELLS][PATH_TEXT_MAX];
	bool known[MAILBOX_CELLS];
};

static bool
route_extend(const struct mailbox *box, const signed char *at, struct route *route)
{
	struct route before = *route;
	bool grown = false;
	for (int from = 0; from < MAILBOX_CELLS; from++) {
		for (int i = 0; i < 8 && before.known[from]; i++) {
			int one = around[i][0] * box->stride + around[i][1], to = from + 2 * one;
			if (at[from + one] < 0 || at[to] != MAILBOX_EMPTY || before.known[to] ||
			    !camp_allows(box, from, to))
				continue;
			char text[PATH_TEXT_MAX + 8], *end = text + sprintf(text, "%s-", before.text[from]);
			write_cell(box, to, end);
			if (!route->known[to] || strcmp(text, route->text[to]) < 0)
				strcpy(route->text[to], text);
			route->known[to] = true;
			grown = true;
		}
	}
	return grown;
}

static void
halma_path(const struct mailbox *box, int from, int to, char text[PATH_TEXT_MAX])
{
	signed char at[MAILBOX_CELLS];
	memcpy(at, box->at, sizeof at);
	at[from] = MAILBOX_EMPTY;
	struct route *route = calloc(1, sizeof *route);
	route->known[from] = true;
	write_cell(box, from, route->text[from]);
	while (!route->known[to] && route_extend(box, at, route))
		;
	if (route->known[to])
		strcpy(text, route->text[to]);
	else
		write_cell(box, to, text + sprintf(text, "%s-", route->text[from])); /* a step */
	free(route);
}

/* All variants. */

static unsigned
list_from(const struct mailbox *box, const struct mailbox_past *past, int from, struct mailbox_move *moves)
{
	return is_iuvo(box) ? iuvo_list(box, past, from, moves) : halma_list(box, from, moves);
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
	return is_iuvo(box) ? iuvo_verdict(box, past, start, end) : halma_verdict(box, start, end);
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
		halma_path(box, start, end, text);
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
		if (is_iuvo(box) ? !on_target(box, seat, square) : !in_camp(box, 3 - seat, square))
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
	iuvo_move(box, from, to);
	if (past != NULL)
		left_take(box, mover, &past->left[past->count++]);
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
		left_take(box, 3 - mover, left);
		repeated = left_count(past, left);
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

/* Halma: what one stone may do (H4 to H6, H11). */
#include <stdlib.h>
#include <string.h>

#include "tests/engine/mailbox_inside.h"

static const int around[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

/* H2: whether a square lies in the camp in which a seat starts. */
bool
mailbox_in_camp(const struct mailbox *box, unsigned seat, int square)
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
	return !mailbox_in_camp(box, other, from) || mailbox_in_camp(box, other, to);
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

unsigned
mailbox_halma_list(const struct mailbox *box, int from, struct mailbox_move *moves)
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

enum verdict
mailbox_halma_verdict(const struct mailbox *box, int from, int to)
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

void
mailbox_halma_path(const struct mailbox *box, int from, int to, char text[PATH_TEXT_MAX])
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

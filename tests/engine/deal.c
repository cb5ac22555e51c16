#include "tests/engine/deal.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cell.h"

unsigned
deal_below(struct deal *deal, unsigned below)
{
	deal->seed ^= deal->seed << 13;
	deal->seed ^= deal->seed >> 7;
	deal->seed ^= deal->seed << 17;
	return (unsigned)((deal->seed >> 32) % below);
}

/* A board of letters, 0 where it is empty. */
struct sketch {
	unsigned side;
	char at[16][16]; /* file, rank */
};

static char *
write_row(const struct sketch *sketch, unsigned rank, char *text)
{
	unsigned empty = 0;
	for (unsigned file = 0; file <= sketch->side; file++) {
		bool end = file == sketch->side;
		if (!end && sketch->at[file][rank] == 0) {
			empty++;
			continue;
		}
		if (empty >= 10)
			*text++ = '1';
		if (empty > 0)
			*text++ = (char)('0' + empty % 10);
		empty = 0;
		if (!end)
			*text++ = sketch->at[file][rank];
	}
	return text;
}

static void
write_text(const struct sketch *sketch, enum variant variant, unsigned turn, char *text)
{
	const char *id = variant_row(variant)->id;
	text = strcpy(text, id) + strlen(id);
	*text++ = ' ';
	for (unsigned rank = sketch->side; rank-- > 0;) {
		text = write_row(sketch, rank, text);
		*text++ = rank > 0 ? '/' : ' ';
	}
	*text++ = (char)('0' + turn);
	strcpy(text, " - -");
}

static bool
beside_stone(const struct sketch *sketch, unsigned file, unsigned rank)
{
	return (file > 0 && sketch->at[file - 1][rank]) || (file + 1 < sketch->side && sketch->at[file + 1][rank]) ||
	       (rank > 0 && sketch->at[file][rank - 1]) || (rank + 1 < sketch->side && sketch->at[file][rank + 1]);
}

static void
deal_iuvo(struct deal *deal, struct sketch *sketch, const char *letters)
{
	char hand[17];
	strcpy(hand, letters);
	unsigned left = (unsigned)strlen(hand), stones = 4 + deal_below(deal, left - 6);
	sketch->side = 7;
	for (unsigned placed = 0; placed < stones;) {
		unsigned file = deal_below(deal, 7), rank = deal_below(deal, 7);
		if (sketch->at[file][rank] || (placed > 0 && !beside_stone(sketch, file, rank)))
			continue;
		unsigned card = deal_below(deal, left);
		sketch->at[file][rank] = hand[card];
		hand[card] = hand[--left];
		placed++;
	}
}

/* Along the diagonal from seat 1's corner to seat 2's, each seat's stones thrown around some point of it. */
static void
deal_halma(struct deal *deal, struct sketch *sketch)
{
	sketch->side = 16;
	for (unsigned seat = 0; seat < 2; seat++) {
		unsigned stones = deal_below(deal, 3) ? 19 : 1 + deal_below(deal, 18);
		unsigned middle = deal_below(deal, 16), spread = 5 + deal_below(deal, 6);
		for (unsigned placed = 0; placed < stones;) {
			unsigned file = 15 - middle + deal_below(deal, spread) - spread / 2;
			unsigned rank = middle + deal_below(deal, spread) - spread / 2;
			if (deal_below(deal, 8) == 0)
				file = deal_below(deal, 16), rank = deal_below(deal, 16);
			if (file >= 16 || rank >= 16 || sketch->at[file][rank])
				continue;
			sketch->at[file][rank] = "AB"[seat];
			placed++;
		}
	}
}

void
deal_position(struct deal *deal, enum variant variant, char text[POSITION_TEXT_MAX])
{
	struct sketch sketch = {0};
	unsigned seats = 2;
	if (variant == VARIANT_HALMA_2) {
		deal_halma(deal, &sketch);
	} else if (variant == VARIANT_IUVO_2 || variant == VARIANT_IUVO_2_LOOSE) {
		deal_iuvo(deal, &sketch, "AAAABBBBoooooooo");
	} else {
		deal_iuvo(deal, &sketch, "AABBCCDDpqrsoooo");
		seats = 4;
	}
	write_text(&sketch, variant, 1 + deal_below(deal, seats), text);
}

/* How far a cell lies on the way of a seat, in Iuvo by rank or file, in Halma along the diagonal. */
static int
progress(const struct mailbox *box, cell_t cell)
{
	int file = (int)cell_file(cell), rank = (int)cell_rank(cell);
	if (box->variant == VARIANT_HALMA_2)
		return box->turn == 1 ? rank - file : file - rank;
	unsigned edge = box->seats == 2 && box->turn == 2 ? 3 : box->turn;
	return edge == 1 ? rank : edge == 2 ? file : edge == 3 ? -rank : -file;
}

static unsigned
pick_furthest(struct deal *deal, const struct mailbox *box, const struct mailbox_move *moves, unsigned count)
{
	unsigned best = deal_below(deal, count);
	for (unsigned tries = 0; tries < count / 2; tries++) {
		unsigned other = deal_below(deal, count);
		if (progress(box, moves[other].to) - progress(box, moves[other].from) >
		    progress(box, moves[best].to) - progress(box, moves[best].from))
			best = other;
	}
	return best;
}

unsigned
deal_move(struct deal *deal, const struct mailbox *box, const struct mailbox_move *moves, unsigned count,
    struct mailbox_move last)
{
	unsigned way = deal_below(deal, 8);
	if (way < 3)
		for (unsigned i = 0; i < count; i++)
			if (moves[i].from == last.to && moves[i].to == last.from)
				return i;
	if (way < 6 && box->variant == VARIANT_HALMA_2)
		return pick_furthest(deal, box, moves, count);
	return way == 6 ? pick_furthest(deal, box, moves, count) : deal_below(deal, count);
}

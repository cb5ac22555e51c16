#include "tests/engine/deal.h"

#include <string.h>

#include "engine/cell.h"
#include "engine/notation.h"

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
write_text(const struct sketch *sketch, const char *id, unsigned turn, unsigned out, char *text)
{
	text = strcpy(text, id) + strlen(id);
	*text++ = ' ';
	for (unsigned rank = sketch->side; rank-- > 0;) {
		text = write_row(sketch, rank, text);
		*text++ = rank > 0 ? '/' : ' ';
	}
	*text++ = (char)('0' + turn);
	text = strcpy(text, " - ") + 3;
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if (out >> (seat - 1) & 1)
			*text++ = (char)('0' + seat);
	strcpy(text, out == 0 ? "-" : "");
}

static bool
beside_stone(const struct sketch *sketch, unsigned file, unsigned rank)
{
	return (file > 0 && sketch->at[file - 1][rank]) || (file + 1 < sketch->side && sketch->at[file + 1][rank]) ||
	       (rank > 0 && sketch->at[file][rank - 1]) || (rank + 1 < sketch->side && sketch->at[file][rank + 1]);
}

/* The stones of a start by their owners, bit seat - 1. */
static const unsigned hand_of_two[16] = {1, 1, 1, 1, 2, 2, 2, 2};
static const unsigned hand_of_four[16] = {1, 1, 2, 2, 4, 4, 8, 8, 1 | 2, 2 | 4, 4 | 8, 8 | 1};
static const char letters[] = {'o', 'A', 'B', 'p', 'C', 0, 'q', 0, 'D', 's', 0, 0, 'r'}; /* by owners */

/* Up to all stones in a square window, each beside another one if they are to be a chain. */
static void
deal_iuvo(struct deal *deal, struct sketch *sketch, const unsigned *stones, unsigned out)
{
	unsigned hand[16], left = 16, side = 4 + deal_below(deal, 4), corner = deal_below(deal, 8 - side);
	unsigned count = 3 + deal_below(deal, side == 4 ? 10 : 14);
	bool chain = deal_below(deal, 4) > 0;
	memcpy(hand, stones, sizeof hand);
	for (unsigned placed = 0; placed < count;) {
		unsigned file = corner + deal_below(deal, side), rank = corner + deal_below(deal, side);
		if (sketch->at[file][rank] || (chain && placed > 0 && !beside_stone(sketch, file, rank)))
			continue;
		unsigned card = deal_below(deal, left);
		sketch->at[file][rank] = letters[hand[card] & ~out];
		hand[card] = hand[--left];
		placed++;
	}
}

/* Mostly everybody is in; two at least. */
static unsigned
deal_out(struct deal *deal, unsigned seats)
{
	unsigned out = 0;
	for (unsigned left = seats; left > 2 && deal_below(deal, 4) == 0; left--)
		out |= 1u << deal_below(deal, seats);
	return out;
}

/* Along the diagonal from seat 1's corner to seat 2's, each seat's stones thrown around some point of it. */
static void
deal_halma(struct deal *deal, struct sketch *sketch)
{
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
	const struct variant_row *row = variant_row(variant);
	struct sketch sketch = {.side = row->files};
	unsigned out = deal_out(deal, row->seats), turn;
	do
		turn = 1 + deal_below(deal, row->seats);
	while (out >> (turn - 1) & 1);
	if (variant == VARIANT_HALMA_2)
		deal_halma(deal, &sketch);
	else
		deal_iuvo(deal, &sketch, row->seats == 2 ? hand_of_two : hand_of_four, out);
	write_text(&sketch, row->id, turn, out, text);
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

size_t
deal_mutation(struct deal *deal, char *text)
{
	static const char bytes[] = "oABCDpqrs123456789/ -0aghx\n\xff";
	size_t len = strlen(text);
	for (unsigned changes = 1 + deal_below(deal, 3); changes > 0 && len > 0; changes--) {
		size_t at = deal_below(deal, (unsigned)len), other = deal_below(deal, (unsigned)len);
		char byte = bytes[deal_below(deal, sizeof bytes - 1)];
		switch (deal_below(deal, 6)) {
		case 0:
			memmove(text + at, text + at + 1, len-- - at);
			break;
		case 1:
			memmove(text + at + 1, text + at, ++len - at);
			text[at] = byte;
			break;
		case 2:
			text[at] = byte;
			break;
		default:
			byte = text[other];
			text[other] = text[at];
			text[at] = byte;
		}
	}
	return len;
}

void
deal_start(struct deal *deal, enum variant variant, struct position *position)
{
	char text[POSITION_TEXT_MAX];
	struct text_fault fault;
	do
		deal_position(deal, variant, text);
	while (!notation_read_position(text, strlen(text), position, &fault) || !position_is_start(position));
}

void
deal_opening(
    struct deal *deal, enum variant variant, unsigned plies, struct position *position, struct history *history)
{
	do {
		position_start(variant, position);
		history_begin(history, position);
		while (position->turn != 0 && position->ply < plies) {
			struct move moves[MOVES_MAX];
			struct change change;
			unsigned count = position_moves(position, NULL, moves);
			position_play(position, NULL, moves[deal_below(deal, count)], position, &change);
			history_add(history, change.left);
		}
	} while (position->turn == 0 || position->out != 0);
}

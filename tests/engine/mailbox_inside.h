/*
 * What the files of the second opinion share: squares, seats, and what each
 * game does with one stone.  For mailbox*.c alone.
 */
#ifndef IUVOD_TESTS_MAILBOX_INSIDE_H
#define IUVOD_TESTS_MAILBOX_INSIDE_H

#include <stdio.h>

#include "tests/engine/mailbox.h"

enum { SQUARES_MAX = 16 * 16 };

/* Squares and cells. */

static inline int
side_of(const struct mailbox *box)
{
	return box->stride - 4;
}

static inline int
square_at(const struct mailbox *box, int file, int rank)
{
	return (file + 2) * box->stride + rank + 2;
}

static inline int
square_of(const struct mailbox *box, cell_t cell)
{
	return square_at(box, cell >> 4, cell & 15);
}

static inline int
file_of(const struct mailbox *box, int square)
{
	return square / box->stride - 2;
}

static inline int
rank_of(const struct mailbox *box, int square)
{
	return square % box->stride - 2;
}

static inline cell_t
cell_of(const struct mailbox *box, int square)
{
	return (cell_t)(file_of(box, square) * 16 + rank_of(box, square));
}

static inline bool
is_iuvo(const struct mailbox *box)
{
	return box->variant != VARIANT_HALMA_2;
}

static inline bool
is_loose(const struct mailbox *box)
{
	return box->variant == VARIANT_IUVO_2_LOOSE || box->variant == VARIANT_IUVO_4_LOOSE;
}

/* All squares of the board in the order of T4. */
static inline int
squares_of(const struct mailbox *box, int squares[SQUARES_MAX])
{
	int count = 0;
	for (int file = 0; file < side_of(box); file++)
		for (int rank = 0; rank < side_of(box); rank++)
			squares[count++] = square_at(box, file, rank);
	return count;
}

/* Seats. */

static inline bool
owns(unsigned seat, int owners)
{
	return owners > 0 && (owners >> (seat - 1) & 1);
}

static inline bool
is_out(const struct mailbox *box, unsigned seat)
{
	return box->out >> (seat - 1) & 1;
}

static inline unsigned
seat_after(const struct mailbox *box, unsigned seat)
{
	do
		seat = seat % box->seats + 1;
	while (is_out(box, seat));
	return seat;
}

static inline unsigned
count_active(const struct mailbox *box)
{
	unsigned count = 0;
	for (unsigned seat = 1; seat <= box->seats; seat++)
		count += !is_out(box, seat);
	return count;
}

static inline char *
write_cell(const struct mailbox *box, int square, char *text)
{
	return text + sprintf(text, "%c%d", 'a' + file_of(box, square), rank_of(box, square) + 1);
}

/* The past (I16, H8). */
void mailbox_left_take(const struct mailbox *box, unsigned seat, struct mailbox_left *left);
unsigned mailbox_left_count(const struct mailbox_past *past, const struct mailbox_left *left);

/*
 * What one stone may do.  A list goes to moves; where that is NULL it stops at
 * the first.  A verdict is of two squares on the board.
 */
unsigned mailbox_iuvo_list(
    const struct mailbox *box, const struct mailbox_past *past, int from, struct mailbox_move *moves);
enum verdict mailbox_iuvo_verdict(const struct mailbox *box, const struct mailbox_past *past, int from, int to);
void mailbox_iuvo_move(struct mailbox *box, int from, int to);
unsigned mailbox_halma_list(const struct mailbox *box, int from, struct mailbox_move *moves);
enum verdict mailbox_halma_verdict(const struct mailbox *box, int from, int to);
void mailbox_halma_path(const struct mailbox *box, int from, int to, char text[PATH_TEXT_MAX]);
bool mailbox_in_camp(const struct mailbox *box, unsigned seat, int square);

#endif

/*
 * A position as text (T2).  What is read is written as it was, but for the case of
 * nothing; the second opinion reads it the same and lists the same moves; each of
 * them leads to a position that reads back.
 */
#include <string.h>

#include "engine/notation.h"
#include "tests/engine/mailbox.h"
#include "tests/fuzz/fuzz.h"

static void
check_read_back(const struct position *position)
{
	char text[POSITION_TEXT_MAX], again[POSITION_TEXT_MAX];
	struct position read;
	struct text_fault fault;
	size_t len = notation_position(position, text);
	FUZZ_CHECK(len < POSITION_TEXT_MAX && len == strlen(text));
	FUZZ_CHECK(notation_read_position(text, len, &read, &fault));
	notation_position(&read, again);
	FUZZ_CHECK(strcmp(text, again) == 0 && read.key == position->key && position->key == position_key(position));
}

static void
check_stones(const struct position *position)
{
	cell_t cells[STONES_MAX];
	unsigned count = position_stones(position, cells);
	FUZZ_CHECK(count <= STONES_MAX);
	for (unsigned i = 0; i < count; i++)
		FUZZ_CHECK(position_owners(position, cells[i]) >= 0 && (i == 0 || cells[i - 1] < cells[i]));
}

static void
check_moves(const struct position *position, const char *text)
{
	static struct move moves[MOVES_MAX];
	static struct mailbox_move others[MOVES_MAX];
	struct mailbox box;
	struct path path;
	struct position after;
	mailbox_read(&box, text);
	unsigned count = position_moves(position, NULL, moves);
	FUZZ_CHECK(position->turn == 0 ? count == 0 : count == mailbox_moves(&box, NULL, others));
	FUZZ_CHECK(count == position_count(position, NULL));
	for (unsigned i = 0; i < count; i++) {
		FUZZ_CHECK(moves[i].from == others[i].from && moves[i].to == others[i].to);
		position_path(position, moves[i], &path);
		FUZZ_CHECK(
		    path.count >= 2 && path.cells[0] == moves[i].from && path.cells[path.count - 1] == moves[i].to);
		position_play(position, NULL, moves[i], &after, NULL);
		check_read_back(&after);
	}
	FUZZ_CHECK(position->turn == 0 || position_is_start(position) == mailbox_is_start(&box));
}

static void
check_drops(const struct position *position)
{
	struct position after;
	for (unsigned seat = 1; position->turn != 0 && seat <= variant_row((enum variant)position->variant)->seats;
	     seat++) {
		if (position_out(position, seat))
			continue;
		position_drop(position, NULL, seat, REASON_RESIGNED, &after, NULL);
		check_read_back(&after);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	char written[POSITION_TEXT_MAX];
	struct position position;
	struct text_fault fault = {0};
	if (notation_read_position(text, size, &position, &fault)) {
		size_t len = notation_position(&position, written);
		/* There is one way to write a position. */
		FUZZ_CHECK(len == size && memcmp(written, text, size) == 0);
		check_read_back(&position);
		check_stones(&position);
		check_moves(&position, written);
		check_drops(&position);
	} else {
		FUZZ_CHECK(fault.why != NULL && fault.field != NULL && fault.at <= size);
	}
	free(text);
	return 0;
}

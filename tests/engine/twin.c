#include "tests/engine/twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct twin *
twin_new(void)
{
	struct twin *twin = malloc(sizeof *twin);
	assert_non_null(twin);
	return twin;
}

void
twin_free(struct twin *twin)
{
	free(twin);
}

static void
assert_agreed_out(const struct twin *twin)
{
	assert_int_equal(twin->change.out_count, twin->box.out_count);
	for (unsigned i = 0; i < twin->box.out_count; i++) {
		assert_int_equal(twin->change.out[i].seat, twin->box.out_seat[i]);
		assert_int_equal(twin->change.out[i].reason, twin->box.out_reason[i]);
	}
}

/* Lists the legal moves of both, which must be the same ones in the same order. */
static void
take_moves(struct twin *twin)
{
	static struct mailbox_move expected[MOVES_MAX];
	struct past past = history_past(&twin->history);
	unsigned count = mailbox_moves(&twin->box, &twin->past, expected);
	twin->count = position_moves(&twin->position, &past, twin->moves);
	assert_int_equal(twin->count, count);
	assert_int_equal(position_count(&twin->position, &past), count);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(twin->moves[i].from, expected[i].from);
		assert_int_equal(twin->moves[i].to, expected[i].to);
	}
}

static void
assert_agreed(struct twin *twin)
{
	char ours[POSITION_TEXT_MAX], theirs[POSITION_TEXT_MAX];
	notation_position(&twin->position, ours);
	mailbox_write(&twin->box, theirs);
	assert_string_equal(ours, theirs);
	assert_int_equal(twin->position.ply, twin->box.ply);
	assert_int_equal(twin->position.winner, twin->box.winner);
	assert_int_equal(twin->position.reason, twin->box.reason);
	take_moves(twin);
}

void
twin_begin_at(struct twin *twin, const struct position *position)
{
	char text[POSITION_TEXT_MAX];
	twin->position = *position;
	notation_position(position, text);
	mailbox_read(&twin->box, text);
	twin->box.ply = position->ply;
	history_begin(&twin->history, position);
	mailbox_begin(&twin->past, &twin->box);
	memset(&twin->change, 0, sizeof twin->change);
	assert_agreed(twin);
}

void
twin_begin(struct twin *twin, const char *text)
{
	struct position position;
	struct text_fault fault;
	if (!notation_read_position(text, strlen(text), &position, &fault))
		fail_msg("%s: %s at %zu: %s", text, fault.field, fault.at, fault.why);
	twin_begin_at(twin, &position);
}

static void
put_stones(char board[16][16], const char *cells, char letter)
{
	unsigned rank;
	char file;
	for (int used; sscanf(cells, " %c%u%n", &file, &rank, &used) == 2; cells += used)
		board[rank - 1][file - 'a'] = letter;
}

void
twin_begin_halma(struct twin *twin, const char *ours, const char *theirs, unsigned turn)
{
	char board[16][16] = {0}, text[POSITION_TEXT_MAX], *end = text + sprintf(text, "halma-2 ");
	put_stones(board, ours, 'A');
	put_stones(board, theirs, 'B');
	for (unsigned rank = 16; rank-- > 0;) {
		unsigned empty = 0;
		for (unsigned file = 0; file < 16; file++) {
			if (board[rank][file] == 0) {
				empty++;
				continue;
			}
			if (empty > 0)
				end += sprintf(end, "%u", empty);
			empty = 0;
			*end++ = board[rank][file];
		}
		if (empty > 0)
			end += sprintf(end, "%u", empty);
		*end++ = rank > 0 ? '/' : ' ';
	}
	sprintf(end, "%u - -", turn);
	twin_begin(twin, text);
}

void
twin_play(struct twin *twin, struct move move)
{
	struct past past = history_past(&twin->history);
	position_play(&twin->position, &past, move, &twin->position, &twin->change);
	history_add(&twin->history, twin->change.left);
	mailbox_play(&twin->box, &twin->past, move.from, move.to);
	assert_agreed_out(twin);
	assert_agreed(twin);
}

void
twin_drop(struct twin *twin, unsigned seat, enum reason reason)
{
	struct past past = history_past(&twin->history);
	position_drop(&twin->position, &past, seat, reason, &twin->position, &twin->change);
	mailbox_drop(&twin->box, &twin->past, seat, reason);
	assert_agreed_out(twin);
	assert_agreed(twin);
}

static enum verdict
judge(const struct twin *twin, const char *text, struct move *move, unsigned *landing)
{
	struct move_text written;
	struct text_fault fault;
	struct judgement judgement;
	struct past past = history_past(&twin->history);
	if (!notation_read_move(text, strlen(text), &written, &fault))
		fail_msg("%s: %s at %zu: %s", text, fault.field, fault.at, fault.why);
	enum verdict verdict = position_judge(&twin->position, &past, &written, move, &judgement);
	assert_int_equal(judgement.verdict, verdict);
	enum family family = variant_row((enum variant)twin->position.variant)->family;
	assert_true(verdict == VERDICT_LEGAL || verdict_row(verdict)->rule[family] != NULL);
	if (landing != NULL)
		*landing = judgement.landing;
	return verdict;
}

enum verdict
twin_verdict(const struct twin *twin, const char *text, unsigned *landing)
{
	return judge(twin, text, NULL, landing);
}

void
twin_step(struct twin *twin, const char *step)
{
	unsigned seat;
	if (sscanf(step, "resign:%u", &seat) == 1) {
		twin_drop(twin, seat, REASON_RESIGNED);
	} else if (sscanf(step, "timeout:%u", &seat) == 1) {
		twin_drop(twin, seat, REASON_TIMEOUT);
	} else {
		struct move move;
		enum verdict verdict = judge(twin, step, &move, NULL);
		if (verdict != VERDICT_LEGAL)
			fail_msg("%s: %s", step, verdict_row(verdict)->slug);
		twin_play(twin, move);
	}
}

void
twin_steps(struct twin *twin, const char *steps)
{
	char copy[1024], *rest = copy;
	assert_true(strlen(steps) < sizeof copy);
	strcpy(copy, steps);
	for (char *step; (step = strsep(&rest, " ")) != NULL;)
		twin_step(twin, step);
}

void
twin_assert_verdict(const struct twin *twin, const char *move, enum verdict expected)
{
	enum verdict verdict = twin_verdict(twin, move, NULL);
	if (verdict != expected)
		fail_msg("%s: %s and not %s", move, verdict_row(verdict)->slug, verdict_row(expected)->slug);
}

void
twin_assert_position(const struct twin *twin, const char *expected)
{
	char text[POSITION_TEXT_MAX];
	notation_position(&twin->position, text);
	assert_string_equal(text, expected);
}

void
twin_assert_outcome(const struct twin *twin, unsigned winner, enum reason reason)
{
	assert_string_equal(reason_word((enum reason)twin->position.reason), reason_word(reason));
	assert_int_equal(twin->position.winner, winner);
	assert_int_equal(twin->position.turn == 0, reason != REASON_NONE);
}

void
twin_assert_moves(const struct twin *twin, unsigned count, const char *const *expected)
{
	char text[MOVE_TEXT_MAX];
	assert_int_equal(twin->count, count);
	for (unsigned i = 0; i < count; i++) {
		notation_move(twin->moves[i], text);
		assert_string_equal(text, expected[i]);
	}
}

void
twin_assert_out(const struct twin *twin, const char *expected)
{
	char text[SEATS_MAX * 16] = "";
	for (unsigned i = 0, len = 0; i < twin->change.out_count; i++)
		len += (unsigned)sprintf(text + len, "%s%u %s", i > 0 ? " " : "", twin->change.out[i].seat,
		    reason_word((enum reason)twin->change.out[i].reason));
	assert_string_equal(text, expected);
}

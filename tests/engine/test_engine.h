/* What the tests of the engine share: positions and moves by their text. */
#ifndef IUVOD_TESTS_TEST_ENGINE_H
#define IUVOD_TESTS_TEST_ENGINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/history.h"
#include "engine/notation.h"

static inline struct position
position_of(const char *text)
{
	struct position position;
	struct text_fault fault;
	if (!notation_read_position(text, strlen(text), &position, &fault))
		fail_msg("%s: %s, byte %zu: %s", text, fault.field, fault.at, fault.why);
	return position;
}

static inline struct move_text
written(const char *text)
{
	struct move_text move;
	struct text_fault fault;
	if (!notation_read_move(text, strlen(text), &move, &fault))
		fail_msg("%s: byte %zu: %s", text, fault.at, fault.why);
	return move;
}

/* The slug of the verdict on a move. */
static inline const char *
verdict_on(const struct position *position, const struct past *past, const char *text, struct judgement *judgement)
{
	struct move_text move = written(text);
	return verdict_row(position_judge(position, past, &move, NULL, judgement))->slug;
}

static inline struct move
move_of(const struct position *position, const struct past *past, const char *text)
{
	struct move_text move_text = written(text);
	struct move move;
	enum verdict verdict = position_judge(position, past, &move_text, &move, NULL);
	if (verdict != VERDICT_LEGAL)
		fail_msg("%s: %s", text, verdict_row(verdict)->slug);
	return move;
}

static inline void
assert_position(const struct position *position, const char *text)
{
	char is[POSITION_TEXT_MAX];
	notation_position(position, is);
	assert_string_equal(is, text);
	assert_true(position->key == position_key(position));
}

static inline void
assert_outcome(const struct position *position, unsigned winner, enum reason reason)
{
	assert_int_equal(position->turn, 0);
	assert_int_equal(position->winner, winner);
	assert_string_equal(reason_word((enum reason)position->reason), reason_word(reason));
}

/* Drop-outs as text: "2 captured, 3 blocked". */
static inline void
assert_outs(const struct change *change, const char *text)
{
	char is[128] = "";
	for (unsigned i = 0; i < change->out_count; i++) {
		char seat[] = {(char)('0' + change->out[i].seat), ' ', '\0'};
		strcat(is, i ? ", " : "");
		strcat(is, seat);
		strcat(is, reason_word((enum reason)change->out[i].reason));
	}
	assert_string_equal(is, text);
}

#endif

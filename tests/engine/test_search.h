/* What the tests of the search share: a search in memory of its own, run on a position. */
#ifndef IUVOD_TESTS_TEST_SEARCH_H
#define IUVOD_TESTS_TEST_SEARCH_H

#include <stdlib.h>

#include "test_engine.h"

#include "engine/search.h"
#include "engine/zobrist.h"

enum { TEST_SEARCH_BYTES = 4 << 20 };

static inline struct search *
search_new(void)
{
	void *memory = aligned_alloc(64, TEST_SEARCH_BYTES);
	assert_non_null(memory);
	return search_open(memory, TEST_SEARCH_BYTES);
}

static inline void
search_free(struct search *search)
{
	free(search);
}

/* Every move of a line is legal where it stands, with the game's past and the line's own. */
static inline void
assert_line(const struct position *root, const struct history *history, const struct search_line *line)
{
	static struct history grown;
	struct position position = *root;
	if (history)
		grown = *history;
	else
		history_begin(&grown, root);
	assert_true(line->count > 0);
	for (unsigned i = 0; i < line->count; i++) {
		static struct move moves[MOVES_MAX];
		struct past past = history_past(&grown);
		struct change change;
		bool listed = false;
		for (unsigned at = 0, count = position_moves(&position, &past, moves); at < count; at++)
			listed |= memcmp(&moves[at], &line->moves[i], sizeof *moves) == 0;
		assert_true(listed);
		position_play(&position, &past, line->moves[i], &position, &change);
		history_add(&grown, change.left);
	}
}

/* Plays the texts, with the history of it. */
static inline struct position
play_texts(const char *start, const char *const *moves, unsigned count, struct history *history)
{
	struct position position = position_of(start);
	history_begin(history, &position);
	for (unsigned i = 0; i < count; i++) {
		struct past past = history_past(history);
		struct change change;
		position_play(&position, &past, move_of(&position, &past, moves[i]), &position, &change);
		history_add(history, change.left);
	}
	return position;
}

/* What searches of some positions find, as one number: it changes when anything of them does. */
static inline uint64_t
signature_of(const char *const *texts, unsigned count)
{
	struct search *search = search_new();
	uint64_t signature = 0;
	for (unsigned i = 0; i < count; i++) {
		struct position position = position_of(texts[i]);
		struct search_limits limits = {.nodes = 20000};
		struct search_result result;
		search_run(search, &position, NULL, &limits, &result);
		assert_line(&position, NULL, &result.lines[0]);
		signature = zobrist_mix(signature ^ result.nodes ^ (uint64_t)result.depth << 32);
		signature = zobrist_mix(signature ^ (uint64_t)(uint16_t)result.lines[0].score);
		for (unsigned at = 0; at < result.lines[0].count; at++)
			signature = zobrist_mix(
			    signature ^ (uint64_t)(result.lines[0].moves[at].from << 8 | result.lines[0].moves[at].to));
	}
	search_free(search);
	return signature;
}

/* The signature of one variant by itself: whatever changes the way of its search, and of no other, changes this. */
static inline void
assert_signature(const char *const *texts, unsigned count, uint64_t expected)
{
	struct position position = position_of(texts[0]);
	uint64_t signature = signature_of(texts, count);
	print_message(
	    "%s: signature %#llx\n", variant_row((enum variant)position.variant)->id, (unsigned long long)signature);
	assert_true(signature == expected);
}

#define ASSERT_SIGNATURE(texts, expected) assert_signature((texts), sizeof(texts) / sizeof *(texts), UINT64_C(expected))

#endif

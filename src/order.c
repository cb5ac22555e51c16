#include "order.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/level.h"

/* The words that `go` takes; behind all but the last stands a number. */
enum word { NODES, DEPTH, MOVETIME, LINES, LEVEL, SEED, INFINITE, WORDS };

#define NUMBER_MOST UINT64_C(1000000000000)
#define SEED_MOST ((UINT64_C(1) << 53) - 1) /* as the service takes them (advice.c) */

static const struct word_row {
	const char *name;
	uint64_t least, most; /* 0 and 0: no number */
} rows[WORDS] = {
    [NODES] = {"nodes", 1, NUMBER_MOST},
    [DEPTH] = {"depth", 1, SEARCH_DEPTH_MAX},
    [MOVETIME] = {"movetime", 1, NUMBER_MOST},
    [LINES] = {"lines", 1, SEARCH_LINES_MAX},
    [LEVEL] = {"level", LEVEL_LEAST, LEVEL_MOST},
    [SEED] = {"seed", 0, SEED_MOST},
    [INFINITE] = {"infinite", 0, 0},
};

struct words {
	uint64_t number[WORDS]; /* 0 where none was given */
	bool given[WORDS];
};

static bool __attribute__((format(printf, 3, 4)))
fail(struct order_fault *fault, const char *word, const char *what, ...)
{
	va_list arguments;
	va_start(arguments, what);
	vsnprintf(fault->what, sizeof fault->what, what, arguments);
	va_end(arguments);
	fault->word = word;
	return false;
}

static char *
next_word(char **rest)
{
	return strtok_r(NULL, " \t\r", rest);
}

static bool
read_word(const char *word, char **rest, struct words *words, struct order_fault *fault)
{
	unsigned i = 0;
	while (i < WORDS && strcmp(word, rows[i].name) != 0)
		i++;
	if (i == WORDS)
		return fail(fault, word, "no such limit (try help)");
	if (words->given[i])
		return fail(fault, word, "this is given twice");
	words->given[i] = true;
	const struct word_row *row = &rows[i];
	if (row->most == 0)
		return true;
	const char *number = next_word(rest);
	if (!number || !text_read_uint(number, strlen(number), row->most, &words->number[i]) ||
	    words->number[i] < row->least)
		return fail(fault, number, "%s must be %" PRIu64 " to %" PRIu64, row->name, row->least, row->most);
	return true;
}

bool
order_read(char **rest, struct analyst_order *order, struct order_fault *fault)
{
	struct words words = {{0}, {0}};
	for (const char *word; (word = next_word(rest)) != NULL;)
		if (!read_word(word, rest, &words, fault))
			return false;
	const bool *given = words.given;
	if (given[LEVEL] && (given[INFINITE] || given[NODES] || given[DEPTH] || given[LINES]))
		return fail(
		    fault, NULL, "level stands alone, but for seed and movetime: it says itself how much is looked at");
	*order = (struct analyst_order){
	    .nodes = words.number[NODES],
	    .depth = (unsigned)words.number[DEPTH],
	    .lines = (unsigned)words.number[LINES],
	    .seed = words.number[SEED],
	    .level = (unsigned)words.number[LEVEL],
	    .movetime_ms = (int64_t)words.number[MOVETIME],
	    .endless = given[INFINITE] || !(given[NODES] || given[DEPTH] || given[MOVETIME] || given[LEVEL]),
	};
	return true;
}

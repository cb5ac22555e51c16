/*
 * Lines of standard input as they come, none longer than LIMIT_COMMAND: what a
 * longer one holds is passed over, up to its end.  One thread.
 */
#ifndef IUVOD_INPUT_H
#define IUVOD_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"

/* What there is to be obeyed. */
enum input_found {
	INPUT_NOTHING,  /* no whole line yet, or no more */
	INPUT_LINE,     /* a line */
	INPUT_TOO_LONG, /* a line beyond the limit; told once, before its end has come */
	INPUT_NUL       /* a line that holds a NUL byte, and would end there as a text */
};

/* Begins as all zeros. */
struct input {
	char bytes[LIMIT_COMMAND + 1];
	size_t len;   /* bytes that were read */
	size_t taken; /* those at the beginning that were obeyed already */
	bool passes;  /* what comes is the rest of a line that is too long */
	bool ended;   /* nothing comes any more: what stands behind the last newline is a line, too */
};

/* Reads once, as much as there is; false if that is the end (input_next may still find lines). */
bool input_read(struct input *input);

/* The next line; *line, without its newline, is good until the next call of either function. */
enum input_found input_next(struct input *input, char **line);

#endif

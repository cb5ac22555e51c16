/*
 * The text form of a record as lines and words.  What is taken, and the blanks
 * behind it, is passed; where it is not there nothing is, and false comes back.
 */
#ifndef IUVOD_PLAY_RECORD_LINE_H
#define IUVOD_PLAY_RECORD_LINE_H

#include "play/record.h"

/* A line, and where its reading stands.  The text is the caller's. */
struct record_line {
	const char *begin, *end; /* of the line, without what ends it */
	const char *at;
	unsigned number;             /* from 1; 0 before the first */
	const char *next, *text_end; /* behind the line; behind the text */
};

/* Before the first line of a text. */
void record_line_begin(struct record_line *line, const char *bytes, size_t len);

/* Moves on to the next line; false at the end of the text. */
bool record_line_next(struct record_line *line);

/* Where something in the line stands. */
struct record_place record_line_place(const struct record_line *line, const char *at);

bool record_line_ended(const struct record_line *line);
void record_line_skip(struct record_line *line); /* blanks */

/* One character, and no blanks behind it. */
bool record_line_char(struct record_line *line, char c);

/* A word of the format. */
bool record_line_word(struct record_line *line, const char *word);

/* A number of at most max; that of a seat, from 1; a reason's word, but REASON_NONE. */
bool record_line_number(struct record_line *line, unsigned max, unsigned *number);
bool record_line_seat(struct record_line *line, unsigned *seat);
bool record_line_reason(struct record_line *line, enum reason *reason);

#endif

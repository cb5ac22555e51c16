/*
 * Lines of a dump: one flat JSON object each, of integers, texts and nulls.
 */
#ifndef IUVOD_BASE_LINE_H
#define IUVOD_BASE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum line_kind { LINE_NULL, LINE_INT, LINE_TEXT };

struct line_field {
	const char *name; /* NUL-terminated */
	enum line_kind kind;
	int64_t number;   /* of LINE_INT */
	const char *text; /* of LINE_TEXT: valid UTF-8 without NUL, NUL-terminated */
	size_t len;
};

/* Writing: line_begin, fields in order, line_end, which adds a newline.  A failure sticks in the text. */
void line_begin(struct text *text);
void line_null(struct text *text, const char *name);
void line_int(struct text *text, const char *name, int64_t value);
void line_hex(struct text *text, const char *name, const void *bytes, size_t len);
void line_end(struct text *text);

/* False if the bytes are not UTF-8 or have a NUL; nothing is written then. */
bool line_text(struct text *text, const char *name, const char *bytes, size_t len);

/*
 * Reads a line of len bytes, without its newline and with a NUL behind it, into
 * fields[max]; names and texts are decoded where they stand, in `bytes`.  Nothing
 * is read leniently: a name that stands twice, a fraction, a second value are
 * errors; false then, with what is wrong in *why, a constant.
 */
bool line_read(char *bytes, size_t len, struct line_field *fields, unsigned max, unsigned *count, const char **why);

/* The field of that name; NULL if there is none. */
const struct line_field *line_find(const struct line_field *fields, unsigned count, const char *name);

/* Decodes lower-case hex into out[len / 2]; false if it is none. */
bool line_unhex(const char *text, size_t len, unsigned char *out);

#endif

/*
 * Text that grows, in memory from malloc, so that it can be handed to the HTTP
 * library, which frees it.  A failure sticks: after one, every put does nothing,
 * and text_failed tells; so a writer checks once, at its end.
 */
#ifndef IUVOD_BASE_TEXT_H
#define IUVOD_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text {
	char *bytes; /* owned; NUL-terminated once something was put */
	size_t len;
	size_t room;
	bool failed;
};

#define TEXT_EMPTY ((struct text){0})

void text_put(struct text *text, const void *bytes, size_t len);
void text_puts(struct text *text, const char *string);
void text_int(struct text *text, int64_t value);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for `more` bytes and the NUL behind them; false, and failed, if it cannot. */
bool text_reserve(struct text *text, size_t more);

static inline void
text_char(struct text *text, char c)
{
	if (!text_reserve(text, 1))
		return;
	text->bytes[text->len++] = c;
	text->bytes[text->len] = '\0';
}

/* Frees the bytes and makes the text empty again. */
void text_free(struct text *text);

static inline bool
text_failed(const struct text *text)
{
	return text->failed;
}

/* UTF-8 (RFC 3629).  The length of the valid prefix: equal to len if all of it is valid. */
size_t text_utf8_prefix(const char *bytes, size_t len);

/* Decodes the code point at *at of valid UTF-8 and moves *at behind it. */
uint32_t text_utf8_next(const char *bytes, size_t len, size_t *at);

/* Encodes a code point, which may be none of text; returns how many bytes. */
size_t text_utf8_put(uint32_t code_point, char out[static 4]);

/* The number of code points of valid UTF-8. */
size_t text_utf8_count(const char *bytes, size_t len);

/*
 * Whether a code point may stand in a name: no control character (C0, DEL, C1),
 * no line or paragraph separator, no text-direction character, no noncharacter.
 */
bool text_name_char(uint32_t code_point);

/* A whole decimal number without sign or leading zero, at most max; false leaves *value untouched. */
bool text_read_uint(const char *bytes, size_t len, uint64_t max, uint64_t *value);

/* The value of a hexadecimal digit, -1 if it is none; and of one that is no capital. */
int text_hex(char c);
int text_hex_lower(char c);

/* Writes a text that may hold anything to a file that a person reads: control characters, and no UTF-8, as \xNN. */
void text_show(FILE *file, const char *text);

#endif

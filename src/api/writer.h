/*
 * A streaming writer of JSON over base/text.  Commas are its work; keys are
 * literals, put down escaped and quoted at compile time.  It cannot fail by
 * itself: a lack of memory sticks in the text, and its owner asks once at the end.
 */
#ifndef IUVOD_API_WRITER_H
#define IUVOD_API_WRITER_H

#include <string.h>

#include "base/text.h"

struct writer {
	struct text *out;
	bool comma; /* a value stands before, on this level */
};

static inline struct writer
writer_begin(struct text *out)
{
	return (struct writer){.out = out};
}

/* Appends, without a call where there is room. */
static inline void
writer_bytes(struct writer *writer, const char *bytes, size_t len)
{
	struct text *out = writer->out;
	if (!out->failed && out->room > out->len + len) {
		memcpy(out->bytes + out->len, bytes, len);
		out->len += len;
		out->bytes[out->len] = '\0';
	} else {
		text_put(out, bytes, len);
	}
}

/* Before each value: the comma, if one is due. */
static inline void
writer_value(struct writer *writer)
{
	if (writer->comma)
		writer_bytes(writer, ",", 1);
	writer->comma = true;
}

/* A key (quoted, with its colon); the value follows. */
static inline void
writer_key_bytes(struct writer *writer, const char *key, size_t len)
{
	if (writer->comma)
		writer_bytes(writer, ",", 1);
	writer_bytes(writer, key, len);
	writer->comma = false;
}
#define writer_key(writer, literal) writer_key_bytes((writer), "\"" literal "\":", sizeof literal + 2)

/* A key that is known at run time only. */
void writer_key_text(struct writer *writer, const char *key);

static inline void
writer_open(struct writer *writer, char bracket)
{
	writer_value(writer);
	writer_bytes(writer, &bracket, 1);
	writer->comma = false;
}

static inline void
writer_close(struct writer *writer, char bracket)
{
	writer_bytes(writer, &bracket, 1);
	writer->comma = true;
}

/* Bytes that are JSON already. */
static inline void
writer_raw(struct writer *writer, const char *json, size_t len)
{
	writer_value(writer);
	writer_bytes(writer, json, len);
}
#define writer_literal(writer, json) writer_raw((writer), (json), sizeof json - 1)

/* A string of which the caller knows that nothing in it wants escaping: ids, cells, moves, positions, words. */
static inline void
writer_plain(struct writer *writer, const char *text, size_t len)
{
	writer_value(writer);
	writer_bytes(writer, "\"", 1);
	writer_bytes(writer, text, len);
	writer_bytes(writer, "\"", 1);
}

/* Any text in UTF-8, escaped; NULL is null. */
void writer_string(struct writer *writer, const char *text);
void writer_int(struct writer *writer, int64_t value);
void writer_int_or_null(struct writer *writer, int64_t value); /* 0, which says that there is none, is null */
void writer_bool(struct writer *writer, bool value);
void writer_null(struct writer *writer);

/* A time in milliseconds as RFC 3339; 0 is null. */
void writer_time(struct writer *writer, int64_t ms);

#endif

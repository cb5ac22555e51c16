#include "base/line.h"

#include <string.h>

/* What is left of a line. */
struct reader {
	char *at;
	const char *end, *why;
};

static void
put_name(struct text *text, const char *name)
{
	text_puts(text, text->bytes[text->len - 1] == '{' ? "\"" : ",\"");
	text_puts(text, name);
	text_puts(text, "\":");
}

void
line_begin(struct text *text)
{
	text->len = 0;
	text_char(text, '{');
}

void
line_null(struct text *text, const char *name)
{
	if (text_failed(text))
		return;
	put_name(text, name);
	text_puts(text, "null");
}

void
line_int(struct text *text, const char *name, int64_t value)
{
	if (text_failed(text))
		return;
	put_name(text, name);
	text_int(text, value);
}

void
line_hex(struct text *text, const char *name, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *byte = bytes;
	if (text_failed(text) || !text_reserve(text, len * 2 + strlen(name) + 8))
		return;
	put_name(text, name);
	text_char(text, '"');
	for (size_t i = 0; i < len; i++) {
		text_char(text, digits[byte[i] >> 4]);
		text_char(text, digits[byte[i] & 15]);
	}
	text_char(text, '"');
}

static void
put_escaped(struct text *text, char c)
{
	if (c == '"' || c == '\\') {
		text_char(text, '\\');
		text_char(text, c);
	} else if (c == '\n') {
		text_puts(text, "\\n");
	} else if ((unsigned char)c < ' ') {
		text_printf(text, "\\u%04x", (unsigned char)c);
	} else {
		text_char(text, c);
	}
}

bool
line_text(struct text *text, const char *name, const char *bytes, size_t len)
{
	if (text_utf8_prefix(bytes, len) != len || memchr(bytes, '\0', len) != NULL)
		return false;
	if (text_failed(text))
		return true;
	put_name(text, name);
	text_char(text, '"');
	for (size_t i = 0; i < len; i++)
		put_escaped(text, bytes[i]);
	text_char(text, '"');
	return true;
}

void
line_end(struct text *text)
{
	text_puts(text, "}\n");
}

static bool
fail(struct reader *reader, const char *why)
{
	reader->why = why;
	return false;
}

static void
skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r')
		reader->at++;
}

static bool
take(struct reader *reader, char c, const char *why)
{
	skip_blanks(reader);
	if (*reader->at != c)
		return fail(reader, why);
	reader->at++;
	return true;
}

/* Four digits of an escape; false if they are none. */
static bool
read_unit(struct reader *reader, uint32_t *unit)
{
	uint32_t value = 0;
	for (int i = 0; i < 4; i++) {
		int digit = text_hex(*reader->at);
		if (digit < 0)
			return false;
		value = value << 4 | (uint32_t)digit;
		reader->at++;
	}
	*unit = value;
	return true;
}

/* What follows \u; an escape is longer than what it stands for. */
static bool
read_code(struct reader *reader, char **to)
{
	uint32_t high, low = 0xDC00;
	if (!read_unit(reader, &high) || high == 0 || (high >= 0xDC00 && high <= 0xDFFF))
		return false;
	if (high < 0xD800 || high > 0xDFFF) {
		*to += text_utf8_put(high, *to);
		return true;
	}
	if (reader->at[0] != '\\' || reader->at[1] != 'u')
		return false;
	reader->at += 2;
	if (!read_unit(reader, &low) || low < 0xDC00 || low > 0xDFFF)
		return false;
	*to += text_utf8_put(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), *to);
	return true;
}

static bool
read_escape(struct reader *reader, char **to)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	char name = *reader->at;
	const char *found = name == '\0' ? NULL : strchr(names, name);
	if (found == NULL && name != 'u')
		return false;
	reader->at++;
	if (found == NULL)
		return read_code(reader, to);
	*(*to)++ = values[found - names];
	return true;
}

/* A string, decoded in place: it only gets shorter. */
static bool
read_string(struct reader *reader, const char **text, size_t *len)
{
	if (!take(reader, '"', "a text is missing"))
		return false;
	char *from = reader->at, *to = from;
	while (*reader->at != '"') {
		unsigned char c = (unsigned char)*reader->at;
		if (reader->at >= reader->end)
			return fail(reader, "a text does not end");
		if (c < ' ')
			return fail(reader, "a control character stands in a text");
		reader->at++;
		if (c != '\\')
			*to++ = (char)c;
		else if (!read_escape(reader, &to))
			return fail(reader, "an escape in a text is none");
	}
	reader->at++;
	*to = '\0';
	*text = from;
	*len = (size_t)(to - from);
	return true;
}

static bool
read_number(struct reader *reader, int64_t *number)
{
	bool minus = *reader->at == '-';
	char *digits = reader->at += minus;
	uint64_t value, most = (uint64_t)INT64_MAX + minus;
	while (*reader->at >= '0' && *reader->at <= '9')
		reader->at++;
	if (!text_read_uint(digits, (size_t)(reader->at - digits), most, &value) || (minus && value == 0))
		return fail(reader, "a value is neither a whole number of 64 bits nor a text nor null");
	*number = minus ? (int64_t)(~value + 1) : (int64_t)value;
	return true;
}

static bool
read_value(struct reader *reader, struct line_field *field)
{
	skip_blanks(reader);
	if (strncmp(reader->at, "null", 4) == 0) {
		reader->at += 4;
		return true;
	}
	field->kind = *reader->at == '"' ? LINE_TEXT : LINE_INT;
	if (field->kind == LINE_TEXT)
		return read_string(reader, &field->text, &field->len);
	return read_number(reader, &field->number);
}

static bool
read_field(struct reader *reader, struct line_field *fields, unsigned max, unsigned *count)
{
	size_t len;
	struct line_field field = {0};
	if (*count == max)
		return fail(reader, "it has more fields than any row");
	if (!read_string(reader, &field.name, &len) || !take(reader, ':', "a colon is missing") ||
	    !read_value(reader, &field))
		return false;
	if (line_find(fields, *count, field.name) != NULL)
		return fail(reader, "a field stands twice");
	fields[(*count)++] = field;
	return true;
}

static bool
read_fields(struct reader *reader, struct line_field *fields, unsigned max, unsigned *count)
{
	if (!take(reader, '{', "it is no JSON object"))
		return false;
	do {
		if (!read_field(reader, fields, max, count))
			return false;
		skip_blanks(reader);
	} while (*reader->at == ',' && reader->at++);
	if (!take(reader, '}', "the object does not end"))
		return false;
	skip_blanks(reader);
	return reader->at == reader->end || fail(reader, "something stands behind the object");
}

bool
line_read(char *bytes, size_t len, struct line_field *fields, unsigned max, unsigned *count, const char **why)
{
	struct reader reader = {bytes, bytes + len, "it is not UTF-8"};
	unsigned n = 0;
	if (text_utf8_prefix(bytes, len) == len && read_fields(&reader, fields, max, &n)) {
		*count = n;
		return true;
	}
	*why = reader.why;
	return false;
}

const struct line_field *
line_find(const struct line_field *fields, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

bool
line_unhex(const char *text, size_t len, unsigned char *out)
{
	if (len % 2 != 0)
		return false;
	for (size_t i = 0; i < len; i += 2) {
		int high = text_hex_lower(text[i]), low = text_hex_lower(text[i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i / 2] = (unsigned char)(high << 4 | low);
	}
	return true;
}

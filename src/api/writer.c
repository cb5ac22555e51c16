#include "api/writer.h"

#include "base/clock.h"

/* Bytes that stand for themselves in a JSON string; the rest are escaped. */
static bool
stands_for_itself(unsigned char byte)
{
	return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f;
}

static void
escape(struct writer *writer, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";
	char text[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
	size_t len = 2;
	switch (byte) {
	case '"':
	case '\\':
		text[1] = (char)byte;
		break;
	case '\n':
		text[1] = 'n';
		break;
	case '\r':
		text[1] = 'r';
		break;
	case '\t':
		text[1] = 't';
		break;
	default:
		len = sizeof text;
	}
	writer_bytes(writer, text, len);
}

/* What is between the quotes of a string. */
static void
put_escaped(struct writer *writer, const char *text, size_t len)
{
	size_t begin = 0;
	for (size_t i = 0; i < len; i++) {
		if (stands_for_itself((unsigned char)text[i]))
			continue;
		writer_bytes(writer, text + begin, i - begin);
		escape(writer, (unsigned char)text[i]);
		begin = i + 1;
	}
	writer_bytes(writer, text + begin, len - begin);
}

void
writer_key_text(struct writer *writer, const char *key)
{
	writer_string(writer, key);
	writer_bytes(writer, ":", 1);
	writer->comma = false;
}

void
writer_string(struct writer *writer, const char *text)
{
	if (text == NULL) {
		writer_null(writer);
		return;
	}
	writer_value(writer);
	writer_bytes(writer, "\"", 1);
	put_escaped(writer, text, strlen(text));
	writer_bytes(writer, "\"", 1);
}

void
writer_int(struct writer *writer, int64_t value)
{
	char digits[24];
	size_t at = sizeof digits;
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest != 0);
	if (value < 0)
		digits[--at] = '-';
	writer_raw(writer, digits + at, sizeof digits - at);
}

void
writer_int_or_null(struct writer *writer, int64_t value)
{
	if (value == 0)
		writer_null(writer);
	else
		writer_int(writer, value);
}

void
writer_bool(struct writer *writer, bool value)
{
	if (value)
		writer_literal(writer, "true");
	else
		writer_literal(writer, "false");
}

void
writer_null(struct writer *writer)
{
	writer_literal(writer, "null");
}

void
writer_time(struct writer *writer, int64_t ms)
{
	char text[CLOCK_TEXT_MAX];
	if (ms == 0)
		writer_null(writer);
	else
		writer_plain(writer, text, clock_text(ms, text));
}

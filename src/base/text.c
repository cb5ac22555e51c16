#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ROOM_FIRST = 256 };

bool
text_reserve(struct text *text, size_t more)
{
	if (text->failed)
		return false;
	if (more < text->room - text->len)
		return true;
	/* One byte more for the NUL. */
	size_t room = text->room < ROOM_FIRST ? ROOM_FIRST : text->room;
	if (more >= SIZE_MAX / 2 - text->len)
		goto failed;
	while (room - text->len <= more)
		room *= 2;
	char *bytes = memory_resize(text->bytes, room);
	if (bytes == NULL)
		goto failed;
	text->bytes = bytes;
	text->room = room;
	return true;
failed:
	text->failed = true;
	return false;
}

void
text_put(struct text *text, const void *bytes, size_t len)
{
	if (!text_reserve(text, len))
		return;
	if (len > 0)
		memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
	text->bytes[text->len] = '\0';
}

void
text_puts(struct text *text, const char *string)
{
	text_put(text, string, strlen(string));
}

void
text_int(struct text *text, int64_t value)
{
	char digits[20], *at = digits + sizeof digits;
	/* The magnitude of INT64_MIN has no int64_t. */
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (value < 0)
		*--at = '-';
	text_put(text, at, (size_t)(digits + sizeof digits - at));
}

__attribute__((format(printf, 2, 0))) static void
print(struct text *text, const char *format, va_list values)
{
	va_list again;
	va_copy(again, values);
	size_t free_room = text->room - text->len;
	int len = vsnprintf(text->bytes == NULL ? NULL : text->bytes + text->len, free_room, format, values);
	if (len < 0)
		text->failed = true;
	else if ((size_t)len < free_room)
		text->len += (size_t)len;
	else if (text_reserve(text, (size_t)len)) {
		vsnprintf(text->bytes + text->len, (size_t)len + 1, format, again);
		text->len += (size_t)len;
	}
	/* Where it did not fit and there was no memory, what was put before stands. */
	if (text->failed && text->bytes != NULL)
		text->bytes[text->len] = '\0';
	va_end(again);
}

void
text_printf(struct text *text, const char *format, ...)
{
	if (text->failed)
		return;
	va_list values;
	va_start(values, format);
	print(text, format, values);
	va_end(values);
}

void
text_free(struct text *text)
{
	free(text->bytes);
	*text = TEXT_EMPTY;
}

bool
text_read_uint(const char *bytes, size_t len, uint64_t max, uint64_t *value)
{
	if (len == 0 || (len > 1 && bytes[0] == '0'))
		return false;
	uint64_t sum = 0;
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] < '0' || bytes[i] > '9')
			return false;
		unsigned digit = (unsigned)(bytes[i] - '0');
		if (digit > max || sum > (max - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

int
text_hex_lower(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int
text_hex(char c)
{
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : text_hex_lower(c);
}

void
text_show(FILE *file, const char *text)
{
	size_t len = strlen(text), at = 0;
	while (at < len) {
		size_t valid = at + text_utf8_prefix(text + at, len - at);
		for (; at < valid; at++) {
			unsigned char byte = (unsigned char)text[at];
			fprintf(file, byte < 0x20 || byte == 0x7f ? "\\x%02x" : "%c", byte);
		}
		if (at < len)
			fprintf(file, "\\x%02x", (unsigned char)text[at++]);
	}
}

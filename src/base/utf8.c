/* The part of text.h that knows UTF-8 (RFC 3629). */
#include <string.h>

#include "base/text.h"

/* Whether eight bytes at once are ASCII, which nearly all that is read is. */
static bool
eight_ascii(const char *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return (word & 0x8080808080808080u) == 0;
}

/*
 * The length of the sequence that a byte begins, 0 if it begins none, and the
 * range of its second byte: that alone shuts out overlong forms, surrogates
 * and what lies beyond U+10FFFF (the table in RFC 3629, section 4).
 */
static size_t
sequence(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
	*high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static bool
sequence_is_valid(const unsigned char *at, size_t left, size_t *length)
{
	unsigned char low, high;
	size_t len = sequence(at[0], &low, &high);
	if (len == 0 || len > left)
		return false;
	if (len > 1 && (at[1] < low || at[1] > high))
		return false;
	for (size_t i = 2; i < len; i++)
		if ((at[i] & 0xC0) != 0x80)
			return false;
	*length = len;
	return true;
}

size_t
text_utf8_prefix(const char *bytes, size_t len)
{
	size_t at = 0, length;
	while (at < len) {
		while (len - at >= 8 && eight_ascii(bytes + at))
			at += 8;
		if (at == len)
			break;
		if (!sequence_is_valid((const unsigned char *)bytes + at, len - at, &length))
			break;
		at += length;
	}
	return at;
}

uint32_t
text_utf8_next(const char *bytes, size_t len, size_t *at)
{
	const unsigned char *from = (const unsigned char *)bytes + *at;
	unsigned char low, high;
	size_t length = sequence(from[0], &low, &high);
	/* Not valid after all: one byte, so that no loop stands still or runs past the end. */
	if (length < 2 || length > len - *at) {
		++*at;
		return from[0];
	}
	uint32_t code_point = from[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++)
		code_point = code_point << 6 | (from[i] & 0x3Fu);
	*at += length;
	return code_point;
}

size_t
text_utf8_put(uint32_t code_point, char out[static 4])
{
	if (code_point < 0x80) {
		out[0] = (char)code_point;
		return 1;
	}
	unsigned more = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
	out[0] = (char)((0xFF00 >> (more + 1) & 0xFF) | code_point >> (6 * more));
	for (unsigned i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (code_point >> (6 * (more - i)) & 0x3F));
	return more + 1;
}

size_t
text_utf8_count(const char *bytes, size_t len)
{
	size_t count = 0;
	for (size_t i = 0; i < len; i++)
		count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
	return count;
}

bool
text_name_char(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7F && c <= 0x9F))
		return false; /* C0, DEL, C1 */
	if (c == 0x2028 || c == 0x2029)
		return false; /* line and paragraph separator */
	if (c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x206F))
		return false; /* text direction: marks, embeddings, overrides, isolates, and the deprecated ones */
	if ((c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF)
		return false; /* no code points of text at all */
	return !(c >= 0xFDD0 && c <= 0xFDEF) && (c & 0xFFFE) != 0xFFFE;
}

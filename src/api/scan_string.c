/* Strings of JSON, with what is escaped in them. */
#include <string.h>

#include "api/scan_inside.h"
#include "base/text.h"

/* The four digits behind \u. */
static bool
scan_hex4(struct scan *scan, uint32_t *unit)
{
	uint32_t value = 0;
	for (int i = 0; i < 4; i++) {
		int next = scan_peek(scan), digit = next < 0 ? -1 : text_hex((char)next);
		if (digit < 0)
			return scan_fail(scan, "\\u wants four hexadecimal digits");
		value = value << 4 | (uint32_t)digit;
		scan->at++;
	}
	*unit = value;
	return true;
}

/* What stands behind \u: one code point, which may be written as a pair of surrogates. */
static bool
scan_unicode(struct scan *scan, uint32_t *point)
{
	size_t begin = scan->at - 2;
	uint32_t low;
	if (!scan_hex4(scan, point))
		return false;
	if (*point == 0)
		return scan_fail_at(scan, begin, "\\u0000 is not allowed");
	if (*point < 0xd800 || *point > 0xdfff)
		return true;
	if (*point > 0xdbff || !scan_take(scan, '\\') || !scan_take(scan, 'u'))
		return scan_fail_at(scan, begin, "a surrogate stands alone");
	if (!scan_hex4(scan, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return scan_fail_at(scan, begin, "a surrogate stands alone");
	*point = 0x10000 + ((*point - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/* An escape, its backslash taken already; what it stands for goes to *point. */
static bool
scan_escape(struct scan *scan, uint32_t *point)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	int byte = scan_peek(scan);
	if (byte == 'u') {
		scan->at++;
		return scan_unicode(scan, point);
	}
	const char *letter = byte > 0 ? strchr(letters, byte) : NULL;
	if (letter == NULL)
		return scan_fail(scan, "there is no such escape");
	scan->at++;
	*point = (unsigned char)meant[letter - letters];
	return true;
}

bool
scan_string(struct scan *scan, char *out, size_t *out_len)
{
	size_t len = 0;
	if (!scan_take(scan, '"'))
		return scan_fail(scan, "a string was expected");
	for (int byte; (byte = scan_peek(scan)) != '"';) {
		uint32_t point;
		if (byte < 0x20)
			return scan_fail(scan, "a control character must be escaped");
		scan->at++;
		if (byte != '\\') {
			if (out != NULL)
				out[len++] = (char)byte;
		} else if (!scan_escape(scan, &point)) {
			return false;
		} else if (out != NULL) {
			len += text_utf8_put(point, out + len);
		}
	}
	scan->at++;
	if (out_len != NULL)
		*out_len = len;
	return true;
}

size_t
scan_string_room(const struct scan *scan)
{
	size_t at = scan->at + 1;
	while (at < scan->len && scan->bytes[at] != '"')
		at += scan->bytes[at] == '\\' ? 2 : 1;
	return at - scan->at + 2;
}

#include "api/scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

/* No number that is read here has more characters. */

/* A key of an object that is still open, unescaped. */
struct key {
	const char *bytes;
	size_t len;
	size_t at;
};

struct scan {
	struct arena *arena;
	const char *bytes;
	size_t len, at;
	unsigned depth;
	unsigned values;
	const char *why;  /* set once, by whoever fails first; at is then the place */
	bool memory;      /* what failed was memory */
	struct key *keys; /* of all open objects, the innermost last */
	unsigned key_count, key_room;
};

static bool scan_value(struct scan *scan);

static bool
fail_at(struct scan *scan, size_t at, const char *why)
{
	scan->at = at;
	scan->why = why;
	return false;
}

static bool
fail(struct scan *scan, const char *why)
{
	return fail_at(scan, scan->at, scan->at < scan->len ? why : "the text ends too soon");
}

static bool
fail_memory(struct scan *scan)
{
	scan->memory = true;
	return false;
}

/* The next byte, or -1 at the end. */
static int
peek(const struct scan *scan)
{
	return scan->at < scan->len ? (unsigned char)scan->bytes[scan->at] : -1;
}

static bool
take(struct scan *scan, char byte)
{
	if (peek(scan) != byte)
		return false;
	scan->at++;
	return true;
}

static void
skip_space(struct scan *scan)
{
	while (scan->at < scan->len && memchr(" \t\n\r", scan->bytes[scan->at], 4) != NULL)
		scan->at++;
}

static int
hex_digit(int byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	if (byte >= 'A' && byte <= 'F')
		return byte - 'A' + 10;
	return -1;
}

/* The four digits behind \u. */
static bool
scan_hex4(struct scan *scan, uint32_t *unit)
{
	uint32_t value = 0;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(peek(scan));
		if (digit < 0)
			return fail(scan, "\\u wants four hexadecimal digits");
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
		return fail_at(scan, begin, "\\u0000 is not allowed");
	if (*point < 0xd800 || *point > 0xdfff)
		return true;
	if (*point > 0xdbff || !take(scan, '\\') || !take(scan, 'u'))
		return fail_at(scan, begin, "a surrogate stands alone");
	if (!scan_hex4(scan, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return fail_at(scan, begin, "a surrogate stands alone");
	*point = 0x10000 + ((*point - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

static size_t
put_utf8(char *out, uint32_t point)
{
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		out[0] = (char)(0xc0 | point >> 6);
		out[1] = (char)(0x80 | (point & 0x3f));
		return 2;
	}
	if (point < 0x10000) {
		out[0] = (char)(0xe0 | point >> 12);
		out[1] = (char)(0x80 | (point >> 6 & 0x3f));
		out[2] = (char)(0x80 | (point & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | point >> 18);
	out[1] = (char)(0x80 | (point >> 12 & 0x3f));
	out[2] = (char)(0x80 | (point >> 6 & 0x3f));
	out[3] = (char)(0x80 | (point & 0x3f));
	return 4;
}

/* An escape, its backslash taken already; what it stands for goes to *point. */
static bool
scan_escape(struct scan *scan, uint32_t *point)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	int byte = peek(scan);
	if (byte == 'u') {
		scan->at++;
		return scan_unicode(scan, point);
	}
	const char *letter = byte > 0 ? strchr(letters, byte) : NULL;
	if (letter == NULL)
		return fail(scan, "there is no such escape");
	scan->at++;
	*point = (unsigned char)meant[letter - letters];
	return true;
}

/*
 * A string, from its quote on.  With out, which has room for all that is left
 * of the text, what it stands for is put there: never longer than it is written.
 */
static bool
scan_string(struct scan *scan, char *out, size_t *out_len)
{
	size_t len = 0;
	if (!take(scan, '"'))
		return fail(scan, "a string was expected");
	for (int byte; (byte = peek(scan)) != '"';) {
		uint32_t point;
		if (byte < 0x20)
			return fail(scan, "a control character must be escaped");
		scan->at++;
		if (byte != '\\') {
			if (out != NULL)
				out[len++] = (char)byte;
		} else if (!scan_escape(scan, &point)) {
			return false;
		} else if (out != NULL) {
			len += put_utf8(out + len, point);
		}
	}
	scan->at++;
	if (out_len != NULL)
		*out_len = len;
	return true;
}

/* How long the string that begins here can be at most: up to the next quote that no backslash stands before. */
static size_t
string_room(const struct scan *scan)
{
	size_t at = scan->at + 1;
	while (at < scan->len && scan->bytes[at] != '"')
		at += scan->bytes[at] == '\\' ? 2 : 1;
	return at - scan->at + 2;
}

static bool
key_grow(struct scan *scan)
{
	if (scan->key_count < scan->key_room)
		return true;
	unsigned room = scan->key_room == 0 ? 16 : scan->key_room * 2;
	struct key *keys = arena_take(scan->arena, room * sizeof *keys);
	if (keys == NULL)
		return fail_memory(scan);
	if (scan->key_count > 0)
		memcpy(keys, scan->keys, scan->key_count * sizeof *keys);
	scan->keys = keys;
	scan->key_room = room;
	return true;
}

static bool
scan_key(struct scan *scan)
{
	if (peek(scan) != '"')
		return fail(scan, "a member's name in quotes was expected");
	if (!key_grow(scan))
		return false;
	struct key *key = &scan->keys[scan->key_count];
	char *bytes = arena_take(scan->arena, string_room(scan));
	if (bytes == NULL)
		return fail_memory(scan);
	*key = (struct key){.bytes = bytes, .at = scan->at};
	if (!scan_string(scan, bytes, &key->len))
		return false;
	scan->key_count++;
	return true;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct key *left = a, *right = b;
	if (left->len != right->len)
		return left->len < right->len ? -1 : 1;
	int order = memcmp(left->bytes, right->bytes, left->len);
	if (order != 0)
		return order;
	return left->at < right->at ? -1 : left->at > right->at;
}

/* At the end of an object: no two of its keys are the same.  Sorted, so that many keys cost no more than they should.
 */
static bool
keys_differ(struct scan *scan, unsigned first)
{
	unsigned count = scan->key_count - first;
	struct key *keys = scan->keys == NULL ? NULL : scan->keys + first;
	scan->key_count = first;
	if (count < 2)
		return true;
	qsort(keys, count, sizeof *keys, compare_keys);
	for (unsigned i = 1; i < count; i++) {
		if (keys[i].len == keys[i - 1].len && memcmp(keys[i].bytes, keys[i - 1].bytes, keys[i].len) == 0)
			return fail_at(scan, keys[i].at, "the object has a member of this name already");
	}
	return true;
}

static bool
scan_member(struct scan *scan)
{
	skip_space(scan);
	if (!scan_key(scan))
		return false;
	skip_space(scan);
	if (!take(scan, ':'))
		return fail(scan, "a colon was expected");
	return scan_value(scan);
}

/* What an object and an array have in common: entries with commas between them. */
static bool
scan_entries(struct scan *scan, char end, bool (*entry)(struct scan *scan))
{
	if (scan->depth == LIMIT_JSON_DEPTH)
		return fail(scan, "too many arrays and objects inside one another");
	scan->depth++;
	scan->at++;
	skip_space(scan);
	if (!take(scan, end)) {
		do {
			if (!entry(scan))
				return false;
			skip_space(scan);
		} while (take(scan, ','));
		if (!take(scan, end))
			return fail(scan, end == '}' ? "a comma or } was expected" : "a comma or ] was expected");
	}
	scan->depth--;
	return true;
}

static bool
scan_object(struct scan *scan)
{
	unsigned first = scan->key_count;
	return scan_entries(scan, '}', scan_member) && keys_differ(scan, first);
}

static bool
scan_digits(struct scan *scan)
{
	size_t begin = scan->at;
	while (peek(scan) >= '0' && peek(scan) <= '9')
		scan->at++;
	return scan->at > begin || fail(scan, "a digit was expected");
}

/* The exponent at an e, cut to one beyond which nothing changes: no number that is read here has so many digits. */
static long
exponent_at(const char *e)
{
	long exponent = strtol(e + 1, NULL, 10), most = LIMIT_JSON_NUMBER * 2;
	return exponent > most ? most : exponent < -most ? -most : exponent;
}

/*
 * Whether the text of a number stands for an integer: all its digits behind the
 * point, once the exponent has moved it, are zeroes.
 */
static bool
stands_for_integer(const char *text)
{
	const char *e = strpbrk(text, "eE");
	size_t len = e == NULL ? strlen(text) : (size_t)(e - text);
	const char *point = memchr(text, '.', len);
	long exponent = e == NULL ? 0 : exponent_at(e);
	if (point != NULL)
		exponent -= (long)(len - (size_t)(point - text) - 1);
	for (size_t i = len; i > 0; i--) {
		if (text[i - 1] == '.' || text[i - 1] == '-')
			continue;
		if (text[i - 1] != '0')
			return exponent >= 0;
		exponent++;
	}
	return true;
}

static bool
check_number(struct scan *scan, size_t begin)
{
	char text[LIMIT_JSON_NUMBER + 1];
	size_t len = scan->at - begin;
	if (len > LIMIT_JSON_NUMBER)
		return fail_at(scan, begin, "the number has too many digits");
	memcpy(text, scan->bytes + begin, len);
	text[len] = '\0';
	double value = strtod(text, NULL);
	if (!(value > -9007199254740992.0 && value < 9007199254740992.0))
		return fail_at(scan, begin, "the number is not between -2^53 and 2^53");
	/* Rounded to an integer, it would pass for one. */
	if (value == (double)(int64_t)value && !stands_for_integer(text))
		return fail_at(scan, begin, "the number has more digits than can be kept");
	return true;
}

static bool
scan_number(struct scan *scan)
{
	size_t begin = scan->at;
	take(scan, '-');
	if (take(scan, '0')) {
		if (peek(scan) >= '0' && peek(scan) <= '9')
			return fail_at(scan, begin, "a number has no leading zero");
	} else if (!scan_digits(scan)) {
		return false;
	}
	if (take(scan, '.') && !scan_digits(scan))
		return false;
	if (take(scan, 'e') || take(scan, 'E')) {
		if (!take(scan, '+'))
			take(scan, '-');
		if (!scan_digits(scan))
			return false;
	}
	return check_number(scan, begin);
}

static bool
scan_word(struct scan *scan, const char *word)
{
	size_t len = strlen(word);
	if (scan->len - scan->at < len || memcmp(scan->bytes + scan->at, word, len) != 0)
		return fail(scan, "a value was expected");
	scan->at += len;
	return true;
}

static bool
scan_value(struct scan *scan)
{
	skip_space(scan);
	if (++scan->values > LIMIT_JSON_VALUES)
		return fail(scan, "there are too many values");
	switch (peek(scan)) {
	case '{':
		return scan_object(scan);
	case '[':
		return scan_entries(scan, ']', scan_value);
	case '"':
		return scan_string(scan, NULL, NULL);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	case '-':
	case '0' ... '9':
		return scan_number(scan);
	default:
		return fail(scan, "a value was expected");
	}
}

enum fault
scan_json(struct arena *arena, const char *bytes, size_t len, size_t *at, const char **why)
{
	struct scan scan = {.arena = arena, .bytes = bytes, .len = len};
	size_t valid = text_utf8_prefix(bytes, len);
	bool good;
	if (valid < len)
		good = fail_at(&scan, valid, "the text is not UTF-8");
	else if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		good = fail(&scan, "a byte order mark may not stand before the value");
	else
		good = scan_value(&scan);
	if (good) {
		skip_space(&scan);
		good = scan.at == len || fail(&scan, "something stands behind the value");
	}
	if (good)
		return FAULT_NONE;
	if (scan.memory)
		return FAULT_OUT_OF_MEMORY;
	*at = scan.at;
	*why = scan.why;
	return FAULT_MALFORMED_JSON;
}

/* The strict scanner: values, arrays, objects and their keys. */
#include "api/scan.h"

#include <stdlib.h>
#include <string.h>

#include "api/scan_inside.h"
#include "base/limits.h"
#include "base/text.h"

/* A key of an object that is still open, unescaped. */
struct scan_key {
	const char *bytes;
	size_t len;
	size_t at;
};

static bool scan_value(struct scan *scan);

bool
scan_fail_at(struct scan *scan, size_t at, const char *why)
{
	scan->at = at;
	scan->why = why;
	return false;
}

bool
scan_fail(struct scan *scan, const char *why)
{
	return scan_fail_at(scan, scan->at, scan->at < scan->len ? why : "the text ends too soon");
}

static bool
fail_memory(struct scan *scan)
{
	scan->memory = true;
	return false;
}

static void
skip_space(struct scan *scan)
{
	while (scan->at < scan->len && memchr(" \t\n\r", scan->bytes[scan->at], 4) != NULL)
		scan->at++;
}

static bool
key_grow(struct scan *scan)
{
	if (scan->key_count < scan->key_room)
		return true;
	unsigned room = scan->key_room == 0 ? 16 : scan->key_room * 2;
	struct scan_key *keys = arena_take(scan->arena, room * sizeof *keys);
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
	if (scan_peek(scan) != '"')
		return scan_fail(scan, "a member's name in quotes was expected");
	if (!key_grow(scan))
		return false;
	struct scan_key *key = &scan->keys[scan->key_count];
	char *bytes = arena_take(scan->arena, scan_string_room(scan));
	if (bytes == NULL)
		return fail_memory(scan);
	*key = (struct scan_key){.bytes = bytes, .at = scan->at};
	if (!scan_string(scan, bytes, &key->len))
		return false;
	scan->key_count++;
	return true;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct scan_key *left = a, *right = b;
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
	struct scan_key *keys = scan->keys == NULL ? NULL : scan->keys + first;
	scan->key_count = first;
	if (count < 2)
		return true;
	qsort(keys, count, sizeof *keys, compare_keys);
	for (unsigned i = 1; i < count; i++) {
		if (keys[i].len == keys[i - 1].len && memcmp(keys[i].bytes, keys[i - 1].bytes, keys[i].len) == 0)
			return scan_fail_at(scan, keys[i].at, "the object has a member of this name already");
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
	if (!scan_take(scan, ':'))
		return scan_fail(scan, "a colon was expected");
	return scan_value(scan);
}

/* What an object and an array have in common: entries with commas between them. */
static bool
scan_entries(struct scan *scan, char end, bool (*entry)(struct scan *scan))
{
	if (scan->depth == LIMIT_JSON_DEPTH)
		return scan_fail(scan, "too many arrays and objects inside one another");
	scan->depth++;
	scan->at++;
	skip_space(scan);
	if (!scan_take(scan, end)) {
		do {
			if (!entry(scan))
				return false;
			skip_space(scan);
		} while (scan_take(scan, ','));
		if (!scan_take(scan, end))
			return scan_fail(scan, end == '}' ? "a comma or } was expected" : "a comma or ] was expected");
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
scan_word(struct scan *scan, const char *word)
{
	size_t len = strlen(word);
	if (scan->len - scan->at < len || memcmp(scan->bytes + scan->at, word, len) != 0)
		return scan_fail(scan, "a value was expected");
	scan->at += len;
	return true;
}

static bool
scan_value(struct scan *scan)
{
	skip_space(scan);
	if (++scan->values > LIMIT_JSON_VALUES)
		return scan_fail(scan, "there are too many values");
	switch (scan_peek(scan)) {
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
		return scan_fail(scan, "a value was expected");
	}
}

enum fault
scan_json(struct arena *arena, const char *bytes, size_t len, size_t *at, const char **why)
{
	struct scan scan = {.arena = arena, .bytes = bytes, .len = len};
	size_t valid = text_utf8_prefix(bytes, len);
	bool good;
	if (valid < len)
		good = scan_fail_at(&scan, valid, "the text is not UTF-8");
	else if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		good = scan_fail(&scan, "a byte order mark may not stand before the value");
	else
		good = scan_value(&scan);
	if (good) {
		skip_space(&scan);
		good = scan.at == len || scan_fail(&scan, "something stands behind the value");
	}
	if (good)
		return FAULT_NONE;
	if (scan.memory)
		return FAULT_OUT_OF_MEMORY;
	*at = scan.at;
	*why = scan.why;
	return FAULT_MALFORMED_JSON;
}

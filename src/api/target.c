#include "api/target.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

enum decoding { DECODE_SEGMENT, DECODE_QUERY };

/* The byte that an escape stands for; -1 with *why. */
static int
unescape(const char *bytes, size_t left, enum decoding decoding, const char **why)
{
	int high = left < 3 ? -1 : text_hex(bytes[1]), low = left < 3 ? -1 : text_hex(bytes[2]);
	int byte = high < 0 || low < 0 ? -1 : high << 4 | low;
	if (byte < 0)
		*why = "a percent sign is not followed by two hexadecimal digits";
	else if (byte == 0)
		*why = "%00 is not allowed";
	else if (byte == '/' && decoding == DECODE_SEGMENT)
		*why = "%2F is not allowed in a path";
	else
		return byte;
	return -1;
}

static enum fault
decode(struct arena *arena, const char *bytes, size_t len, enum decoding decoding, struct target_segment *out,
    const char **why)
{
	char *decoded = arena_take(arena, len + 1);
	size_t count = 0;
	if (decoded == NULL)
		return FAULT_OUT_OF_MEMORY;
	for (size_t i = 0; i < len; i++) {
		int byte = (unsigned char)bytes[i];
		if (byte <= 0x20 || byte == 0x7f) {
			*why = "a space or control character stands in it";
			return FAULT_MALFORMED_TARGET;
		}
		if (byte == '%') {
			byte = unescape(bytes + i, len - i, decoding, why);
			if (byte < 0)
				return FAULT_MALFORMED_TARGET;
			i += 2;
		} else if (byte == '+' && decoding == DECODE_QUERY) {
			byte = ' ';
		}
		decoded[count++] = (char)byte;
	}
	decoded[count] = '\0';
	if (text_utf8_prefix(decoded, count) != count) {
		*why = "it is not UTF-8";
		return FAULT_MALFORMED_TARGET;
	}
	*out = (struct target_segment){decoded, count};
	return FAULT_NONE;
}

/* An http URI, as proxies may send it (RFC 9112, 3.2.2), without its scheme and authority. */
static const char *
origin_form(const char *target)
{
	size_t scheme = strncasecmp(target, "http://", 7) == 0 ? 7 : strncasecmp(target, "https://", 8) == 0 ? 8 : 0;
	if (scheme == 0)
		return target;
	const char *path = target + scheme + strcspn(target + scheme, "/?");
	return *path == '\0' ? "/" : path;
}

enum fault
target_path(struct arena *arena, const char *target, struct target_path *path, const char **why)
{
	const char *at = origin_form(target);
	if (*at != '/' || strchr(at, '#') != NULL) {
		*why = *at != '/' ? "it does not begin with a slash" : "a # stands in it";
		return FAULT_MALFORMED_TARGET;
	}
	path->count = 0;
	while (*at == '/') {
		struct target_segment segment;
		size_t len = strcspn(++at, "/?");
		enum fault fault = decode(arena, at, len, DECODE_SEGMENT, &segment, why);
		if (fault != FAULT_NONE)
			return fault;
		if (path->count < LIMIT_SEGMENTS)
			path->segments[path->count] = segment;
		if (path->count <= LIMIT_SEGMENTS)
			path->count++;
		at += len;
	}
	path->query = *at == '?' ? at + 1 : NULL;
	return FAULT_NONE;
}

enum fault
target_parameter(struct arena *arena, const char **query, const char **name, const char **value, const char **why)
{
	const char *at = *query + strspn(*query, "&");
	size_t len = strcspn(at, "&"), name_len = strcspn(at, "=&");
	struct target_segment key, text = {"", 0};
	*name = NULL;
	if (len == 0)
		return FAULT_NONE;
	enum fault fault = decode(arena, at, name_len, DECODE_QUERY, &key, why);
	if (fault == FAULT_NONE && name_len < len)
		fault = decode(arena, at + name_len + 1, len - name_len - 1, DECODE_QUERY, &text, why);
	if (fault != FAULT_NONE)
		return fault;
	*name = key.bytes;
	*value = text.bytes;
	*query = at + len;
	return FAULT_NONE;
}

bool
target_is_base(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	unsigned parts = 0;
	const char *at = text;
	for (; *at == '/'; parts++) {
		size_t len = strspn(++at, plain);
		/* Browsers walk . and .. away. */
		if (len == 0 || strspn(at, ".") == len)
			return false;
		at += len;
	}
	return *at == '\0' && parts > 0 && parts <= TARGET_BASE_PARTS && at - text <= 64;
}

#include "api/cursor.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t
hash_bytes(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
	return hash;
}

void
cursor_write(const struct cursor *cursor, const char *filters, char text[CURSOR_LEN + 1])
{
	int len = snprintf(text, CURSOR_LEN + 1, "c1%.26s%016llx", cursor->id, (unsigned long long)cursor->updated_ms);
	uint64_t hash = hash_bytes(0xcbf29ce484222325, text, (size_t)len);
	hash = hash_bytes(hash, filters, strlen(filters));
	snprintf(text + len, CURSOR_LEN + 1 - (size_t)len, "%016llx", (unsigned long long)hash);
}

static bool
read_hex(const char *text, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t read = 0;
	for (int i = 0; i < 16; i++) {
		const char *digit = text[i] == '\0' ? NULL : strchr(digits, text[i]);
		if (digit == NULL)
			return false;
		read = read << 4 | (uint64_t)(digit - digits);
	}
	*value = read;
	return true;
}

bool
cursor_read(const char *text, const char *filters, struct cursor *cursor)
{
	char again[CURSOR_LEN + 1];
	struct cursor read = {.updated_ms = 0};
	uint64_t updated;
	if (strlen(text) != CURSOR_LEN || !token_is_id(text + 2, ID_LEN) || !read_hex(text + 2 + ID_LEN, &updated))
		return false;
	memcpy(read.id, text + 2, ID_LEN);
	read.updated_ms = (int64_t)updated;
	cursor_write(&read, filters, again);
	if (read.updated_ms < 0 || strcmp(again, text) != 0)
		return false;
	*cursor = read;
	return true;
}

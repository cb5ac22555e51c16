#include "play/quote.h"

#include <stdio.h>
#include <string.h>

void
quote_json(struct text *out, const char *string)
{
	text_char(out, '"');
	for (;;) {
		/* What needs no escape is put in one piece: names seldom hold anything else. */
		size_t plain = 0;
		while ((unsigned char)string[plain] >= 0x20 && string[plain] != '"' && string[plain] != '\\')
			plain++;
		text_put(out, string, plain);
		string += plain;
		if (*string == '\0')
			break;
		if (*string == '"' || *string == '\\') {
			text_char(out, '\\');
			text_char(out, *string);
		} else {
			text_printf(out, "\\u%04x", (unsigned)(unsigned char)*string);
		}
		string++;
	}
	text_char(out, '"');
}

/* The byte that \u00XY stands for; 0 if it is not one that quote_json writes. */
static char
read_control(const char *at)
{
	if (at[0] != '0' || at[1] != '0' || at[2] < '0' || at[2] > '1' || text_hex_lower(at[3]) < 0)
		return '\0';
	return (char)((at[2] - '0') * 16 + text_hex_lower(at[3]));
}

char *
quote_json_read(struct arena *arena, const char **at)
{
	const char *from = *at;
	if (*from++ != '"')
		return NULL;
	/* No escape is shorter than what it stands for. */
	char *string = arena_take(arena, strlen(from) + 1), *to = string;
	if (string == NULL)
		return NULL;
	while (*from != '"') {
		char c = *from++;
		if (c == '\\' && *from == 'u') {
			c = read_control(from + 1);
			from += c == '\0' ? 0 : 5;
		} else if (c == '\\') {
			c = *from == '"' || *from == '\\' ? *from++ : '\0';
		}
		if (c == '\0')
			return NULL;
		*to++ = c;
	}
	*to = '\0';
	*at = from + 1;
	return string;
}

/* What stands behind the quoted name and its colon; NULL if it is not there. */
static const char *
find_member(const char *object, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = object; (at = strstr(at, name)) != NULL; at += len)
		if (at > object && at[-1] == '"' && at[len] == '"' && at[len + 1] == ':')
			return at + len + 2;
	return NULL;
}

char *
quote_json_member(struct arena *arena, const char *object, const char *name)
{
	const char *at = find_member(object, name);
	return at == NULL ? NULL : quote_json_read(arena, &at);
}

int64_t
quote_json_number(const char *object, const char *name)
{
	uint64_t number;
	const char *at = find_member(object, name);
	return at != NULL && text_read_uint(at, strspn(at, "0123456789"), INT64_MAX, &number) ? (int64_t)number : -1;
}

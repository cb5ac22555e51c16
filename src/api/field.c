#include "api/field.h"

#include <stdbool.h>
#include <string.h>

static bool
token_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       (byte != '\0' && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

size_t
field_token(const char *text)
{
	size_t len = 0;
	while (token_byte(text[len]))
		len++;
	return len;
}

const char *
field_skip_space(const char *text)
{
	return text + strspn(text, " \t");
}

const char *
field_skip_quoted(const char *text)
{
	for (text++; *text != '"'; text++) {
		if (*text == '\\')
			text++;
		if (*text == '\0')
			return NULL;
	}
	return text + 1;
}

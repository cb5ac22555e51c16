#include "api/prefer.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "api/field.h"

/* Some bytes of the header; a value is without its quotes. */
struct span {
	const char *bytes;
	size_t len;
};

/* One preference, or one of its parameters: a name, and a value that may be empty. */
struct pair {
	struct span name, value;
};

static struct span
token_at(const char *text)
{
	return (struct span){text, field_token(text)};
}

/* Reads `name`, `name=value` or `name="value"` and moves *at behind it; false if none stands there. */
static bool
read_pair(const char **at, struct pair *pair)
{
	*pair = (struct pair){.name = token_at(*at)};
	const char *end = pair->name.bytes + pair->name.len, *c = field_skip_space(end);
	if (pair->name.len == 0)
		return false;
	if (*c == '=') {
		c = field_skip_space(c + 1);
		bool quoted = *c == '"';
		pair->value = token_at(c);
		end = quoted ? field_skip_quoted(c) : c + pair->value.len;
		if (end == NULL)
			return false;
		if (quoted)
			pair->value = (struct span){c + 1, (size_t)(end - c) - 2};
	}
	*at = end;
	return true;
}

/* Moves *at behind the parameters of a preference; false if they cannot be read. */
static bool
skip_parameters(const char **at)
{
	struct pair parameter;
	const char *c = field_skip_space(*at);
	while (*c == ';') {
		c = field_skip_space(c + 1);
		/* One may be left out (RFC 7240, 2). */
		if (*c != ';' && *c != ',' && *c != '\0' && !read_pair(&c, &parameter))
			return false;
		c = field_skip_space(c);
	}
	*at = c;
	return *c == ',' || *c == '\0';
}

/* Behind the comma that ends the element at the text; commas in quotes end none. */
static const char *
next_element(const char *text)
{
	while (*text != '\0' && *text != ',') {
		const char *end = *text == '"' ? field_skip_quoted(text) : text + 1;
		text = end == NULL ? text + strlen(text) : end;
	}
	return text + (*text == ',');
}

static bool
is_word(struct span span, const char *word)
{
	return strlen(word) == span.len && strncasecmp(span.bytes, word, span.len) == 0;
}

/* Finds the next preference of a name from *at on and moves *at behind its element. */
static bool
next(const char **at, const char *name, struct span *value)
{
	while (**at != '\0') {
		struct pair pair;
		const char *c = field_skip_space(*at);
		bool read = read_pair(&c, &pair) && skip_parameters(&c);
		*at = next_element(*at);
		if (read && is_word(pair.name, name)) {
			*value = pair.value;
			return true;
		}
	}
	return false;
}

bool
prefer_minimal(const char *header)
{
	struct span value, other;
	if (header == NULL || !next(&header, "return", &value) || !is_word(value, "minimal"))
		return false;
	/* Who asks for both has made a mistake (RFC 7240, 4.2), and loses nothing by the whole answer. */
	while (next(&header, "return", &other))
		if (is_word(other, "representation"))
			return false;
	return true;
}

unsigned
prefer_wait(const char *header, unsigned most)
{
	struct span value;
	uint64_t seconds = 0;
	if (header == NULL || !next(&header, "wait", &value))
		return 0;
	for (size_t i = 0; i < value.len; i++) {
		if (value.bytes[i] < '0' || value.bytes[i] > '9')
			return 0;
		seconds = seconds * 10 + (uint64_t)(value.bytes[i] - '0');
		if (seconds > most)
			seconds = most;
	}
	return (unsigned)seconds;
}

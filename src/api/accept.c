#include "api/accept.h"

#include <string.h>
#include <strings.h>

#include "api/field.h"

/* One element of the header: a range of types and its weight. */
struct range {
	const char *type; /* type/subtype, either may be * */
	size_t len;
	int weight; /* thousandths; -1: cannot be read */
};

/* The length of type/subtype at the text; 0 if there is none. */
static size_t
type_len(const char *text)
{
	size_t type = field_token(text);
	if (type == 0 || text[type] != '/')
		return 0;
	size_t subtype = field_token(text + type + 1);
	return subtype == 0 ? 0 : type + 1 + subtype;
}

/* A parameter `; name=value`: its parts, with a quoted value's quotes. */
struct parameter {
	const char *name, *value;
	size_t name_len, value_len;
};

/* Reads one and moves *at behind it: 1, or 0 if none stands there, or -1 if it cannot be read. */
static int
next_parameter(const char **at, struct parameter *parameter)
{
	const char *c = field_skip_space(*at);
	if (*c != ';')
		return 0;
	c = field_skip_space(c + 1);
	parameter->name = c;
	parameter->name_len = field_token(c);
	c += parameter->name_len;
	if (parameter->name_len == 0 || *c != '=')
		return -1;
	parameter->value = ++c;
	if (*c == '"') {
		c = field_skip_quoted(c);
		if (c == NULL)
			return -1;
	} else {
		c += field_token(c);
	}
	parameter->value_len = (size_t)(c - parameter->value);
	*at = c;
	return parameter->value_len == 0 ? -1 : 1;
}

/* 0, 0.5, 1, 1.000 as thousandths; -1 if it is no weight. */
static int
weight_of(const char *text, size_t len)
{
	if (len == 0 || len > 5 || (text[0] != '0' && text[0] != '1') || (len > 1 && text[1] != '.'))
		return -1;
	int weight = (text[0] - '0') * 1000, unit = 100;
	for (size_t i = 2; i < len; i++, unit /= 10) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		weight += (text[i] - '0') * unit;
	}
	return weight > 1000 ? -1 : weight;
}

static bool
word_is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

/* Reads the element at *at and moves *at behind it and its comma. */
static void
next_range(const char **at, struct range *range)
{
	struct parameter parameter;
	const char *c = field_skip_space(*at);
	int more;
	*range = (struct range){.type = c, .len = type_len(c), .weight = 1000};
	c += range->len;
	while ((more = next_parameter(&c, &parameter)) > 0) {
		if (word_is(parameter.name, parameter.name_len, "q"))
			range->weight = weight_of(parameter.value, parameter.value_len);
		if (range->weight < 0)
			break;
	}
	c = field_skip_space(c);
	if (more < 0 || range->len == 0 || (*c != ',' && *c != '\0'))
		range->weight = -1;
	c += strcspn(c, ",");
	*at = c + (*c == ',');
}

/* How closely a range names a type: 0 not at all, 1 any type, 2 any of its kind, 3 exactly. */
static int
closeness(const struct range *range, const char *type)
{
	const char *slash = memchr(range->type, '/', range->len);
	size_t kind = (size_t)(slash - range->type);
	if (word_is(range->type, range->len, type))
		return 3;
	if (word_is(range->type, range->len, "*/*"))
		return 1;
	if (word_is(slash, range->len - kind, "/*") && strncasecmp(range->type, type, kind + 1) == 0)
		return 2;
	return 0;
}

static int
weight_for(const char *header, const char *type)
{
	int best = 0, weight = 0;
	while (*header != '\0') {
		struct range range;
		next_range(&header, &range);
		if (range.weight < 0)
			continue;
		int close = closeness(&range, type);
		if (close > best || (close == best && close > 0 && range.weight > weight)) {
			best = close;
			weight = range.weight;
		}
	}
	return weight;
}

const char *
accept_pick(const char *header, const char *const *types)
{
	const char *best = NULL;
	int best_weight = 0;
	if (header == NULL || *field_skip_space(header) == '\0' || strcmp(header, "*/*") == 0)
		return types[0];
	for (; *types != NULL; types++) {
		int weight = weight_for(header, *types);
		if (weight > best_weight) {
			best = *types;
			best_weight = weight;
		}
	}
	return best;
}

bool
accept_is_type(const char *header, const char *type)
{
	struct parameter parameter;
	const char *c = field_skip_space(header);
	size_t len = type_len(c);
	int more;
	if (!word_is(c, len, type))
		return false;
	c += len;
	while ((more = next_parameter(&c, &parameter)) > 0) {
		/* No other parameter means anything for these types. */
		if (!word_is(parameter.name, parameter.name_len, "charset") ||
		    (!word_is(parameter.value, parameter.value_len, "utf-8") &&
			!word_is(parameter.value, parameter.value_len, "\"utf-8\"")))
			return false;
	}
	return more == 0 && *field_skip_space(c) == '\0';
}

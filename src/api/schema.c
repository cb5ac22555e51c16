#include "api/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { WHY_MAX = 256 };

/* Where a value stands: the way back to the root. */
struct place {
	const struct place *parent;
	const char *key; /* NULL: an entry of an array */
	unsigned index;
};

static void check(
    const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults);

static void
put_token(const struct place *place, struct text *out)
{
	text_char(out, '/');
	if (place->key == NULL) {
		text_int(out, place->index);
		return;
	}
	for (const char *c = place->key; *c != '\0'; c++) {
		if (*c == '~')
			text_puts(out, "~0");
		else if (*c == '/')
			text_puts(out, "~1");
		else
			text_char(out, *c);
	}
}

static void
put_pointer(const struct place *place, struct text *out)
{
	if (place->parent != NULL) {
		put_pointer(place->parent, out);
		put_token(place, out);
	}
}

void
schema_add(struct schema_faults *faults, const char *pointer, const char *why)
{
	if (faults->count == LIMIT_JSON_ERRORS)
		return;
	const char *copy = arena_copy(faults->arena, pointer, strlen(pointer));
	if (copy == NULL || why == NULL)
		faults->memory = true;
	else
		faults->list[faults->count++] = (struct schema_fault){copy, why};
}

static void
add(const struct place *place, struct schema_faults *faults, const char *why)
{
	struct text pointer = TEXT_EMPTY;
	if (faults->count == LIMIT_JSON_ERRORS)
		return;
	put_pointer(place, &pointer);
	if (text_failed(&pointer))
		faults->memory = true;
	else
		schema_add(faults, pointer.bytes == NULL ? "" : pointer.bytes, why);
	text_free(&pointer);
}

__attribute__((format(printf, 2, 3))) static const char *
format_why(struct schema_faults *faults, const char *format, ...)
{
	char text[WHY_MAX];
	va_list values;
	va_start(values, format);
	int len = vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (len >= (int)sizeof text)
		len = sizeof text - 1;
	return arena_copy(faults->arena, text, (size_t)len);
}

static void
add_range(const struct schema *schema, const struct place *place, struct schema_faults *faults, const char *what)
{
	if (schema->min == schema->max)
		add(place, faults, format_why(faults, "expected %lld %s", (long long)schema->min, what));
	else
		add(place, faults,
		    format_why(
			faults, "expected %lld to %lld %s", (long long)schema->min, (long long)schema->max, what));
}

/* Adds a word to a list of them; what has no room in it is left out. */
static void
list_word(char text[WHY_MAX], size_t *len, const char *word)
{
	int more = snprintf(text + *len, WHY_MAX - *len, "%s%s", *len == 0 ? "" : ", ", word);
	if (more > 0 && *len + (size_t)more < WHY_MAX)
		*len += (size_t)more;
}

static void
check_words(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	char text[WHY_MAX] = "";
	size_t len = 0;
	for (const char *const *word = schema->words; *word != NULL; word++) {
		if (strcmp(*word, value->valuestring) == 0)
			return;
		list_word(text, &len, *word);
	}
	add(place, faults, format_why(faults, "expected one of: %s", text));
}

static void
check_string(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	const char *text = value->valuestring;
	size_t len = strlen(text);
	if (schema->words != NULL) {
		check_words(schema, value, place, faults);
		return;
	}
	size_t points = text_utf8_count(text, len);
	if (points < (size_t)schema->min || points > (size_t)schema->max)
		add_range(schema, place, faults, "characters");
	if (schema->type != SCHEMA_NAME)
		return;
	for (size_t at = 0; at < len;) {
		if (!text_name_char(text_utf8_next(text, len, &at))) {
			add(place, faults, "a name has no control, text-direction or separator characters");
			return;
		}
	}
}

static void
check_integer(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	double number = value->valuedouble;
	if (number != (double)(int64_t)number || number < (double)schema->min || number > (double)schema->max)
		add(place, faults,
		    format_why(faults, "expected an integer from %lld to %lld", (long long)schema->min,
			(long long)schema->max));
}

static void
check_entries(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	unsigned index = 0;
	for (const cJSON *entry = value->child; entry != NULL; entry = entry->next, index++) {
		struct place inside = {
		    .parent = place, .key = schema->type == SCHEMA_MAP ? entry->string : NULL, .index = index};
		if (schema->keys != NULL)
			check(schema->keys, &(cJSON){.type = cJSON_String, .valuestring = entry->string}, &inside,
			    faults);
		check(schema->each, entry, &inside, faults);
	}
	if (index < schema->min || index > schema->max)
		add_range(schema, place, faults, "entries");
}

static const struct schema_member *
find_member(const struct schema *schema, const char *name)
{
	for (const struct schema_member *member = schema->members; member->name != NULL; member++) {
		if (strcmp(member->name, name) == 0)
			return member;
	}
	return NULL;
}

static void
check_member(
    const struct schema_member *member, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	if (member == NULL) {
		add(place, faults, "there is no such member");
		return;
	}
	check(&member->value, value, place, faults);
}

/* Of members that exclude one another there are too many. */
static void
add_excess(const struct schema *schema, const struct place *place, struct schema_faults *faults)
{
	char text[WHY_MAX] = "";
	size_t len = 0;
	for (const struct schema_member *member = schema->members; member->name != NULL; member++)
		list_word(text, &len, member->name);
	add(place, faults, format_why(faults, "expected no more than %lld of: %s", (long long)schema->max, text));
}

static void
check_members(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	int64_t count = 0;
	for (const cJSON *entry = value->child; entry != NULL; entry = entry->next, count++) {
		struct place inside = {.parent = place, .key = entry->string};
		check_member(find_member(schema, entry->string), entry, &inside, faults);
	}
	for (const struct schema_member *member = schema->members; member->name != NULL; member++) {
		struct place inside = {.parent = place, .key = member->name};
		if (member->required && json_member(value, member->name) == NULL)
			add(&inside, faults, "the member is missing");
	}
	if (schema->max > 0 && count > schema->max)
		add_excess(schema, place, faults);
}

static const struct {
	int type; /* of cJSON; booleans have two */
	const char *expected;
	void (*check)(const struct schema *, const cJSON *, const struct place *, struct schema_faults *);
} types[] = {
    [SCHEMA_STRING] = {cJSON_String, "expected a string", check_string},
    [SCHEMA_NAME] = {cJSON_String, "expected a string", check_string},
    [SCHEMA_INTEGER] = {cJSON_Number, "expected an integer", check_integer},
    [SCHEMA_BOOLEAN] = {cJSON_True | cJSON_False, "expected true or false", NULL},
    [SCHEMA_TRUE] = {cJSON_True, "expected true", NULL},
    [SCHEMA_ARRAY] = {cJSON_Array, "expected an array", check_entries},
    [SCHEMA_OBJECT] = {cJSON_Object, "expected an object", check_members},
    [SCHEMA_MAP] = {cJSON_Object, "expected an object", check_entries},
};

static void
check(const struct schema *schema, const cJSON *value, const struct place *place, struct schema_faults *faults)
{
	if (schema->nullable && cJSON_IsNull(value))
		return;
	if (schema->type == SCHEMA_OBJECT && schema->words != NULL && cJSON_IsString(value))
		check_words(schema, value, place, faults);
	else if ((value->type & types[schema->type].type) == 0)
		add(place, faults, types[schema->type].expected);
	else if (types[schema->type].check != NULL)
		types[schema->type].check(schema, value, place, faults);
}

enum fault
schema_check(const struct schema *schema, const cJSON *value, struct schema_faults *faults)
{
	check(schema, value, &(struct place){0}, faults);
	if (faults->memory)
		return FAULT_OUT_OF_MEMORY;
	return faults->count > 0 ? FAULT_INVALID_BODY : FAULT_NONE;
}

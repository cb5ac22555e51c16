#include "api/json.h"

#include <pthread.h>

#include "api/scan.h"
#include "base/text.h"

/* cJSON's hooks take no argument: the arena reaches them by this, set around the parse alone. */
static _Thread_local struct arena *parse_arena;

static void *
hook_take(size_t size)
{
	return arena_take(parse_arena, size);
}

static void
hook_free(void *pointer)
{
	(void)pointer;
}

static void
set_hooks(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = hook_take, .free_fn = hook_free});
}

static void
place(const char *bytes, size_t at, struct json_fault *where)
{
	size_t line_begin = 0;
	where->line = 1;
	for (size_t i = 0; i < at; i++) {
		if (bytes[i] == '\n') {
			where->line++;
			line_begin = i + 1;
		}
	}
	where->column = 1 + (unsigned)text_utf8_count(bytes + line_begin, at - line_begin);
}

enum fault
json_read(struct arena *arena, const char *bytes, size_t len, const cJSON **value, struct json_fault *where)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t at;
	enum fault fault = scan_json(arena, bytes, len, &at, &where->why);
	if (fault == FAULT_MALFORMED_JSON)
		place(bytes, at, where);
	if (fault != FAULT_NONE)
		return fault;
	pthread_once(&once, set_hooks);
	parse_arena = arena;
	const cJSON *parsed = cJSON_ParseWithLength(bytes, len);
	parse_arena = NULL;
	/* The scanner let it through, so that only memory can have failed. */
	if (parsed == NULL)
		return FAULT_OUT_OF_MEMORY;
	*value = parsed;
	return FAULT_NONE;
}

const cJSON *
json_member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *
json_text(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(json_member(object, name));
}

int64_t
json_int(const cJSON *object, const char *name, int64_t none)
{
	const cJSON *member = json_member(object, name);
	return cJSON_IsNumber(member) ? (int64_t)cJSON_GetNumberValue(member) : none;
}

/*
 * The target of a request: path, query and route.  What is decoded holds no slash
 * and no NUL, is UTF-8, and comes out again as it was once it is encoded.
 */
#include <string.h>

#include "api/route.h"
#include "api/target.h"
#include "base/text.h"
#include "tests/fuzz/fuzz.h"

static const char *why;

static void
check_decoded(const char *bytes, size_t len)
{
	FUZZ_CHECK(strlen(bytes) == len && text_utf8_prefix(bytes, len) == len);
}

static void
put_encoded(struct text *text, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text_printf(text, "%%%02x", (unsigned char)bytes[i]);
}

/* Every byte of every segment in escapes is the same path. */
static void
check_path(struct arena *arena, const struct target_path *path)
{
	struct text text = TEXT_EMPTY;
	struct target_path again;
	FUZZ_CHECK(path->count >= 1);
	for (unsigned i = 0; i < path->count && i < LIMIT_SEGMENTS; i++) {
		check_decoded(path->segments[i].bytes, path->segments[i].len);
		FUZZ_CHECK(strchr(path->segments[i].bytes, '/') == NULL);
		text_char(&text, '/');
		put_encoded(&text, path->segments[i].bytes, path->segments[i].len);
	}
	FUZZ_CHECK(!text_failed(&text) && target_path(arena, text.bytes, &again, &why) == FAULT_NONE);
	FUZZ_CHECK(again.count == path->count || path->count > LIMIT_SEGMENTS);
	for (unsigned i = 0; i < again.count && i < LIMIT_SEGMENTS; i++)
		FUZZ_CHECK(strcmp(again.segments[i].bytes, path->segments[i].bytes) == 0);
	text_free(&text);
}

static void
check_route(const struct target_path *path)
{
	const char *params[CALL_PARAMS_MAX] = {NULL};
	const struct resource *resource = route_find(SITE_PUBLIC, path, 0, params);
	if (resource == NULL)
		return;
	unsigned variables = 0, slashes = 0;
	for (const char *at = route_template(resource); *at != '\0'; at++) {
		variables += *at == '{';
		slashes += *at == '/';
	}
	FUZZ_CHECK(slashes == path->count);
	for (unsigned i = 0; i < variables; i++)
		FUZZ_CHECK(params[i] != NULL && params[i][0] != '\0');
	FUZZ_CHECK(strstr(route_allow(resource), "OPTIONS") != NULL);
	const struct route *route = route_method(resource, METHOD_GET);
	FUZZ_CHECK(route == NULL || strcmp(route->template, route_template(resource)) == 0);
}

static void
check_parameter(struct arena *arena, const char *name, const char *value)
{
	struct text text = TEXT_EMPTY;
	const char *name_again, *value_again;
	check_decoded(name, strlen(name));
	check_decoded(value, strlen(value));
	put_encoded(&text, name, strlen(name));
	text_char(&text, '=');
	put_encoded(&text, value, strlen(value));
	const char *query = text.bytes;
	FUZZ_CHECK(target_parameter(arena, &query, &name_again, &value_again, &why) == FAULT_NONE);
	FUZZ_CHECK(name_again != NULL && strcmp(name, name_again) == 0 && strcmp(value, value_again) == 0);
	text_free(&text);
}

static void
check_query(struct arena *arena, const char *query)
{
	const char *name, *value;
	while (query != NULL && target_parameter(arena, &query, &name, &value, &why) == FAULT_NONE && name != NULL)
		check_parameter(arena, name, value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	struct target_path path;
	FUZZ_CHECK(arena != NULL);
	/* A longer one is refused before it is looked at. */
	char *target = fuzz_copy(data, size > LIMIT_TARGET ? LIMIT_TARGET : size);
	why = NULL;
	enum fault fault = target_path(arena, target, &path, &why);
	FUZZ_CHECK(fault == FAULT_NONE || (fault == FAULT_MALFORMED_TARGET && why != NULL));
	if (fault == FAULT_NONE) {
		check_path(arena, &path);
		check_route(&path);
		check_query(arena, path.query);
	}
	free(target);
	arena_close(arena);
	return 0;
}

#include "api/route.h"

#include <pthread.h>
#include <string.h>

#include "api/resources.h"

enum { ALLOW_MAX = 64, METHODS = METHOD_OTHER };

const struct route route_table[] = {
#define R(method_, template_, lane_, quota_, who_, body_, size_, parameters_, media_, handler_) \
	{.method = METHOD_##method_, \
	    .template = template_, \
	    .lane = LANE_##lane_, \
	    .quota = QUOTA_##quota_, \
	    .who = WHO_##who_, \
	    .body = BODY_##body_, \
	    .size = SIZE_##size_, \
	    .parameters = parameters_, \
	    .media = MEDIA_##media_, \
	    .to = ROUTE_TO_PUBLIC, \
	    .prepare = handler_##_prepare, \
	    .run = handler_##_run},
#define A(template_, to_, media_, handler_) \
	{.method = METHOD_GET, \
	    .template = template_, \
	    .lane = LANE_NONE, \
	    .quota = QUOTA_NONE, \
	    .who = WHO_NOBODY, \
	    .body = BODY_NONE, \
	    .parameters = "", \
	    .media = MEDIA_##media_, \
	    .to = to_, \
	    .prepare = handler_##_prepare, \
	    .run = handler_##_run},
    ROUTE_TABLE(R, A)
#undef R
#undef A
};
const unsigned route_count = sizeof route_table / sizeof *route_table;

enum { ROUTES = sizeof route_table / sizeof *route_table };

struct segment {
	const char *bytes; /* of the template */
	size_t len;
	bool variable;
};

struct resource {
	const char *template;
	enum route_to to;
	unsigned segment_count;
	struct segment segments[LIMIT_SEGMENTS];
	const struct route *routes[METHODS];
	char allow[ALLOW_MAX];
};

/* Made from the table once, then only read. */
static struct resource resources[ROUTES];
static unsigned resource_count;

static struct resource *
resource_of(const char *template)
{
	for (unsigned i = 0; i < resource_count; i++) {
		if (strcmp(resources[i].template, template) == 0)
			return &resources[i];
	}
	struct resource *resource = &resources[resource_count++];
	resource->template = template;
	for (const char *at = template; *at == '/';) {
		size_t len = strcspn(++at, "/");
		resource->segments[resource->segment_count++] = (struct segment){at, len, *at == '{'};
		at += len;
	}
	return resource;
}

static const char *const names[METHODS + 1] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"};

static void
write_allow(struct resource *resource)
{
	for (unsigned method = 0; method < METHODS; method++) {
		if (method != METHOD_OPTIONS && route_method(resource, (enum method)method) == NULL)
			continue;
		if (resource->allow[0] != '\0')
			strcat(resource->allow, ", ");
		strcat(resource->allow, names[method]);
	}
}

static void
compile(void)
{
	for (unsigned i = 0; i < route_count; i++) {
		struct resource *resource = resource_of(route_table[i].template);
		resource->routes[route_table[i].method] = &route_table[i];
		resource->to = route_table[i].to;
	}
	for (unsigned i = 0; i < resource_count; i++)
		write_allow(&resources[i]);
}

const char *const *
route_media(const struct route *route)
{
	static const char *const media[MEDIA_COUNT][4] = {
	    [MEDIA_METRICS] = {"application/openmetrics-text"},
	    [MEDIA_JSON] = {"application/json"},
	    [MEDIA_PICTURE] = {"image/svg+xml"},
	    [MEDIA_TEXT] = {"text/plain"},
	    [MEDIA_BOARD] = {"image/svg+xml", "text/plain"},
	    [MEDIA_RECORD] = {"application/json", "text/plain"},
	    [MEDIA_EVENTS] = {"application/json", "text/event-stream", "application/x-ndjson"},
	};
	return media[route->media];
}

static bool
matches(const struct resource *resource, const struct target_segment *segments, const char *params[CALL_PARAMS_MAX])
{
	unsigned param_count = 0;
	for (unsigned i = 0; i < resource->segment_count; i++) {
		const struct segment *segment = &resource->segments[i];
		if (segment->variable) {
			if (segments[i].len == 0)
				return false;
			params[param_count++] = segments[i].bytes;
		} else if (segments[i].len != segment->len ||
			   memcmp(segments[i].bytes, segment->bytes, segment->len) != 0) {
			return false;
		}
	}
	return true;
}

static void
compile_once(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, compile);
}

const struct resource *
route_find(enum site site, const struct target_path *path, unsigned skip, const char *params[CALL_PARAMS_MAX])
{
	compile_once();
	if (path->count > LIMIT_SEGMENTS || path->count <= skip)
		return NULL;
	for (unsigned i = 0; i < resource_count; i++) {
		if ((resources[i].to & 1u << site) != 0 && resources[i].segment_count == path->count - skip &&
		    matches(&resources[i], path->segments + skip, params))
			return &resources[i];
	}
	return NULL;
}

const struct route *
route_method(const struct resource *resource, enum method method)
{
	if (method == METHOD_OTHER)
		return NULL;
	return resource->routes[method == METHOD_HEAD ? METHOD_GET : method];
}

const char *
route_allow(const struct resource *resource)
{
	return resource->allow;
}

const char *
route_template(const struct resource *resource)
{
	return resource->template;
}

unsigned
route_resources(void)
{
	compile_once();
	return 1 + resource_count;
}

unsigned
route_index(const struct resource *resource)
{
	return resource == NULL ? 0 : 1 + (unsigned)(resource - resources);
}

const char *
route_label(unsigned index)
{
	return index == 0 ? "none" : resources[index - 1].template;
}

const char *
route_method_label(enum method method)
{
	return names[method];
}

bool
route_takes(const struct route *route, const char *parameter)
{
	size_t len = strlen(parameter);
	if (len == 0)
		return false;
	for (const char *word = route->parameters; *word != '\0'; word += strspn(word, " ")) {
		size_t word_len = strcspn(word, " ");
		if (word_len == len && memcmp(word, parameter, len) == 0)
			return true;
		word += word_len;
	}
	return false;
}

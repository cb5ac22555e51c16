/* A call before its body: call_begin of call.h.  Whatever refuses it here is known from its head alone. */
#include <string.h>

#include "api/accept.h"
#include "api/call.h"
#include "api/field.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"

static enum fault
refuse_target(struct call *call, const char *why)
{
	return problem_plain(call, FAULT_MALFORMED_TARGET, why);
}

/* How many segments the base path has; false if the path does not begin with them. */
static bool
skip_base(const struct call *call, const struct target_path *path, unsigned *count)
{
	*count = 0;
	for (const char *at = call->service->base_path; *at == '/'; (*count)++) {
		size_t len = strcspn(++at, "/");
		if (*count >= path->count || *count >= LIMIT_SEGMENTS || path->segments[*count].len != len ||
		    memcmp(path->segments[*count].bytes, at, len) != 0)
			return false;
		at += len;
	}
	return true;
}

/* Behind a base path alone: what stands beside it is another service's. */
static const struct resource *
find_resource(struct call *call, const struct target_path *path)
{
	unsigned skip;
	return skip_base(call, path, &skip) ? route_find(call->service->site, path, skip, call->param) : NULL;
}

static enum fault
reply_options(struct call *call, const char *allow)
{
	reply_begin(call, 204);
	reply_header(call, "Allow", allow);
	if (call->service->site == SITE_PUBLIC) {
		reply_header(call, "Access-Control-Allow-Methods", allow);
		reply_header(call, "Access-Control-Allow-Headers",
		    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer");
		reply_header(call, "Access-Control-Max-Age", "86400");
	}
	return reply_end(call, NULL);
}

enum { METHOD_SHOWN = 32 }; /* a longer one is not repeated */

static enum fault
refuse_method(struct call *call, const char *allow)
{
	/* The library lets any bytes pass for a method. */
	size_t len = field_token(call->method_text);
	bool named = len > 0 && len <= METHOD_SHOWN && call->method_text[len] == '\0';
	struct writer writer = problem_begin(call, FAULT_METHOD_NOT_ALLOWED,
	    problem_text(call, "%s is not allowed here, but %s", named ? call->method_text : "this method", allow));
	reply_header(call, "Allow", allow);
	return problem_end(call, &writer);
}

static enum fault
read_query(struct call *call, const char *query)
{
	const char *why = NULL;
	while (query != NULL) {
		const char *name, *value;
		enum fault fault = target_parameter(call->arena, &query, &name, &value, &why);
		if (fault != FAULT_NONE)
			return fault == FAULT_MALFORMED_TARGET ? refuse_target(call, why) : fault;
		if (name == NULL)
			break;
		/* No resource takes that many: whatever is left out, one of these is unknown or stands twice. */
		if (call->query_count == LIMIT_QUERY)
			break;
		call->query[call->query_count].name = name;
		call->query[call->query_count++].value = value;
	}
	return FAULT_NONE;
}

/* 406 and 415: the detail says what to send, or what there is, and so does a list. */
static enum fault
problem_list(struct call *call, enum fault fault, const char *lead, const char *key, const char *const *types)
{
	const char *list = types[0];
	for (unsigned i = 1; types[i] != NULL; i++)
		list = problem_text(call, "%s%s%s", list, types[i + 1] == NULL ? " or " : ", ", types[i]);
	struct writer writer = problem_begin(call, fault, problem_text(call, "%s%s.", lead, list));
	writer_key_text(&writer, key);
	writer_open(&writer, '[');
	for (; *types != NULL; types++)
		writer_string(&writer, *types);
	writer_close(&writer, ']');
	return problem_end(call, &writer);
}

/* 413 and 415, as far as the head tells. */
static enum fault
check_body_head(struct call *call)
{
	static const char *const types[] = {"application/json", "text/plain", NULL};
	static const char *const json[] = {"application/json", NULL};
	const struct route *route = call->route;
	const char *type = call->header[HEADER_CONTENT_TYPE];
	bool some = call->content_length > 0 || call->header[HEADER_TRANSFER_ENCODING] != NULL;
	size_t most = route->body == BODY_NONE ? LIMIT_BODY_DRAIN : call->body_limit;
	if (call->content_length > most)
		return FAULT_BODY_TOO_LARGE;
	if (!some || route->body == BODY_NONE)
		return FAULT_NONE;
	if (type != NULL && accept_is_type(type, "application/json"))
		return FAULT_NONE;
	if (type != NULL && route->body == BODY_RECORD && accept_is_type(type, "text/plain"))
		return FAULT_NONE;
	return problem_list(call, FAULT_UNSUPPORTED_MEDIA_TYPE, "Send Content-Type: ", "accepted",
	    route->body == BODY_RECORD ? types : json);
}

static enum fault
begin(struct call *call)
{
	struct target_path path;
	const char *why = NULL;
	if (strlen(call->target) > LIMIT_TARGET)
		return FAULT_TARGET_TOO_LONG;
	if (call->method == METHOD_OPTIONS && strcmp(call->target, "*") == 0)
		return reply_options(call, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
	enum fault fault = target_path(call->arena, call->target, &path, &why);
	if (fault != FAULT_NONE)
		return fault == FAULT_MALFORMED_TARGET ? refuse_target(call, why) : fault;
	const struct resource *resource = find_resource(call, &path);
	if (resource == NULL)
		return problem_plain(call, FAULT_NO_SUCH_PATH,
		    call->service->site == SITE_ADMIN ? "Here are /metrics, /healthz and /readyz, and nothing else."
						      : NULL);
	call->resource = resource;
	if (call->method == METHOD_OPTIONS)
		return reply_options(call, route_allow(resource));
	call->route = route_method(resource, call->method);
	if (call->route == NULL)
		return refuse_method(call, route_allow(resource));
	call->body_limit = call->service->limits.body[call->route->size];
	fault = read_query(call, path.query);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	call->media = accept_pick(call->header[HEADER_ACCEPT], route_media(call->route));
	if (call->media == NULL)
		return problem_list(call, FAULT_NOT_ACCEPTABLE, "There is ", "available", route_media(call->route));
	return check_body_head(call);
}

void
call_begin(struct call *call)
{
	enum fault fault = begin(call);
	if (fault != FAULT_NONE)
		call_fail(call, fault, NULL);
}

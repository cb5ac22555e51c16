#include "api/call.h"

#include <string.h>
#include <strings.h>

#include "api/body.h"
#include "api/etag.h"
#include "api/field.h"
#include "api/problem.h"
#include "api/question.h"
#include "api/reply.h"
#include "api/retry.h"
#include "api/route.h"

/* Before the body: whatever refuses it here is known from the head alone. */

static enum fault
refuse_target(struct call *call, const char *why)
{
	return problem_plain(call, FAULT_MALFORMED_TARGET, why);
}

static enum fault
refuse_long_target(struct call *call)
{
	struct writer writer =
	    problem_begin(call, FAULT_TARGET_TOO_LONG, problem_text(call, "at most %d bytes are read", LIMIT_TARGET));
	writer_key(&writer, "limit");
	writer_int(&writer, LIMIT_TARGET);
	return problem_end(call, &writer);
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

/* Where no body is asked for, one is passed over as far as it is small. */
static enum fault
refuse_size(struct call *call, const char *detail)
{
	size_t limit = call->body_limit > 0 ? call->body_limit : LIMIT_BODY_DRAIN;
	if (detail == NULL)
		detail = problem_text(call,
		    call->body_limit > 0 ? "at most %zu bytes are read here"
					 : "no body is asked for here, and at most %zu bytes are passed over",
		    limit);
	struct writer writer = problem_begin(call, FAULT_BODY_TOO_LARGE, detail);
	writer_key(&writer, "limit");
	writer_int(&writer, (int64_t)limit);
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
		return refuse_size(call, NULL);
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
		return refuse_long_target(call);
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

/* With the body: what can be refused without the database, but only after the token was looked at (rule 3). */

static enum fault
refuse_unknown_parameter(struct call *call, const char *name)
{
	struct writer writer =
	    problem_begin(call, FAULT_UNKNOWN_PARAMETER, problem_text(call, "there is no parameter %.80s here", name));
	writer_key(&writer, "parameter");
	writer_string(&writer, name);
	writer_key(&writer, "allowed");
	writer_open(&writer, '[');
	for (const char *word = call->route->parameters; *word != '\0'; word += strspn(word, " ")) {
		size_t len = strcspn(word, " ");
		writer_plain(&writer, word, len);
		word += len;
	}
	writer_close(&writer, ']');
	return problem_end(call, &writer);
}

static enum fault
check_query(struct call *call)
{
	for (unsigned i = 0; i < call->query_count; i++) {
		const char *name = call->query[i].name;
		if (!route_takes(call->route, name))
			return refuse_unknown_parameter(call, name);
		for (unsigned j = 0; j < i; j++) {
			if (strcmp(call->query[j].name, name) == 0)
				return problem_with(call, FAULT_REPEATED_PARAMETER, NULL, "parameter", name);
		}
	}
	return FAULT_NONE;
}

/* Headers that bind a write. */
static enum fault
check_write_headers(struct call *call)
{
	const char *match = call->header[HEADER_IF_MATCH];
	/* Only what changes a game has a precondition. */
	if (match != NULL && strstr(call->route->template, "{game}") != NULL && etag_match(match, 0) == ETAG_UNREADABLE)
		return problem_with(call, FAULT_INVALID_HEADER,
		    "If-Match: expected * or entity tags in double quotes, as ETag shows them", "header", "If-Match");
	/* What changes nothing may be sent again as it is. */
	return call->route->lane == LANE_WRITE ? retry_check(call) : FAULT_NONE;
}

static enum fault
prepare(struct call *call)
{
	const struct route *route = call->route;
	enum fault fault = check_query(call);
	if (fault == FAULT_NONE && !call->replied && route->method != METHOD_GET)
		fault = check_write_headers(call);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	fault = route->prepare(call);
	if (fault == FAULT_NONE && !call->replied && call->lane == LANE_WRITE)
		fault = retry_prepare(call);
	return fault;
}

enum lane
call_prepare(struct call *call)
{
	call->lane = call->route->lane;
	enum fault fault = prepare(call);
	if (fault != FAULT_NONE)
		call_fail(call, fault, NULL);
	if (call->replied) {
		call->refused = true;
		call->replied = false;
		call->lane = call->route->lane == LANE_NONE ? LANE_NONE : LANE_READ;
	}
	return call->lane;
}

/* On its lane. */

const char *
call_token(const struct call *call)
{
	const char *header = call->header[HEADER_AUTHORIZATION];
	if (header == NULL || strncasecmp(header, "Bearer ", 7) != 0)
		return NULL;
	return header + 7 + strspn(header + 7, " ");
}

static enum fault
authenticate(struct call *call)
{
	const char *token = call_token(call);
	if (call->route->who == WHO_NOBODY)
		return FAULT_NONE;
	if (call->header[HEADER_AUTHORIZATION] == NULL)
		return call->route->who == WHO_HOLDER ? FAULT_TOKEN_REQUIRED : FAULT_NONE;
	if (token == NULL)
		return problem_plain(call, FAULT_TOKEN_UNKNOWN,
		    "The header must be `Authorization: Bearer TOKEN`: the word Bearer, a blank, the token.");
	return holder_find(call->db, token, strlen(token), &call->holder);
}

/*
 * The handler, or the answer that an earlier call was given.  A kept answer
 * proves that this token could do this once, and it is alive: what the handler
 * would ask before it looks at the state (404, 403) is answered already.
 */
static enum fault
run_once(struct call *call)
{
	enum fault fault = call->retry == NULL ? FAULT_NONE : retry_replay(call);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	fault = call->route->run(call);
	if (fault == FAULT_NONE && call->retry != NULL && call->reply.status < 300)
		fault = retry_keep(call);
	return fault;
}

static enum fault
run(struct call *call)
{
	enum fault fault = authenticate(call);
	if (fault == FAULT_TOKEN_UNKNOWN && call->retry != NULL)
		return retry_replay_dead(call);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	call->about.player = call->holder.player;
	if (call->refused) {
		call->replied = true;
		return FAULT_NONE;
	}
	return run_once(call);
}

bool
call_run(struct call *call)
{
	enum fault fault = run(call);
	if (fault != FAULT_NONE)
		call_fail(call, fault, NULL);
	bool kept = call->reply.status < 400;
	if (!kept)
		call->changed = NULL;
	return kept;
}

void
call_answer(struct call *call)
{
	enum fault fault = call->question->answer(call->question, call);
	if (fault != FAULT_NONE)
		call_fail(call, fault, NULL);
}

static enum fault
fail(struct call *call, enum fault fault, const char *detail)
{
	if (fault == FAULT_BODY_TOO_LARGE)
		return refuse_size(call, detail);
	if (fault == FAULT_TARGET_TOO_LONG)
		return refuse_long_target(call);
	return problem_plain(call, fault, detail);
}

void
call_fail(struct call *call, enum fault fault, const char *detail)
{
	static const char game[] = "/v1/games/{game}";
	bool of_game = call->route != NULL && strncmp(call->route->template, game, sizeof game - 1) == 0;
	if (fault == FAULT_DAMAGED_DATA && of_game)
		fault = FAULT_DAMAGED_GAME;
	call->changed = NULL;
	if (fail(call, fault, detail) == FAULT_NONE)
		return;
	/* No memory even for the problem: http/ has an answer for that. */
	reply_reset(call);
	call->reply.status = fault_row(fault)->status;
	call->reply.body.failed = true;
	call->replied = true;
}

static enum fault
note_changed(struct call *call, const char id[ID_LEN + 1], unsigned thinks)
{
	struct changed_game *changed = arena_take(call->arena, sizeof *changed);
	if (changed == NULL)
		return FAULT_OUT_OF_MEMORY;
	memcpy(changed->id, id, sizeof changed->id);
	changed->thinks = thinks;
	changed->next = call->changed;
	call->changed = changed;
	return FAULT_NONE;
}

enum fault
call_changed(struct call *call, const struct game *game)
{
	return note_changed(call, game->row.id, game->row.thinks);
}

enum fault
call_retold(struct call *call, const char id[ID_LEN + 1])
{
	return note_changed(call, id, 0);
}

const char *
call_template(const struct call *call)
{
	return call->resource != NULL ? route_template(call->resource) : "-";
}

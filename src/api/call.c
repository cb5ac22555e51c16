/* A call with its body: what refuses it, the run on its lane, and its end (call.h). */
#include "api/call.h"

#include <string.h>
#include <strings.h>

#include "api/etag.h"
#include "api/problem.h"
#include "api/question.h"
#include "api/reply.h"
#include "api/retry.h"
#include "api/route.h"

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
refuse_long_target(struct call *call)
{
	struct writer writer =
	    problem_begin(call, FAULT_TARGET_TOO_LONG, problem_text(call, "at most %d bytes are read", LIMIT_TARGET));
	writer_key(&writer, "limit");
	writer_int(&writer, LIMIT_TARGET);
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

#include "api/problem.h"

#include <stdio.h>

#include "api/reply.h"

enum { TEXT_MAX = 1024 };

static struct writer
begin(struct call *call, unsigned problem, unsigned status, const char *slug, const char *title, const char *detail)
{
	reply_reset(call);
	struct writer writer = reply_begin(call, status);
	call->reply.problem = problem;
	writer_open(&writer, '{');
	reply_link(call, &writer, "type", "/problems/", slug, NULL);
	writer_key(&writer, "title");
	writer_string(&writer, title);
	writer_key(&writer, "status");
	writer_int(&writer, status);
	writer_key(&writer, "detail");
	writer_string(&writer, detail);
	writer_key(&writer, "code");
	writer_string(&writer, slug);
	return writer;
}

struct writer
problem_begin(struct call *call, enum fault fault, const char *detail)
{
	const struct fault_row *row = fault_row(fault);
	struct writer writer =
	    begin(call, fault, row->status, row->slug, row->title, detail != NULL ? detail : row->advice);
	if (row->status >= 500 && call->request_id != NULL) {
		writer_key(&writer, "request_id");
		writer_string(&writer, call->request_id);
	}
	if (row->status == 401)
		reply_header(call, "WWW-Authenticate",
		    fault == FAULT_TOKEN_UNKNOWN ? "Bearer realm=\"iuvod\", error=\"invalid_token\""
						 : "Bearer realm=\"iuvod\"");
	if (row->status == 503)
		reply_header(call, "Retry-After", fault == FAULT_STOPPING ? "5" : "1");
	return writer;
}

struct writer
problem_begin_verdict(struct call *call, enum verdict verdict, const char *detail)
{
	const struct verdict_row *row = verdict_row(verdict);
	return begin(call, FAULT_COUNT + verdict, 409, row->slug, row->title, detail);
}

enum fault
problem_end(struct call *call, struct writer *writer)
{
	writer_close(writer, '}');
	reply_no_store(call);
	return reply_end(call, "application/problem+json");
}

enum fault
problem_plain(struct call *call, enum fault fault, const char *detail)
{
	struct writer writer = problem_begin(call, fault, detail);
	return problem_end(call, &writer);
}

enum fault
problem_with(struct call *call, enum fault fault, const char *detail, const char *key, const char *value)
{
	struct writer writer = problem_begin(call, fault, detail);
	writer_key_text(&writer, key);
	writer_string(&writer, value);
	return problem_end(call, &writer);
}

/* Where a text was cut, no part of a character is left. */
static size_t
whole_characters(const char *text, size_t len)
{
	return text_utf8_prefix(text, len);
}

const char *
problem_text(struct call *call, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list values;
	va_start(values, format);
	int len = vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (len < 0)
		return "";
	if ((size_t)len >= sizeof text)
		len = (int)whole_characters(text, sizeof text - 1);
	const char *copy = arena_copy(call->arena, text, (size_t)len);
	return copy == NULL ? "" : copy;
}

enum fault
problem_schema(struct call *call, enum fault fault, const struct schema_faults *faults)
{
	if (fault != FAULT_INVALID_BODY)
		return fault;
	const struct schema_fault *first = &faults->list[0];
	struct writer writer = problem_begin(call, fault,
	    problem_text(call, "%s: %s%s", first->pointer[0] == '\0' ? "the body" : first->pointer, first->why,
		faults->count > 1 ? "; see errors for the rest" : ""));
	writer_key(&writer, "errors");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < faults->count; i++) {
		writer_open(&writer, '{');
		writer_key(&writer, "pointer");
		writer_string(&writer, faults->list[i].pointer);
		writer_key(&writer, "detail");
		writer_string(&writer, faults->list[i].why);
		writer_close(&writer, '}');
	}
	writer_close(&writer, ']');
	return problem_end(call, &writer);
}

enum fault
problem_json(struct call *call, const struct json_fault *where)
{
	struct writer writer = problem_begin(call, FAULT_MALFORMED_JSON,
	    problem_text(call, "line %u, column %u: %s", where->line, where->column, where->why));
	writer_key(&writer, "line");
	writer_int(&writer, where->line);
	writer_key(&writer, "column");
	writer_int(&writer, where->column);
	return problem_end(call, &writer);
}

enum fault
problem_position(struct call *call, const char *pointer, const struct text_fault *where)
{
	struct writer writer = problem_begin(call, FAULT_MALFORMED_POSITION,
	    problem_text(call, "%s, byte %zu of the text: %s", where->field, where->at, where->why));
	writer_key(&writer, "pointer");
	writer_string(&writer, pointer);
	writer_key(&writer, "field");
	writer_string(&writer, where->field);
	writer_key(&writer, "at");
	writer_int(&writer, (int64_t)where->at);
	return problem_end(call, &writer);
}

enum fault
problem_move(struct call *call, const char *pointer, int index, const struct text_fault *where)
{
	struct writer writer = problem_begin(call, FAULT_MALFORMED_MOVE,
	    problem_text(call, "%s, byte %zu of the text: %s", pointer, where->at, where->why));
	writer_key(&writer, "pointer");
	writer_string(&writer, pointer);
	writer_key(&writer, "at");
	writer_int(&writer, (int64_t)where->at);
	if (index >= 0) {
		writer_key(&writer, "ply");
		writer_int(&writer, index + 1);
	}
	return problem_end(call, &writer);
}

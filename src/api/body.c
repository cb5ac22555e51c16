#include "api/body.h"

#include <string.h>

#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"

enum fault
body_json(struct call *call, const struct schema *schema, const cJSON **value)
{
	struct json_fault where = {1, 1, "the body is empty"};
	*value = NULL;
	if (call->body_len == 0)
		return call->route->body == BODY_OPTIONAL ? FAULT_NONE : problem_json(call, &where);
	enum fault fault = json_read(call->arena, call->body, call->body_len, value, &where);
	if (fault != FAULT_NONE)
		return fault == FAULT_MALFORMED_JSON ? problem_json(call, &where) : fault;
	struct schema_faults *faults = arena_zero(call->arena, sizeof *faults);
	if (faults == NULL)
		return FAULT_OUT_OF_MEMORY;
	faults->arena = call->arena;
	fault = schema_check(schema, *value, faults);
	return fault == FAULT_NONE ? FAULT_NONE : problem_schema(call, fault, faults);
}

enum fault
body_refuse(struct call *call, const char *pointer, const char *why)
{
	struct schema_faults *faults = arena_zero(call->arena, sizeof *faults);
	if (faults == NULL)
		return FAULT_OUT_OF_MEMORY;
	faults->arena = call->arena;
	schema_add(faults, pointer, why);
	return faults->memory ? FAULT_OUT_OF_MEMORY : problem_schema(call, FAULT_INVALID_BODY, faults);
}

enum fault
body_refuse_seats(struct call *call, unsigned wanted)
{
	return body_refuse(
	    call, "/seats", problem_text(call, "expected %u entries, one for each seat of the variant", wanted));
}

const char *
body_parameter(const struct call *call, const char *name)
{
	for (unsigned i = 0; i < call->query_count; i++) {
		if (strcmp(call->query[i].name, name) == 0)
			return call->query[i].value;
	}
	return NULL;
}

enum fault
body_refuse_parameter(struct call *call, const char *name, const char *what)
{
	return problem_with(
	    call, FAULT_INVALID_PARAMETER, problem_text(call, "%s: expected %s", name, what), "parameter", name);
}

enum fault
body_number(struct call *call, const char *name, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t number;
	const char *text = body_parameter(call, name);
	if (text == NULL)
		return FAULT_NONE;
	if (!text_read_uint(text, strlen(text), max, &number) || number < min)
		return body_refuse_parameter(call, name,
		    problem_text(
			call, "a whole number from %llu to %llu", (unsigned long long)min, (unsigned long long)max));
	*value = number;
	return FAULT_NONE;
}

enum fault
body_word(struct call *call, const char *name, const char *const *words, unsigned *index)
{
	const char *text = body_parameter(call, name), *list = "";
	if (text == NULL)
		return FAULT_NONE;
	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) == 0) {
			*index = i;
			return FAULT_NONE;
		}
		list = problem_text(call, "%s%s%s", list, i == 0 ? "" : ", ", words[i]);
	}
	return body_refuse_parameter(call, name, problem_text(call, "one of %s", list));
}

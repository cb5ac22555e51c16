#include "api/terms.h"

#include <string.h>

#include "api/body.h"
#include "api/problem.h"

static const char *const types[] = {"none", "per_move", "budget", NULL};
static const char *const timeouts[] = {"forfeit", "claim", NULL};

const char *const terms_words[] = {"none", NULL};

const struct schema_member terms_members[] = {
    {.name = "type", .value = {.type = SCHEMA_STRING, .words = types}},
    {.name = "per_move_seconds",
	.value = {.type = SCHEMA_INTEGER, .min = LIMIT_CLOCK_SECONDS_LEAST, .max = LIMIT_CLOCK_SECONDS}},
    {.name = "initial_seconds",
	.value = {.type = SCHEMA_INTEGER, .min = LIMIT_CLOCK_SECONDS_LEAST, .max = LIMIT_CLOCK_SECONDS}},
    {.name = "increment_seconds", .value = {.type = SCHEMA_INTEGER, .min = 0, .max = LIMIT_CLOCK_INCREMENT}},
    {.name = "on_timeout", .value = {.type = SCHEMA_STRING, .words = timeouts}},
    {.name = NULL},
};

/* Each number, and the type of clock that has it. */
static const struct {
	const char *name, *type;
	bool required;
} numbers[] = {
    {"per_move_seconds", "per_move", true},
    {"initial_seconds", "budget", true},
    {"increment_seconds", "budget", false},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* The type that is said, or that follows from the numbers; NULL if neither is there. */
static const char *
find_type(const cJSON *value)
{
	const char *type = json_text(value, "type");
	for (unsigned i = 0; i < NUMBERS && type == NULL; i++)
		if (json_member(value, numbers[i].name) != NULL)
			type = numbers[i].type;
	return type;
}

static enum fault
check_number(struct call *call, const cJSON *value, const char *type, unsigned i)
{
	bool there = json_member(value, numbers[i].name) != NULL, fits = strcmp(type, numbers[i].type) == 0;
	if (there == fits || (fits && !numbers[i].required))
		return FAULT_NONE;
	return body_refuse(call, problem_text(call, "/clock/%s", numbers[i].name),
	    there ? problem_text(call, "a clock of type %s has no such member", type) : "the member is missing");
}

enum fault
terms_read(struct call *call, const cJSON *value, struct clock_terms *terms)
{
	if (value == NULL)
		return FAULT_NONE;
	const char *type = cJSON_IsString(value) ? value->valuestring : find_type(value);
	if (type == NULL)
		return body_refuse(call, "/clock", "expected per_move_seconds, or initial_seconds");
	for (unsigned i = 0; i < NUMBERS; i++) {
		enum fault fault = check_number(call, value, type, i);
		if (fault != FAULT_NONE || call->replied)
			return fault;
	}
	if (strcmp(type, "none") == 0 && json_member(value, "on_timeout") != NULL)
		return body_refuse(call, "/clock/on_timeout", "a clock of type none has no such member");
	*terms = (struct clock_terms){
	    .type = type,
	    .on_timeout = json_text(value, "on_timeout"),
	    .per_move_seconds = json_int(value, "per_move_seconds", 0),
	    .initial_seconds = json_int(value, "initial_seconds", 0),
	    .increment_seconds = json_int(value, "increment_seconds", 0),
	};
	return FAULT_NONE;
}

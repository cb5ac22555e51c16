/* PUT /test-clock: moves the time of a service that was started with --test-clock. */
#include "base/clock.h"

#include <string.h>

#include "api/body.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"

static const struct schema_member clock_members[] = {
    {.name = "now", .required = true, .value = {.type = SCHEMA_STRING, .min = 1, .max = CLOCK_TEXT_MAX}},
    {.name = NULL},
};
static const struct schema clock_schema = {.type = SCHEMA_OBJECT, .members = clock_members};

enum fault
test_clock_prepare(struct call *call)
{
	const cJSON *body;
	int64_t *now_ms = arena_zero(call->arena, sizeof *now_ms);
	if (now_ms == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = now_ms;
	enum fault fault = body_json(call, &clock_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	const char *text = json_text(body, "now");
	if (!clock_read(text, strlen(text), now_ms))
		return body_refuse(call, "/now", "expected a time as 2026-01-02T03:04:05Z");
	return FAULT_NONE;
}

/* What is due then is done by the writer, before this answer is sent. */
enum fault
test_clock_run(struct call *call)
{
	int64_t now_ms = *(const int64_t *)call->prepared;
	if (call->service->move_clock == NULL)
		return FAULT_NO_TEST_CLOCK;
	bool moved = call->service->move_clock(now_ms);
	struct writer writer = moved ? reply_begin(call, 200) : problem_begin(call, FAULT_TIME_GOES_BACK, NULL);
	if (moved)
		writer_open(&writer, '{');
	writer_key(&writer, "now");
	writer_time(&writer, moved ? now_ms : call->now_ms);
	if (!moved)
		return problem_end(call, &writer);
	writer_close(&writer, '}');
	reply_header(call, "Cache-Control", "no-store");
	return reply_end(call, "application/json");
}

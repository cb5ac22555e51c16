/* POST of a resignation: the seat of the token gives up, in turn or out of it. */
#include "api/body.h"
#include "api/resources.h"
#include "api/subject.h"

static const struct schema_member resignation_members[] = {
    {.name = "seat", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = SEATS_MAX}},
    {.name = NULL},
};
static const struct schema resignation_schema = {.type = SCHEMA_OBJECT, .members = resignation_members};

enum fault
resignation_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &resignation_schema, &body);
	if (fault == FAULT_NONE && !call->replied)
		fault = subject_ask(call, body);
	return fault;
}

enum fault
resignation_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	/* Whose seat it is comes before the precondition, and that before the game's state (HTTP.md rule 3). */
	unsigned seat;
	fault = holder_seat(&call->holder, subject_asked(call), &seat);
	if (fault == FAULT_NONE && subject_stale(call, &game))
		fault = FAULT_PRECONDITION_FAILED;
	if (fault == FAULT_NONE)
		fault = game_resign(call->db, call->arena, call->now_ms, &game, seat);
	return fault != FAULT_NONE ? subject_refuse_mover(call, fault, &game) : subject_reply(call, &game);
}

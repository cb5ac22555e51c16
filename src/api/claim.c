/* POST of a claim: the seat to move has let its deadline pass, and another seat says so. */
#include "play/timeout.h"

#include "api/body.h"
#include "api/resources.h"
#include "api/subject.h"

static const struct schema_member claim_members[] = {
    {.name = "seat", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = SEATS_MAX}},
    {.name = NULL},
};
static const struct schema claim_schema = {.type = SCHEMA_OBJECT, .members = claim_members};

enum fault
claim_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &claim_schema, &body);
	if (fault == FAULT_NONE && !call->replied)
		fault = subject_ask(call, body);
	return fault;
}

enum fault
claim_run(struct call *call)
{
	struct game game;
	unsigned seat;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	fault = holder_seat(&call->holder, subject_asked(call), &seat);
	if (fault == FAULT_NONE && subject_stale(call, &game))
		fault = FAULT_PRECONDITION_FAILED;
	if (fault == FAULT_NONE)
		fault = timeout_claim(call->db, call->arena, call->now_ms, &game, seat);
	return fault != FAULT_NONE ? subject_refuse_mover(call, fault, &game) : subject_reply(call, &game);
}

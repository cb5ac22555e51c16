/* POST of a resignation: the seat of the token gives up, in turn or out of it. */
#include "api/body.h"
#include "api/resources.h"
#include "api/subject.h"

static const struct schema_member resignation_members[] = {{.name = NULL}};
static const struct schema resignation_schema = {.type = SCHEMA_OBJECT, .members = resignation_members};

enum fault
resignation_prepare(struct call *call)
{
	const cJSON *body;
	return body_json(call, &resignation_schema, &body);
}

enum fault
resignation_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	/* Whose seat it is comes before the precondition, and that before the game's state (HTTP.md rule 3). */
	bool holds = call->holder.game == game.row.game && call->holder.seat != 0;
	if (holds && subject_stale(call, &game))
		return subject_refuse(call, FAULT_PRECONDITION_FAILED, &game);
	fault = game_resign(call->db, call->arena, call->now_ms, &game, &call->holder);
	return fault != FAULT_NONE ? subject_refuse_mover(call, fault, &game) : subject_reply(call, &game);
}

/* POST of a rematch: the game that follows a finished one, made once, however often it is asked for. */
#include "play/rematch.h"

#include "api/body.h"
#include "api/problem.h"
#include "api/resources.h"
#include "api/subject.h"

static const struct schema_member rematch_members[] = {{.name = NULL}};
static const struct schema rematch_schema = {.type = SCHEMA_OBJECT, .members = rematch_members};

enum fault
rematch_prepare(struct call *call)
{
	const cJSON *body;
	return body_json(call, &rematch_schema, &body);
}

static enum fault
refuse(struct call *call, enum fault fault, const struct game *game)
{
	if (fault == FAULT_NOT_YOUR_SEAT && call->holder.creator)
		return problem_plain(call, fault, "This is the creator's token; a seat's token asks for a rematch.");
	return subject_refuse(call, fault, game);
}

/* Both documents are others now, and the one who asks has another seat in the new game. */
static enum fault
reply(struct call *call, const struct game *game, const struct game *rematch, bool made)
{
	enum fault fault = holder_resolve(call->db, rematch, &call->holder);
	if (fault == FAULT_NONE && made)
		fault = call_changed(call, game);
	if (fault != FAULT_NONE)
		return fault;
	return made ? subject_created(call, rematch, NULL) : subject_found(call, rematch);
}

enum fault
rematch_run(struct call *call)
{
	struct game game, rematch;
	char id[ID_LEN + 1];
	bool made;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	token_new_id(id);
	struct rematch_request request = {
	    .stale = subject_stale(call, &game), .no_engine = !call->service->engine, .id = id};
	fault = rematch_make(call->db, call->arena, call->now_ms, &game, &call->holder, &request, &rematch, &made);
	return fault != FAULT_NONE ? refuse(call, fault, &game) : reply(call, &game, &rematch, made);
}

/* POST of a resignation: the seat of the token gives up, in turn or out of it. */
#include "api/body.h"
#include "api/document.h"
#include "api/reply.h"
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

static enum fault
reply_resigned(struct call *call, const struct game *game)
{
	struct move_row row;
	const struct move_row *last;
	enum fault fault = subject_last(call, game, &row, &last);
	if (fault != FAULT_NONE)
		return fault;
	memcpy(call->changed_game, game->row.id, sizeof call->changed_game);
	struct writer writer = reply_begin(call, 200);
	document_game(&writer, call, game, last, NULL);
	fault = subject_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
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
	return fault != FAULT_NONE ? subject_refuse(call, fault, &game) : reply_resigned(call, &game);
}

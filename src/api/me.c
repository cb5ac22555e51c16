/* What a player does with himself: looks, changes his name, replaces his token, and has himself erased. */
#include "api/body.h"
#include "api/player.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/retry.h"
#include "play/player.h"

RESOURCE_NOTHING_TO_PREPARE(me)

static const struct schema_member change_members[] = {
    {.name = "name", .value = {.type = SCHEMA_NAME, .min = 1, .max = LIMIT_NAME}},
    {.name = NULL},
};
static const struct schema change_schema = {.type = SCHEMA_OBJECT, .members = change_members};
static const struct schema_member rekey_members[] = {{.name = NULL}};
static const struct schema rekey_schema = {.type = SCHEMA_OBJECT, .members = rekey_members};

enum fault
me_run(struct call *call)
{
	struct player_row row;
	enum fault fault = player_required(call, &row);
	return fault != FAULT_NONE ? fault : player_reply(call, 200, &row, NULL);
}

enum fault
me_change_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &change_schema, &body);
	if (fault == FAULT_NONE && !call->replied)
		call->prepared = (void *)json_text(body, "name");
	return fault;
}

enum fault
me_change_run(struct call *call)
{
	struct player_row row;
	enum fault fault = player_required(call, &row);
	if (fault == FAULT_NONE && call->prepared != NULL) {
		row.name = call->prepared;
		fault = players_rename(call->db, row.player, row.name);
	}
	return fault != FAULT_NONE ? fault : player_reply(call, 200, &row, NULL);
}

enum fault
me_rekey_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &rekey_schema, &body);
	return fault == FAULT_NONE && !call->replied ? retry_check_alone(call) : fault;
}

enum fault
me_rekey_run(struct call *call)
{
	struct player_row row;
	char token[TOKEN_LEN + 1];
	enum fault fault = player_required(call, &row);
	token_new(token);
	if (fault == FAULT_NONE)
		fault = player_rekey(call->db, row.player, token);
	return fault != FAULT_NONE ? fault : player_reply(call, 200, &row, token);
}

enum fault
me_erase_prepare(struct call *call)
{
	return retry_check_alone(call);
}

static enum fault
note_changed(void *arg, const char id[ID_LEN + 1])
{
	return call_retold(arg, id);
}

enum fault
me_erase_run(struct call *call)
{
	struct player_row row;
	enum fault fault = player_required(call, &row);
	if (fault == FAULT_NONE)
		fault = player_erase(call->db, call->now_ms, &row, note_changed, call);
	if (fault != FAULT_NONE)
		return fault;
	call->about.player = 0; /* There is no such player any more, and the answer tells nothing of him. */
	reply_begin(call, 204);
	reply_no_store(call);
	return reply_end(call, NULL);
}

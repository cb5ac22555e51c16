/* Players: making one, and what everybody sees of them. */
#include "play/player.h"

#include "api/body.h"
#include "api/player.h"
#include "api/reply.h"
#include "api/resources.h"

RESOURCE_NOTHING_TO_PREPARE(players_one)

static const struct schema_member player_members[] = {
    {.name = "name", .required = true, .value = {.type = SCHEMA_NAME, .min = 1, .max = LIMIT_NAME}},
    {.name = NULL},
};
static const struct schema player_schema = {.type = SCHEMA_OBJECT, .members = player_members};

enum fault
players_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &player_schema, &body);
	if (fault == FAULT_NONE && !call->replied)
		call->prepared = (void *)json_text(body, "name");
	return fault;
}

enum fault
players_run(struct call *call)
{
	struct player_row row = {.name = call->prepared, .created_ms = call->now_ms};
	char token[TOKEN_LEN + 1];
	token_new_id(row.id);
	token_new(token);
	enum fault fault = player_create(call->db, token, &row);
	const char *location = reply_path(call, "/v1/players/%s", row.id);
	if (fault != FAULT_NONE || location == NULL)
		return fault != FAULT_NONE ? fault : FAULT_OUT_OF_MEMORY;
	call->about.player = row.player;
	reply_header(call, "Location", location);
	return player_reply(call, 201, &row, token);
}

enum fault
players_one_run(struct call *call)
{
	struct player_row row;
	enum fault fault = player_named(call, &row);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	player_document(&writer, call, &row);
	reply_header(call, "Vary", "Authorization");
	reply_header(call, "Cache-Control", "no-cache");
	return reply_end(call, "application/json");
}

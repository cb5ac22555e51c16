/* Seats: taking an open one, leaving before the start, and another token for one's own. */
#include "play/seat.h"

#include "api/body.h"
#include "api/player.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/retry.h"
#include "api/subject.h"

static const struct schema_member taker_members[] = {
    {.name = "name", .value = {.type = SCHEMA_NAME, .min = 1, .max = LIMIT_NAME}},
    {.name = NULL},
};
static const struct schema taker_schema = {.type = SCHEMA_OBJECT, .members = taker_members};
static const struct schema_member rekey_members[] = {{.name = NULL}};
static const struct schema rekey_schema = {.type = SCHEMA_OBJECT, .members = rekey_members};

enum fault
seat_take_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &taker_schema, &body);
	if (fault == FAULT_NONE && !call->replied && body != NULL)
		call->prepared = (void *)json_text(body, "name");
	return fault;
}

enum fault
seat_rekey_prepare(struct call *call)
{
	const cJSON *body;
	enum fault fault = body_json(call, &rekey_schema, &body);
	return fault == FAULT_NONE && !call->replied ? retry_check_alone(call) : fault;
}

enum fault
seat_leave_prepare(struct call *call)
{
	return retry_check_alone(call);
}

/* The game and what is asked of one of its seats. */
static enum fault
load(struct call *call, struct game *game, struct seat_request *request)
{
	enum fault fault = subject_load(call, game);
	if (fault == FAULT_NONE)
		*request = (struct seat_request){.seat = subject_seat(call), .stale = subject_stale(call, game)};
	return fault;
}

/* The only sight of a token: it stands beside the seat, and nowhere in the game. */
static enum fault
reply_token(struct call *call, const struct game *game, const struct seat_request *request)
{
	struct move_row row;
	const struct move_row *last;
	enum fault fault = subject_last(call, game, &row, &last);
	if (fault == FAULT_NONE)
		fault = call_changed(call, game);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "seat");
	writer_int(&writer, request->seat);
	writer_key(&writer, "token");
	writer_plain(&writer, request->token, TOKEN_LEN);
	writer_key(&writer, "game");
	subject_write(call, &writer, game, last, NULL);
	writer_close(&writer, '}');
	fault = subject_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
seat_take_run(struct call *call)
{
	struct game game;
	struct seat_request request;
	struct player_row row;
	char token[TOKEN_LEN + 1];
	enum fault fault = load(call, &game, &request);
	if (fault == FAULT_NONE)
		fault = player_asking(call, &row, &request.player);
	if (fault != FAULT_NONE)
		return fault;
	token_new(token);
	request.token = token;
	request.name = call->prepared;
	fault = seat_take(call->db, call->now_ms, &game, &request);
	return fault != FAULT_NONE ? subject_refuse(call, fault, &game) : reply_token(call, &game, &request);
}

enum fault
seat_leave_run(struct call *call)
{
	struct game game;
	struct seat_request request;
	enum fault fault = load(call, &game, &request);
	if (fault != FAULT_NONE)
		return fault;
	fault = seat_leave(call->db, call->now_ms, &game, &call->holder, &request);
	return fault != FAULT_NONE ? subject_refuse(call, fault, &game) : subject_reply(call, &game);
}

enum fault
seat_rekey_run(struct call *call)
{
	struct game game;
	struct seat_request request;
	char token[TOKEN_LEN + 1];
	enum fault fault = load(call, &game, &request);
	if (fault != FAULT_NONE)
		return fault;
	token_new(token);
	request.token = token;
	fault = seat_rekey(call->db, call->now_ms, &game, &call->holder, &request);
	return fault != FAULT_NONE ? subject_refuse(call, fault, &game) : reply_token(call, &game, &request);
}

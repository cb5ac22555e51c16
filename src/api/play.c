/* POST of a move: played, tried (dry_run), or sent once more. */
#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/refusal.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "api/words.h"

static const struct schema_member move_members[] = {
    {.name = "move", .required = true, .value = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_MOVE_TEXT}},
    {.name = "expected_ply", .value = {.type = SCHEMA_INTEGER, .min = 0, .max = PLIES_MAX}},
    {.name = NULL},
};
static const struct schema move_schema = {.type = SCHEMA_OBJECT, .members = move_members};

struct wish {
	const char *sent; /* the move as it was sent */
	struct move_text text;
	struct move_request request;
	unsigned dry; /* index of words_boolean */
};

static enum fault
read_wish(struct call *call, const cJSON *body, struct wish *wish)
{
	struct text_fault where;
	const cJSON *ply = json_member(body, "expected_ply");
	wish->sent = json_text(body, "move");
	if (!notation_read_move(wish->sent, strlen(wish->sent), &wish->text, &where))
		return problem_move(call, "/move", -1, &where);
	wish->request.text = &wish->text;
	wish->request.expected_ply = ply == NULL ? -1 : (int64_t)ply->valuedouble;
	return FAULT_NONE;
}

enum fault
play_prepare(struct call *call)
{
	const cJSON *body;
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	enum fault fault = body_word(call, "dry_run", words_boolean, &wish->dry);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_json(call, &move_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	if (wish->dry)
		call->lane = LANE_READ;
	return read_wish(call, body, wish);
}

static enum fault
refuse_verdict(struct call *call, const struct game *game, const struct wish *wish, const struct move_result *result)
{
	struct refusal refusal = {
	    .variant = game->variant,
	    .verdict = result->verdict,
	    .judgement = result->judgement,
	    .move = wish->sent,
	    .text = &wish->text,
	    .pointer = "/move",
	    .ply = game->row.ply + 1,
	};
	return refusal_reply(call, &refusal);
}

static enum fault
reply_move(struct call *call, const struct game *game, const struct move_row *last, const struct wish *wish,
    const struct move_result *result)
{
	bool made = !wish->dry && !result->repeated;
	struct writer writer = reply_begin(call, made ? 201 : 200);
	writer_open(&writer, '{');
	writer_key(&writer, "move");
	document_played(&writer, &result->row);
	writer_key(&writer, "game");
	/* A dry run changes nothing: its answer is all that it is for. */
	if (wish->dry)
		document_game(&writer, call, game, last, NULL);
	else
		subject_write(call, &writer, game, last, NULL);
	writer_close(&writer, '}');
	if (made) {
		const char *location = reply_path(call, "/v1/games/%s/moves/%u", game->row.id, result->row.ply);
		if (location == NULL)
			return FAULT_OUT_OF_MEMORY;
		reply_header(call, "Location", location);
		enum fault fault = call_changed(call, game);
		if (fault != FAULT_NONE)
			return fault;
	}
	if (wish->dry) {
		reply_no_store(call);
	} else {
		enum fault fault = subject_changed(call, game);
		if (fault != FAULT_NONE)
			return fault;
	}
	return reply_end(call, "application/json");
}

enum fault
play_run(struct call *call)
{
	struct wish *wish = call->prepared;
	struct game game;
	struct move_row row;
	const struct move_row *last = &row;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	struct move_result *result = arena_zero(call->arena, sizeof *result);
	if (result == NULL)
		return FAULT_OUT_OF_MEMORY;
	wish->request.stale = subject_stale(call, &game);
	fault = game_move(call->db, call->arena, call->now_ms, &game, &call->holder, &wish->request, wish->dry, result);
	if (fault != FAULT_NONE)
		return subject_refuse_mover(call, fault, &game);
	if (result->verdict != VERDICT_LEGAL)
		return refuse_verdict(call, &game, wish, result);
	/* Sent once more: others may have moved since. */
	if (result->repeated)
		fault = subject_last(call, &game, &row, &last);
	else
		last = &result->row;
	return fault != FAULT_NONE ? fault : reply_move(call, &game, last, wish, result);
}

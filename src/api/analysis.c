/* POST /v1/analysis: a position or the start of a variant, with moves from there, and what the engine makes of it.
 * Stores nothing and asks no database. */
#include "api/advice.h"
#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/refusal.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/words.h"
#include "engine/history.h"

static const struct schema move_schema = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_MOVE_TEXT};

struct analysis {
	struct advice advice; /* its position and history are those that are looked at */
	bool asks;            /* for advice */
	struct move_text text;
	struct move moves[MOVES_MAX];
};

static enum fault
refuse_over(struct call *call, const struct position *position, const char *pointer, unsigned index)
{
	struct writer writer =
	    problem_begin(call, FAULT_GAME_OVER, problem_text(call, "%s: the game is over before this move", pointer));
	writer_key(&writer, "pointer");
	writer_string(&writer, pointer);
	writer_key(&writer, "ply");
	writer_int(&writer, index + 1);
	document_outcome(&writer, position->reason, position->winner);
	return problem_end(call, &writer);
}

/* Plays one move of the list, or replies with why not. */
static enum fault
play_one(struct call *call, struct analysis *analysis, const char *sent, unsigned index)
{
	struct position *position = &analysis->advice.position;
	struct past past = history_past(&analysis->advice.history);
	struct text_fault where;
	struct move move;
	struct change change;
	const char *pointer = NULL;
	struct refusal refusal = {
	    .variant = position->variant, .move = sent, .text = &analysis->text, .ply = index + 1};
	bool read = notation_read_move(sent, strlen(sent), &analysis->text, &where);
	if (read && position->turn != 0)
		refusal.verdict = position_judge(position, &past, &analysis->text, &move, &refusal.judgement);
	if (!read || position->turn == 0 || refusal.verdict != VERDICT_LEGAL)
		refusal.pointer = pointer = problem_text(call, "/moves/%u", index);
	if (!read)
		return problem_move(call, pointer, (int)index, &where);
	if (position->turn == 0)
		return refuse_over(call, position, pointer, index);
	if (refusal.verdict != VERDICT_LEGAL)
		return refusal_reply(call, &refusal);
	position_play(position, &past, move, position, &change);
	history_add(&analysis->advice.history, change.left);
	return FAULT_NONE;
}

static enum fault
play_all(struct call *call, const cJSON *moves, struct analysis *analysis)
{
	const cJSON *move;
	unsigned index = 0;
	history_begin(&analysis->advice.history, &analysis->advice.position);
	cJSON_ArrayForEach(move, moves)
	{
		enum fault fault = play_one(call, analysis, move->valuestring, index++);
		if (fault != FAULT_NONE || call->replied)
			return fault;
	}
	return FAULT_NONE;
}

/* The position that is to be looked at: given, or a variant's start, and where the moves lead to from there. */
static enum fault
read_subject(struct call *call, const cJSON *body, struct analysis *analysis)
{
	const char *position = json_text(body, "position"), *variant = json_text(body, "variant");
	enum variant found = VARIANT_IUVO_2;
	struct text_fault where;
	if (position != NULL && variant != NULL)
		return body_refuse(call, "/variant", "expected none beside position, which names its own");
	if (position == NULL && variant == NULL)
		return body_refuse(call, "/variant", "the member is missing: expected a variant, or a position");
	if (variant != NULL) {
		variant_find(variant, strlen(variant), &found);
		position_start(found, &analysis->advice.position);
	} else if (!notation_read_position(position, strlen(position), &analysis->advice.position, &where)) {
		return problem_position(call, "/position", &where);
	}
	return play_all(call, json_member(body, "moves"), analysis);
}

static enum fault
read_body(struct call *call, const cJSON **body)
{
	struct schema_member engine[ADVICE_MEMBERS];
	const struct schema_member members[] = {
	    {.name = "position", .value = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_POSITION_TEXT}},
	    {.name = "variant", .value = {.type = SCHEMA_STRING, .words = words_variants}},
	    {.name = "moves", .value = {.type = SCHEMA_ARRAY, .min = 0, .max = PLIES_MAX, .each = &move_schema}},
	    {.name = "engine", .value = {.type = SCHEMA_OBJECT, .members = engine}},
	    {.name = NULL},
	};
	const struct schema schema = {.type = SCHEMA_OBJECT, .members = members};
	advice_schema(call, engine);
	return body_json(call, &schema, body);
}

enum fault
analysis_prepare(struct call *call)
{
	const cJSON *body;
	struct analysis *analysis = arena_zero(call->arena, sizeof *analysis);
	if (analysis == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = analysis;
	enum fault fault = read_body(call, &body);
	if (fault == FAULT_NONE && !call->replied)
		fault = read_subject(call, body, analysis);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	const cJSON *engine = json_member(body, "engine");
	analysis->asks = engine != NULL;
	return analysis->asks ? advice_read_body(call, engine, &analysis->advice) : FAULT_NONE;
}

static enum fault
reply(struct call *call, struct analysis *analysis)
{
	const struct advice *advice = &analysis->advice;
	struct past past = history_past(&advice->history);
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	document_position(&writer, &advice->position);
	writer_key(&writer, "legal_moves");
	document_legal_moves(&writer, &advice->position, &past, CELL_NONE, analysis->moves);
	if (analysis->asks) {
		writer_key(&writer, "engine");
		writer_open(&writer, '{');
		advice_write(&writer, advice);
		writer_close(&writer, '}');
	}
	writer_close(&writer, '}');
	reply_header(call, "Cache-Control", "no-store");
	return reply_end(call, "application/json");
}

static enum fault
answer(struct question *question, struct call *call)
{
	return reply(call, (struct analysis *)(void *)question);
}

_Static_assert(offsetof(struct analysis, advice.question) == 0, "answer finds the analysis of a question");

enum fault
analysis_run(struct call *call)
{
	struct analysis *analysis = call->prepared;
	if (!analysis->asks)
		return reply(call, analysis);
	analysis->advice.question.answer = answer;
	return advice_ask(call, &analysis->advice);
}

/* POST /v1/records: a game made from a record, every move of which is checked before the write lane is entered. */
#include "api/accept.h"
#include "api/body.h"
#include "api/player.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "api/words.h"
#include "play/record.h"

static const char *const formats[] = {RECORD_FORMAT, NULL};
static const char *const ending_reasons[] = {"resigned", "timeout", "agreement", NULL};
/* All reasons; the first one is that of no outcome. */
static const char *const reasons[] = {
#define R(name, word) word,
    REASON_TABLE(R)
#undef R
	NULL};
_Static_assert(REASON_NONE == 0, "outcomes have the words behind the first");

static const struct schema move_schema = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_MOVE_TEXT};
static const struct schema tag_schema = {.type = SCHEMA_STRING, .min = 0, .max = LIMIT_TAG_VALUE};
static const struct schema tag_name_schema = {.type = SCHEMA_NAME, .min = 1, .max = LIMIT_TAG_NAME};
static const struct schema_member seat_members[] = {
    {.name = "seat", .required = true, .value = {.type = SCHEMA_INTEGER, .min = 1, .max = SEATS_MAX}},
    {.name = "name", .required = true, .value = {.type = SCHEMA_NAME, .nullable = true, .min = 1, .max = LIMIT_NAME}},
    {.name = NULL},
};
static const struct schema seat_schema = {.type = SCHEMA_OBJECT, .members = seat_members};
static const struct schema_member ending_members[] = {
    {.name = "ply", .required = true, .value = {.type = SCHEMA_INTEGER, .min = 0, .max = PLIES_MAX}},
    {.name = "seat", .required = true, .value = {.type = SCHEMA_INTEGER, .nullable = true, .min = 1, .max = SEATS_MAX}},
    {.name = "reason", .required = true, .value = {.type = SCHEMA_STRING, .words = ending_reasons}},
    {.name = NULL},
};
static const struct schema ending_schema = {.type = SCHEMA_OBJECT, .members = ending_members};
static const struct schema_member outcome_members[] = {
    {.name = "winner",
	.required = true,
	.value = {.type = SCHEMA_INTEGER, .nullable = true, .min = 1, .max = SEATS_MAX}},
    {.name = "reason", .required = true, .value = {.type = SCHEMA_STRING, .words = &reasons[1]}},
    {.name = NULL},
};
static const struct schema_member record_members[] = {
    {.name = "format", .required = true, .value = {.type = SCHEMA_STRING, .words = formats}},
    {.name = "variant", .required = true, .value = {.type = SCHEMA_STRING, .words = words_variants}},
    {.name = "start", .value = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_POSITION_TEXT}},
    /* How many there must be, the variant tells. */
    {.name = "seats", .value = {.type = SCHEMA_ARRAY, .min = 0, .max = LIMIT_JSON_VALUES, .each = &seat_schema}},
    {.name = "tags",
	.value = {.type = SCHEMA_MAP, .min = 0, .max = LIMIT_TAGS, .each = &tag_schema, .keys = &tag_name_schema}},
    {.name = "moves",
	.required = true,
	.value = {.type = SCHEMA_ARRAY, .min = 0, .max = PLIES_MAX, .each = &move_schema}},
    {.name = "endings", .value = {.type = SCHEMA_ARRAY, .min = 0, .max = SEATS_MAX, .each = &ending_schema}},
    {.name = "outcome", .value = {.type = SCHEMA_OBJECT, .nullable = true, .members = outcome_members}},
    {.name = NULL},
};
static const struct schema record_schema = {.type = SCHEMA_OBJECT, .members = record_members};

struct import {
	struct record_draft draft;
	struct record record;
	bool text;
	unsigned visibility; /* index of words_visibility */
};

/* A number of JSON; 0 where it is null or not there. */
static unsigned
number_of(const cJSON *object, const char *name)
{
	const cJSON *number = json_member(object, name);
	return cJSON_IsNumber(number) ? (unsigned)number->valuedouble : 0;
}

static enum reason
reason_of(const cJSON *object)
{
	enum reason reason = REASON_NONE;
	const char *word = json_text(object, "reason");
	reason_find(word, strlen(word), &reason);
	return reason;
}

/* Seats stand in turn order, each under its number. */
static enum fault
draft_seats(struct call *call, const cJSON *seats, struct record_draft *draft)
{
	const cJSON *seat;
	enum variant variant = VARIANT_IUVO_2;
	variant_find(draft->variant, strlen(draft->variant), &variant);
	unsigned wanted = variant_row(variant)->seats;
	if (seats != NULL && (unsigned)cJSON_GetArraySize(seats) != wanted)
		return body_refuse_seats(call, wanted);
	cJSON_ArrayForEach(seat, seats)
	{
		if (number_of(seat, "seat") != draft->name_count + 1)
			return body_refuse(call, problem_text(call, "/seats/%u/seat", draft->name_count),
			    "expected the seats in order, from 1");
		draft->names[draft->name_count++] = json_text(seat, "name");
	}
	return FAULT_NONE;
}

static enum fault
draft_tags(struct call *call, const cJSON *tags, struct record_draft *draft)
{
	const cJSON *tag;
	draft->tags = arena_take(call->arena, LIMIT_TAGS * sizeof *draft->tags);
	if (draft->tags == NULL)
		return FAULT_OUT_OF_MEMORY;
	cJSON_ArrayForEach(tag, tags)
	{
		draft->tags[draft->tag_count++] = (struct record_tag){tag->string, tag->valuestring};
	}
	return FAULT_NONE;
}

static enum fault
draft_moves(struct call *call, const cJSON *moves, struct record_draft *draft)
{
	const cJSON *move;
	draft->moves = arena_take(call->arena, ((size_t)cJSON_GetArraySize(moves) + 1) * sizeof *draft->moves);
	if (draft->moves == NULL)
		return FAULT_OUT_OF_MEMORY;
	cJSON_ArrayForEach(move, moves)
	{
		draft->moves[draft->move_count++] = move->valuestring;
	}
	return FAULT_NONE;
}

static void
draft_end(const cJSON *body, struct record_draft *draft)
{
	const cJSON *ending, *endings = json_member(body, "endings"), *outcome = json_member(body, "outcome");
	cJSON_ArrayForEach(ending, endings)
	{
		draft->endings[draft->ending_count++] = (struct record_ending){
		    .ply = number_of(ending, "ply"), .seat = number_of(ending, "seat"), .reason = reason_of(ending)};
	}
	draft->outcome_known = outcome != NULL;
	draft->over = cJSON_IsObject(outcome);
	if (draft->over) {
		draft->winner = number_of(outcome, "winner");
		draft->reason = reason_of(outcome);
	}
}

static enum fault
read_json(struct call *call, struct record_draft *draft)
{
	const cJSON *body;
	enum fault fault = body_json(call, &record_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	draft->variant = json_text(body, "variant");
	draft->start = json_text(body, "start");
	draft_end(body, draft);
	fault = draft_seats(call, json_member(body, "seats"), draft);
	if (fault == FAULT_NONE && !call->replied)
		fault = draft_tags(call, json_member(body, "tags"), draft);
	if (fault == FAULT_NONE && !call->replied)
		fault = draft_moves(call, json_member(body, "moves"), draft);
	return fault;
}

/* Where in a JSON record a fault stands. */
static const char *
pointer_of(struct call *call, const struct record_draft *draft, const struct record_fault *where)
{
	if (where->ply > 0 && strcmp(where->member, "moves") == 0)
		return problem_text(call, "/moves/%d", where->ply - 1);
	if (where->ending >= 0)
		return problem_text(call, "/endings/%d", where->ending);
	if (where->item >= 0 && strcmp(where->member, "seats") == 0)
		return problem_text(call, "/seats/%d", where->item);
	if (where->item >= 0 && (unsigned)where->item < draft->tag_count)
		return "/tags";
	return problem_text(call, "/%s", where->member);
}

static enum fault
refuse_record(struct call *call, enum fault fault, const struct import *import, const struct record_fault *where)
{
	if (fault != FAULT_MALFORMED_RECORD && fault != FAULT_NOT_A_START && fault != FAULT_RECORD_ILLEGAL_MOVE &&
	    fault != FAULT_RECORD_CONTRADICTED)
		return fault;
	const char *why = where->why;
	/* As curl -d leaves a file. */
	if (fault == FAULT_MALFORMED_RECORD && import->text && call->body_len > 0 &&
	    memchr(call->body, '\n', call->body_len) == NULL)
		why = problem_text(call,
		    "%s The text has no line ends: curl takes them out with -d and keeps them with --data-binary.",
		    why);
	struct writer writer = problem_begin(call, fault, why);
	if (where->member != NULL) {
		writer_key(&writer, "field");
		writer_string(&writer, where->member);
	}
	if (import->text) {
		writer_key(&writer, "line");
		writer_int(&writer, where->line);
		writer_key(&writer, "column");
		writer_int(&writer, where->column);
	} else if (where->member != NULL) {
		writer_key(&writer, "pointer");
		writer_string(&writer, pointer_of(call, &import->draft, where));
	}
	if (where->ply >= 0) {
		writer_key(&writer, "ply");
		writer_int(&writer, where->ply);
	}
	if (where->verdict != VERDICT_LEGAL) {
		enum variant variant = VARIANT_IUVO_2;
		variant_find(import->draft.variant, strlen(import->draft.variant), &variant);
		const struct verdict_row *row = verdict_row(where->verdict);
		writer_key(&writer, "verdict");
		writer_string(&writer, row->slug);
		writer_key(&writer, "rule");
		writer_string(&writer, row->rule[variant_row(variant)->family]);
	}
	return problem_end(call, &writer);
}

enum fault
import_prepare(struct call *call)
{
	struct record_fault where = {.line = 1, .column = 1, .ply = -1, .ending = -1, .item = -1};
	struct import *import = arena_zero(call->arena, sizeof *import);
	const char *type = call->header[HEADER_CONTENT_TYPE];
	if (import == NULL)
		return FAULT_OUT_OF_MEMORY;
	import->text = type != NULL && accept_is_type(type, "text/plain");
	import->visibility = 1;
	call->prepared = import;
	enum fault fault = body_word(call, "visibility", words_visibility, &import->visibility);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	if (import->text)
		fault = record_read(
		    call->arena, call->body == NULL ? "" : call->body, call->body_len, &import->draft, &where);
	else
		fault = read_json(call, &import->draft);
	if (call->replied)
		return fault;
	if (fault == FAULT_NONE)
		fault = record_check(call->arena, &import->draft, &import->record, &where);
	return fault == FAULT_NONE ? FAULT_NONE : refuse_record(call, fault, import, &where);
}

enum fault
import_run(struct call *call)
{
	const struct import *import = call->prepared;
	struct player_row row;
	const struct player_row *player;
	struct game_secrets secrets;
	struct game game;
	game_secrets_new(&secrets);
	enum fault fault = player_asking(call, &row, &player);
	if (fault == FAULT_NONE)
		fault = record_import(call->db, call->arena, call->now_ms, &import->record, import->visibility == 0,
		    player, &secrets, &game);
	return fault != FAULT_NONE ? fault : subject_created(call, &game, &secrets);
}

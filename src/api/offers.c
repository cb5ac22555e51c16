/* Offers: made, looked at, answered and withdrawn by the seats of a game. */
#include "play/offer.h"

#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/retry.h"
#include "api/subject.h"
#include "play/takeback.h"

static const struct schema_member offer_members[] = {
    {.name = "kind", .required = true, .value = {.type = SCHEMA_STRING, .words = offer_words}},
    {.name = "ply", .value = {.type = SCHEMA_INTEGER, .min = 0, .max = PLIES_MAX}},
    {.name = "seat", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = SEATS_MAX}},
    {.name = NULL},
};
static const struct schema offer_schema = {.type = SCHEMA_OBJECT, .members = offer_members};
static const struct schema_member answer_members[] = {
    {.name = "accept", .required = true, .value = {.type = SCHEMA_BOOLEAN}},
    {.name = "seat", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = SEATS_MAX}},
    {.name = NULL},
};
static const struct schema answer_schema = {.type = SCHEMA_OBJECT, .members = answer_members};

RESOURCE_NOTHING_TO_PREPARE(offers_one)
RESOURCE_NOTHING_TO_PREPARE(offers_withdraw)

enum fault
offers_prepare(struct call *call)
{
	const cJSON *body;
	unsigned kind = 0;
	struct offer_request *request = arena_zero(call->arena, sizeof *request);
	if (request == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = request;
	enum fault fault = body_json(call, &offer_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	while (strcmp(offer_words[kind], json_text(body, "kind")) != 0)
		kind++;
	request->kind = (enum offer_kind)kind;
	request->ply = (unsigned)json_int(body, "ply", 0);
	request->seat = (unsigned)json_int(body, "seat", 0);
	bool ply = json_member(body, "ply") != NULL, takeback = request->kind == OFFER_TAKEBACK;
	if (ply == takeback)
		return FAULT_NONE;
	return body_refuse(call, "/ply",
	    takeback ? "expected the ply to take back to" : "only a takeback goes to a ply: leave it out");
}

/* A refusal that shows the offer it is about; the caller is known to have a seat. */
static enum fault
refuse_with_offer(struct call *call, enum fault fault, const struct game *game, const struct offer_row *offer)
{
	struct writer writer = problem_begin(call, fault, NULL);
	writer_key(&writer, "offer");
	document_offer(&writer, call, game, offer);
	return problem_end(call, &writer);
}

static enum fault
refuse_takeback(struct call *call, const struct game *game)
{
	unsigned lowest = 0;
	enum fault fault = takeback_lowest(call->db, call->arena, game, &lowest);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = problem_begin(call, FAULT_NO_TAKEBACK, NULL);
	writer_key(&writer, "ply");
	writer_int(&writer, game->row.ply);
	writer_key(&writer, "lowest_ply");
	writer_int(&writer, lowest);
	return problem_end(call, &writer);
}

static enum fault
refuse_offer(struct call *call, enum fault fault, const struct game *game, const struct offer_request *request)
{
	for (unsigned i = 0; i < game->row.offers && fault == FAULT_OFFER_OPEN; i++)
		if (strcmp(game->offers[i].kind, offer_words[request->kind]) == 0)
			return refuse_with_offer(call, fault, game, &game->offers[i]);
	if (fault == FAULT_NO_TAKEBACK)
		return refuse_takeback(call, game);
	return subject_refuse_mover(call, fault, game);
}

/* The offer as it was made, and the game as it stands. */
static enum fault
reply_made(struct call *call, const struct game *game, const struct offer_row *made)
{
	struct move_row row;
	const struct move_row *last;
	enum fault fault = subject_last(call, game, &row, &last);
	const char *location = reply_path(call, "/v1/games/%s/offers/%s", game->row.id, made->id);
	if (fault == FAULT_NONE && location == NULL)
		fault = FAULT_OUT_OF_MEMORY;
	if (fault == FAULT_NONE)
		fault = call_changed(call, game);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 201);
	writer_open(&writer, '{');
	writer_key(&writer, "offer");
	document_offer(&writer, call, game, made);
	writer_key(&writer, "game");
	subject_write(call, &writer, game, last, NULL);
	writer_close(&writer, '}');
	reply_header(call, "Location", location);
	fault = subject_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
offers_run(struct call *call)
{
	struct offer_request *request = call->prepared;
	struct offer_row made;
	struct game game;
	char id[ID_LEN + 1];
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	/* The token of a seat that is handed over may die of the call, as where a seat is left. */
	bool own = request->seat == 0 || holder_has(&call->holder, request->seat);
	if (request->kind == OFFER_HANDOVER && own)
		fault = retry_check_alone(call);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	token_new_id(id);
	request->id = id;
	request->stale = subject_stale(call, &game);
	fault = offer_make(call->db, call->now_ms, &game, &call->holder, request, &made);
	return fault != FAULT_NONE ? refuse_offer(call, fault, &game, request) : reply_made(call, &game, &made);
}

enum fault
offers_one_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	if (call->holder.seats == 0)
		return subject_refuse_mover(call, FAULT_NOT_YOUR_SEAT, &game);
	const struct offer_row *offer = offer_find(&game, call->param[1]);
	if (offer == NULL)
		return FAULT_NO_SUCH_OFFER;
	struct writer writer = reply_begin(call, 200);
	document_offer(&writer, call, &game, offer);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

/* An answer to an offer, or its withdrawal, that could not be. */
static enum fault
refuse_answer(struct call *call, enum fault fault, const struct game *game)
{
	const struct offer_row *offer = offer_find(game, call->param[1]);
	if (fault == FAULT_NOT_ASKED && offer != NULL)
		return refuse_with_offer(call, fault, game, offer);
	if (fault == FAULT_NOT_YOUR_SEAT && call->holder.seats != 0)
		return problem_plain(call, fault, NULL);
	return subject_refuse_mover(call, fault, game);
}

enum fault
offers_answer_prepare(struct call *call)
{
	const cJSON *body;
	struct offer_answer *answer = arena_zero(call->arena, sizeof *answer);
	if (answer == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = answer;
	enum fault fault = body_json(call, &answer_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	answer->accept = cJSON_IsTrue(json_member(body, "accept"));
	answer->seat = (unsigned)json_int(body, "seat", 0);
	return FAULT_NONE;
}

enum fault
offers_answer_run(struct call *call)
{
	struct offer_answer *answer = call->prepared;
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	answer->id = call->param[1];
	answer->stale = subject_stale(call, &game);
	/* Whoever agrees to give his seat away has no token any more. */
	const struct offer_row *offer = offer_find(&game, answer->id);
	if (offer != NULL && answer->accept && holder_has(&call->holder, offer->subject))
		fault = retry_check_alone(call);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	fault = offer_answer(call->db, call->now_ms, &game, &call->holder, answer);
	return fault != FAULT_NONE ? refuse_answer(call, fault, &game) : subject_reply(call, &game);
}

enum fault
offers_withdraw_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	bool stale = subject_stale(call, &game);
	fault = offer_withdraw(call->db, call->now_ms, &game, &call->holder, call->param[1], stale);
	return fault != FAULT_NONE ? refuse_answer(call, fault, &game) : subject_reply(call, &game);
}

/* GET /v1/games/{game}/hint: what the engine would play where the game stands. */
#include "api/advice.h"
#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "play/review.h"

struct hint {
	struct advice advice;
	struct game game;
};

_Static_assert(offsetof(struct hint, advice.question) == 0, "answer finds the hint of a question");

enum fault
hint_prepare(struct call *call)
{
	struct hint *hint = arena_zero(call->arena, sizeof *hint);
	if (hint == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = hint;
	return advice_read_query(call, &hint->advice);
}

static enum fault
answer(struct question *question, struct call *call)
{
	const struct hint *hint = (const struct hint *)(const void *)question;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	writer_plain(&writer, hint->game.row.id, ID_LEN);
	writer_key(&writer, "ply");
	writer_int(&writer, hint->game.row.ply);
	document_turn(&writer, hint->game.row.turn);
	advice_write(&writer, &hint->advice);
	writer_close(&writer, '}');
	enum fault fault = subject_headers(call, &hint->game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
hint_run(struct call *call)
{
	struct hint *hint = call->prepared;
	struct game *game = &hint->game;
	enum fault fault = subject_load(call, game);
	if (fault != FAULT_NONE)
		return fault;
	if (strcmp(game->row.status, "withdrawn") == 0)
		return FAULT_GAME_WITHDRAWN;
	if (game->row.turn == 0)
		return subject_refuse(
		    call, game_open_seats(game) != 0 ? FAULT_GAME_NOT_STARTED : FAULT_GAME_OVER, game);
	call->of_engine = true;
	fault = subject_unchanged(call, game);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	hint->advice.position = game->position;
	hint->advice.question.answer = answer;
	fault = review_past(call->db, call->arena, game, game->row.ply, &hint->advice.history);
	return fault != FAULT_NONE ? fault : advice_ask(call, &hint->advice);
}

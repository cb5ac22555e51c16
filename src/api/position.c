/* The position after a ply. */
#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"

RESOURCE_NOTHING_TO_PREPARE(position)

enum fault
position_run(struct call *call)
{
	struct game game;
	struct position position;
	unsigned ply = 0;
	enum fault fault = subject_load(call, &game);
	if (fault == FAULT_NONE)
		fault = subject_ply(call, &ply);
	if (fault == FAULT_NONE)
		fault = game_position_at(call->db, call->arena, &game, ply, &position);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	writer_plain(&writer, game.row.id, ID_LEN);
	writer_key(&writer, "ply");
	writer_int(&writer, ply);
	document_position(&writer, &position);
	writer_close(&writer, '}');
	/* A takeback may change any ply but the start, until the game is over. */
	fault = subject_headers(call, &game, ply == 0 || game.row.reason != NULL);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

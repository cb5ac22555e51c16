/* What was played. */
#include "api/body.h"
#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"

RESOURCE_NOTHING_TO_PREPARE(moves_one)

enum fault
moves_prepare(struct call *call)
{
	uint64_t *after = arena_zero(call->arena, sizeof *after);
	if (after == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = after;
	return body_number(call, "after", 0, PLIES_MAX, after);
}

static void
write_moves(struct writer *writer, const struct game *game, const struct move_row *rows, unsigned count)
{
	writer_open(writer, '{');
	writer_key(writer, "game");
	writer_plain(writer, game->row.id, ID_LEN);
	writer_key(writer, "ply");
	writer_int(writer, game->row.ply);
	writer_key(writer, "moves");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++)
		document_played(writer, &rows[i]);
	writer_close(writer, ']');
	writer_close(writer, '}');
}

enum fault
moves_run(struct call *call)
{
	const uint64_t *after = call->prepared;
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	unsigned most = game.row.ply > *after ? game.row.ply - (unsigned)*after : 0;
	struct move_row *rows = arena_take(call->arena, (most + 1) * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (most > 0)
		fault = subject_moves(call, &game, (unsigned)*after, rows, most);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	write_moves(&writer, &game, rows, most);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
moves_one_run(struct call *call)
{
	struct game game;
	struct move_row row;
	unsigned ply = 0;
	enum fault fault = subject_load(call, &game);
	if (fault == FAULT_NONE)
		fault = subject_ply(call, &ply);
	if (fault == FAULT_NONE && ply == 0)
		fault = FAULT_NO_SUCH_PLY;
	if (fault == FAULT_NONE)
		fault = ply > game.row.ply ? FAULT_NO_SUCH_PLY : subject_moves(call, &game, ply - 1, &row, 1);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	document_played(&writer, &row);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

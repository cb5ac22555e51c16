/* A game as it stands, and the legal moves of the seat to move. */
#include "api/body.h"
#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"

RESOURCE_NOTHING_TO_PREPARE(game)
RESOURCE_NOTHING_TO_PREPARE(game_legal_moves)

enum fault
game_run(struct call *call)
{
	struct game game;
	struct move_row row;
	const struct move_row *last;
	enum fault fault = subject_load(call, &game);
	if (fault == FAULT_NONE)
		fault = subject_last(call, &game, &row, &last);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	document_game(&writer, call, &game, last, NULL);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

static void
write_legal(struct writer *writer, const struct game *game, cell_or_none_t from)
{
	struct move moves[MOVES_MAX];
	writer_open(writer, '{');
	writer_key(writer, "game");
	writer_plain(writer, game->row.id, ID_LEN);
	writer_key(writer, "ply");
	writer_int(writer, game->row.ply);
	document_turn(writer, game->row.turn);
	writer_key(writer, "moves");
	/* Before the start and after a withdrawal nobody is to move, though the position is that of a seat. */
	if (game->row.turn == 0) {
		writer_open(writer, '[');
		writer_close(writer, ']');
	} else {
		document_legal_moves(writer, &game->position, &game->past, from, moves);
	}
	writer_close(writer, '}');
}

enum fault
game_legal_moves_run(struct call *call)
{
	const char *text = body_parameter(call, "from");
	cell_or_none_t from = CELL_NONE;
	cell_t cell;
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	if (text != NULL) {
		if (!notation_read_cell(game.variant, text, strlen(text), &cell))
			return body_refuse_parameter(call, "from", "a cell of the board, as c1");
		from = cell;
	}
	struct writer writer = reply_begin(call, 200);
	write_legal(&writer, &game, from);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

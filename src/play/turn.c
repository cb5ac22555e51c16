#include "play/turn.h"

#include <string.h>

#include "play/clock.h"
#include "play/event.h"

static const char *const kind_words[] = {
    [MOVE_OWN] = "own",
    [MOVE_SHARED] = "shared",
    [MOVE_NEUTRAL] = "neutral",
};

/* "2 captured,3 blocked"; NULL if no seat went out. */
static const char *
describe_out(const struct change *change, char text[OUT_TEXT_MAX])
{
	char *at = text;
	for (unsigned i = 0; i < change->out_count; i++) {
		if (i > 0)
			*at++ = ',';
		*at++ = (char)('0' + change->out[i].seat);
		*at++ = ' ';
		at = stpcpy(at, reason_word((enum reason)change->out[i].reason));
	}
	return at == text ? NULL : text;
}

void
turn_describe(const struct position *before, struct move move, const struct position *after,
    const struct change *change, struct turn_texts *texts, struct move_row *row)
{
	struct path path;
	notation_move(move, texts->move);
	notation_position(after, texts->position);
	position_path(before, move, &path);
	if (path.count > 2)
		notation_path(&path, texts->path);
	*row = (struct move_row){
	    .ply = after->ply,
	    .seat = before->turn,
	    .move = texts->move,
	    .path = path.count > 2 ? texts->path : NULL,
	    .kind = kind_words[move.kind],
	    .left = change->left,
	    .position = texts->position,
	    .out = describe_out(change, texts->out),
	    .remaining_ms = -1,
	};
}

bool
turn_read(const struct move_row *row, struct move_text *text, struct move *move)
{
	struct text_fault why;
	unsigned kind = 0;
	while (kind < sizeof kind_words / sizeof *kind_words && strcmp(kind_words[kind], row->kind) != 0)
		kind++;
	if (kind == sizeof kind_words / sizeof *kind_words)
		return false;
	/* Cells beyond the numbering of cell.h can be written, but not be of a stored move. */
	if (!notation_read_move(row->move, strlen(row->move), text, &why) || text->count != 2)
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (text->cells[i].file > 15 || text->cells[i].rank < 0 || text->cells[i].rank > 15)
			return false;
	*move = (struct move){
	    .from = cell_at(text->cells[0].file, (unsigned)text->cells[0].rank),
	    .to = cell_at(text->cells[1].file, (unsigned)text->cells[1].rank),
	    .kind = (uint8_t)kind,
	    .captures = text->capture,
	};
	return true;
}

struct turn *
turn_begin(struct arena *arena, struct db *db, int64_t now_ms, bool dry, struct game *game)
{
	struct turn *turn = arena_take(arena, sizeof *turn);
	if (turn == NULL)
		return NULL;
	turn->db = db;
	turn->now_ms = now_ms;
	turn->dry = dry;
	turn->game = game;
	return turn;
}

/* Brings turn, ply and, if the game is over, status, winner and reason of the row in line with the position. */
static void
settle(struct game *game)
{
	struct game_row *row = &game->row;
	const struct position *position = &game->position;
	row->turn = position->turn;
	row->ply = position->ply;
	if (position->turn != 0)
		return;
	row->status = "finished";
	row->winner = position->winner;
	row->reason = reason_word((enum reason)position->reason);
}

/* Takes over the position after a turn, by a move or without one, and marks the seats that went out. */
static void
take_over(struct turn *turn, const struct position *after, const struct change *change, bool moved)
{
	struct game *game = turn->game;
	unsigned was = game->row.turn;
	game->position = *after;
	game->row.position = turn->texts.position;
	game->row.updated_ms = turn->now_ms;
	settle(game);
	clock_turned(game, was, moved, turn->now_ms);
	for (unsigned i = 0; i < change->out_count; i++)
		game->seats[change->out[i].seat - 1].out_reason = reason_word((enum reason)change->out[i].reason);
}

/* Writes the seats that went out, and the end of the game if this is it. */
static enum fault
write_consequences(struct turn *turn, const struct change *change)
{
	struct game *game = turn->game;
	for (unsigned i = 0; i < change->out_count; i++) {
		const char *reason = reason_word((enum reason)change->out[i].reason);
		enum fault fault = seats_out(turn->db, game->row.game, change->out[i].seat, reason);
		if (fault == FAULT_NONE)
			fault = event_out(turn->db, turn->now_ms, game, change->out[i].seat, reason);
		if (fault != FAULT_NONE)
			return fault;
	}
	return game->position.turn == 0 ? event_finished(turn->db, turn->now_ms, game) : FAULT_NONE;
}

enum fault
turn_play(struct turn *turn, struct move move, struct move_row *row)
{
	struct game *game = turn->game;
	struct position before = game->position, after;
	struct change change;
	position_play(&before, &game->past, move, &after, &change);
	turn_describe(&before, move, &after, &change, &turn->texts, row);
	row->at_ms = turn->now_ms;
	take_over(turn, &after, &change, true);
	row->remaining_ms = game->seats[row->seat - 1].remaining_ms;
	if (turn->dry)
		return FAULT_NONE;

	unsigned captured = move.captures ? (unsigned)position_owners(&before, move.to) : 0;
	enum fault fault = event_moved(turn->db, game, row, move, captured);
	return fault == FAULT_NONE ? write_consequences(turn, &change) : fault;
}

/* Writes an ending and what follows from it, with the game as it is after. */
static enum fault
write_ending(struct turn *turn, unsigned seat, enum reason reason, unsigned n, const struct change *change)
{
	struct game *game = turn->game;
	struct ending_row row = {
	    .ply = game->row.ply,
	    .seat = seat,
	    .reason = reason_word(reason),
	    .position = turn->texts.position,
	    .at_ms = turn->now_ms,
	};
	enum fault fault = endings_insert(turn->db, game->row.game, n, &row);
	return fault == FAULT_NONE ? write_consequences(turn, change) : fault;
}

enum fault
turn_drop(struct turn *turn, unsigned seat, enum reason reason, unsigned n)
{
	struct position after;
	struct change change;
	position_drop(&turn->game->position, &turn->game->past, seat, reason, &after, &change);
	notation_position(&after, turn->texts.position);
	take_over(turn, &after, &change, false);
	return turn->dry ? FAULT_NONE : write_ending(turn, seat, reason, n, &change);
}

enum fault
turn_agree(struct turn *turn, unsigned n)
{
	struct position after;
	struct change change = {0};
	position_agree(&turn->game->position, &after);
	notation_position(&after, turn->texts.position);
	take_over(turn, &after, &change, false);
	return turn->dry ? FAULT_NONE : write_ending(turn, 0, REASON_AGREEMENT, n, &change);
}

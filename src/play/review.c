#include "play/review.h"

#include "play/turn.h"

enum fault
review_past(struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct history *history)
{
	struct position start;
	if (ply > game->row.ply)
		return FAULT_NO_SUCH_PLY;
	uint64_t *keys = arena_take(arena, (ply + 1) * sizeof *keys);
	if (keys == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = game_position_at(db, arena, game, 0, &start);
	if (fault == FAULT_NONE)
		fault = moves_left(db, game->row.game, ply, keys);
	if (fault != FAULT_NONE)
		return fault;
	history_begin(history, &start);
	for (unsigned i = 0; i < ply; i++)
		history_add(history, keys[i]);
	return FAULT_NONE;
}

/* Whoever gave up before a ply is out in the position that its seat found. */
static enum fault
read_endings(struct db *db, struct arena *arena, const struct game *game, unsigned first, unsigned count,
    struct review_ply *plies)
{
	struct ending_row rows[SEATS_MAX];
	unsigned row_count = 0;
	enum fault fault = game_endings(db, arena, game, rows, &row_count);
	for (unsigned i = 0; i < row_count && fault == FAULT_NONE; i++)
		if (rows[i].ply + 1 >= first && rows[i].ply + 1 < first + count)
			fault = game_read_position(
			    game, rows[i].position, rows[i].ply, &plies[rows[i].ply + 1 - first].before);
	return fault;
}

enum fault
review_plies(struct db *db, struct arena *arena, const struct game *game, unsigned first, unsigned count,
    struct review_ply *plies)
{
	unsigned got = 0;
	struct move_text text;
	struct move_row *rows = arena_take(arena, (count + 1) * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (first == 0 || first + count > game->row.ply + 1)
		return FAULT_NO_SUCH_PLY;
	if (count == 0)
		return FAULT_NONE;
	enum fault fault = moves_of(db, arena, game->row.game, first, rows, count, &got);
	if (fault == FAULT_NONE)
		fault = game_position_at(db, arena, game, first - 1, &plies[0].before);
	for (unsigned i = 0; i < got && fault == FAULT_NONE; i++) {
		if (rows[i].ply != first + i || !rows[i].agrees || !turn_read(&rows[i], &text, &plies[i].move))
			return FAULT_DAMAGED_GAME;
		plies[i].left = rows[i].left;
		if (i + 1 < count)
			fault = game_read_position(game, rows[i].position, first + i, &plies[i + 1].before);
	}
	if (fault == FAULT_NONE && got != count)
		fault = FAULT_DAMAGED_GAME;
	return fault == FAULT_NONE ? read_endings(db, arena, game, first, count, plies) : fault;
}

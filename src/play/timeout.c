#include "play/timeout.h"

#include "play/clock.h"
#include "play/game_write.h"
#include "play/turn.h"

enum fault
timeout_forfeit(struct db *db, struct arena *arena, int64_t now_ms, struct game *game)
{
	struct game next = *game;
	struct ending_row rows[SEATS_MAX];
	unsigned count;
	enum fault fault = endings_of(db, arena, game->row.game, rows, SEATS_MAX, &count);
	if (fault != FAULT_NONE)
		return fault;
	struct turn *turn = turn_begin(arena, db, now_ms, false, &next);
	if (turn == NULL)
		return FAULT_OUT_OF_MEMORY;
	fault = turn_drop(turn, game->row.turn, REASON_TIMEOUT, count);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

enum fault
timeout_claim(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, unsigned seat)
{
	enum fault fault = game_check_in(game, seat);
	if (fault != FAULT_NONE)
		return fault;
	if (seat == game->row.turn || !clock_is_late(&game->row, now_ms))
		return FAULT_NOTHING_TO_CLAIM;
	return timeout_forfeit(db, arena, now_ms, game);
}

#include "play/game_write.h"

#include <string.h>

#include "play/clock.h"
#include "play/offer.h"
#include "play/opponent.h"

/* What seats have left changes with the turn alone. */
static enum fault
write_remaining(struct db *db, const struct game *before, const struct game *after)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < after->seat_count && fault == FAULT_NONE; i++)
		if (before->seats[i].remaining_ms != after->seats[i].remaining_ms)
			fault = seats_remaining(db, after->row.game, &after->seats[i]);
	return fault;
}

/* 0 stands for never. */
static int64_t
earlier(int64_t a_ms, int64_t b_ms)
{
	if (a_ms == 0 || b_ms == 0)
		return a_ms + b_ms;
	return a_ms < b_ms ? a_ms : b_ms;
}

unsigned
game_waits_for(const struct game *game)
{
	unsigned seats = offer_waiting(game) | game_seat_bit(game->row.turn);
	return strcmp(game->row.status, "active") == 0 ? seats : 0;
}

enum fault
game_wait(struct db *db, struct game *game)
{
	unsigned seats = game_waits_for(game);
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++) {
		struct seat_row *seat = &game->seats[i];
		int64_t due_ms = seat->player != 0 && (seats >> i & 1) != 0 ? games_due(&game->row) : 0;
		if (due_ms == seat->due_ms)
			continue;
		seat->due_ms = due_ms;
		fault = seats_due(db, game->row.game, seat);
	}
	return fault;
}

int64_t
game_due(const struct game *game)
{
	return earlier(clock_due(&game->row), offer_due(game));
}

enum fault
game_write_times(struct db *db, const struct game *before, struct game *after)
{
	enum fault fault = write_remaining(db, before, after);
	after->row.due_ms = game_due(after);
	after->row.thinks = opponent_wanted(after);
	if (fault == FAULT_NONE)
		fault = game_wait(db, after);
	return fault == FAULT_NONE ? games_update(db, &after->row) : fault;
}

enum fault
game_write(struct db *db, const struct game *before, struct game *after)
{
	enum fault fault = offer_follow(db, before, after);
	return fault == FAULT_NONE ? game_write_times(db, before, after) : fault;
}

enum fault
game_become(struct db *db, struct game *game, struct game *next)
{
	enum fault fault = game_write(db, game, next);
	if (fault == FAULT_NONE)
		*game = *next;
	return fault;
}

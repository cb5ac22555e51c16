#include "play/game_write.h"

#include <string.h>

#include "play/clock.h"
#include "play/offer.h"

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

/* The seats that must move or answer an offer, as bits. */
static unsigned
needed(const struct game *game)
{
	unsigned seats = offer_waiting(game) | (game->row.turn == 0 ? 0 : 1U << (game->row.turn - 1));
	return strcmp(game->row.status, "active") == 0 ? seats : 0;
}

enum fault
game_needs(struct db *db, const struct game *before, struct game *after)
{
	unsigned seats = needed(after);
	bool other_due = games_due(&before->row) != games_due(&after->row);
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < after->seat_count && fault == FAULT_NONE; i++) {
		struct seat_row *seat = &after->seats[i];
		bool needs = seat->player != 0 && (seats >> i & 1) != 0;
		bool other = needs != before->seats[i].needs || (needs && other_due);
		seat->needs = needs;
		if (other)
			fault = seats_need(db, after->row.game, games_due(&after->row), seat);
	}
	return fault;
}

enum fault
game_write(struct db *db, const struct game *before, struct game *after)
{
	enum fault fault = offer_follow(db, before, after);
	if (fault == FAULT_NONE)
		fault = write_remaining(db, before, after);
	after->row.due_ms = earlier(clock_due(&after->row), offer_due(after));
	if (fault == FAULT_NONE)
		fault = game_needs(db, before, after);
	return fault == FAULT_NONE ? games_update(db, &after->row) : fault;
}

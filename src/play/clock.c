#include "play/clock.h"

#include <string.h>

enum { DEFAULT_SECONDS = 14 * 24 * 60 * 60, MS_PER_SECOND = 1000 };

static bool
is_type(const struct game_row *row, const char *type)
{
	return strcmp(row->clock_type, type) == 0;
}

static int64_t
at_least_0(int64_t ms)
{
	return ms < 0 ? 0 : ms;
}

void
clock_set(struct game *game, const struct clock_terms *terms)
{
	struct game_row *row = &game->row;
	/* Strangers are not kept waiting for ever by somebody who has left. */
	bool by_default = terms->type == NULL && game_open_seats(game) != 0;
	row->clock_type = by_default ? "per_move" : terms->type == NULL ? "none" : terms->type;
	row->on_timeout = terms->on_timeout == NULL ? "forfeit" : terms->on_timeout;
	row->per_move_seconds = by_default ? DEFAULT_SECONDS : terms->per_move_seconds;
	row->initial_seconds = terms->initial_seconds;
	row->increment_seconds = terms->increment_seconds;
	row->deadline_ms = 0;
	row->paused_ms = -1;
	for (unsigned i = 0; i < game->seat_count; i++)
		game->seats[i].remaining_ms = is_type(row, "budget") ? row->initial_seconds * MS_PER_SECOND : -1;
}

/* The time that the seat to move has for its move. */
static int64_t
time_of_turn(const struct game *game)
{
	if (is_type(&game->row, "budget"))
		return at_least_0(game->seats[game->row.turn - 1].remaining_ms);
	return game->row.per_move_seconds * MS_PER_SECOND;
}

void
clock_start(struct game *game, int64_t now_ms)
{
	struct game_row *row = &game->row;
	row->deadline_ms = 0;
	if (row->turn == 0 || is_type(row, "none"))
		return;
	if (row->paused_ms >= 0)
		row->paused_ms = time_of_turn(game);
	else
		row->deadline_ms = now_ms + time_of_turn(game);
}

/* What a seat has left when its turn has ended. */
static void
put_down(struct game *game, unsigned seat, bool moved, int64_t now_ms)
{
	const struct game_row *row = &game->row;
	if (seat == 0 || !is_type(row, "budget"))
		return;
	int64_t *remaining = &game->seats[seat - 1].remaining_ms;
	if (row->paused_ms >= 0)
		*remaining = row->paused_ms;
	else if (row->deadline_ms != 0)
		*remaining =
		    at_least_0(row->deadline_ms - now_ms) + (moved ? row->increment_seconds * MS_PER_SECOND : 0);
}

void
clock_turned(struct game *game, unsigned was, bool moved, int64_t now_ms)
{
	if (!moved && game->row.turn == was)
		return;
	put_down(game, was, moved, now_ms);
	clock_start(game, now_ms);
	if (game->row.turn == 0)
		game->row.paused_ms = -1;
}

void
clock_stop(struct game *game, int64_t now_ms)
{
	put_down(game, game->row.turn, false, now_ms);
	game->row.deadline_ms = 0;
	game->row.paused_ms = -1;
}

bool
clock_pause(struct game *game, int64_t now_ms)
{
	struct game_row *row = &game->row;
	if (row->deadline_ms == 0)
		return false;
	row->paused_ms = at_least_0(row->deadline_ms - now_ms);
	row->deadline_ms = 0;
	return true;
}

bool
clock_resume(struct game *game, int64_t now_ms)
{
	struct game_row *row = &game->row;
	if (row->paused_ms < 0)
		return false;
	row->deadline_ms = now_ms + row->paused_ms;
	row->paused_ms = -1;
	return true;
}

void
clock_restore(struct game *game, const int64_t remaining_ms[SEATS_MAX], int64_t now_ms)
{
	for (unsigned i = 0; i < game->seat_count && is_type(&game->row, "budget"); i++)
		game->seats[i].remaining_ms =
		    remaining_ms[i] < 0 ? game->row.initial_seconds * MS_PER_SECOND : remaining_ms[i];
	clock_start(game, now_ms);
}

void
clock_refresh(struct game *game, unsigned seat, int64_t now_ms)
{
	if (game->row.turn == seat && is_type(&game->row, "per_move"))
		clock_start(game, now_ms);
}

void
clock_credit(struct game *game, int64_t ms)
{
	game->row.deadline_ms += ms;
}

void
clock_credit_open(struct game *game, int64_t ms)
{
	game->row.due_ms = clock_due(&game->row) + ms;
}

bool
clock_is_late(const struct game_row *row, int64_t now_ms)
{
	return row->deadline_ms != 0 && now_ms >= row->deadline_ms;
}

bool
clock_is_up(const struct game_row *row, int64_t now_ms)
{
	return clock_is_late(row, now_ms) && strcmp(row->on_timeout, "forfeit") == 0;
}

int64_t
clock_due(const struct game_row *row)
{
	if (strcmp(row->status, "open") == 0)
		return row->due_ms != 0 ? row->due_ms : row->created_ms + CLOCK_OPEN_MS;
	return strcmp(row->on_timeout, "forfeit") == 0 ? row->deadline_ms : 0;
}

int64_t
clock_remaining(const struct game_row *row, const struct seat_row *seat)
{
	if (row->turn == seat->seat && row->deadline_ms != 0)
		return at_least_0(row->deadline_ms - row->updated_ms);
	if (row->turn == seat->seat && row->paused_ms >= 0)
		return row->paused_ms;
	return seat->remaining_ms < 0 ? -1 : seat->remaining_ms;
}

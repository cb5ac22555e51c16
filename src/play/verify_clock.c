/*
 * The clocks of a game: its log tells when each turn began and ended, what was
 * given back, paused and taken back.  What is stored of deadlines and of the time
 * that is left must follow from it, and nobody may have lost on time before his
 * time was up.
 */
#include "play/clock.h"

#include <string.h>

#include "base/limits.h"
#include "play/quote.h"
#include "play/verify_game.h"

/* A walk through the log. */
struct walk {
	struct verify *verify;
	struct game game;                    /* as far as its clocks go */
	bool broken;                         /* an event cannot be: what follows tells nothing */
	int64_t remaining_ms[PLIES_MAX + 1]; /* [ply]: of the seat that made it, after it */
	uint8_t mover[PLIES_MAX + 1];
};

/* The seat to move that an event tells of; 0 for null. */
static unsigned
turn_of(const struct walk *walk, const struct event_row *event)
{
	int64_t turn = quote_json_number(event->data, "turn");
	return turn < 1 || turn > walk->game.seat_count ? 0 : (unsigned)turn;
}

static bool
cannot_be(struct walk *walk, const struct event_row *event, const char *why)
{
	walk->broken = true;
	verify_differs(walk->verify, "clock: seq %u: %s of seat %u: %s", event->seq, event->type, event->seat, why);
	return false;
}

static void
pass_turn(struct walk *walk, const struct event_row *event, unsigned turn, bool moved)
{
	unsigned was = walk->game.row.turn;
	walk->game.row.turn = turn;
	clock_turned(&walk->game, was, moved, event->at_ms);
}

static void
follow_start(struct walk *walk, const struct event_row *event)
{
	walk->game.row.status = "active";
	walk->game.row.turn = turn_of(walk, event);
	clock_start(&walk->game, event->at_ms);
}

static void
follow_move(struct walk *walk, const struct event_row *event)
{
	if (event->seat != walk->game.row.turn || event->ply == 0 || event->ply > PLIES_MAX) {
		cannot_be(walk, event, "it is not to move");
		return;
	}
	if (clock_is_up(&walk->game.row, event->at_ms)) {
		cannot_be(walk, event, "its time was up");
		return;
	}
	pass_turn(walk, event, turn_of(walk, event), true);
	walk->mover[event->ply] = (uint8_t)event->seat;
	walk->remaining_ms[event->ply] = walk->game.seats[event->seat - 1].remaining_ms;
}

/* A record that was imported tells of timeouts, and of no clock. */
static void
follow_out(struct walk *walk, const struct event_row *event, struct arena *arena)
{
	const char *reason = quote_json_member(arena, event->data, "reason");
	bool late = event->seat == walk->game.row.turn && clock_is_late(&walk->game.row, event->at_ms);
	if (reason != NULL && strcmp(reason, "timeout") == 0 && !late && !walk->verify->row.imported)
		cannot_be(walk, event, "its time was not up");
	else
		pass_turn(walk, event, turn_of(walk, event), false);
}

static void
follow_credit(struct walk *walk, const struct event_row *event)
{
	int64_t ms = quote_json_number(event->data, "ms");
	bool open = strcmp(walk->game.row.status, "open") == 0;
	if (ms <= 0)
		cannot_be(walk, event, "it is not so much");
	else if (event->seat == 0 && open)
		clock_credit_open(&walk->game, ms);
	else if (event->seat != 0 && (walk->game.row.deadline_ms == 0 || event->seat != walk->game.row.turn))
		cannot_be(walk, event, "no clock of it ran");
	else if (event->seat != 0)
		clock_credit(&walk->game, ms);
	/* Of no seat in a game under way: to the notice of an offer (verify_offers). */
}

static void
follow_pause(struct walk *walk, const struct event_row *event)
{
	bool pause = strcmp(event->type, "clock_paused") == 0;
	if (!(pause ? clock_pause : clock_resume)(&walk->game, event->at_ms))
		cannot_be(walk, event, pause ? "no clock runs" : "it is not paused");
}

static void
follow_takeback(struct walk *walk, const struct event_row *event)
{
	int64_t ply = quote_json_number(event->data, "to_ply"), left_ms[SEATS_MAX] = {-1, -1, -1, -1};
	for (int64_t i = 1; i <= ply && i <= PLIES_MAX; i++)
		if (walk->mover[i] != 0)
			left_ms[walk->mover[i] - 1] = walk->remaining_ms[i];
	walk->game.row.turn = turn_of(walk, event);
	clock_restore(&walk->game, left_ms, event->at_ms);
}

static void
follow_withdrawal(struct walk *walk, const struct event_row *event, struct arena *arena)
{
	const char *reason = quote_json_member(arena, event->data, "reason");
	bool unfilled = reason != NULL && strcmp(reason, "unfilled") == 0;
	if (unfilled && (walk->game.row.turn != 0 || event->at_ms < clock_due(&walk->game.row))) {
		cannot_be(walk, event, "it could still be filled");
		return;
	}
	clock_stop(&walk->game, event->at_ms);
	walk->game.row.status = "withdrawn";
	walk->game.row.turn = 0;
}

static bool
follow(void *arg, const struct event_row *event, struct arena *arena)
{
	struct walk *walk = arg;
	if (strcmp(event->type, "game_started") == 0)
		follow_start(walk, event);
	else if (strcmp(event->type, "move_played") == 0)
		follow_move(walk, event);
	else if (strcmp(event->type, "seat_out") == 0)
		follow_out(walk, event, arena);
	else if (strcmp(event->type, "game_finished") == 0)
		pass_turn(walk, event, 0, false);
	else if (strcmp(event->type, "time_credited") == 0)
		follow_credit(walk, event);
	else if (strcmp(event->type, "clock_paused") == 0 || strcmp(event->type, "clock_resumed") == 0)
		follow_pause(walk, event);
	else if (strcmp(event->type, "takeback_done") == 0)
		follow_takeback(walk, event);
	else if (strcmp(event->type, "seat_taken") == 0 && walk->game.row.turn != 0)
		clock_refresh(&walk->game, event->seat, event->at_ms);
	else if (strcmp(event->type, "game_withdrawn") == 0)
		follow_withdrawal(walk, event, arena);
	return !walk->broken;
}

/* What moves of the record have stored beside what the walk has found. */
static enum fault
compare_moves(struct walk *walk)
{
	struct verify *verify = walk->verify;
	struct move_row rows[VERIFY_PAGE];
	enum fault fault = FAULT_NONE;
	unsigned count = 1;
	for (unsigned ply = 1; fault == FAULT_NONE && count > 0; ply += count) {
		struct arena *arena = arena_open(LIMIT_ARENA);
		if (arena == NULL)
			return FAULT_OUT_OF_MEMORY;
		fault = moves_of(verify->db, arena, verify->row.game, ply, rows, VERIFY_PAGE, &count);
		for (unsigned i = 0; fault == FAULT_NONE && i < count; i++)
			if (rows[i].ply <= PLIES_MAX && rows[i].remaining_ms != walk->remaining_ms[rows[i].ply])
				verify_differs(verify, "ply %u remaining: stored %lld, replayed %lld", rows[i].ply,
				    (long long)rows[i].remaining_ms, (long long)walk->remaining_ms[rows[i].ply]);
		arena_close(arena);
	}
	return fault;
}

static void
compare(struct verify *verify, const char *what, int64_t stored, int64_t replayed)
{
	if (stored != replayed)
		verify_differs(verify, "%s: stored %lld, replayed %lld", what, (long long)stored, (long long)replayed);
}

static void
compare_rows(struct walk *walk, const struct seat_row *seats)
{
	static const char *const names[SEATS_MAX] = {
	    "seat 1 remaining", "seat 2 remaining", "seat 3 remaining", "seat 4 remaining"};
	const struct game_row *row = &walk->verify->row;
	compare(walk->verify, "deadline", row->deadline_ms, walk->game.row.deadline_ms);
	compare(walk->verify, "paused", row->paused_ms, walk->game.row.paused_ms);
	/* Open offers have times of their own. */
	if (row->offers == 0)
		compare(walk->verify, "due", row->due_ms, clock_due(&walk->game.row));
	for (unsigned i = 0; i < walk->game.seat_count; i++)
		compare(walk->verify, names[i], seats[i].remaining_ms, walk->game.seats[i].remaining_ms);
}

/* The game before its first event. */
static struct walk *
begin(struct verify *verify, const struct seat_row *seats, unsigned seat_count)
{
	struct walk *walk = arena_zero(verify->arena, sizeof *walk);
	if (walk == NULL)
		return NULL;
	const struct game_row *row = &verify->row;
	const struct clock_terms terms = {.type = row->clock_type,
	    .on_timeout = row->on_timeout,
	    .per_move_seconds = row->per_move_seconds,
	    .initial_seconds = row->initial_seconds,
	    .increment_seconds = row->increment_seconds};
	walk->verify = verify;
	walk->game.row = *row;
	walk->game.row.status = "open";
	walk->game.row.turn = 0;
	walk->game.row.due_ms = 0;
	walk->game.seat_count = seat_count;
	memcpy(walk->game.seats, seats, seat_count * sizeof *seats);
	clock_set(&walk->game, &terms);
	return walk;
}

enum fault
verify_clock(struct verify *verify, const struct seat_row *seats, unsigned seat_count)
{
	struct walk *walk = begin(verify, seats, seat_count);
	enum fault fault = walk == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
	/* Where nobody is timed the log has nothing to tell but how long a game waits for its seats. */
	bool waits = strcmp(verify->row.status, "withdrawn") == 0 || strcmp(verify->row.status, "open") == 0;
	if (fault == FAULT_NONE && (waits || strcmp(verify->row.clock_type, "none") != 0))
		fault = verify_events_each(verify, follow, walk);
	if (fault != FAULT_NONE || walk->broken)
		return fault;
	/* The status is compared elsewhere; it goes into what is due. */
	walk->game.row.status = verify->row.status;
	compare_rows(walk, seats);
	return strcmp(verify->row.clock_type, "budget") == 0 ? compare_moves(walk) : FAULT_NONE;
}

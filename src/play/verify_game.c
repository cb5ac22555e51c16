/* What is stored of one game, beside what its replay ends with. */
#include <stdio.h>
#include <string.h>

#include "play/game_write.h"
#include "play/opponent.h"
#include "play/past.h"
#include "play/verify_replay.h"

static const char *
expected_status(const struct replay *replay)
{
	if (replay->position.turn == 0)
		return "finished";
	if (verify_replay_withdrawn(replay))
		return "withdrawn";
	return replay->started ? "active" : "open";
}

static bool
holds(const struct past *past, uint64_t key)
{
	for (size_t i = 0; i < past->count; i++)
		if (past->twice[i] == key)
			return true;
	return false;
}

static enum fault
compare_past(struct replay *replay)
{
	struct verify *verify = replay->verify;
	struct past stored, replayed = history_past(replay->history);
	enum fault fault = past_read(verify->arena, verify->row.twice, verify->row.twice_len, &stored);
	if (fault == FAULT_DAMAGED_GAME) {
		verify_differs(verify, "keys left twice: %zu bytes", verify->row.twice_len);
		return FAULT_NONE;
	}
	if (fault != FAULT_NONE)
		return fault;
	bool same = stored.count == replayed.count;
	for (size_t i = 0; i < replayed.count && same; i++)
		same = holds(&stored, replayed.twice[i]);
	if (!same)
		verify_differs(
		    verify, "keys left twice: stored %zu, replayed %zu, not the same", stored.count, replayed.count);
	return FAULT_NONE;
}

static void
compare_row(struct replay *replay)
{
	struct verify *verify = replay->verify;
	const struct game_row *row = &verify->row;
	const struct position *position = &replay->position;
	const char *status = expected_status(replay);
	unsigned turn = strcmp(status, "active") == 0 ? position->turn : 0;
	bool over = position->turn == 0;
	notation_position(position, replay->texts.position);
	verify_text(verify, "position", row->position, replay->texts.position);
	verify_text(verify, "status", row->status, status);
	verify_text(verify, "reason", row->reason, over ? reason_word((enum reason)position->reason) : NULL);
	if (row->ply != position->ply)
		verify_differs(verify, "ply: stored %u, replayed %u", row->ply, position->ply);
	if (row->turn != turn)
		verify_differs(verify, "turn: stored %u, replayed %u", row->turn, turn);
	if (!replay->started && (position->ply > 0 || replay->ending > 0))
		verify_differs(verify, "seats: one is open, though the game has started");
	if (row->winner != position->winner)
		verify_differs(verify, "winner: stored %u, replayed %u", row->winner, position->winner);
	if (replay->ending != replay->ending_count)
		verify_differs(
		    verify, "ending %u: ply %u is never reached", replay->ending, replay->endings[replay->ending].ply);
}

static void
compare_seats(struct replay *replay)
{
	struct verify *verify = replay->verify;
	const struct seat_row *seats = replay->seats;
	unsigned expected = variant_row(replay->variant)->seats;
	char what[32];
	if (replay->seat_count != expected)
		verify_differs(verify, "seats: stored %u, the variant has %u", replay->seat_count, expected);
	for (unsigned i = 0; i < replay->seat_count && i < expected; i++) {
		if (seats[i].seat != i + 1)
			verify_differs(verify, "seats: seat %u stands where %u should", seats[i].seat, i + 1);
		snprintf(what, sizeof what, "seat %u out", i + 1);
		verify_text(verify, what, seats[i].out_reason, replay->out_reasons[i]);
	}
}

/* Beside what the log says of who took and left them; it has been read to its end. */
static void
compare_holders(struct replay *replay)
{
	const struct verify_events *events = &replay->events;
	for (unsigned i = 0; i < replay->seat_count; i++) {
		bool open = (replay->open >> i & 1) != 0, filled = (events->filled >> i & 1) != 0;
		if ((events->known >> i & 1) != 0 && open == filled)
			verify_differs(replay->verify, "seat %u: stored as %s, the log ends with it %s", i + 1,
			    replay->seats[i].kind, filled ? "taken" : "left");
	}
}

static enum fault
read_seats(struct replay *replay)
{
	struct verify *verify = replay->verify;
	enum fault fault =
	    seats_of(verify->db, verify->arena, verify->row.game, replay->seats, SEATS_MAX, &replay->seat_count);
	for (unsigned i = 0; i < replay->seat_count; i++)
		if (strcmp(replay->seats[i].kind, "open") == 0)
			replay->open |= 1U << i;
	return fault;
}

/* For whom the game waits follows from the game as it stands. */
static enum fault
compare_due(struct replay *replay)
{
	struct verify *verify = replay->verify;
	struct game game;
	enum fault fault = game_load(verify->db, verify->arena, verify->row.id, &game);
	if (fault != FAULT_NONE)
		return fault == FAULT_DAMAGED_GAME ? FAULT_NONE : fault;
	if (game.row.offers > 0 && game.row.due_ms != game_due(&game))
		verify_differs(verify, "due: stored %lld, by the game %lld", (long long)game.row.due_ms,
		    (long long)game_due(&game));
	unsigned seats = game_waits_for(&game);
	for (unsigned i = 0; i < game.seat_count; i++) {
		bool waits = game.seats[i].player != 0 && (seats >> i & 1) != 0;
		int64_t due_ms = waits ? games_due(&game.row) : 0;
		if (game.seats[i].due_ms != due_ms)
			verify_differs(verify, "seat %u due: stored %lld, by the game %lld", i + 1,
			    (long long)game.seats[i].due_ms, (long long)due_ms);
	}
	if (game.row.thinks != opponent_wanted(&game))
		verify_differs(verify, "thinks: stored %u, by the game %u", game.row.thinks, opponent_wanted(&game));
	return FAULT_NONE;
}

/* What is left to compare when all turns were replayed. */
static enum fault
compare_end(struct replay *replay)
{
	compare_row(replay);
	enum fault fault = compare_past(replay);
	compare_seats(replay);
	if (fault == FAULT_NONE)
		fault = verify_events_finish(&replay->events);
	if (fault == FAULT_NONE)
		compare_holders(replay);
	if (fault == FAULT_NONE && !replay->events.lost)
		fault = verify_clock(replay->verify, replay->seats, replay->seat_count);
	if (fault == FAULT_NONE && !replay->events.lost)
		fault = verify_offers(replay->verify);
	if (fault == FAULT_NONE)
		fault = compare_due(replay);
	if (fault == FAULT_NONE)
		fault = verify_rematch(replay->verify);
	return fault;
}

enum fault
verify_game(struct verify *verify)
{
	struct replay *replay = arena_zero(verify->arena, sizeof *replay);
	if (replay == NULL)
		return FAULT_OUT_OF_MEMORY;
	replay->verify = verify;
	replay->history = arena_take(verify->arena, sizeof *replay->history);
	replay->before = arena_take(verify->arena, PLIES_MAX * sizeof *replay->before);
	if (replay->history == NULL || replay->before == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (!verify_replay_begin(replay))
		return FAULT_NONE;
	enum fault fault =
	    endings_of(verify->db, verify->arena, verify->row.game, replay->endings, SEATS_MAX, &replay->ending_count);
	if (fault == FAULT_NONE)
		fault = read_seats(replay);
	if (fault != FAULT_NONE)
		return fault;
	verify_events_begin(&replay->events, verify, replay->seat_count);
	fault = verify_replay_all(replay);
	if (fault == FAULT_NONE && !replay->broken)
		fault = compare_end(replay);
	verify_events_end(&replay->events);
	return fault;
}

/* Moves that were taken back stand in the log alone: they are replayed from what it says of them. */
#include <string.h>

#include "base/limits.h"
#include "play/quote.h"
#include "play/verify_replay.h"

/* Judges the move that an event tells of; false, and a difference, if it cannot be replayed. */
static bool
judge(struct replay *replay, const struct event_row *row, const char *text, struct move *move)
{
	struct verify *verify = replay->verify;
	struct past past = history_past(replay->history);
	const struct position *position = &replay->position;
	struct move_text written;
	struct text_fault why;
	enum verdict verdict = VERDICT_LEGAL;
	if (row->ply != position->ply + 1U || row->seat != position->turn)
		verify_differs(verify, "events: seq %u: %s of ply %u, seat %u, replayed of ply %u, seat %u", row->seq,
		    row->type, row->ply, row->seat, position->ply + 1U, position->turn);
	else if (text == NULL || !notation_read_move(text, strlen(text), &written, &why))
		verify_differs(verify, "events: seq %u: the data tell of no move", row->seq);
	else if ((verdict = position_judge(position, &past, &written, move, NULL)) != VERDICT_LEGAL)
		verify_differs(verify, "events: seq %u: %s is %s", row->seq, text, verdict_row(verdict)->slug);
	else
		return true;
	replay->broken = true;
	return false;
}

/* The position that an event tells of beside the replay's. */
static void
compare_position(struct replay *replay, const struct event_row *row, struct arena *arena)
{
	const char *stored = quote_json_member(arena, row->data, "position");
	notation_position(&replay->position, replay->texts.position);
	if (stored == NULL || strcmp(stored, replay->texts.position) != 0)
		verify_differs(replay->verify, "events: seq %u: position: stored %s, replayed %s", row->seq,
		    stored == NULL ? "-" : stored, replay->texts.position);
}

static enum fault
replay_move(struct replay *replay, const struct event_row *row, struct arena *arena)
{
	struct move move;
	struct change change;
	if (!judge(replay, row, quote_json_member(arena, row->data, "move"), &move))
		return FAULT_NONE;
	verify_replay_move(replay, move, &change);
	compare_position(replay, row, arena);
	enum fault fault = verify_events_expect(&replay->events, row->type, replay->position.ply, row->seat);
	return fault == FAULT_NONE ? verify_replay_follow(replay, &change) : fault;
}

/* Whether a game that stands as the replay does could be taken back to a ply. */
static bool
can_go_back(const struct replay *replay, int64_t ply)
{
	unsigned floor = replay->ending == 0 ? 0 : replay->endings[replay->ending - 1].ply;
	return replay->position.turn != 0 && ply >= floor && ply >= replay->record_ply && ply < replay->position.ply;
}

static void
go_back(struct replay *replay, unsigned ply)
{
	unsigned plies = replay->position.ply - ply;
	history_cut(replay->history, replay->history->count - plies);
	replay->position = replay->before[ply];
	for (unsigned i = 0; i < SEATS_MAX; i++)
		if (!position_out(&replay->position, i + 1))
			replay->out_reasons[i] = NULL;
}

static enum fault
replay_takeback(struct replay *replay, const struct event_row *row, struct arena *arena)
{
	int64_t ply = quote_json_number(row->data, "to_ply");
	if (!can_go_back(replay, ply)) {
		replay->broken = true;
		verify_differs(replay->verify, "events: seq %u: from ply %u nothing is taken back to ply %lld",
		    row->seq, replay->position.ply, (long long)ply);
		return FAULT_NONE;
	}
	go_back(replay, (unsigned)ply);
	compare_position(replay, row, arena);
	return verify_events_expect(&replay->events, row->type, (unsigned)ply, 0);
}

/* Replays the next event of the log if it is one of a takeback; *more tells whether it was. */
static enum fault
replay_next(struct replay *replay, bool *more)
{
	const struct event_row *row;
	*more = false;
	enum fault fault = verify_events_peek(&replay->events, &row);
	if (fault != FAULT_NONE || row == NULL)
		return fault;
	bool takeback = strcmp(row->type, "takeback_done") == 0;
	if (replay->position.turn == 0 || (!takeback && !row->taken_back))
		return FAULT_NONE;
	struct arena *arena = arena_open(LIMIT_ARENA);
	if (arena == NULL)
		return FAULT_OUT_OF_MEMORY;
	*more = true;
	fault = takeback ? replay_takeback(replay, row, arena) : replay_move(replay, row, arena);
	arena_close(arena);
	return fault;
}

enum fault
verify_replay_taken_back(struct replay *replay)
{
	bool more = true;
	enum fault fault = FAULT_NONE;
	while (fault == FAULT_NONE && more && !replay->broken)
		fault = replay_next(replay, &more);
	if (fault != FAULT_NONE || replay->broken || replay->position.ply == replay->record_ply)
		return fault;
	/* Where the log was lost that was told. */
	replay->broken = true;
	if (!replay->events.lost)
		verify_differs(
		    replay->verify, "ply %u: played by the log, neither stored nor taken back", replay->position.ply);
	return fault;
}

/* The replay of one stored game from its start, each ply and each ending beside what is stored of it. */
#include "play/verify_replay.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"

bool
verify_replay_begin(struct replay *replay)
{
	struct verify *verify = replay->verify;
	const struct game_row *row = &verify->row;
	struct text_fault why;
	if (!variant_find(row->variant, strlen(row->variant), &replay->variant)) {
		verify_differs(verify, "variant: there is no %s", row->variant);
		return false;
	}
	if (!notation_read_position(row->start, strlen(row->start), &replay->position, &why)) {
		verify_differs(verify, "start: %s is not a position: %s: %s", row->start, why.field, why.why);
		return false;
	}
	if (replay->position.variant != replay->variant || !position_is_start(&replay->position)) {
		verify_differs(verify, "start: no game of %s starts from %s", row->variant, row->start);
		return false;
	}
	history_begin(replay->history, &replay->position);
	return true;
}

void
verify_replay_move(struct replay *replay, struct move move, struct change *change)
{
	struct past past = history_past(replay->history);
	struct position *position = &replay->position;
	replay->before[position->ply] = *position;
	position_play(position, &past, move, position, change);
	history_add(replay->history, change->left);
}

enum fault
verify_replay_follow(struct replay *replay, const struct change *change)
{
	const struct position *position = &replay->position;
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < change->out_count && fault == FAULT_NONE; i++) {
		unsigned seat = change->out[i].seat;
		replay->out_reasons[seat - 1] = reason_word((enum reason)change->out[i].reason);
		fault = verify_events_expect(&replay->events, "seat_out", position->ply, seat);
	}
	if (fault == FAULT_NONE && position->turn == 0)
		fault = verify_events_expect(&replay->events, "game_finished", position->ply, 0);
	return fault;
}

static void
compare_move(struct replay *replay, const struct move_row *stored, const struct move_row *replayed)
{
	struct verify *verify = replay->verify;
	char what[32];
	unsigned ply = replayed->ply;
	if (stored->seat != replayed->seat)
		verify_differs(verify, "ply %u seat: stored %u, replayed %u", ply, stored->seat, replayed->seat);
	if (stored->left != replayed->left)
		verify_differs(verify, "ply %u key: stored %016llx, replayed %016llx", ply,
		    (unsigned long long)stored->left, (unsigned long long)replayed->left);
	snprintf(what, sizeof what, "ply %u move", ply);
	verify_text(verify, what, stored->move, replayed->move);
	snprintf(what, sizeof what, "ply %u path", ply);
	verify_text(verify, what, stored->path, replayed->path);
	snprintf(what, sizeof what, "ply %u kind", ply);
	verify_text(verify, what, stored->kind, replayed->kind);
	snprintf(what, sizeof what, "ply %u position", ply);
	verify_text(verify, what, stored->position, replayed->position);
	snprintf(what, sizeof what, "ply %u out", ply);
	verify_text(verify, what, stored->out, replayed->out);
}

/* Judges a stored move; tells why it cannot be replayed. */
static bool
judge(struct replay *replay, const struct move_row *row, const struct past *past, struct move *move)
{
	struct verify *verify = replay->verify;
	struct move_text text;
	struct text_fault why;
	enum verdict verdict = VERDICT_LEGAL;
	replay->broken = true;
	if (row->ply != replay->position.ply + 1U)
		verify_differs(verify, "ply %u is missing", replay->position.ply + 1U);
	else if (replay->position.turn == 0)
		verify_differs(verify, "ply %u: %s after the end", row->ply, row->move);
	else if (!notation_read_move(row->move, strlen(row->move), &text, &why))
		verify_differs(verify, "ply %u: %s is not a move: %s", row->ply, row->move, why.why);
	else if ((verdict = position_judge(&replay->position, past, &text, move, NULL)) != VERDICT_LEGAL)
		verify_differs(verify, "ply %u: %s is %s", row->ply, row->move, verdict_row(verdict)->slug);
	else
		replay->broken = false;
	return !replay->broken;
}

static enum fault
replay_move(struct replay *replay, const struct move_row *row)
{
	struct past past = history_past(replay->history);
	struct position before = replay->position;
	struct move_row replayed;
	struct change change;
	struct move move;
	if (!judge(replay, row, &past, &move))
		return FAULT_NONE;
	verify_replay_move(replay, move, &change);
	replay->record_ply = replay->position.ply;
	turn_describe(&before, move, &replay->position, &change, &replay->texts, &replayed);
	compare_move(replay, row, &replayed);
	replay->verify->count->plies++;
	enum fault fault = verify_events_expect(&replay->events, "move_played", replayed.ply, replayed.seat);
	return fault == FAULT_NONE ? verify_replay_follow(replay, &change) : fault;
}

/* Plays an ending; false, and a difference, if it cannot be. */
static bool
play_ending(struct replay *replay, const struct ending_row *row, struct change *change)
{
	struct past past = history_past(replay->history);
	struct position *position = &replay->position;
	enum reason reason = REASON_NONE;
	bool known = reason_find(row->reason, strlen(row->reason), &reason);
	bool agreed = known && reason == REASON_AGREEMENT && row->seat == 0;
	bool dropped = known && (reason == REASON_RESIGNED || reason == REASON_TIMEOUT) && row->seat > 0 &&
		       row->seat <= variant_row(replay->variant)->seats && !position_out(position, row->seat);
	replay->broken = position->turn == 0 || (!agreed && !dropped);
	if (replay->broken)
		verify_differs(replay->verify, "ending %u: ply %u, seat %u, %s cannot be", replay->ending, row->ply,
		    row->seat, row->reason);
	else if (agreed)
		position_agree(position, position);
	else
		position_drop(position, &past, row->seat, reason, position, change);
	return !replay->broken;
}

/* What stands between two plies of the record: moves that were taken back, and all endings of that ply. */
static enum fault
replay_between(struct replay *replay)
{
	enum fault fault = verify_replay_taken_back(replay);
	while (fault == FAULT_NONE && !replay->broken && replay->ending < replay->ending_count &&
	       replay->endings[replay->ending].ply == replay->position.ply) {
		const struct ending_row *row = &replay->endings[replay->ending];
		struct change change = {0};
		char what[48];
		if (!play_ending(replay, row, &change))
			return FAULT_NONE;
		notation_position(&replay->position, replay->texts.position);
		snprintf(what, sizeof what, "ending %u position", replay->ending);
		verify_text(replay->verify, what, row->position, replay->texts.position);
		replay->ending++;
		fault = verify_replay_follow(replay, &change);
		if (fault == FAULT_NONE)
			fault = verify_replay_taken_back(replay);
	}
	return fault;
}

/* Replays a page of moves from the replay's ply on; *count tells how many there were. */
static enum fault
replay_page(struct replay *replay, unsigned *count)
{
	struct verify *verify = replay->verify;
	struct move_row rows[VERIFY_PAGE];
	struct arena *arena = arena_open(LIMIT_ARENA);
	if (arena == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault =
	    moves_of(verify->db, arena, verify->row.game, replay->position.ply + 1U, rows, VERIFY_PAGE, count);
	for (unsigned i = 0; i < *count && fault == FAULT_NONE && !replay->broken; i++) {
		fault = replay_move(replay, &rows[i]);
		if (fault == FAULT_NONE)
			fault = replay_between(replay);
	}
	arena_close(arena);
	return fault;
}

bool
verify_replay_withdrawn(const struct replay *replay)
{
	const struct position *position = &replay->position;
	return strcmp(replay->verify->row.status, "withdrawn") == 0 && position->ply == 0 && position->turn != 0;
}

/* A game starts when its last seat is filled; a handover may open one again later: that it has started, the log tells.
 */
static enum fault
replay_start(struct replay *replay)
{
	const struct event_row *row;
	enum fault fault = verify_events_peek(&replay->events, &row);
	if (fault != FAULT_NONE)
		return fault;
	replay->started = replay->open == 0 || (row != NULL && strcmp(row->type, "game_started") == 0);
	return replay->started ? verify_events_expect(&replay->events, "game_started", 0, 0) : FAULT_NONE;
}

enum fault
verify_replay_all(struct replay *replay)
{
	unsigned count = 1;
	enum fault fault = verify_events_expect(&replay->events, "game_created", 0, 0);
	if (fault == FAULT_NONE)
		fault = replay_start(replay);
	if (fault == FAULT_NONE)
		fault = replay_between(replay);
	while (fault == FAULT_NONE && !replay->broken && count > 0)
		fault = replay_page(replay, &count);
	if (fault == FAULT_NONE && !replay->broken && verify_replay_withdrawn(replay))
		fault = verify_events_expect(&replay->events, "game_withdrawn", 0, 0);
	return fault;
}

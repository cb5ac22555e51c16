/* The log of a game beside what a replay would have logged. */
#include "play/verify_game.h"

#include <string.h>

#include "base/limits.h"

/* What a replay can tell; other events come from elsewhere and stand between. */
static const char *const replayed_types[] = {
    "game_created", "game_started", "move_played", "seat_out", "takeback_done", "game_withdrawn", "game_finished"};

static bool
is_replayed(const char *type)
{
	for (unsigned i = 0; i < sizeof replayed_types / sizeof *replayed_types; i++)
		if (strcmp(type, replayed_types[i]) == 0)
			return true;
	return false;
}

/* Seats are left and taken in turns: what the log says of one must follow from what it said before. */
static void
note_holder(struct verify_events *events, const struct event_row *row)
{
	bool taken = strcmp(row->type, "seat_taken") == 0, left = strcmp(row->type, "seat_left") == 0;
	if (!taken && !left)
		return;
	if (row->seat == 0 || row->seat > events->seat_count) {
		verify_differs(events->verify, "events: seq %u: %s of seat %u", row->seq, row->type, row->seat);
		return;
	}
	unsigned bit = 1U << (row->seat - 1);
	bool filled = (events->filled & bit) != 0, known = (events->known & bit) != 0;
	if (known && taken == filled)
		verify_differs(
		    events->verify, "events: seq %u: %s of seat %u cannot be", row->seq, row->type, row->seat);
	events->known |= bit;
	events->filled = taken ? events->filled | bit : events->filled & ~bit;
}

/* A game starts with all its seats filled; after that a seat is left by a handover alone. */
static void
note_start(struct verify_events *events, const struct event_row *row)
{
	if (strcmp(row->type, "game_started") != 0)
		return;
	if (events->known != events->filled)
		verify_differs(events->verify, "events: seq %u: %s with an open seat", row->seq, row->type);
	events->known = events->filled = (1U << events->seat_count) - 1;
}

void
verify_events_begin(struct verify_events *events, struct verify *verify, unsigned seat_count)
{
	*events = (struct verify_events){.verify = verify, .seat_count = seat_count};
}

void
verify_events_end(struct verify_events *events)
{
	arena_close(events->arena);
	events->arena = NULL;
}

static enum fault
next_page(struct verify_events *events)
{
	arena_close(events->arena);
	events->at = events->count = 0;
	events->arena = arena_open(LIMIT_ARENA);
	if (events->arena == NULL)
		return FAULT_OUT_OF_MEMORY;
	return events_of(events->verify->db, events->arena, events->verify->row.game, events->seq, events->rows,
	    VERIFY_PAGE, &events->count);
}

enum fault
verify_events_each(
    struct verify *verify, bool (*follow)(void *walk, const struct event_row *event, struct arena *arena), void *walk)
{
	struct verify_events events;
	enum fault fault = FAULT_NONE;
	bool goes_on = true;
	verify_events_begin(&events, verify, 0);
	do {
		fault = next_page(&events);
		for (; goes_on && events.at < events.count; events.at++) {
			events.seq = events.rows[events.at].seq;
			goes_on = follow(walk, &events.rows[events.at], events.arena);
		}
	} while (fault == FAULT_NONE && goes_on && events.count > 0);
	verify_events_end(&events);
	return fault;
}

/* Takes the next event that a replay can tell; *row is NULL at the end of the log. */
static enum fault
next_event(struct verify_events *events, const struct event_row **row)
{
	*row = NULL;
	while (*row == NULL) {
		enum fault fault = FAULT_NONE;
		if (events->at == events->count)
			fault = next_page(events);
		if (fault != FAULT_NONE || events->count == 0)
			return fault;
		const struct event_row *taken = &events->rows[events->at++];
		if (taken->seq != events->seq + 1)
			verify_differs(events->verify, "events: seq %u follows %u", taken->seq, events->seq);
		events->seq = taken->seq;
		note_holder(events, taken);
		note_start(events, taken);
		if (is_replayed(taken->type))
			*row = taken;
	}
	return FAULT_NONE;
}

enum fault
verify_events_peek(struct verify_events *events, const struct event_row **row)
{
	*row = NULL;
	if (events->lost)
		return FAULT_NONE;
	enum fault fault = events->held == NULL ? next_event(events, &events->held) : FAULT_NONE;
	if (fault == FAULT_NONE)
		*row = events->held;
	return fault;
}

/* Takes it. */
static enum fault
take_event(struct verify_events *events, const struct event_row **row)
{
	*row = events->held;
	events->held = NULL;
	return *row == NULL ? next_event(events, row) : FAULT_NONE;
}

enum fault
verify_events_expect(struct verify_events *events, const char *type, unsigned ply, unsigned seat)
{
	const struct event_row *row;
	if (events->lost)
		return FAULT_NONE;
	enum fault fault = take_event(events, &row);
	if (fault != FAULT_NONE)
		return fault;
	if (row == NULL) {
		events->lost = true;
		verify_differs(events->verify, "events: the log ends with seq %u, replayed %s of ply %u, seat %u",
		    events->seq, type, ply, seat);
	} else if (strcmp(row->type, type) != 0 || row->ply != ply || row->seat != seat) {
		events->lost = true;
		verify_differs(events->verify,
		    "events: seq %u: stored %s of ply %u, seat %u, replayed %s of ply %u, seat %u", row->seq, row->type,
		    row->ply, row->seat, type, ply, seat);
	}
	return FAULT_NONE;
}

enum fault
verify_events_finish(struct verify_events *events)
{
	const struct event_row *row;
	enum fault fault;
	while ((fault = take_event(events, &row)) == FAULT_NONE && row != NULL) {
		if (!events->lost)
			verify_differs(events->verify, "events: seq %u: %s was not replayed", row->seq, row->type);
		events->lost = true;
	}
	if (fault == FAULT_NONE && events->seq != events->verify->row.seq)
		verify_differs(
		    events->verify, "seq: stored %u, the log ends with %u", events->verify->row.seq, events->seq);
	return fault;
}

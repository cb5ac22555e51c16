/* What becomes of open offers: they take effect, and fall, by what happens in the game. */
#include <string.h>

#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/offer_inside.h"
#include "play/seat.h"
#include "play/takeback.h"
#include "play/turn.h"

enum fault
offer_end(struct db *db, struct game *game, struct offer_row *offer)
{
	enum fault fault = offers_delete(db, game->row.game, offer->id);
	if (fault != FAULT_NONE)
		return fault;
	size_t behind = (size_t)(&game->offers[game->row.offers] - (offer + 1));
	memmove(offer, offer + 1, behind * sizeof *offer);
	game->row.offers--;
	return FAULT_NONE;
}

static enum fault
agree_on_draw(struct db *db, int64_t now_ms, struct game *game)
{
	struct ending_row rows[SEATS_MAX];
	unsigned count;
	enum fault fault = endings_of(db, game->arena, game->row.game, rows, SEATS_MAX, &count);
	if (fault != FAULT_NONE)
		return fault;
	struct turn *turn = turn_begin(game->arena, db, now_ms, false, game);
	return turn == NULL ? FAULT_OUT_OF_MEMORY : turn_agree(turn, count);
}

static enum fault
pause_clock(struct db *db, int64_t now_ms, struct game *game)
{
	return clock_pause(game, now_ms) ? event_paused(db, now_ms, game) : FAULT_NONE;
}

static enum fault
resume_clock(struct db *db, int64_t now_ms, struct game *game)
{
	return clock_resume(game, now_ms) ? event_resumed(db, now_ms, game) : FAULT_NONE;
}

enum fault
offer_take_effect(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer)
{
	struct offer_row agreed = *offer;
	enum fault fault = offer_end(db, game, offer);
	if (fault != FAULT_NONE)
		return fault;
	switch (offer_kind_of(&agreed)) {
	case OFFER_DRAW:
		return agree_on_draw(db, now_ms, game);
	case OFFER_TAKEBACK:
		return takeback_run(db, now_ms, game, agreed.ply);
	case OFFER_PAUSE:
		return pause_clock(db, now_ms, game);
	case OFFER_RESUME:
		return resume_clock(db, now_ms, game);
	case OFFER_HANDOVER:
		return seat_hand_over(db, now_ms, game, agreed.subject);
	}
	return FAULT_INTERNAL;
}

enum fate { FATE_STANDS, FATE_VOID, FATE_DECLINED };

/* What a change of the game makes of an offer. */
static enum fate
fate_of(const struct game *before, const struct game *after, const struct offer_row *offer)
{
	unsigned gone = after->position.out | game_open_seats(after);
	unsigned mover = after->row.ply > before->row.ply ? game_seat_bit(before->position.turn) : 0;
	bool falls = false;
	if ((gone & game_seat_bit(offer->seat)) != 0)
		return FATE_VOID;
	switch (offer_kind_of(offer)) {
	case OFFER_DRAW:
		return (mover & offer->asked & ~offer->accepted) != 0 ? FATE_DECLINED : FATE_STANDS;
	case OFFER_TAKEBACK:
		falls = after->row.ply != before->row.ply || after->position.out != before->position.out;
		break;
	case OFFER_PAUSE:
		falls = after->row.paused_ms >= 0;
		break;
	case OFFER_RESUME:
		falls = after->row.paused_ms < 0;
		break;
	case OFFER_HANDOVER:
		falls = ((gone | (offer_is_of_another(offer) ? mover : 0)) & game_seat_bit(offer->subject)) != 0;
		break;
	}
	return falls ? FATE_VOID : FATE_STANDS;
}

/* The offer as a change of the game leaves it; *ended tells whether that is not at all. */
static enum fault
follow_one(struct db *db, const struct game *before, struct game *after, struct offer_row *offer, bool *ended)
{
	int64_t now_ms = after->row.updated_ms;
	struct offer_row was = *offer;
	enum fate fate = fate_of(before, after, offer);
	enum fault fault = FAULT_NONE;
	*ended = fate != FATE_STANDS;
	if (fate == FATE_VOID)
		fault = event_answered(db, now_ms, after, offer, 0, NULL, "void");
	else if (fate == FATE_DECLINED)
		fault = event_answered(db, now_ms, after, offer, before->position.turn, "declined", "declined");
	if (*ended)
		return fault == FAULT_NONE ? offer_end(db, after, offer) : fault;
	offer_refresh(after, now_ms, offer);
	bool same = was.asked == offer->asked && was.accepted == offer->accepted && was.declined == offer->declined &&
		    was.due_ms == offer->due_ms;
	return same ? FAULT_NONE : offers_update(db, after->row.game, offer);
}

/* When nobody is to move any more nothing is left to agree on; the log ends with the game, and says no more. */
static enum fault
end_all(struct db *db, struct game *game)
{
	enum fault fault = FAULT_NONE;
	while (game->row.offers > 0 && fault == FAULT_NONE)
		fault = offer_end(db, game, &game->offers[0]);
	return fault;
}

enum fault
offer_follow(struct db *db, const struct game *before, struct game *after)
{
	int64_t now_ms = after->row.updated_ms;
	enum fault fault = FAULT_NONE;
	bool ended;
	if (strcmp(after->row.status, "active") != 0)
		return end_all(db, after);
	for (unsigned i = 0; i < after->row.offers && fault == FAULT_NONE; i += !ended)
		fault = follow_one(db, before, after, &after->offers[i], &ended);
	for (unsigned i = 0; i < after->row.offers && fault == FAULT_NONE; i++) {
		struct offer_row *offer = &after->offers[i];
		if (!offer_is_agreed(offer, now_ms))
			continue;
		/* Nobody is left whose acceptance is missing, or its time has come; and that changes the game again. */
		struct game seen = *after;
		fault = event_answered(db, now_ms, after, offer, 0, NULL, "agreed");
		if (fault == FAULT_NONE)
			fault = offer_take_effect(db, now_ms, after, offer);
		return fault == FAULT_NONE ? offer_follow(db, &seen, after) : fault;
	}
	return fault;
}

enum fault
offer_pass(struct db *db, int64_t now_ms, struct game *game)
{
	struct game next = *game;
	next.row.updated_ms = now_ms;
	return game_become(db, game, &next);
}

enum fault
offer_credit(struct db *db, struct game *game, int64_t ms)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->row.offers && fault == FAULT_NONE; i++) {
		struct offer_row *offer = &game->offers[i];
		if (offer->due_ms == 0)
			continue;
		offer->due_ms += ms;
		fault = offers_update(db, game->row.game, offer);
	}
	return fault;
}

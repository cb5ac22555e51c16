/* Making an offer: who may, and whether what is offered could be done. */
#include <string.h>

#include "base/limits.h"
#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/offer_inside.h"
#include "play/opponent.h"
#include "play/takeback.h"

static bool
has_kind(const struct game *game, enum offer_kind kind)
{
	for (unsigned i = 0; i < game->row.offers; i++)
		if (offer_kind_of(&game->offers[i]) == kind)
			return true;
	return false;
}

/* The seat that makes an offer.  A handover names the seat that is to be handed over, which may be another's. */
static enum fault
find_maker(const struct holder *holder, const struct offer_request *request, unsigned *seat)
{
	bool other = request->kind == OFFER_HANDOVER && request->seat != 0 && !holder_has(holder, request->seat);
	if (other && holder->known && holder->seats != 0) {
		*seat = (unsigned)__builtin_ctz(holder->seats) + 1;
		return FAULT_NONE;
	}
	return holder_seat(holder, request->seat, seat);
}

static enum fault
check_takeback(struct db *db, const struct game *game, unsigned ply)
{
	unsigned lowest = 0;
	enum fault fault = takeback_lowest(db, game->arena, game, &lowest);
	if (fault == FAULT_NONE && (ply >= game->row.ply || ply < lowest))
		fault = FAULT_NO_TAKEBACK;
	return fault;
}

static enum fault
check_clock(const struct game *game, bool pause)
{
	if (strcmp(game->row.clock_type, "none") == 0)
		return FAULT_NO_CLOCK;
	if (pause && game->row.paused_ms >= 0)
		return FAULT_CLOCK_PAUSED;
	return !pause && game->row.paused_ms < 0 ? FAULT_CLOCK_NOT_PAUSED : FAULT_NONE;
}

static enum fault
check_subject(const struct game *game, unsigned subject)
{
	if (subject > game->seat_count)
		return FAULT_NO_SUCH_SEAT;
	if ((game->position.out & game_seat_bit(subject)) != 0)
		return FAULT_SEAT_OUT;
	if ((opponent_seats(game) & game_seat_bit(subject)) != 0)
		return FAULT_ENGINE_SEAT;
	return (game_open_seats(game) & game_seat_bit(subject)) != 0 ? FAULT_SEAT_OPEN : FAULT_NONE;
}

/* Whether what is offered could be done. */
static enum fault
check_kind(struct db *db, const struct game *game, const struct offer_row *offer)
{
	switch (offer_kind_of(offer)) {
	case OFFER_DRAW:
		return FAULT_NONE;
	case OFFER_TAKEBACK:
		return check_takeback(db, game, offer->ply);
	case OFFER_PAUSE:
	case OFFER_RESUME:
		return check_clock(game, offer_kind_of(offer) == OFFER_PAUSE);
	case OFFER_HANDOVER:
		return check_subject(game, offer->subject);
	}
	return FAULT_INTERNAL;
}

/* Whom a takeback must ask: all who are in now or were in then. */
static enum fault
ask_for_takeback(struct db *db, const struct game *game, struct offer_row *offer)
{
	struct position then;
	enum fault fault = takeback_position(db, game->arena, game, offer->ply, &then);
	if (fault == FAULT_NONE)
		offer->asked = game_seats(game) & ~then.out & ~game_seat_bit(offer->seat) & ~opponent_seats(game);
	return fault;
}

static enum fault
lay_out(struct db *db, int64_t now_ms, const struct game *game, const struct offer_request *request, unsigned seat,
    struct offer_row *offer)
{
	bool handover = request->kind == OFFER_HANDOVER;
	*offer = (struct offer_row){
	    .kind = offer_words[request->kind],
	    .seat = seat,
	    .ply = request->ply,
	    .subject = !handover            ? 0
		       : request->seat != 0 ? request->seat
					    : seat,
	    .at_ms = now_ms,
	    .due_ms = request->kind == OFFER_RESUME ? now_ms + LIMIT_NOTICE_MS : 0,
	};
	memcpy(offer->id, request->id, sizeof offer->id);
	enum fault fault = check_kind(db, game, offer);
	if (fault == FAULT_NONE && request->kind == OFFER_TAKEBACK)
		fault = ask_for_takeback(db, game, offer);
	if (fault == FAULT_NONE)
		offer_refresh(game, now_ms, offer);
	return fault;
}

/* Adds an offer to the game, and does what follows from it. */
static enum fault
add(struct db *db, int64_t now_ms, const struct game *game, struct game *next, const struct offer_row *offer)
{
	struct offer_row *added = &next->offers[next->row.offers++];
	*added = *offer;
	next->row.updated_ms = now_ms;
	enum fault fault = offers_insert(db, next->row.game, added);
	if (fault == FAULT_NONE)
		fault = event_offered(db, now_ms, next, added);
	return fault == FAULT_NONE ? game_write(db, game, next) : fault;
}

enum fault
offer_make(struct db *db, int64_t now_ms, struct game *game, const struct holder *holder,
    const struct offer_request *request, struct offer_row *made)
{
	struct game next = *game;
	struct offer_row offer;
	unsigned seat = 0;
	enum fault fault = find_maker(holder, request, &seat);
	if (fault == FAULT_NONE && request->stale)
		fault = FAULT_PRECONDITION_FAILED;
	if (fault == FAULT_NONE)
		fault = game_check_in(game, seat);
	if (fault == FAULT_NONE && clock_is_up(&game->row, now_ms))
		fault = FAULT_TIME_IS_UP;
	if (fault == FAULT_NONE && has_kind(game, request->kind))
		fault = FAULT_OFFER_OPEN;
	if (fault == FAULT_NONE)
		fault = lay_out(db, now_ms, game, request, seat, &offer);
	if (fault == FAULT_NONE)
		fault = add(db, now_ms, game, &next, &offer);
	if (fault != FAULT_NONE)
		return fault;
	*made = offer;
	*game = next;
	return FAULT_NONE;
}

/* Answering an offer, and withdrawing one. */
#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/offer_inside.h"

static struct offer_row *
find(struct game *game, const char *id)
{
	const struct offer_row *found = offer_find(game, id);
	return found == NULL ? NULL : &game->offers[found - game->offers];
}

/* What is asked of an offer by whoever is not the one who made it. */
static enum fault
check_answer(const struct game *game, int64_t now_ms, const struct holder *holder, const struct offer_answer *answer,
    unsigned *seat)
{
	enum fault fault = holder_seat(holder, answer->seat, seat);
	if (fault != FAULT_NONE)
		return fault;
	const struct offer_row *offer = offer_find(game, answer->id);
	if (offer == NULL)
		return FAULT_NO_SUCH_OFFER;
	if (answer->stale)
		return FAULT_PRECONDITION_FAILED;
	if (clock_is_up(&game->row, now_ms))
		return FAULT_TIME_IS_UP;
	return (offer_heard(offer) & game_seat_bit(*seat)) != 0 ? FAULT_NONE : FAULT_NOT_ASKED;
}

static enum fault
accept(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer, unsigned seat)
{
	offer->accepted |= game_seat_bit(seat);
	offer->declined &= ~game_seat_bit(seat);
	offer_refresh(game, now_ms, offer);
	bool agreed = offer_is_agreed(offer, now_ms);
	enum fault fault = event_answered(db, now_ms, game, offer, seat, "accepted", agreed ? "agreed" : "open");
	if (fault != FAULT_NONE)
		return fault;
	return agreed ? offer_take_effect(db, now_ms, game, offer) : offers_update(db, game->row.game, offer);
}

/* That the clock runs again nobody can prevent: who declines that keeps his notice. */
static enum fault
decline(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer, unsigned seat)
{
	bool stands = offer_kind_of(offer) == OFFER_RESUME;
	offer->declined |= game_seat_bit(seat);
	offer->accepted &= ~game_seat_bit(seat);
	enum fault fault = event_answered(db, now_ms, game, offer, seat, "declined", stands ? "open" : "declined");
	if (fault != FAULT_NONE)
		return fault;
	return stands ? offers_update(db, game->row.game, offer) : offer_end(db, game, offer);
}

enum fault
offer_answer(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct offer_answer *answer)
{
	struct game next = *game;
	unsigned seat = 0;
	enum fault fault = check_answer(game, now_ms, holder, answer, &seat);
	if (fault != FAULT_NONE)
		return fault;
	struct offer_row *offer = find(&next, answer->id);
	/* The same answer once more changes nothing. */
	if (((answer->accept ? offer->accepted : offer->declined) & game_seat_bit(seat)) != 0)
		return FAULT_NONE;
	next.row.updated_ms = now_ms;
	fault = answer->accept ? accept(db, now_ms, &next, offer, seat) : decline(db, now_ms, &next, offer, seat);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

enum fault
offer_withdraw(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const char *id, bool stale)
{
	struct game next = *game;
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	if (holder->seats == 0)
		return FAULT_NOT_YOUR_SEAT;
	struct offer_row *offer = find(&next, id);
	if (offer == NULL)
		return FAULT_NO_SUCH_OFFER;
	if (!holder_has(holder, offer->seat))
		return FAULT_NOT_YOUR_SEAT;
	if (stale)
		return FAULT_PRECONDITION_FAILED;
	if (clock_is_up(&game->row, now_ms))
		return FAULT_TIME_IS_UP;
	next.row.updated_ms = now_ms;
	enum fault fault = event_answered(db, now_ms, &next, offer, offer->seat, NULL, "withdrawn");
	if (fault == FAULT_NONE)
		fault = offer_end(db, &next, offer);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

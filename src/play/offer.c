#include "play/offer.h"

#include <string.h>

#include "base/limits.h"
#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/opponent.h"
#include "play/seat.h"
#include "play/takeback.h"
#include "play/turn.h"

const char *const offer_words[] = {"draw", "takeback", "pause", "resume", "handover", NULL};

static unsigned
bit(unsigned seat)
{
	return seat == 0 ? 0 : 1U << (seat - 1);
}

static enum offer_kind
kind_of(const struct offer_row *offer)
{
	unsigned kind = 0;
	while (strcmp(offer_words[kind], offer->kind) != 0)
		kind++;
	return (enum offer_kind)kind;
}

/* A handover of a seat whose holder is said to be gone. */
static bool
is_of_another(const struct offer_row *offer)
{
	return offer->subject != 0 && offer->subject != offer->seat;
}

/*
 * Whose acceptance is wanted as the game stands; of a takeback those that it
 * brings in again are known from its beginning.  A seat in which nobody sits is not
 * asked; but if nobody sits in any of them whoever takes one is, since a seat alone
 * agrees on nothing.  Giving a seat away harms nobody.
 */
static unsigned
asked_now(const struct game *game, const struct offer_row *offer)
{
	unsigned others = ((1U << game->seat_count) - 1) & ~game->position.out & ~bit(offer->seat);
	unsigned open = game_open_seats(game);
	if (kind_of(offer) == OFFER_TAKEBACK)
		others |= offer->asked;
	if (kind_of(offer) != OFFER_DRAW)
		others &= ~opponent_seats(game);
	if (kind_of(offer) == OFFER_HANDOVER)
		return others & ~(bit(offer->subject) | open);
	return (others & ~open) != 0 ? others & ~open : others;
}

static bool
have_all_accepted(const struct offer_row *offer)
{
	return (offer->asked & ~offer->accepted) == 0;
}

static bool
is_agreed(const struct offer_row *offer, int64_t now_ms)
{
	bool all = have_all_accepted(offer), due = offer->due_ms != 0 && now_ms >= offer->due_ms;
	if (kind_of(offer) == OFFER_RESUME)
		return all || due;
	if (is_of_another(offer))
		return all && (due || (offer->accepted & bit(offer->subject)) != 0);
	return all;
}

/* Brings an offer in line with the game: who is asked, what is answered, and the notice that its holder has. */
static void
refresh(const struct game *game, int64_t now_ms, struct offer_row *offer)
{
	offer->asked = asked_now(game, offer);
	/* Whoever takes a seat anew has answered nothing yet. */
	unsigned answering = (offer->asked | bit(offer->subject)) & ~game_open_seats(game);
	offer->accepted &= answering;
	offer->declined &= answering;
	if (!is_of_another(offer))
		return;
	if (!have_all_accepted(offer))
		offer->due_ms = 0;
	else if (offer->due_ms == 0)
		offer->due_ms = now_ms + LIMIT_NOTICE_MS;
}

static struct offer_row *
find(struct game *game, const char *id)
{
	for (unsigned i = 0; i < game->row.offers; i++)
		if (strcmp(game->offers[i].id, id) == 0)
			return &game->offers[i];
	return NULL;
}

static struct offer_row *
find_kind(struct game *game, enum offer_kind kind)
{
	for (unsigned i = 0; i < game->row.offers; i++)
		if (kind_of(&game->offers[i]) == kind)
			return &game->offers[i];
	return NULL;
}

const struct offer_row *
offer_find(const struct game *game, const char *id)
{
	for (unsigned i = 0; i < game->row.offers; i++)
		if (strcmp(game->offers[i].id, id) == 0)
			return &game->offers[i];
	return NULL;
}

/* It is open no more. */
static enum fault
end_offer(struct db *db, struct game *game, struct offer_row *offer)
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

/* An offer that is agreed ends, and is done. */
static enum fault
take_effect(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer)
{
	struct offer_row agreed = *offer;
	enum fault fault = end_offer(db, game, offer);
	if (fault != FAULT_NONE)
		return fault;
	switch (kind_of(&agreed)) {
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
	unsigned mover = after->row.ply > before->row.ply ? bit(before->position.turn) : 0;
	bool falls = false;
	if ((gone & bit(offer->seat)) != 0)
		return FATE_VOID;
	switch (kind_of(offer)) {
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
		falls = ((gone | (is_of_another(offer) ? mover : 0)) & bit(offer->subject)) != 0;
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
		return fault == FAULT_NONE ? end_offer(db, after, offer) : fault;
	refresh(after, now_ms, offer);
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
		fault = end_offer(db, game, &game->offers[0]);
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
		if (!is_agreed(offer, now_ms))
			continue;
		/* Nobody is left whose acceptance is missing, or its time has come; and that changes the game again. */
		struct game seen = *after;
		fault = event_answered(db, now_ms, after, offer, 0, NULL, "agreed");
		if (fault == FAULT_NONE)
			fault = take_effect(db, now_ms, after, offer);
		return fault == FAULT_NONE ? offer_follow(db, &seen, after) : fault;
	}
	return fault;
}

enum fault
offer_pass(struct db *db, int64_t now_ms, struct game *game)
{
	struct game next = *game;
	next.row.updated_ms = now_ms;
	enum fault fault = game_write(db, game, &next);
	if (fault == FAULT_NONE)
		*game = next;
	return fault;
}

unsigned
offer_waiting(const struct game *game)
{
	unsigned waiting = 0;
	for (unsigned i = 0; i < game->row.offers; i++) {
		const struct offer_row *offer = &game->offers[i];
		unsigned wanted = offer->asked | (is_of_another(offer) ? bit(offer->subject) : 0);
		waiting |= wanted & ~offer->accepted & ~offer->declined;
	}
	return waiting;
}

int64_t
offer_due(const struct game *game)
{
	int64_t due_ms = 0;
	for (unsigned i = 0; i < game->row.offers; i++) {
		int64_t own_ms = game->offers[i].due_ms;
		if (own_ms != 0 && (due_ms == 0 || own_ms < due_ms))
			due_ms = own_ms;
	}
	return due_ms;
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
	if ((game->position.out & bit(subject)) != 0)
		return FAULT_SEAT_OUT;
	if ((opponent_seats(game) & bit(subject)) != 0)
		return FAULT_ENGINE_SEAT;
	return (game_open_seats(game) & bit(subject)) != 0 ? FAULT_SEAT_OPEN : FAULT_NONE;
}

/* Whether what is offered could be done. */
static enum fault
check_kind(struct db *db, const struct game *game, const struct offer_row *offer)
{
	switch (kind_of(offer)) {
	case OFFER_DRAW:
		return FAULT_NONE;
	case OFFER_TAKEBACK:
		return check_takeback(db, game, offer->ply);
	case OFFER_PAUSE:
	case OFFER_RESUME:
		return check_clock(game, kind_of(offer) == OFFER_PAUSE);
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
		offer->asked = ((1U << game->seat_count) - 1) & ~then.out & ~bit(offer->seat) & ~opponent_seats(game);
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
		refresh(game, now_ms, offer);
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
	if (fault == FAULT_NONE && find_kind(&next, request->kind) != NULL)
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
	unsigned asked = offer->asked | (is_of_another(offer) ? bit(offer->subject) : 0);
	return (asked & bit(*seat)) != 0 ? FAULT_NONE : FAULT_NOT_ASKED;
}

static enum fault
accept(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer, unsigned seat)
{
	offer->accepted |= bit(seat);
	offer->declined &= ~bit(seat);
	refresh(game, now_ms, offer);
	bool agreed = is_agreed(offer, now_ms);
	enum fault fault = event_answered(db, now_ms, game, offer, seat, "accepted", agreed ? "agreed" : "open");
	if (fault != FAULT_NONE)
		return fault;
	return agreed ? take_effect(db, now_ms, game, offer) : offers_update(db, game->row.game, offer);
}

/* That the clock runs again nobody can prevent: who declines that keeps his notice. */
static enum fault
decline(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer, unsigned seat)
{
	bool stands = kind_of(offer) == OFFER_RESUME;
	offer->declined |= bit(seat);
	offer->accepted &= ~bit(seat);
	enum fault fault = event_answered(db, now_ms, game, offer, seat, "declined", stands ? "open" : "declined");
	if (fault != FAULT_NONE)
		return fault;
	return stands ? offers_update(db, game->row.game, offer) : end_offer(db, game, offer);
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
	if (((answer->accept ? offer->accepted : offer->declined) & bit(seat)) != 0)
		return FAULT_NONE;
	next.row.updated_ms = now_ms;
	fault = answer->accept ? accept(db, now_ms, &next, offer, seat) : decline(db, now_ms, &next, offer, seat);
	if (fault == FAULT_NONE)
		fault = game_write(db, game, &next);
	if (fault == FAULT_NONE)
		*game = next;
	return fault;
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
		fault = end_offer(db, &next, offer);
	if (fault == FAULT_NONE)
		fault = game_write(db, game, &next);
	if (fault == FAULT_NONE)
		*game = next;
	return fault;
}

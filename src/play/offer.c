/* What an open offer is as the game stands: who is asked, and whether it is agreed. */
#include <string.h>

#include "base/limits.h"
#include "play/offer_inside.h"
#include "play/opponent.h"

const char *const offer_words[] = {"draw", "takeback", "pause", "resume", "handover", NULL};

enum offer_kind
offer_kind_of(const struct offer_row *offer)
{
	unsigned kind = 0;
	while (strcmp(offer_words[kind], offer->kind) != 0)
		kind++;
	return (enum offer_kind)kind;
}

bool
offer_is_of_another(const struct offer_row *offer)
{
	return offer->subject != 0 && offer->subject != offer->seat;
}

unsigned
offer_heard(const struct offer_row *offer)
{
	return offer->asked | (offer_is_of_another(offer) ? game_seat_bit(offer->subject) : 0);
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
	unsigned others = game_seats_in(game) & ~game_seat_bit(offer->seat);
	unsigned open = game_open_seats(game);
	if (offer_kind_of(offer) == OFFER_TAKEBACK)
		others |= offer->asked;
	if (offer_kind_of(offer) != OFFER_DRAW)
		others &= ~opponent_seats(game);
	if (offer_kind_of(offer) == OFFER_HANDOVER)
		return others & ~(game_seat_bit(offer->subject) | open);
	return (others & ~open) != 0 ? others & ~open : others;
}

static bool
have_all_accepted(const struct offer_row *offer)
{
	return (offer->asked & ~offer->accepted) == 0;
}

bool
offer_is_agreed(const struct offer_row *offer, int64_t now_ms)
{
	bool all = have_all_accepted(offer), due = offer->due_ms != 0 && now_ms >= offer->due_ms;
	if (offer_kind_of(offer) == OFFER_RESUME)
		return all || due;
	if (offer_is_of_another(offer))
		return all && (due || (offer->accepted & game_seat_bit(offer->subject)) != 0);
	return all;
}

void
offer_refresh(const struct game *game, int64_t now_ms, struct offer_row *offer)
{
	offer->asked = asked_now(game, offer);
	/* Whoever takes a seat anew has answered nothing yet. */
	unsigned answering = (offer->asked | game_seat_bit(offer->subject)) & ~game_open_seats(game);
	offer->accepted &= answering;
	offer->declined &= answering;
	if (!offer_is_of_another(offer))
		return;
	if (!have_all_accepted(offer))
		offer->due_ms = 0;
	else if (offer->due_ms == 0)
		offer->due_ms = now_ms + LIMIT_NOTICE_MS;
}

const struct offer_row *
offer_find(const struct game *game, const char *id)
{
	for (unsigned i = 0; i < game->row.offers; i++)
		if (strcmp(game->offers[i].id, id) == 0)
			return &game->offers[i];
	return NULL;
}

unsigned
offer_waiting(const struct game *game)
{
	unsigned waiting = 0;
	for (unsigned i = 0; i < game->row.offers; i++) {
		const struct offer_row *offer = &game->offers[i];
		waiting |= offer_heard(offer) & ~offer->accepted & ~offer->declined;
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

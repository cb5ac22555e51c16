/* What the files of play/offer have in common; nobody else includes this. */
#ifndef IUVOD_PLAY_OFFER_INSIDE_H
#define IUVOD_PLAY_OFFER_INSIDE_H

#include "play/offer.h"

enum offer_kind offer_kind_of(const struct offer_row *offer);

/* A handover of a seat whose holder is said to be gone. */
bool offer_is_of_another(const struct offer_row *offer);

/* The seats whose answer counts, as bits: those that are asked, and the one that is said to be gone. */
unsigned offer_heard(const struct offer_row *offer);

/* It takes effect at that time. */
bool offer_is_agreed(const struct offer_row *offer, int64_t now_ms);

/* Brings an offer in line with the game: who is asked, what is answered, and the notice that its holder has. */
void offer_refresh(const struct game *game, int64_t now_ms, struct offer_row *offer);

/* It is open no more; those behind it in game->offers move up. */
enum fault offer_end(struct db *db, struct game *game, struct offer_row *offer);

/* Ends an offer that is agreed, and does what was offered. */
enum fault offer_take_effect(struct db *db, int64_t now_ms, struct game *game, struct offer_row *offer);

#endif

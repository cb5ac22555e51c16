/* Iuvo: its board's constants and what its files share. */
#ifndef IUVOD_ENGINE_IUVO_H
#define IUVOD_ENGINE_IUVO_H

#include "engine/iuvo_moves.h"

/* The targets of each seat, by index (I5); 0 beyond the variant's seats.  Static. */
extern const uint64_t iuvo_targets_of_two[SEATS_MAX], iuvo_targets_of_four[SEATS_MAX];

static inline const uint64_t *
iuvo_targets(enum variant variant)
{
	return variant_row(variant)->seats == 2 ? iuvo_targets_of_two : iuvo_targets_of_four;
}

/* What a legal jump leaves: the key of I16. */
uint64_t iuvo_left_key(const struct position *position, struct move move);

/* position_judge for Iuvo. */
enum verdict iuvo_judge(const struct position *position, const struct past *past, const struct move_text *text,
    struct move *move, struct judgement *judgement);

/* The owners of the stone at a bit, bit seat - 1. */
static inline unsigned
iuvo_owners_at(const struct iuvo_board *board, unsigned bit)
{
	unsigned owners = 0;
	for (unsigned i = 0; i < SEATS_MAX; i++)
		owners |= (unsigned)(board->owned[i] >> bit & 1) << i;
	return owners;
}

/* Whose stone it is that seat, from 1, would move. */
static inline enum move_kind
iuvo_kind(const struct iuvo_board *board, unsigned seat, unsigned bit)
{
	unsigned owners = iuvo_owners_at(board, bit);
	if (!owners)
		return MOVE_NEUTRAL;
	return owners == 1u << (seat - 1) ? MOVE_OWN : MOVE_SHARED;
}

#endif

/* Halma: what its files share. */
#ifndef IUVOD_ENGINE_HALMA_H
#define IUVOD_ENGINE_HALMA_H

#include "engine/halma_moves.h"

/* position_judge for Halma. */
enum verdict halma_judge(const struct position *position, const struct past *past, const struct move_text *text,
    struct move *move, struct judgement *judgement);

/* position_path for Halma. */
void halma_path(const struct position *position, struct move move, struct path *path);

static inline bool
halma_set_has(const struct halma_set *set, cell_t cell)
{
	return set->of[halma_class(cell)] >> halma_bit(cell) & 1;
}

#endif

#include "engine/iuvo_evaluate.h"

/* clang-format off */
const int iuvo_evaluate_weights[IUVO_WEIGHTS] = {
#define T(name, word, gathering, chain, ...) [name] = gathering, [IUVO_TERM_COUNT + name] = chain,
    IUVO_TERM_TABLE(T)
#undef T
};

const int iuvo_evaluate_loose_weights[IUVO_WEIGHTS] = {
#define T(name, word, gathering, chain, loose, loose_chain, ...) [name] = loose, [IUVO_TERM_COUNT + name] = loose_chain,
    IUVO_TERM_TABLE(T)
#undef T
};

const int iuvo_evaluate_many_weights[IUVO_WEIGHTS] = {
#define T(name, word, gathering, chain, loose, loose_chain, many, many_chain, together, ...) \
    [name] = many, [IUVO_TERM_COUNT + name] = many_chain, [2 * IUVO_TERM_COUNT + name] = together,
    IUVO_TERM_TABLE(T)
#undef T
};

const int iuvo_evaluate_many_loose_weights[IUVO_WEIGHTS] = {
#define T(name, word, gathering, chain, loose, loose_chain, many, many_chain, together, many_loose, many_loose_chain) \
    [name] = many_loose, [IUVO_TERM_COUNT + name] = many_loose_chain, [2 * IUVO_TERM_COUNT + name] = together,
    IUVO_TERM_TABLE(T)
#undef T
};

const char *const iuvo_evaluate_names[IUVO_WEIGHTS] = {
#define T(name, word, ...) \
    [name] = "gathering-" word, [IUVO_TERM_COUNT + name] = "chain-" word, [2 * IUVO_TERM_COUNT + name] = "together-" word,
    IUVO_TERM_TABLE(T)
#undef T
};
/* clang-format on */

enum iuvo_stage
iuvo_evaluate_terms(const struct position *position, unsigned seat, int terms[IUVO_TERM_COUNT])
{
	struct iuvo_scan all;
	struct iuvo_evaluate_seat seen;
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	iuvo_evaluate_look(position, &all);
	iuvo_evaluate_see(position, &all, seat - 1, &seen);
	iuvo_evaluate_see_alone(seen.owned, seen.targets, iuvo_evaluate_way(seats, seat - 1), seen.terms);
	for (unsigned i = 0; i < IUVO_TERM_COUNT; i++)
		terms[i] = seen.terms[i];
	return iuvo_evaluate_stage(position, seats, &all);
}

/* clang-format off */
const uint32_t iuvo_evaluate_distances[SEATS_MAX][56] = {
    {
	/* north */
	0x04040404, 0x05030303, 0x04040202, 0x03030303, 0x04020402, 0x03030103, 0x04020200, 0,
	0x05030303, 0x04040404, 0x03030303, 0x04020202, 0x03030101, 0x04020204, 0x03030303, 0,
	0x04040404, 0x03030303, 0x04020202, 0x03030303, 0x02040204, 0x03010301, 0x02020002, 0,
	0x03030303, 0x04040404, 0x03030303, 0x02020202, 0x03010103, 0x02020202, 0x03030303, 0,
	0x04040404, 0x03030303, 0x02020204, 0x03030303, 0x04020402, 0x01030103, 0x02000202, 0,
	0x03030305, 0x04040404, 0x03030303, 0x02020204, 0x01010303, 0x04020204, 0x03030303, 0,
	0x04040404, 0x03030305, 0x02020404, 0x03030303, 0x02040204, 0x03010303, 0x00020204, 0,
    },
    {
	/* east */
	0x04040404, 0x05030303, 0x04040404, 0x03030303, 0x04040404, 0x03030305, 0x04040404, 0,
	0x05030303, 0x04040404, 0x03030303, 0x04040404, 0x03030303, 0x04040404, 0x03030305, 0,
	0x04040202, 0x03030303, 0x04020202, 0x03030303, 0x02020204, 0x03030303, 0x02020404, 0,
	0x03030303, 0x04020202, 0x03030303, 0x02020202, 0x03030303, 0x02020204, 0x03030303, 0,
	0x04020402, 0x03030101, 0x02040204, 0x03010103, 0x04020402, 0x01010303, 0x02040204, 0,
	0x03030103, 0x04020204, 0x03010301, 0x02020202, 0x01030103, 0x04020204, 0x03010303, 0,
	0x04020200, 0x03030303, 0x02020002, 0x03030303, 0x02000202, 0x03030303, 0x00020204, 0,
    },
    {
	/* south */
	0x04020200, 0x03030103, 0x04020402, 0x03030303, 0x04040202, 0x05030303, 0x04040404, 0,
	0x03030303, 0x04020204, 0x03030101, 0x04020202, 0x03030303, 0x04040404, 0x05030303, 0,
	0x02020002, 0x03010301, 0x02040204, 0x03030303, 0x04020202, 0x03030303, 0x04040404, 0,
	0x03030303, 0x02020202, 0x03010103, 0x02020202, 0x03030303, 0x04040404, 0x03030303, 0,
	0x02000202, 0x01030103, 0x04020402, 0x03030303, 0x02020204, 0x03030303, 0x04040404, 0,
	0x03030303, 0x04020204, 0x01010303, 0x02020204, 0x03030303, 0x04040404, 0x03030305, 0,
	0x00020204, 0x03010303, 0x02040204, 0x03030303, 0x02020404, 0x03030305, 0x04040404, 0,
    },
    {
	/* west */
	0x04020200, 0x03030303, 0x02020002, 0x03030303, 0x02000202, 0x03030303, 0x00020204, 0,
	0x03030103, 0x04020204, 0x03010301, 0x02020202, 0x01030103, 0x04020204, 0x03010303, 0,
	0x04020402, 0x03030101, 0x02040204, 0x03010103, 0x04020402, 0x01010303, 0x02040204, 0,
	0x03030303, 0x04020202, 0x03030303, 0x02020202, 0x03030303, 0x02020204, 0x03030303, 0,
	0x04040202, 0x03030303, 0x04020202, 0x03030303, 0x02020204, 0x03030303, 0x02020404, 0,
	0x05030303, 0x04040404, 0x03030303, 0x04040404, 0x03030303, 0x04040404, 0x03030305, 0,
	0x04040404, 0x05030303, 0x04040404, 0x03030303, 0x04040404, 0x03030305, 0x04040404, 0,
    },
};
/* clang-format on */

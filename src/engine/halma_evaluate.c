#include "engine/halma_evaluate.h"

#include "engine/kernel.h"

const int halma_weights[HALMA_WEIGHT_COUNT] = {
#define W(name, value) [name] = value,
    HALMA_WEIGHT_TABLE(W)
#undef W
};

void
halma_terms(const struct position *position, unsigned seat, int terms[HALMA_WEIGHT_COUNT])
{
	kernel_here()->halma_terms(position, seat, terms);
}

int
halma_evaluate(const struct position *position, const int *weights)
{
	return kernel_here()->halma_evaluate(position, weights);
}

/* From the same sums as the evaluation, of one stone. */
int
halma_gain(const struct position *position, struct move move, const int *weights)
{
	return kernel_here()->halma_gain(position, move, weights);
}

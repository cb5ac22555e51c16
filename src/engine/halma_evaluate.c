#include "engine/halma_evaluate.h"

const int halma_evaluate_weights[HALMA_WEIGHT_COUNT] = {
#define W(name, word, value) [name] = value,
    HALMA_WEIGHT_TABLE(W)
#undef W
};

const char *const halma_evaluate_names[HALMA_WEIGHT_COUNT] = {
#define W(name, word, value) [name] = word,
    HALMA_WEIGHT_TABLE(W)
#undef W
};

void
halma_evaluate_terms(const struct position *position, unsigned seat, int terms[HALMA_WEIGHT_COUNT])
{
	kernel_here()->halma_terms(position, seat, terms);
}

enum forecast
halma_evaluate(const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX])
{
	return kernel_here()->halma_evaluate(position, weights, memo, worth);
}

void
halma_evaluate_costs(enum variant variant, unsigned index, const int *weights, int cost[256])
{
	(void)variant;
	kernel_here()->halma_costs(index, weights, cost);
}

/*
 * Tunes the weights of an evaluation by games: each weight in turn is made
 * smaller and greater, and the engine with the changed weights plays the one
 * without (match.h).  What wins by more than chance tells is kept.
 *
 *     tests/tune/tune_games VARIANT [GAMES [NODES [ROUNDS [SEED [THREADS]]]]]
 *
 * prints each trial and, at the end, the weights.  Each trial has openings of
 * its own, each played in every seating.  The same arguments print the same,
 * whatever the number of threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules.h"
#include "engine/search.h"
#include "engine/zobrist.h"
#include "match.h"
#include "tests/bench/bench.h"

enum {
	GAMES = 100,
	NODES = 3000,
	ROUNDS = 1,
	OPENING_PLIES = 4,
	GAME_PLIES_MAX = 500,  /* a game that is not over is a draw */
	MANY_PLIES_MAX = 1000, /* of more than two seats */
	WEIGHTS_MAX = 64,
	SEARCH_BYTES = 8 << 20
};

/* Plays weights against others, from openings that no match before had. */
static void
match(struct match_plan *plan, const int *tried, const int *kept, struct match_score *score)
{
	plan->first.weights = tried;
	plan->second.weights = kept;
	plan->seed = zobrist_mix(plan->seed);
	if (!match_play(plan, score))
		bench_die("no memory", NULL);
}

/* Tries a weight at another value; true if it won by more than three quarters of what chance may be. */
static bool
try_weight(struct match_plan *plan, int *weights, unsigned at, int value)
{
	int tried[WEIGHTS_MAX];
	struct match_score score;
	double least, most;
	memcpy(tried, weights, sizeof tried);
	tried[at] = value;
	match(plan, tried, weights, &score);
	match_interval(&score, &least, &most);
	double share = match_share(&score);
	bool better = share - 0.5 > 0.75 * (share - least);
	printf("%-20s %5d -> %5d: %5.1f %% (%.1f to %.1f), %3.0f plies a game, %u too long%s\n",
	    rules_of(plan->variant)->weight_names[at], weights[at], value, 100 * share, 100 * least, 100 * most,
	    (double)score.plies / score.games, score.cut, better ? ", kept" : "");
	fflush(stdout);
	if (better)
		weights[at] = value;
	return better;
}

/* Stones are owned together where there are four seats alone. */
static bool
used(const struct match_plan *plan, const char *name)
{
	return variant_row(plan->variant)->seats > 2 || strncmp(name, "together-", 9) != 0;
}

int
main(int argc, char **argv)
{
	struct match_plan plan = {.opening_plies = OPENING_PLIES, .memory = SEARCH_BYTES};
	uint64_t numbers[] = {GAMES, NODES, ROUNDS, 1, 1};
	int weights[WEIGHTS_MAX] = {0};

	if (argc < 2 || !variant_find(argv[1], strlen(argv[1]), &plan.variant))
		bench_die("which variant?", NULL);
	const struct rules *rules = rules_of(plan.variant);
	unsigned seats = variant_row(plan.variant)->seats;
	for (int i = 2; i < argc && i < 7; i++)
		numbers[i - 2] = bench_number(argv[i]);
	if (rules->weight_count > WEIGHTS_MAX)
		bench_die("more weights than expected", NULL);
	plan.first_seats = seats / 2;
	plan.plies = seats > 2 ? MANY_PLIES_MAX : GAME_PLIES_MAX;
	plan.openings = ((unsigned)numbers[0] + match_seatings(&plan) - 1) / match_seatings(&plan);
	plan.first.nodes = plan.second.nodes = numbers[1];
	plan.seed = numbers[3];
	plan.threads = (unsigned)numbers[4];
	memcpy(weights, rules_weights(plan.variant), rules->weight_count * sizeof *weights);
	for (uint64_t round = 0; round < numbers[2]; round++) {
		for (unsigned at = 0; at < rules->weight_count; at++) {
			int step = abs(weights[at]) / 3 + 1;
			if (!used(&plan, rules->weight_names[at]))
				continue;
			if (!try_weight(&plan, weights, at, weights[at] - step))
				try_weight(&plan, weights, at, weights[at] + step);
		}
	}
	for (unsigned at = 0; at < rules->weight_count; at++)
		printf("%s %d\n", rules->weight_names[at], weights[at]);
	return EXIT_SUCCESS;
}

/*
 * Tunes the weights of an evaluation by games: each weight in turn is made
 * smaller and greater, and the engine with the changed weights plays the one
 * without.  What wins by more than chance tells is kept.
 *
 *     tests/tune/tune_games VARIANT [GAMES [NODES [ROUNDS [SEED]]]]
 *
 * prints each trial and, at the end, the weights.  Openings of a few plies by
 * chance are played from both sides.  The same arguments print the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules.h"
#include "engine/search.h"
#include "tests/bench/bench.h"

enum {
	GAMES = 100,
	NODES = 3000,
	ROUNDS = 1,
	OPENING_PLIES = 6,
	GAME_PLIES_MAX = 500, /* a game that is not over is a draw */
	WEIGHTS_MAX = 64,
	SEARCH_BYTES = 8 << 20
};

struct bench {
	enum variant variant;
	unsigned games;
	uint64_t nodes;
	uint64_t chance;
	struct search *search;
	uint64_t plies; /* of all games */
};

static unsigned
below(struct bench *bench, unsigned bound)
{
	bench->chance = zobrist_mix(bench->chance);
	return (unsigned)(bench->chance >> 33) % bound;
}

static void
play(struct position *position, struct history *history, struct move move)
{
	struct past past = history_past(history);
	struct change change;
	position_play(position, &past, move, position, &change);
	history_add(history, change.left);
}

static void
open_game(struct bench *bench, struct position *position, struct history *history)
{
	position_start(bench->variant, position);
	history_begin(history, position);
	while (position->turn != 0 && position->ply < OPENING_PLIES) {
		struct move moves[MOVES_MAX];
		unsigned count = position_moves(position, NULL, moves);
		play(position, history, moves[below(bench, count)]);
	}
}

/* Plays a game to its end; twice the points of seat 1. */
static unsigned
finish(struct bench *bench, struct position *position, struct history *history, const int *weights[2])
{
	while (position->turn != 0 && position->ply < GAME_PLIES_MAX) {
		struct search_limits limits = {
		    .nodes = bench->nodes, .seed = below(bench, 1 << 30) + 1u, .weights = weights[position->turn - 1]};
		struct search_result result;
		search_run(bench->search, position, history, &limits, &result);
		play(position, history, result.lines[0].moves[0]);
	}
	bench->plies += position->ply;
	return position->winner == 1 ? 2 : position->winner == 2 ? 0 : 1;
}

/* The points that weights won against others, of one for a game. */
static double
match(struct bench *bench, const int *tried, const int *kept)
{
	static struct history opening, history;
	unsigned twice = 0;
	bench->plies = 0;
	for (unsigned game = 0; game < bench->games; game += 2) {
		struct position start, position;
		const int *first[2] = {tried, kept}, *second[2] = {kept, tried};
		open_game(bench, &start, &opening);
		position = start;
		history = opening;
		twice += finish(bench, &position, &history, first);
		position = start;
		history = opening;
		twice += 2 - finish(bench, &position, &history, second);
	}
	return twice / 2.0;
}

/* Tries a weight at another value; true if it won by more than one and a half standard errors. */
static bool
try_weight(struct bench *bench, int *weights, unsigned at, int value)
{
	const struct rules *rules = rules_of(bench->variant);
	int tried[WEIGHTS_MAX];
	memcpy(tried, weights, sizeof tried);
	tried[at] = value;
	double share = match(bench, tried, weights) / bench->games;
	double error = sqrt(share * (1 - share) / bench->games);
	bool better = share > 0.5 + 1.5 * error;
	printf("%-12s %5d -> %5d: %5.1f +- %4.1f %%, %3.0f plies a game%s\n", rules->weight_names[at], weights[at],
	    value, 100 * share, 196 * error, (double)bench->plies / bench->games, better ? ", kept" : "");
	fflush(stdout);
	if (better)
		weights[at] = value;
	return better;
}

int
main(int argc, char **argv)
{
	struct bench bench = {.games = GAMES, .nodes = NODES, .chance = 1};
	void *memory = aligned_alloc(64, SEARCH_BYTES);
	int weights[WEIGHTS_MAX] = {0};
	uint64_t rounds = ROUNDS;

	if (argc < 2 || !variant_find(argv[1], strlen(argv[1]), &bench.variant) ||
	    variant_row(bench.variant)->seats != 2)
		bench_die("which variant for two?", NULL);
	const struct rules *rules = rules_of(bench.variant);
	if (!memory || rules->weight_count > WEIGHTS_MAX)
		bench_die("no memory", NULL);
	bench.search = search_open(memory, SEARCH_BYTES);
	bench.games = argc > 2 ? ((unsigned)bench_number(argv[2]) + 1) & ~1u : GAMES;
	bench.nodes = argc > 3 ? bench_number(argv[3]) : NODES;
	rounds = argc > 4 ? bench_number(argv[4]) : ROUNDS;
	bench.chance = argc > 5 ? bench_number(argv[5]) : 1;
	memcpy(weights, rules_weights(bench.variant), rules->weight_count * sizeof *weights);
	while (rounds-- > 0) {
		for (unsigned at = 0; at < rules->weight_count; at++) {
			int step = abs(weights[at]) / 3 + 1;
			if (!try_weight(&bench, weights, at, weights[at] - step))
				try_weight(&bench, weights, at, weights[at] + step);
		}
	}
	for (unsigned at = 0; at < rules->weight_count; at++)
		printf("%s %d\n", rules->weight_names[at], weights[at]);
	free(memory);
	return EXIT_SUCCESS;
}

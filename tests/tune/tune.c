/*
 * Tunes the weights of Iuvo's evaluation: plays games of the engine against
 * itself, and fits the weights so that the evaluation of a position foretells
 * who won (a logistic regression, of several seats a multinomial one, by
 * coordinate descent on whole numbers).
 *
 *     tests/tune/tune [VARIANT [GAMES [NODES [SEED [TRIALS [TRIAL_NODES]]]]]]
 *
 * prints what it played and the table of weights that fits best, with the
 * error before and after, on the games it learnt from and on a tenth of them
 * that it did not; and then, since weights that foretell better need not play
 * better, what the engine with each stage's weights alone, and with all of
 * them, scores in so many games (match.h) against itself.  The same arguments
 * print the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/iuvo_evaluate.h"
#include "engine/rules.h"
#include "engine/search.h"
#include "match.h"

enum {
	SAMPLES_MAX = 400000,
	TABLE_BYTES = 4 << 20,
	GAME_PLIES_MAX = 400,  /* a longer game is left out */
	MANY_PLIES_MAX = 1500, /* of more than two seats */
	TRIAL_PLIES_MAX = 600, /* a longer one counts as drawn; of more than two seats MANY_PLIES_MAX */
	TRIAL_OPENING = 4,
	MANY_SKIPPED = 3 /* of four positions: a game has more of them, and most are alike */
};

/* A position: what the weights are multiplied with, for each seat that is in, and who won. */
struct sample {
	int8_t terms[SEATS_MAX][IUVO_TERM_COUNT];
	uint8_t seats; /* how many are in */
	uint8_t in[SEATS_MAX];
	uint8_t winner; /* index in `in` */
	uint8_t stage;
	bool held_out;
};

struct set {
	struct sample *samples;
	unsigned count;
	unsigned games;
	unsigned by_reason[REASON_COUNT];
	unsigned by_seat[SEATS_MAX + 1];
	uint64_t plies;
};

/* The measure of all weights: a score of 400 foretells ten wins for a loss, as a difference in Elo does. */
static const double SCALE = 400 / 2.302585092994046;

static uint64_t chance;
static const int *engine_weights; /* of the variant */

static unsigned
below(unsigned bound)
{
	chance = zobrist_mix(chance);
	return (unsigned)(chance >> 33) % bound;
}

/*
 * Weights that one seat plays a game with: the engine's own, changed at
 * random.  Where both played by the same, a mistake that both make would tell
 * nothing.
 */
static void
vary(enum variant variant, int weights[IUVO_WEIGHTS])
{
	unsigned stages = variant_row(variant)->seats > 2 ? IUVO_STAGES : IUVO_TOGETHER;
	memset(weights, 0, IUVO_WEIGHTS * sizeof *weights);
	for (unsigned i = 0; i < stages * IUVO_TERM_COUNT; i++) {
		int own = engine_weights[i], size = (own < 0 ? -own : own) / 2 + 10;
		weights[i] = own - size + (int)below((unsigned)(2 * size + 1));
	}
}

/* A move at random for the first plies, so that no game is played twice; later now and then. */
static struct move
choose(struct search *search, const struct position *position, const struct history *history, unsigned random_plies,
    uint64_t nodes, const int *weights, struct search_result *result)
{
	static struct move moves[MOVES_MAX];
	struct past past = history_past(history);
	if (position->ply < random_plies)
		return moves[below(position_moves(position, &past, moves))];
	struct search_limits limits = {.nodes = nodes, .seed = 1 + below(1 << 20), .weights = weights};
	search_run(search, position, history, &limits, result);
	return result->lines[0].moves[0];
}

/* What is seen of a position, unless it is no quiet one; who wins is not known yet. */
static void
take(struct set *set, const struct position *position, const struct search_result *result)
{
	unsigned all = variant_row((enum variant)position->variant)->seats;
	if (set->count >= SAMPLES_MAX || result->lines[0].plies != 0 || result->lines[0].moves[0].captures)
		return;
	if (all > 2 && below(MANY_SKIPPED + 1) != 0)
		return;
	struct sample *sample = &set->samples[set->count++];
	*sample = (struct sample){.held_out = set->games % 10 == 0};
	for (unsigned seat = 1; seat <= all; seat++) {
		int terms[IUVO_TERM_COUNT];
		if (position_out(position, seat))
			continue;
		sample->stage = (uint8_t)iuvo_evaluate_terms(position, seat, terms);
		for (unsigned i = 0; i < IUVO_TERM_COUNT; i++)
			sample->terms[sample->seats][i] = (int8_t)terms[i];
		sample->in[sample->seats++] = (uint8_t)seat;
	}
}

/* Who was in at each sample is known; now who won. */
static void
judge(struct set *set, unsigned first, unsigned winner)
{
	for (unsigned i = first; i < set->count; i++) {
		struct sample *sample = &set->samples[i];
		while (sample->in[sample->winner] != winner)
			sample->winner++;
	}
}

static void
play(struct set *set, struct search *search, enum variant variant, uint64_t nodes)
{
	static struct history history;
	static struct search_result result;
	struct position position;
	unsigned first = set->count, random_plies = 4 + below(8);
	unsigned plies_max = variant_row(variant)->seats > 2 ? MANY_PLIES_MAX : GAME_PLIES_MAX;
	int weights[SEATS_MAX][IUVO_WEIGHTS];

	for (unsigned i = 0; i < variant_row(variant)->seats; i++)
		vary(variant, weights[i]);
	position_start(variant, &position);
	history_begin(&history, &position);
	while (position.turn != 0 && position.ply < plies_max) {
		struct change change;
		struct past past = history_past(&history);
		struct move move =
		    choose(search, &position, &history, random_plies, nodes, weights[position.turn - 1], &result);
		if (position.ply >= random_plies)
			take(set, &position, &result);
		position_play(&position, &past, move, &position, &change);
		history_add(&history, change.left);
	}
	set->games++;
	set->plies += position.ply;
	set->by_reason[position.reason]++;
	set->by_seat[position.winner]++;
	if (position.winner == 0)
		set->count = first;
	else
		judge(set, first, position.winner);
}

/* The mean surprise at who won, if scores s mean that each seat wins by exp(s / scale) against the others. */
static double
surprise(const struct sample *sample, const int *weights, double scale)
{
	int scores[SEATS_MAX];
	double sum = 0;
	weights += sample->stage * IUVO_TERM_COUNT;
	for (unsigned seat = 0; seat < sample->seats; seat++) {
		scores[seat] = 0;
		for (unsigned i = 0; i < IUVO_TERM_COUNT; i++)
			scores[seat] += sample->terms[seat][i] * weights[i];
	}
	for (unsigned seat = 0; seat < sample->seats; seat++)
		sum += exp(fmin((scores[seat] - scores[sample->winner]) / scale, 30));
	return log(sum);
}

/* The same of all samples of some stages, by their bits. */
static double
error_of(const struct set *set, const int *weights, double scale, unsigned stages, bool held_out)
{
	double sum = 0;
	unsigned count = 0;
	for (unsigned i = 0; i < set->count; i++) {
		const struct sample *sample = &set->samples[i];
		if (sample->held_out != held_out || !(stages >> sample->stage & 1))
			continue;
		sum += surprise(sample, weights, scale);
		count++;
	}
	return sum / (count ? count : 1);
}

/* One weight is moved as long as that makes the error smaller. */
static bool
improve(const struct set *set, int *weights, unsigned at, int step, double scale, double *least)
{
	bool better = false;
	for (int sign = -1; sign <= 1; sign += 2)
		for (;;) {
			weights[at] += sign * step;
			double now = error_of(set, weights, scale, 1u << at / IUVO_TERM_COUNT, false);
			if (now >= *least - 1e-6) {
				weights[at] -= sign * step;
				break;
			}
			*least = now;
			better = true;
		}
	return better;
}

/* The weights of one stage. */
static void
fit(const struct set *set, int *weights, unsigned stage, double scale)
{
	double least = error_of(set, weights, scale, 1u << stage, false);
	for (int step = 32; step >= 1; step /= 2)
		for (bool better = true; better;) {
			better = false;
			for (unsigned i = 0; i < IUVO_TERM_COUNT; i++)
				better |= improve(set, weights, stage * IUVO_TERM_COUNT + i, step, scale, &least);
		}
}

static void
print(const struct set *set, const int *weights, double scale)
{
	printf("games %u, plies %.1f, positions %u; won by seat 1 %.3f\n", set->games, (double)set->plies / set->games,
	    set->count, (double)set->by_seat[1] / set->games);
	for (unsigned i = 0; i < REASON_COUNT; i++)
		if (set->by_reason[i])
			printf("  %s %u\n", reason_word((enum reason)i), set->by_reason[i]);
	for (unsigned stage = 0; stage < IUVO_STAGES; stage++)
		printf("stage %u: error %.5f, was %.5f; of games not learnt from %.5f, was %.5f\n", stage,
		    error_of(set, weights, scale, 1u << stage, false),
		    error_of(set, engine_weights, scale, 1u << stage, false),
		    error_of(set, weights, scale, 1u << stage, true),
		    error_of(set, engine_weights, scale, 1u << stage, true));
	for (unsigned i = 0; i < IUVO_TERM_COUNT; i++) {
		printf("%-12s", iuvo_evaluate_names[i] + strlen("gathering-"));
		for (unsigned at = i; at < IUVO_WEIGHTS; at += IUVO_TERM_COUNT)
			printf(" %5d (%5d)", weights[at], engine_weights[at]);
		putchar('\n');
	}
}

/* What the engine scores with the fitted weights of some stages, by their bits, against itself. */
static bool
try_stages(enum variant variant, const int *fitted, unsigned stages, unsigned games, uint64_t nodes)
{
	int weights[IUVO_WEIGHTS];
	unsigned seats = variant_row(variant)->seats;
	struct match_plan plan = {
	    .variant = variant,
	    .first = {.nodes = nodes, .weights = weights},
	    .second = {.nodes = nodes},
	    .first_seats = seats / 2,
	    .opening_plies = TRIAL_OPENING,
	    .plies = seats > 2 ? MANY_PLIES_MAX : TRIAL_PLIES_MAX,
	    .seed = 1,
	    .threads = 1,
	    .memory = TABLE_BYTES,
	};
	struct match_score score;
	double least, most;

	for (unsigned i = 0; i < IUVO_WEIGHTS; i++)
		weights[i] = (stages >> i / IUVO_TERM_COUNT & 1 ? fitted : engine_weights)[i];
	plan.openings = (games + match_seatings(&plan) - 1) / match_seatings(&plan);
	if (!match_play(&plan, &score))
		return false;
	match_interval(&score, &least, &most);
	printf("stages");
	for (unsigned i = 0; i < IUVO_STAGES; i++)
		if (stages >> i & 1)
			printf(" %u", i);
	printf(" as fitted: %.1f %% (%.1f to %.1f) of %u games, %.0f plies each, %u too long\n",
	    100 * match_share(&score), 100 * least, 100 * most, score.games, (double)score.plies / score.games,
	    score.cut);
	return true;
}

int
main(int argc, char **argv)
{
	enum variant variant = VARIANT_IUVO_2;
	if (argc > 1 && !variant_find(argv[1], strlen(argv[1]), &variant))
		return EXIT_FAILURE;
	engine_weights = rules_weights(variant);
	unsigned games = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
	uint64_t nodes = argc > 3 ? (uint64_t)atoll(argv[3]) : 3000;
	chance = argc > 4 ? (uint64_t)atoll(argv[4]) : 1;
	unsigned trials = argc > 5 ? (unsigned)atoi(argv[5]) : 0;
	uint64_t trial_nodes = argc > 6 ? (uint64_t)atoll(argv[6]) : nodes;

	void *memory = aligned_alloc(64, TABLE_BYTES);
	struct set set = {.samples = malloc(SAMPLES_MAX * sizeof *set.samples)};
	if (memory == NULL || set.samples == NULL)
		return EXIT_FAILURE;
	struct search *search = search_open(memory, TABLE_BYTES);
	while (set.games < games)
		play(&set, search, variant, nodes);

	int weights[IUVO_WEIGHTS];
	memcpy(weights, engine_weights, sizeof weights);
	double scale = SCALE;
	for (unsigned stage = 0; stage < IUVO_STAGES; stage++)
		fit(&set, weights, stage, scale);
	print(&set, weights, scale);
	unsigned stages = variant_row(variant)->seats > 2 ? IUVO_STAGES : IUVO_TOGETHER;
	bool good = true;
	for (unsigned stage = 0; trials && good && stage < stages; stage++)
		good = try_stages(variant, weights, 1u << stage, trials, trial_nodes);
	if (trials && good)
		good = try_stages(variant, weights, (1u << stages) - 1, trials, trial_nodes);
	free(set.samples);
	free(memory);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

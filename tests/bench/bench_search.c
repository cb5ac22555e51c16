/*
 * What the search does in a second: nodes and depth, in openings and middle
 * games of each variant, beside a plain alpha-beta (no table, no order, no
 * look at captures, nothing left out) over the same generator, moves and
 * evaluation in the same run.
 *
 *     make -C build bench-search
 *     build/tests/bench/bench_search VARIANT
 *
 * The first builds and runs it; it takes two minutes.  Times are
 * of processor time, so that of a busy machine only its caches matter.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/memory.h"
#include "engine/level.h"
#include "engine/rules.h"
#include "tests/bench/bench.h"

enum { TABLE_BYTES = 64 << 20, GAMES = 3 };

static _Atomic bool time_is_up;

static void
end_time(int number)
{
	(void)number;
	time_is_up = true;
}

/* Raises time_is_up after a second of processor time. */
static void
begin_second(void)
{
	struct itimerval second = {.it_value = {.tv_sec = 1}};
	time_is_up = false;
	setitimer(ITIMER_PROF, &second, NULL);
}

/* Plain alpha-beta. */
struct plain {
	const struct rules *rules;
	unsigned seat; /* whose worth it is; the others play against it */
	uint64_t nodes;
	struct memo memo;
};

static int
plain_worth(struct plain *plain, const struct position *position)
{
	int worth[SEATS_MAX], best = -SEARCH_INFINITE;
	if (position->turn == 0 || position_out(position, plain->seat))
		return position->winner == plain->seat      ? SEARCH_WON
		       : position->winner || position->turn ? -SEARCH_WON
							    : 0;
	enum forecast forecast =
	    plain->rules->evaluate(position, rules_weights((enum variant)position->variant), &plain->memo, worth);
	if (forecast >= FORECAST_BLOCKED)
		return (forecast == FORECAST_WINS) == (position->turn == plain->seat) ? SEARCH_WON : -SEARCH_WON;
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if (seat != plain->seat && seat <= variant_row((enum variant)position->variant)->seats &&
		    !position_out(position, seat) && worth[seat - 1] > best)
			best = worth[seat - 1];
	return worth[plain->seat - 1] - best;
}

static int
plain_visit(struct plain *plain, const struct position *position, unsigned depth, int alpha, int beta)
{
	struct move moves[MOVES_MAX];
	plain->nodes++;
	if (depth == 0 || position->turn == 0 || position_out(position, plain->seat))
		return plain_worth(plain, position);
	unsigned count = plain->rules->moves(position, NULL, moves);
	bool own = position->turn == plain->seat;
	if (count == 0) /* blocked; with more seats position_play has seen to it */
		return plain->rules->blocked_lose ? (own ? -SEARCH_WON : SEARCH_WON) : 0;
	for (unsigned i = 0; i < count && alpha < beta && !time_is_up; i++) {
		struct position after;
		if (rules_in_count(position) == 2)
			plain->rules->make(position, moves[i], &after);
		else
			position_play(position, NULL, moves[i], &after, NULL);
		int score = plain_visit(plain, &after, depth - 1, alpha, beta);
		if (own && score > alpha)
			alpha = score;
		else if (!own && score < beta)
			beta = score;
	}
	return own ? alpha : beta;
}

struct reached {
	double depth;
	double nodes;
	double seconds;
};

static void
measure_plain(const struct position *position, struct reached *reached)
{
	struct plain plain = {.rules = rules_of((enum variant)position->variant), .seat = position->turn};
	double start = (double)bench_cpu_ns() / 1e9;
	unsigned depth = 0;
	for (begin_second(); !time_is_up && depth < SEARCH_DEPTH_MAX; depth++)
		plain_visit(&plain, position, depth + 1, -SEARCH_INFINITE, SEARCH_INFINITE);
	reached->depth += depth - 1;
	reached->nodes += (double)plain.nodes;
	reached->seconds += (double)bench_cpu_ns() / 1e9 - start;
}

static void
measure(struct search *search, const struct position *position, struct reached *reached)
{
	static struct search_result result;
	struct search_limits limits = {.stop = &time_is_up};
	double start = (double)bench_cpu_ns() / 1e9;
	begin_second();
	search_run(search, position, NULL, &limits, &result);
	reached->depth += result.depth;
	reached->nodes += (double)result.nodes;
	reached->seconds += (double)bench_cpu_ns() / 1e9 - start;
}

/* A position of a game of low levels: some plies after the start, or after the chain began. */
static bool
deal(struct search *search, enum variant variant, uint64_t seed, bool chain, unsigned plies, struct position *position)
{
	static struct history history;
	static struct search_result result;
	unsigned after = 0;
	position_start(variant, position);
	history_begin(&history, position);
	while (position->turn != 0 && after < plies) {
		struct past past = history_past(&history);
		struct change change;
		level_run(
		    search, position, &history, 4, zobrist_mix(seed ^ (uint64_t)position->ply << 32), NULL, &result);
		position_play(position, &past, result.lines[0].moves[0], position, &change);
		history_add(&history, change.left);
		after += !chain || position_phase(position) == PHASE_CHAIN;
	}
	return position->turn != 0;
}

static void
bench(struct search *search, enum variant variant, const char *name, bool chain, unsigned plies)
{
	struct reached fast = {0}, plain = {0};
	uint64_t seed = 1;
	for (unsigned game = 0; game < GAMES; game++) {
		struct position position;
		do
			seed = zobrist_mix(seed);
		while (!deal(search, variant, seed, chain, plies, &position));
		measure(search, &position, &fast);
		measure_plain(&position, &plain);
	}
	printf("%-14s %-10s %6.1f %8.2f %8.1f %8.2f\n", variant_row(variant)->id, name, fast.depth / GAMES,
	    fast.nodes / fast.seconds / 1e6, plain.depth / GAMES, plain.nodes / plain.seconds / 1e6);
	fflush(stdout);
}

/* The start itself, which is the same for everybody. */
static void
bench_start(struct search *search, enum variant variant)
{
	struct reached fast = {0}, plain = {0};
	struct position position;
	position_start(variant, &position);
	measure(search, &position, &fast);
	measure_plain(&position, &plain);
	printf("%-14s %-10s %6.1f %8.2f %8.1f %8.2f\n", variant_row(variant)->id, "start", fast.depth,
	    fast.nodes / fast.seconds / 1e6, plain.depth, plain.nodes / plain.seconds / 1e6);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	enum variant only = VARIANT_COUNT;
	if (argc > 1 && !variant_find(argv[1], strlen(argv[1]), &only))
		return EXIT_FAILURE;
	void *memory = memory_take_table(TABLE_BYTES);
	if (memory == NULL)
		return EXIT_FAILURE;
	memset(memory, 0, TABLE_BYTES);
	struct search *search = search_open(memory, TABLE_BYTES);
	signal(SIGPROF, end_time);
	printf("%-14s %-10s %6s %8s %8s %8s\n", "", "", "depth", "Mnodes/s", "plain", "Mnodes/s");
	for (unsigned i = 0; i < VARIANT_COUNT; i++) {
		enum variant variant = (enum variant)i;
		bool halma = position_has_camps(variant);
		if (only != VARIANT_COUNT && only != variant)
			continue;
		bench_start(search, variant);
		bench(search, variant, "opening", false, halma ? 12 : 6);
		bench(search, variant, "middle", !halma, halma ? 50 : 8);
	}
	free(memory);
	return EXIT_SUCCESS;
}

/*
 * Which search for more than two seats: paranoid search (the engine's own, see
 * search_many.c) against max^n and against BRS+ (tests/engine/rivals.h), all
 * with the same budget of nodes, evaluation and order of moves.
 *
 *     make -C build many                   48 games of iuvo-4 against each
 *     build/tests/bench/many [VARIANT [GAMES [NODES [SEED]]]]
 *
 * Each side has two of the four seats; each opening, of a few plies by chance,
 * is played in all six seatings.  What is printed is the share of games that a
 * seat of paranoid search won, a draw being half of one, with what it may be
 * wrong by in 19 of 20 such runs.  Who has no seat left has lost.  The same
 * arguments print the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wilson.h"
#include "engine/rules.h"
#include "tests/bench/bench.h"
#include "tests/engine/deal.h"
#include "tests/engine/rivals.h"

enum {
	GAMES = 48,
	NODES = 4000,
	OPENING_PLIES = 4,
	GAME_PLIES_MAX = 2000, /* a game that is not over is a draw */
	SEATINGS = 6,
	SEARCH_BYTES = 8 << 20
};

/* The two seats of paranoid search, bit seat - 1. */
static const uint8_t seatings[SEATINGS] = {0x3, 0x5, 0x9, 0x6, 0xa, 0xc};

struct rival {
	const char *name;
	search_line_of *many;
};

struct bench {
	enum variant variant;
	unsigned games;
	uint64_t nodes;
	struct deal deal;
	struct search *search;
};

struct tally {
	unsigned games;
	unsigned won;
	unsigned drawn;
	uint64_t plies;
	uint64_t searches[2]; /* of the rival, and of paranoid search */
	uint64_t depth[2];
};

/* Whether the seats of a game that goes on are all in the seating, or none of them. */
static bool
settled(const struct position *position, unsigned seating)
{
	unsigned in = rules_in(position);
	return position->turn != 0 && ((in & seating) == 0 || (in & seating) == in);
}

static void
play(struct bench *bench, const struct rival *rival, struct position *position, struct history *history,
    unsigned seating, struct tally *tally)
{
	while (position->turn != 0 && position->ply < GAME_PLIES_MAX && !settled(position, seating)) {
		bool ours = seating >> (position->turn - 1) & 1;
		struct search_limits limits = {.nodes = bench->nodes, .seed = deal_below(&bench->deal, 1 << 30) + 1u};
		struct search_result result;
		struct past past = history_past(history);
		struct change change;
		bench->search->many = ours ? search_many : rival->many;
		search_run(bench->search, position, history, &limits, &result);
		tally->searches[ours]++;
		tally->depth[ours] += result.depth;
		position_play(position, &past, result.lines[0].moves[0], position, &change);
		history_add(history, change.left);
	}
	tally->games++;
	tally->plies += position->ply;
	if (settled(position, seating))
		tally->won += (rules_in(position) & seating) != 0;
	else if (position->winner == 0)
		tally->drawn++;
	else
		tally->won += seating >> (position->winner - 1) & 1;
}

static void
print_tally(const struct bench *bench, const struct rival *rival, const struct tally *tally)
{
	double least, most, n = tally->games, share = (tally->won + tally->drawn / 2.0) / n;
	wilson_interval(share, tally->games, &least, &most);
	printf("%s, %" PRIu64 " nodes a ply: paranoid search against %s: %u won, %u lost, %u drawn: "
	       "%.1f %% (%.1f to %.1f)\n",
	    variant_row(bench->variant)->id, bench->nodes, rival->name, tally->won,
	    tally->games - tally->won - tally->drawn, tally->drawn, 100 * share, 100 * least, 100 * most);
	printf("  depth %.1f against %.1f; %.0f plies a game\n", (double)tally->depth[1] / (double)tally->searches[1],
	    (double)tally->depth[0] / (double)tally->searches[0], (double)tally->plies / n);
	fflush(stdout);
}

static void
measure(struct bench *bench, const struct rival *rival)
{
	static struct history opening, history;
	struct tally tally = {0};
	while (tally.games < bench->games) {
		struct position start;
		deal_opening(&bench->deal, bench->variant, OPENING_PLIES, &start, &opening);
		for (unsigned i = 0; i < SEATINGS && tally.games < bench->games; i++) {
			struct position position = start;
			history = opening;
			play(bench, rival, &position, &history, seatings[i], &tally);
		}
	}
	print_tally(bench, rival, &tally);
}

int
main(int argc, char **argv)
{
	static const struct rival rivals[] = {{"max^n", rivals_max_n}, {"BRS+", rivals_brs}};
	struct bench bench = {.variant = VARIANT_IUVO_4, .games = GAMES, .nodes = NODES};
	void *memory = memory_take_table(SEARCH_BYTES);

	if (!memory)
		bench_die("no memory", NULL);
	bench.search = search_open(memory, SEARCH_BYTES);
	if (argc > 1 && !variant_find(argv[1], strlen(argv[1]), &bench.variant))
		bench_die("no such variant", NULL);
	if (variant_row(bench.variant)->seats != 4)
		bench_die("that variant has not four seats", NULL);
	if (argc > 2)
		bench.games = (unsigned)bench_number(argv[2]);
	if (argc > 3)
		bench.nodes = bench_number(argv[3]);
	for (unsigned i = 0; i < sizeof rivals / sizeof *rivals; i++) {
		bench.deal.seed = argc > 4 ? bench_number(argv[4]) : 1;
		measure(&bench, &rivals[i]);
	}
	free(memory);
	return EXIT_SUCCESS;
}

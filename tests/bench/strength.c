/*
 * How strong the engine is beside the sparring partner of tests/engine (a plain
 * UCT tree search over the same generator; with four seats a max^n tree): games
 * of the engine in one seat against the partner in all others, who has for each
 * ply as much processor time as the engine took for its last one.
 *
 *     make -C build strength               20 games of every variant
 *     build/tests/bench/strength VARIANT [GAMES [NODES [SEED]]]
 *
 * Each opening, of a few plies by chance, is played once with the engine in
 * every seat.  The share that is printed is of wins, a draw being shared out
 * among all seats, with what it may be wrong by in 19 of 20 such runs.  The
 * same arguments need not print the same, since time is measured.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wilson.h"
#include "engine/rules.h"
#include "engine/search.h"
#include "tests/bench/bench.h"
#include "tests/engine/deal.h"
#include "tests/engine/sparring.h"

enum {
	GAMES = 20,
	NODES = 300000,
	OPENING_PLIES = 4,
	GAME_PLIES_MAX = 800, /* a game that is not over is a draw */
	SEARCH_BYTES = 32 << 20,
	SPARRING_NODES = 2000000,
	NANOSECONDS_MIN = 200000
};

struct bench {
	enum variant variant;
	unsigned games;
	uint64_t nodes;
	struct deal deal;
	struct search *search;
	struct sparring *sparring;
};

struct tally {
	unsigned games;
	unsigned won;
	unsigned drawn;
	uint64_t plies;
	unsigned by_reason[REASON_COUNT];
	unsigned out; /* games that went on without the engine */
	uint64_t searches;
	uint64_t depth;
	uint64_t nodes;
	double seconds; /* of the engine */
	uint64_t thoughts;
	uint64_t playouts;
};

/* The engine's move; *took is the time that the others will have too. */
static struct move
search(struct bench *bench, const struct position *position, const struct history *history, struct tally *tally,
    uint64_t *took)
{
	struct search_limits limits = {.nodes = bench->nodes, .seed = deal_below(&bench->deal, 1 << 30) + 1u};
	struct search_result result;
	uint64_t start = bench_cpu_ns();

	search_run(bench->search, position, history, &limits, &result);
	*took = bench_cpu_ns() - start;
	tally->searches++;
	tally->depth += result.depth;
	tally->nodes += result.nodes;
	tally->seconds += (double)*took / 1e9;
	return result.lines[0].moves[0];
}

static struct move
spar(struct bench *bench, const struct position *position, const struct past *past, uint64_t nanoseconds,
    struct tally *tally)
{
	struct sparring_budget budget = {.nanoseconds = nanoseconds > NANOSECONDS_MIN ? nanoseconds : NANOSECONDS_MIN};
	uint64_t playouts;
	struct move move =
	    sparring_think(bench->sparring, position, past, budget, deal_below(&bench->deal, 1 << 30), &playouts);
	tally->thoughts++;
	tally->playouts += playouts;
	return move;
}

/* Goes on from an opening, which the history holds, to the end, until the engine is out, or until it is long enough. */
static void
play(struct bench *bench, struct position *position, struct history *history, unsigned seat, struct tally *tally)
{
	uint64_t took = 0;
	while (position->turn != 0 && position->ply < GAME_PLIES_MAX && !position_out(position, seat)) {
		struct past past = history_past(history);
		struct change change;
		struct move move = position->turn == seat ? search(bench, position, history, tally, &took)
							  : spar(bench, position, &past, took, tally);
		position_play(position, &past, move, position, &change);
		history_add(history, change.left);
	}
	tally->games++;
	tally->plies += position->ply;
	if (position->turn == 0)
		tally->by_reason[position->reason]++;
	else if (position_out(position, seat))
		tally->out++;
	else
		tally->by_reason[REASON_LENGTH]++;
	if (position->winner == seat)
		tally->won++;
	else if (position->winner == 0 && !position_out(position, seat))
		tally->drawn++;
}

static void
print_share(const struct tally *tally, unsigned seats)
{
	double least, most, share = (tally->won + (double)tally->drawn / seats) / tally->games;
	wilson_interval(share, tally->games, &least, &most);
	printf("  the engine has %.1f %% of the games (%.1f to %.1f); its share at equal strength is %.0f %%\n",
	    100 * share, 100 * least, 100 * most, 100.0 / seats);
}

static void
print_tally(const struct bench *bench, const struct tally *tally)
{
	const struct variant_row *row = variant_row(bench->variant);
	printf("%s: %u games, %" PRIu64 " nodes a ply: %u won, %u lost, %u drawn; %.0f plies each\n", row->id,
	    tally->games, bench->nodes, tally->won, tally->games - tally->won - tally->drawn, tally->drawn,
	    (double)tally->plies / tally->games);
	print_share(tally, row->seats);
	printf("  ends:");
	for (unsigned i = 1; i < REASON_COUNT; i++)
		if (tally->by_reason[i] > 0)
			printf(" %u %s", tally->by_reason[i], reason_word((enum reason)i));
	if (tally->out > 0)
		printf(" %u without the engine", tally->out);
	printf("\n  engine: depth %.1f, %.2f million nodes a second, %.0f ms a ply; partner: %.0f playouts a ply\n",
	    (double)tally->depth / (double)tally->searches, (double)tally->nodes / tally->seconds / 1e6,
	    1000 * tally->seconds / (double)tally->searches, (double)tally->playouts / (double)tally->thoughts);
	fflush(stdout);
}

static void
measure(struct bench *bench)
{
	unsigned seats = variant_row(bench->variant)->seats;
	static struct history opening, history;
	struct tally tally = {0};
	while (tally.games < bench->games) {
		struct position start;
		deal_opening(&bench->deal, bench->variant, OPENING_PLIES, &start, &opening);
		for (unsigned seat = 1; seat <= seats && tally.games < bench->games; seat++) {
			struct position position = start;
			history = opening;
			play(bench, &position, &history, seat, &tally);
		}
	}
	print_tally(bench, &tally);
}

int
main(int argc, char **argv)
{
	struct bench bench = {.games = GAMES, .nodes = NODES, .deal.seed = 1};
	void *memory = memory_take_table(SEARCH_BYTES);
	bool all = argc < 2 || strcmp(argv[1], "all") == 0;

	bench.sparring = sparring_new(SPARRING_NODES);
	if (!memory || !bench.sparring)
		bench_die("no memory", NULL);
	bench.search = search_open(memory, SEARCH_BYTES);
	if (!all && !variant_find(argv[1], strlen(argv[1]), &bench.variant))
		bench_die("no such variant", NULL);
	if (argc > 2)
		bench.games = (unsigned)bench_number(argv[2]);
	if (argc > 3)
		bench.nodes = bench_number(argv[3]);
	if (argc > 4)
		bench.deal.seed = bench_number(argv[4]);
	for (unsigned i = all ? 0 : bench.variant; i < (all ? VARIANT_COUNT : bench.variant + 1u); i++) {
		bench.variant = (enum variant)i;
		measure(&bench);
	}
	sparring_free(bench.sparring);
	free(memory);
	return EXIT_SUCCESS;
}

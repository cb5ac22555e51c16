/*
 * How many chain positions of iuvo-2, reached by moves at random, the search
 * proves to be won or lost.  Each has as many nodes as a second is worth on the
 * machine that the README speaks of, and not a second: so the same arguments
 * print the same on every machine, however busy.
 *
 *     make -C build proofs
 *     build/tests/bench/proofs [COUNT [NODES [SEED]]]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/search.h"
#include "engine/zobrist.h"

enum { TABLE_BYTES = 64 << 20, COUNT = 60, NODES = 4500000, PLIES_IN_CHAIN = 40 };

/* A position that is not over, some plies after the stones became a chain; false if moves at random ended it before. */
static bool
deal(uint64_t seed, struct position *position)
{
	unsigned after = 0, plies = (unsigned)(zobrist_mix(seed) % PLIES_IN_CHAIN);
	position_start(VARIANT_IUVO_2, position);
	while (position->turn != 0 && after <= plies) {
		struct move moves[MOVES_MAX];
		unsigned count = position_moves(position, NULL, moves);
		seed = zobrist_mix(seed);
		position_play(position, NULL, moves[seed % count], position, NULL);
		after += position_phase(position) == PHASE_CHAIN;
	}
	return position->turn != 0;
}

static uint64_t
argument(int argc, char **argv, int at, uint64_t otherwise)
{
	return argc > at ? strtoull(argv[at], NULL, 10) : otherwise;
}

int
main(int argc, char **argv)
{
	static struct search_result result;
	uint64_t count = argument(argc, argv, 1, COUNT), seed = argument(argc, argv, 3, 1);
	struct search_limits limits = {.nodes = argument(argc, argv, 2, NODES)};
	uint64_t proved = 0, exact = 0, nodes = 0;
	void *memory = memory_take_table(TABLE_BYTES);
	if (memory == NULL || count == 0)
		return EXIT_FAILURE;
	memset(memory, 0, TABLE_BYTES);
	struct search *search = search_open(memory, TABLE_BYTES);
	for (uint64_t i = 0; i < count; i++) {
		struct position position;
		do
			seed = zobrist_mix(seed);
		while (!deal(seed, &position));
		search_run(search, &position, NULL, &limits, &result);
		proved += result.lines[0].plies != 0;
		exact += result.lines[0].shortest;
		nodes += result.nodes;
	}
	double share = (double)proved / (double)count;
	printf("iuvo-2: of %" PRIu64 " chain positions at random %" PRIu64 " proved within %" PRIu64
	       " nodes each (%.1f %% +- %.1f), %" PRIu64 " of them exactly; %.1f million nodes in all\n",
	    count, proved, limits.nodes, 100 * share, 196 * sqrt(share * (1 - share) / (double)count), exact,
	    (double)nodes / 1e6);
	free(memory);
	return EXIT_SUCCESS;
}

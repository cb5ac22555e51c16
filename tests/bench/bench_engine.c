/*
 * How many leaves a second the generator counts (perft, the last ply counted
 * and not made), on one core, each beside the plain mailbox generator of
 * tests/engine in the same run.
 *
 *     make -C build bench-engine
 *
 * builds and runs it; it takes about half a minute.
 * Times are of the thread's own processor time, so a busy machine hardly
 * matters.  The plain generator goes one ply less deep where it must to be
 * done in a second or two; both must count the same at that depth.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/notation.h"
#include "engine/perft.h"
#include "tests/bench/bench.h"
#include "tests/engine/mailbox.h"
#include "tests/engine/vectors.h"

enum { POSITIONS_MAX = 4096 };

struct set {
	const char *name;
	unsigned depth;
	unsigned plain_depth;
	unsigned count;
	const char *texts[POSITIONS_MAX];
};

struct rate {
	uint64_t leaves;
	double seconds;
};

static struct position
read_position(const char *text)
{
	struct position position;
	struct text_fault fault;
	if (!notation_read_position(text, strlen(text), &position, &fault))
		bench_die(fault.why, text);
	return position;
}

static uint64_t
count_once(const struct position *positions, unsigned count, unsigned depth)
{
	uint64_t leaves = 0;
	for (unsigned i = 0; i < count; i++)
		leaves += perft_count(&positions[i], depth);
	return leaves;
}

static uint64_t
count_plain_once(const struct mailbox *boxes, unsigned count, unsigned depth)
{
	uint64_t leaves = 0;
	for (unsigned i = 0; i < count; i++)
		leaves += mailbox_perft(&boxes[i], depth);
	return leaves;
}

/* Counts again and again until a second is over, so that short counts are measured too. */
static struct rate
measure(const struct set *set, const struct position *positions, const struct mailbox *boxes)
{
	struct rate rate = {0, 0};
	double start = (double)bench_cpu_ns() / 1e9;
	do {
		rate.leaves += positions != NULL ? count_once(positions, set->count, set->depth)
						 : count_plain_once(boxes, set->count, set->plain_depth);
		rate.seconds = (double)bench_cpu_ns() / 1e9 - start;
	} while (rate.seconds < 1);
	return rate;
}

static void
bench(const struct set *set)
{
	static struct position positions[POSITIONS_MAX];
	static struct mailbox boxes[POSITIONS_MAX];
	for (unsigned i = 0; i < set->count; i++) {
		positions[i] = read_position(set->texts[i]);
		mailbox_read(&boxes[i], set->texts[i]);
	}
	if (count_once(positions, set->count, set->plain_depth) !=
	    count_plain_once(boxes, set->count, set->plain_depth))
		bench_die("the generators disagree", set->name);
	struct rate fast = measure(set, positions, NULL), plain = measure(set, NULL, boxes);
	double fast_rate = (double)fast.leaves / fast.seconds / 1e6;
	double plain_rate = (double)plain.leaves / plain.seconds / 1e6;
	printf("%-34s %4u %2u %9.1f   %2u %8.2f %7.1f\n", set->name, set->count, set->depth, fast_rate,
	    set->plain_depth, plain_rate, fast_rate / plain_rate);
	fflush(stdout);
}

/* The positions of the games of one variant from some ply on in which, in Iuvo, the stones are a single chain. */
static void
take_games(struct set *set, const char *variant, unsigned first, bool chain)
{
	for (unsigned i = 0; i < vector_games_count; i++) {
		const struct vector_game *game = &vector_games[i];
		for (unsigned ply = first; ply < game->count && strcmp(game->variant, variant) == 0; ply++) {
			struct position position = read_position(game->plies[ply].position);
			if (position.turn != 0 && (!chain || position_phase(&position) == PHASE_CHAIN) &&
			    set->count < POSITIONS_MAX)
				set->texts[set->count++] = game->plies[ply].position;
		}
	}
}

/* Keeps so many, evenly spread. */
static void
thin_out(struct set *set, unsigned count)
{
	if (set->count < count)
		bench_die("the vectors hold too few positions", set->name);
	for (unsigned i = 0; i < count; i++)
		set->texts[i] = set->texts[i * set->count / count];
	set->count = count;
}

int
main(void)
{
	static struct set iuvo = {.name = "iuvo-2, start", .depth = 6, .plain_depth = 4, .count = 1};
	static struct set chain = {.name = "iuvo-2, chain phase, from games", .depth = 4, .plain_depth = 3};
	static struct set halma = {.name = "halma-2, start", .depth = 4, .plain_depth = 3, .count = 1};
	static struct set middle = {.name = "halma-2, middle, from games", .depth = 3, .plain_depth = 2};
	iuvo.texts[0] = "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -";
	take_games(&chain, "iuvo-2", 0, true);
	thin_out(&chain, 200);
	halma.texts[0] = "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/"
			 "14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -";
	take_games(&middle, "halma-2", 40, false);
	thin_out(&middle, 12);
	printf("%-34s %4s %8s %5s %10s %8s %6s\n", "", "", "depth", "M/s", "plain:", "M/s", "ratio");
	bench(&iuvo);
	bench(&chain);
	bench(&halma);
	bench(&middle);
	return EXIT_SUCCESS;
}

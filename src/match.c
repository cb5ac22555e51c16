#include "match.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/wilson.h"
#include "engine/bits.h"
#include "engine/level.h"
#include "engine/rules.h"
#include "engine/zobrist.h"

enum { OPENING_MAX = 64 };

/* An opening: moves that were drawn by lot. */
struct opening {
	unsigned count;
	struct move moves[OPENING_MAX];
};

/* What a thread works with. */
struct worker {
	pthread_t thread;
	struct desk *desk;
	struct search *search;
	void *memory;
	struct history history;
	struct search_result result;
	struct match_score score;
	bool started;
};

/* What the threads share. */
struct desk {
	const struct match_plan *plan;
	_Atomic unsigned next; /* opening */
};

static bool
read_number(const char *text, uint64_t most, uint64_t *number)
{
	return text_read_uint(text, strlen(text), most, number) && *number > 0;
}

bool
match_read_player(const char *text, struct match_player *player)
{
	uint64_t number;
	if (strncmp(text, "level:", 6) == 0 && read_number(text + 6, LEVEL_MOST, &number))
		*player = (struct match_player){.level = (unsigned)number};
	else if (strncmp(text, "nodes:", 6) == 0 && read_number(text + 6, UINT64_C(1000000000000), &number))
		*player = (struct match_player){.nodes = number};
	else
		return false;
	return true;
}

static void
play_move(struct worker *worker, struct position *position, struct move move)
{
	struct past past = history_past(&worker->history);
	struct change change;
	position_play(position, &past, move, position, &change);
	history_add(&worker->history, change.left);
}

/* Moves at random; false if they end the game. */
static bool
draw_opening(struct worker *worker, uint64_t lot, struct opening *opening)
{
	const struct match_plan *plan = worker->desk->plan;
	struct position position;
	position_start(plan->variant, &position);
	history_begin(&worker->history, &position);
	opening->count = plan->opening_plies + (unsigned)(zobrist_mix(lot) % 4);
	for (unsigned i = 0; i < opening->count; i++) {
		struct move moves[MOVES_MAX];
		struct past past = history_past(&worker->history);
		unsigned count = position_moves(&position, &past, moves);
		if (count == 0)
			return false;
		lot = zobrist_mix(lot);
		opening->moves[i] = moves[lot % count];
		play_move(worker, &position, opening->moves[i]);
	}
	return position.turn != 0;
}

static struct move
think(struct worker *worker, const struct position *position, unsigned side, uint64_t seed)
{
	const struct match_plan *plan = worker->desk->plan;
	const struct match_player *player = side == 0 ? &plan->first : &plan->second;
	struct search_result *result = &worker->result;
	if (player->level) {
		level_run(worker->search, position, &worker->history, player->level, seed, NULL, result);
	} else {
		struct search_limits limits = {.nodes = player->nodes, .seed = seed, .weights = player->weights};
		search_run(worker->search, position, &worker->history, &limits, result);
	}
	worker->score.moves[side]++;
	worker->score.nodes[side] += result->nodes;
	worker->score.depths[side] += result->depth;
	return result->lines[0].moves[0];
}

/* A seating is the set of the first player's seats; whether seat, from 1, is in it. */
static bool
seated(unsigned seating, unsigned seat)
{
	return seating >> (seat - 1) & 1;
}

/* The seatings from one on: the next that gives the first player its number of seats; 0 if there is none. */
static unsigned
next_seating(const struct match_plan *plan, unsigned seating)
{
	unsigned end = 1u << variant_row(plan->variant)->seats;
	do
		seating++;
	while (seating < end && bits_count(seating) != plan->first_seats);
	return seating < end ? seating : 0;
}

unsigned
match_seatings(const struct match_plan *plan)
{
	unsigned count = 0;
	for (unsigned seating = next_seating(plan, 0); seating; seating = next_seating(plan, seating))
		count++;
	return count;
}

/* The seats of a game that goes on and that are one player's, bit seat - 1; 0 if both have some. */
static unsigned
only_player(const struct position *position, unsigned seating)
{
	unsigned in = rules_in(position);
	bool one = position->turn != 0 && ((in & seating) == 0 || (in & ~seating) == 0);
	return one ? in : 0;
}

static void
count_game(struct match_score *score, const struct position *position, unsigned seating)
{
	unsigned in = only_player(position, seating);
	unsigned winners = in ? in : position->winner ? 1u << (position->winner - 1) : 0;
	score->games++;
	score->plies += position->ply;
	if (in) {
		score->settled++;
	} else {
		score->cut += position->turn != 0;
		score->by_seat[position->winner]++;
		score->by_reason[position->reason]++;
	}
	if (winners == 0)
		score->drawn++;
	else if (winners & seating)
		score->won++;
	else
		score->lost++;
}

/* One game: the first player has the seats of the seating, the second the others. */
static void
play_game(struct worker *worker, const struct opening *opening, unsigned seating, uint64_t seed)
{
	const struct match_plan *plan = worker->desk->plan;
	struct position position;
	position_start(plan->variant, &position);
	history_begin(&worker->history, &position);
	for (unsigned i = 0; i < opening->count; i++)
		play_move(worker, &position, opening->moves[i]);
	while (position.turn != 0 && position.ply < plan->plies && only_player(&position, seating) == 0) {
		uint64_t chance = zobrist_mix(seed ^ (uint64_t)position.ply << 32) | 1;
		play_move(worker, &position, think(worker, &position, !seated(seating, position.turn), chance));
	}
	count_game(&worker->score, &position, seating);
}

static void *
work(void *argument)
{
	struct worker *worker = argument;
	const struct match_plan *plan = worker->desk->plan;
	for (;;) {
		unsigned index = worker->desk->next++;
		if (index >= plan->openings)
			return NULL;
		index += plan->skipped;
		struct opening opening;
		uint64_t lot = zobrist_mix(plan->seed) ^ index;
		while (!draw_opening(worker, lot, &opening))
			lot = zobrist_mix(lot + 1);
		unsigned count = 0;
		for (unsigned seating = next_seating(plan, 0); seating; seating = next_seating(plan, seating))
			play_game(worker, &opening, seating, zobrist_mix(lot ^ ++count));
	}
}

static void
add(struct match_score *sum, const struct match_score *score)
{
	sum->games += score->games;
	sum->won += score->won;
	sum->drawn += score->drawn;
	sum->lost += score->lost;
	sum->cut += score->cut;
	sum->settled += score->settled;
	sum->plies += score->plies;
	for (unsigned i = 0; i <= SEATS_MAX; i++)
		sum->by_seat[i] += score->by_seat[i];
	for (unsigned i = 0; i < REASON_COUNT; i++)
		sum->by_reason[i] += score->by_reason[i];
	for (unsigned side = 0; side < 2; side++) {
		sum->moves[side] += score->moves[side];
		sum->nodes[side] += score->nodes[side];
		sum->depths[side] += score->depths[side];
	}
}

static bool
start(struct worker *worker, struct desk *desk)
{
	size_t size = (size_t)desk->plan->memory;
	worker->desk = desk;
	worker->memory = memory_take_table(size);
	if (worker->memory == NULL)
		return false;
	worker->search = search_open(worker->memory, size);
	worker->started = pthread_create(&worker->thread, NULL, work, worker) == 0;
	return worker->started;
}

bool
match_play(const struct match_plan *plan, struct match_score *score)
{
	struct desk desk = {.plan = plan};
	struct worker *workers = calloc(plan->threads, sizeof *workers);
	bool good = workers != NULL;

	*score = (struct match_score){.draw = (double)plan->first_seats / variant_row(plan->variant)->seats};
	for (unsigned i = 0; good && i < plan->threads; i++)
		good = start(&workers[i], &desk);
	for (unsigned i = 0; workers && i < plan->threads; i++) {
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
		add(score, &workers[i].score);
		free(workers[i].memory);
	}
	free(workers);
	return good;
}

double
match_share(const struct match_score *score)
{
	return score->games ? (score->won + score->drawn * score->draw) / score->games : 0;
}

void
match_interval(const struct match_score *score, double *least, double *most)
{
	wilson_interval(match_share(score), score->games, least, most);
}

double
match_elo(double share)
{
	if (share <= 0 || share >= 1)
		return share <= 0 ? -INFINITY : INFINITY;
	return 400 * log10(share / (1 - share));
}

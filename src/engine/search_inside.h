/* What the files of the search share; nobody else includes it. */
#ifndef IUVOD_ENGINE_SEARCH_INSIDE_H
#define IUVOD_ENGINE_SEARCH_INSIDE_H

#include "engine/promise.h"
#include "engine/search.h"
#include "engine/search_past.h"
#include "engine/search_proof.h"
#include "engine/table.h"

/* How often a quiet move was the best of its node, by seat and by its ends. */
enum { SEARCH_HISTORY_MAX = 1 << 13, SEARCH_KILLERS = 2 };

struct search;

/*
 * One search of the root's moves from index `first` on, the lines before it
 * being taken: finds the best one, moves it to `first`, and fills its line.
 * Its score goes to root_score[first].  False if it ended without.  Implemented
 * by search_two.c for two seats and by search_many.c for more.
 */
typedef bool search_line_of(struct search *search, const struct position *root, unsigned first, unsigned depth);

struct search {
	struct table table; /* in the rest of the memory */
	size_t room;        /* its buckets where it lends none to the proof search */
	size_t spare;       /* bytes behind it */

	/* Of the run. */
	const struct rules *rules;
	const int *weights;
	const struct search_limits *limits;
	struct search_past past;
	unsigned seats;       /* in at the root */
	unsigned both;        /* their sum, by which two of them know each other */
	uint64_t proof_nodes; /* budgets up to this have no proof search: SEARCH_PROOF_NODES, or what a test wants */
	search_line_of *many; /* for more than two: search_many, or what a test measures it against */
	uint64_t left; /* what the keys of the root and of what its last ply left differ by; with two seats, of all */
	uint64_t nodes;
	bool ended;    /* the budget is used up, or the flag told to stop: what is under way is worth nothing */
	bool proving;  /* scores that are not decided do not matter, decided ones must be exact */
	bool returns;  /* the way may lead through the root again: of a line that is not the best of all moves it may be
			  the shortest */
	unsigned last; /* the ply from the root at which the game's length ends it (I18, H12) */
	int bound_to;  /* the lowest ply on the way that what was found below hangs on; SEARCH_DEPTH_MAX: none */

	struct memo memo; /* of the evaluation */
	struct search_proof proof;

	/* Ordering. */
	struct promises promises;
	struct move killers[SEARCH_DEPTH_MAX + 1][SEARCH_KILLERS];
	int16_t history[SEATS_MAX][1 << 16]; /* by from << 8 | to */

	/* The best line from each ply on. */
	unsigned line_count[SEARCH_DEPTH_MAX + 2];
	struct move line[SEARCH_DEPTH_MAX + 2][SEARCH_DEPTH_MAX + 2];

	/* The moves at the root, best first once an iteration is done. */
	unsigned root_count;
	struct move root[MOVES_MAX];
	int root_score[MOVES_MAX];
};

/* One more node: false when the search has to end. */
static inline bool
search_count(struct search *search)
{
	if (search->ended)
		return false;
	search->nodes++;
	if (search->limits->nodes && search->nodes >= search->limits->nodes)
		search->ended = true;
	if (search->nodes % 1024 == 0 && search->limits->stop && *search->limits->stop)
		search->ended = true;
	return !search->ended;
}

/* A score that tells who wins, and when. */
static inline bool
search_decided(int score)
{
	return score >= SEARCH_DECIDED || score <= -SEARCH_DECIDED;
}

/* Scores of decided games count from the root; in the table they count from the position. */
static inline int
search_to_table(int score, unsigned ply)
{
	return score >= SEARCH_DECIDED ? score + (int)ply : score <= -SEARCH_DECIDED ? score - (int)ply : score;
}

static inline int
search_from_table(int score, unsigned ply)
{
	return score >= SEARCH_DECIDED ? score - (int)ply : score <= -SEARCH_DECIDED ? score + (int)ply : score;
}

/*
 * What headway (rules.h) adds to what a seat has, at a ply from the root.  The
 * longer the game has lasted at the root, the more it counts: where each of four
 * waits for another to begin, somebody has to.  It is capped, so that no score
 * comes near SEARCH_DECIDED.
 */
static inline int
search_headway(const struct search *search, const struct position *position, unsigned ply)
{
	enum { PATIENCE = 200, PLIES = 100, MOST = 10 * PLIES };
	if (search->rules->headway == NULL)
		return 0;
	int waited = (int)position->ply - (int)ply - PATIENCE;
	int weight = waited < 0 ? PLIES : waited < MOST - PLIES ? PLIES + waited : MOST;
	return search->rules->headway(position) * weight / PLIES;
}

/* How far a seat is before the best of the others, by what each that is in is worth. */
static inline int
search_before_others(const struct position *position, unsigned seat, const int worth[SEATS_MAX])
{
	int best = -SEARCH_INFINITE;
	for (unsigned i = 0; i < variant_row((enum variant)position->variant)->seats; i++)
		if (i + 1 != seat && !position_out(position, i + 1) && worth[i] > best)
			best = worth[i];
	return worth[seat - 1] - best;
}

/* Whether a move promises so little that it is looked at only where the game may be lost. */
static inline bool
search_waits(const struct search *search, const struct position *position, struct move move)
{
	bool waits = promise_waits(&search->promises, position);
	return promise_of(&search->promises, position->turn, move, waits) < search->rules->least;
}

/* Moves the best of the root's moves to its place; those it passes stay in their order. */
void search_bring_forward(struct search *search, unsigned first, unsigned best, int score);

/* The best line from a ply on: a move and the best line after it. */
void search_line_take(struct search *search, unsigned ply, struct move move);

search_line_of search_two, search_many;

/*
 * Two seats: of a decided score at the root tells whether it is exact, looking
 * for a shorter win within the budget; if there is one, *score is that.
 */
bool search_two_prove(struct search *search, const struct position *root, unsigned first, int *score);

#endif

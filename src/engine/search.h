/*
 * Search: what a seat had best play, and what that is worth.
 *
 * A search is arithmetic like the rest of the engine: no heap, no clock, no
 * chance of its own.  Memory is the caller's; how far it looks is a budget of
 * nodes; the same position, past, limits and size of memory give the same
 * lines on every machine.  A search is used by one thread at a time, and only
 * its stop flag may be touched by others.
 *
 * With two seats in, it is a principal variation search (search_two.c); with
 * more, search_many.c.  Both are run from search_run, which looks one ply
 * deeper in every iteration.  With two seats in, a chain whose stones may be
 * captured is also looked at by a proof search (search_proof.c), which finds
 * longer forced wins and says nothing else: between the iterations, while they
 * found no end.
 */
#ifndef IUVOD_ENGINE_SEARCH_H
#define IUVOD_ENGINE_SEARCH_H

#include "engine/history.h"
#include "engine/position.h"

enum {
	SEARCH_DEPTH_MAX = 64, /* plies; no line is longer */
	SEARCH_LINES_MAX = 5,
	SEARCH_MEMORY_MIN = 1 << 20, /* bytes */

	/*
	 * Budgets up to this have no proof search, so that the levels (level.h)
	 * play as they were measured.  With a limit to depth there is none either.
	 */
	SEARCH_PROOF_NODES = 300000,

	/*
	 * Scores are for the seat to move at the root.  Where nothing is decided
	 * they are in the unit of the game's evaluation: in Iuvo Elo (400: ten
	 * wins for a loss), in Halma hundredths of a ply of the race.  A game won
	 * in N plies is worth SEARCH_WON - N, lost -(SEARCH_WON - N); a draw 0.
	 * No evaluation reaches SEARCH_DECIDED.
	 */
	SEARCH_WON = 32000,
	SEARCH_DECIDED = 31000,
	SEARCH_LOST_TO_ALL = 1 - SEARCH_DECIDED, /* more than two in: lost if all others play together, who need not */
	SEARCH_INFINITE = 32767
};

struct search; /* its memory and all that it knows */

/* One way to go on, best play by every seat as far as the search saw. */
struct search_line {
	int score;
	int plies;     /* the game is won (or, below 0, lost) by force in so many plies or fewer; 0: not decided */
	bool shortest; /* of a decided line: proved that best play can neither hasten nor delay the end, unless by
			  repeating (I16) */
	unsigned count;
	struct move moves[SEARCH_DEPTH_MAX];
};

struct search_result {
	unsigned depth; /* the last iteration that was completed */
	uint64_t nodes; /* positions made */
	unsigned count; /* lines, best first: as many as were asked for, or as there are moves */
	struct search_line lines[SEARCH_LINES_MAX];
};

struct search_limits {
	uint64_t nodes;           /* the budget; 0: none */
	uint64_t seed;            /* decides between first moves that are worth the same; 0: canonical order (T4) */
	unsigned depth;           /* the last iteration, and nothing but iterations; 0: SEARCH_DEPTH_MAX */
	unsigned lines;           /* 0 and 1: one */
	const struct move *only;  /* NULL, or the one legal move that is looked at */
	const _Atomic bool *stop; /* NULL, or soon after it turns true the search ends with what it has */
	const int *weights;       /* of the evaluation (rules.h), NULL: the game's own */
	/* NULL, or called after each iteration, and when the proof search has proved something. */
	void (*report)(void *reader, const struct search_result *result);
	void *reader;
};

/*
 * Makes a search of size bytes of memory, which is aligned to 64 bytes, at
 * least SEARCH_MEMORY_MIN and the caller's to free when the search is no
 * longer used; what is not needed otherwise is the transposition table.  A
 * search keeps nothing from one run to the next.
 */
struct search *search_open(void *memory, size_t size);

/*
 * Searches a position.  The history (NULL: none) is that of the game up to this
 * position, which its last entry left.  At least one line of one move is found,
 * whatever the limits say; where there is no legal move, as in a game that is
 * over, none is.  Needs a stack of 2 MiB.
 */
void search_run(struct search *search, const struct position *root, const struct history *history,
    const struct search_limits *limits, struct search_result *result);

/*
 * What a position is worth to a seat that was in before the last ply, by the
 * evaluation alone: how far it is before the best of the others, in the units of
 * a line's score; 0 where the seat to move is blocked, so that it goes out.  Who
 * is out, or sees another win at once, has lost as far as this tells.
 */
int search_glance(struct search *search, const struct position *position, unsigned seat);

#endif

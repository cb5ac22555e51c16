/*
 * The proof search beside the search for two seats: whether one seat can force
 * a win, and nothing else.  search_proof.c says how, and why what it claims is true.
 */
#ifndef IUVOD_ENGINE_SEARCH_PROOF_H
#define IUVOD_ENGINE_SEARCH_PROOF_H

#include "engine/proof_table.h"
#include "engine/search.h"

enum { SEARCH_PROOF_DEPTH_MAX = 100 }; /* plies from the root */

/* How it goes to prove that one seat wins. */
struct search_proof_try {
	bool failed;     /* nothing is left to try */
	bool hopeful;    /* of late it has come nearer, or hardly further away */
	uint64_t nodes;  /* spent on it */
	uint64_t mark;   /* nodes at which it was last looked how far it is, */
	uint32_t number; /* and the root's proof number then */
};

/* What a search keeps of it. */
struct search_proof {
	struct proof_table table;                 /* in memory that the transposition table leaves */
	bool runs;                                /* there may be something to prove yet */
	unsigned attacker;                        /* the seat that is to win */
	uint32_t number;                          /* the root's proof number, as it is */
	struct search_proof_try tries[SEATS_MAX]; /* by the index of the attacker */
	uint64_t spent;                           /* nodes of the run that it took */
	uint64_t until;                           /* nodes of the run at which it makes way for the other search */
	uint64_t way[SEARCH_PROOF_DEPTH_MAX + 1]; /* keys of the positions from the root to here */
	struct search_result claim;               /* the lines that it proved; none: count is 0 */
};

/* Before a run's other tables are cleared: whether it is to be run at all, and its memory. */
void search_proof_begin(struct search *search, const struct position *root);

/* Between two iterations: takes its share of the nodes; true if that proved something, which is its claim. */
bool search_proof_run(struct search *search, const struct position *root);

/*
 * What is known in all: what the iterations found and what was proved, up to so
 * many lines; one or the other, or the lines in part of both.
 */
void search_proof_tell(
    const struct search *search, const struct search_result *found, unsigned lines, struct search_result *told);

#endif

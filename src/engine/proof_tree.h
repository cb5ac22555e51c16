/*
 * The tree of the proof search: how a root is proved, and what is known of it
 * then.  search_proof.c says why that is true, and asks for it.
 */
#ifndef IUVOD_ENGINE_PROOF_TREE_H
#define IUVOD_ENGINE_PROOF_TREE_H

#include "engine/search_inside.h"

/* Moves of a node that is looked into: sixteen stones, eight jumps each. */
enum { PROOF_CHILDREN_MAX = 128 };

/* A move of a node, and how far what it leads to is from being proved. */
struct proof_child {
	uint64_t key;
	struct proof proof;
	struct move move;
};

struct proof_node {
	unsigned ply;
	bool attacks; /* the attacker is to move: one child is enough */
	unsigned count;
	struct proof_child children[PROOF_CHILDREN_MAX];
};

/*
 * Goes on proving the root, whose moves are those that the search is asked
 * about, for the attacker, until the search has to make way or to end, or
 * nothing is left to try (failed).  True if it is proved; node then says how.
 */
bool proof_tree_root(struct search *search, const struct position *root, struct proof_node *node);

/* What is proved of a position, as far as it is still known; false if nothing is. */
bool proof_tree_proved(struct search *search, const struct position *position, struct proof *proof);

/* Whether the game's past forbids a move to a position where the game goes on, whatever the way from the root. */
bool proof_tree_forbids(const struct search *search, const struct position *after);

/* The claim: of a win the one line, of a loss the lines that hold out longest (proof_line.c).  Uses up the node. */
void proof_line_claim(struct search *search, const struct position *root, struct proof_node *node);

#endif

/*
 * The proof search: depth-first proof-number search (df-pn; Nagai, Df-pn
 * algorithm for searching AND/OR trees and its applications, 2002).  A node's
 * proof number is what it takes, as far as is known, to prove that the
 * attacker wins, and its disproof number to see that this search will not
 * prove it; it goes where the least is missing.  So it follows threats through
 * forty plies where the alpha-beta of search_two.c, which looks at everything,
 * sees fourteen: README.md tells how many more it proves (`make -C build proofs`).
 *
 * - A child is looked into until its number is a quarter above the second best
 *   one's, so that the search does not go to and fro between two of them (the
 *   1 + epsilon trick: Pawlewicz and Lew, Improving depth-first PN-search,
 *   2007).
 * - A new node's number is 1 where one child is enough and its moves where all
 *   are needed, times what the evaluation says against it.  Of the 60 positions
 *   of `make -C build proofs` that proves, by itself, 40 in a million nodes for each
 *   seat and 43 in 2.25 million; moves alone prove 39 in a million.
 * - That the number of all children is their sum counts twice what they have in
 *   common.  The greatest and the count of the others instead (weak proof numbers:
 *   Ueda, Hashimoto, Hashimoto and Iida, Weak proof-number search, 2008) proves
 *   no more in a million nodes and 40 in 2.25 million.
 *
 * Why a claim is true.  A node is proved where the rules say that the attacker
 * has won (I12-I14), where the attacker has a move to a proved node, and where
 * all moves of the defender lead to such nodes, or it has none.  It is proved
 * after those that it rests on, with a ply more than they.  So from a proved
 * node the attacker wins within a certain number of plies, not above those that
 * it was proved with, by moves that bring the end nearer whatever is played against them.
 * On such a way no position comes twice, and nothing hangs on how the node was
 * come to: the table may keep it under the position's key, which has the
 * resting stone (I11).
 *
 * Repetition (I16) asks how often a position was left by the same seat.  A
 * position that the game left twice may not be left by anybody, wherever in the
 * tree: such moves are taken out of every node, and whoever has no other is
 * blocked (I12).  One that the game left once, or never, may be left once more,
 * and from the root on the attacker leaves none more than once, as just said,
 * nor ever the root again.  To the defender some further moves may be forbidden
 * by then: it has fewer than were proved to lose, or is blocked and has lost.
 * What a move that ends the game leaves was not there before.  The game's
 * length (I18) is out of reach: near it this search is not run.
 *
 * What is not proved says nothing.  A position that stands on the way from the
 * root, and one beyond the greatest depth, counts as not to be proved, and what
 * follows from it is kept too, though by another way it might be proved
 * (Kishimoto and Müller, A general solution to the graph history interaction
 * problem, 2004, keep the two apart): that loses proofs, never truth.
 *
 * The plies of a claim are an upper bound.  Shorter wins, and that there is
 * none, are left to the other search.
 */
#include "engine/search_proof.h"

#include <string.h>

#include "engine/proof_tree.h"

enum {
	FIRST_PART = 32,   /* so much of the budgets that are too small goes to the other search before it is asked */
	LAST_PART = 5,     /* no other iteration is waited for if those before took this part of the budget */
	SHARE = 4,         /* the part of all nodes that it takes at most, */
	HOPEFUL_SHARE = 2, /* and where there is hope */
	FIRST_MARK = 1 << 15, /* nodes after which it is first looked how far it is, and again after twice as many */
};

/* Where its table begins: in memory that the transposition table leaves, or in half of that if there is little else. */
static void
take_memory(struct search *search, uint64_t nodes)
{
	struct table *table = &search->table;
	size_t size = search->spare;
	if (size < table->room * sizeof *table->buckets / 4 && table->room > 1) {
		table->room /= 2;
		size += table->room * sizeof *table->buckets;
	}
	search->proof.runs = size >= sizeof *search->proof.table.buckets;
	if (search->proof.runs)
		proof_table_open(&search->proof.table, table->buckets + table->room, size, nodes);
}

void
search_proof_begin(struct search *search, const struct position *root)
{
	struct search_proof *proof = &search->proof;
	const struct search_limits *limits = search->limits;
	search->table.room = search->room;
	proof->runs = false;
	proof->spent = 0;
	proof->tries[0] = proof->tries[1] = (struct search_proof_try){.hopeful = true};
	proof->claim = (struct search_result){0};
	if (limits->depth != 0 || (limits->nodes != 0 && limits->nodes <= search->proof_nodes))
		return;
	if (search->seats != 2 || !search->rules->captures || !search->rules->forbids ||
	    search->rules->phase(root) != PHASE_CHAIN)
		return;
	if (search->last <= PROOF_PLIES_MAX + 1 || search->root_count > PROOF_CHILDREN_MAX)
		return;
	take_memory(search, limits->nodes / HOPEFUL_SHARE);
}

/* The seat to suspect of a win; 0: neither is left. */
static unsigned
suspect(const struct search *search, const struct position *root)
{
	unsigned seat = search->root_score[0] >= 0 ? root->turn : search->both - root->turn;
	if (!search->proof.tries[seat - 1].failed)
		return seat;
	seat = search->both - seat;
	return search->proof.tries[seat - 1].failed ? 0 : seat;
}

/*
 * How many nodes it may take now: as many, of those spent so far, as its share
 * is, or where the budget hardly lasts for another iteration, of the whole.
 */
static uint64_t
share(const struct search *search, bool hopeful)
{
	uint64_t budget = search->limits->nodes, spent = search->proof.spent, others = search->nodes - spent;
	uint64_t part = hopeful ? HOPEFUL_SHARE : SHARE, most = others / (part - 1);
	if (others < search->proof_nodes / FIRST_PART)
		return 0;
	if (budget != 0 && others * LAST_PART >= budget)
		most = budget / part;
	return most > spent ? most - spent : 0;
}

/*
 * Looks how far it is, every time that twice as many nodes were spent.  Where
 * nothing is found, the root's proof number grows like the root of the nodes, by
 * two fifths each time; where it grows by less than a third, there is hope.
 * So most positions that stay undecided cost the other search a quarter of its
 * nodes and not half, and as many are proved.
 */
static void
look_how_far(const struct search *search, struct search_proof_try *try)
{
	uint64_t number = search->proof.number;
	if (try->nodes < (try->mark ? 2 * try->mark : FIRST_MARK))
		return;
	try->hopeful = try->mark == 0 || number * 3 < (uint64_t)try->number * 4;
	try->mark = try->nodes;
	try->number = search->proof.number;
}

/* Spends at most so many nodes on one seat. */
static bool
try_seat(struct search *search, const struct position *root, uint64_t nodes, struct proof_node *node)
{
	struct search_proof_try *try = &search->proof.tries[search->proof.attacker - 1];
	uint64_t before = search->nodes, to_mark = (try->mark ? 2 * try->mark : FIRST_MARK) - try->nodes;
	search->proof.until = before + (nodes < to_mark ? nodes : to_mark);
	bool proved = proof_tree_root(search, root, node);
	try->nodes += search->nodes - before;
	search->proof.spent += search->nodes - before;
	look_how_far(search, try);
	return proved;
}

bool
search_proof_run(struct search *search, const struct position *root)
{
	struct search_proof *proof = &search->proof;
	struct position position = *root;
	struct proof_node node;

	position.chained = true; /* as search_proof_begin saw */
	while (proof->runs && !search->ended) {
		proof->attacker = suspect(search, root);
		uint64_t nodes = proof->attacker ? share(search, proof->tries[proof->attacker - 1].hopeful) : 0;
		proof->runs = proof->attacker != 0;
		if (nodes == 0)
			break;
		if (try_seat(search, &position, nodes, &node)) {
			proof->runs = false;
			proof_line_claim(search, &position, &node);
			return true;
		}
	}
	return false;
}

static int
plies_of(const struct search_line *line)
{
	return line->plies < 0 ? -line->plies : line->plies;
}

/* Whether the iterations found an end in all lines that comes no later than what is proved. */
static bool
outdone(const struct search_result *claim, const struct search_result *found)
{
	for (unsigned i = 0; i < found->count; i++)
		if (found->lines[i].plies == 0 && (i == 0 || claim->lines[0].plies < 0))
			return false;
	return found->count > 0 && plies_of(&found->lines[0]) <= plies_of(&claim->lines[0]);
}

void
search_proof_tell(
    const struct search *search, const struct search_result *found, unsigned lines, struct search_result *told)
{
	const struct search_result *claim = &search->proof.claim;
	*told = *found;
	if (claim->count == 0 || outdone(claim, found))
		return;
	memcpy(told->lines, claim->lines, claim->count * sizeof *claim->lines);
	told->count = claim->count;
	for (unsigned i = 0; claim->lines[0].plies > 0 && i < found->count && told->count < lines; i++)
		if (!move_same(found->lines[i].moves[0], claim->lines[0].moves[0]))
			told->lines[told->count++] = found->lines[i];
}

/*
 * The proof search: depth-first proof-number search (df-pn; Nagai, Df-pn
 * algorithm for searching AND/OR trees and its applications, 2002).  A node's
 * proof number is what it takes, as far as is known, to prove that the
 * attacker wins, and its disproof number to see that this search will not
 * prove it; it goes where the least is missing.  So it follows threats through
 * forty plies where the alpha-beta of search_two.c, which looks at everything,
 * sees fourteen: README.md tells how many more it proves (`make proofs`).
 *
 * - A child is looked into until its number is a quarter above the second best
 *   one's, so that the search does not go to and fro between two of them (the
 *   1 + epsilon trick: Pawlewicz and Lew, Improving depth-first PN-search,
 *   2007).
 * - A new node's number is 1 where one child is enough and its moves where all
 *   are needed, times what the evaluation says against it.  Of the 60 positions
 *   of `make proofs` that proves 40 in a million nodes and 43 in
 *   2.25 million; moves alone 39 in a million.
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

#include "engine/search_leaf.h"

enum {
	CHILDREN_MAX = 128, /* moves of a node that is looked into: sixteen stones, eight jumps each */
	DOUBLING = 140,     /* of the evaluation, in Elo, that make a node's numbers twice as great, or half */
	DOUBLINGS_MAX = 6,  /* no evaluation tells more */
	FIRST_PART = 32,    /* so much of the budgets that are too small goes to the other search before it is asked */
	LAST_PART = 5,      /* no other iteration is waited for if those before took this part of the budget, */
	SHARE = 2,          /* of which this search takes at most this part */
};

/* A move of a node, and how far what it leads to is from being proved. */
struct child {
	uint64_t key;
	struct proof proof;
	struct move move;
};

struct node {
	unsigned ply;
	bool attacks; /* the attacker is to move: one child is enough */
	unsigned count;
	struct child children[CHILDREN_MAX];
};

/* Numbers at which a node is left for another. */
struct bound {
	uint32_t proof, disproof;
};

static const struct proof given_up = {.proof = PROOF_INFINITE};

static struct proof
won_in(unsigned plies)
{
	return (struct proof){.disproof = PROOF_INFINITE, .plies = (uint8_t)plies};
}

static uint64_t
key_of(const struct search *search, const struct position *position)
{
	return position->key ^ search->proof.attacker * UINT64_C(0x9e3779b97f4a7c15);
}

/* A number made greater by an evaluation, or less, down to 1. */
static uint32_t
scale(unsigned number, int score)
{
	unsigned size = (unsigned)(score < 0 ? -score : score);
	if (size > DOUBLING * DOUBLINGS_MAX)
		size = DOUBLING * DOUBLINGS_MAX;
	unsigned sixteenths = (16 + 16 * (size % DOUBLING) / DOUBLING) << size / DOUBLING;
	unsigned scaled = score < 0 ? number * 16 / sixteenths : number * sixteenths / 16;
	return scaled > 0 ? scaled : 1;
}

/* What is known of a position that was not looked into. */
static struct proof
guess(struct search *search, const struct position *position)
{
	int worth[SEATS_MAX];
	unsigned attacker = search->proof.attacker;
	bool attacks = position->turn == attacker;
	enum forecast forecast = search->rules->evaluate(position, search->weights, &search->memo, worth);
	if (forecast == FORECAST_WINS)
		return attacks ? won_in(1) : given_up;
	if (forecast == FORECAST_BLOCKED)
		return attacks ? given_up : won_in(0);
	int score = worth[attacker - 1] - worth[search->both - attacker - 1];
	unsigned moves = search->rules->count(position, NULL);
	return (struct proof){
	    .proof = scale(attacks ? 1 : moves, -score),
	    .disproof = scale(attacks ? moves : 1, score),
	};
}

/* Whether a position stands on the way to a node at a ply, with the same seat to move as after a move from there. */
static bool
on_the_way(const struct search *search, uint64_t key, unsigned ply)
{
	for (int at = (int)ply - 1; at >= 0; at -= 2)
		if (search->proof.way[at] == key)
			return true;
	return false;
}

/* Whether the game's past forbids a move to a position, whatever the way from the root. */
static bool
forbidden(const struct search *search, const struct position *after)
{
	return !search->past.empty && search_past_game(&search->past, after->key ^ search->left) >= 2;
}

/* Adds a move to a node, if the past does not forbid it; false if the search has to end. */
static bool
add_child(struct search *search, const struct position *position, struct move move, struct node *node)
{
	struct position after;
	struct child *child = &node->children[node->count];
	search->rules->make(position, move, &after);
	if (!search_count(search))
		return false;
	child->move = move;
	child->key = key_of(search, &after);
	if (after.turn == 0)
		child->proof = after.winner == search->proof.attacker ? won_in(0) : given_up;
	else if (forbidden(search, &after))
		return true;
	else if (on_the_way(search, child->key, node->ply) || node->ply + 1 >= SEARCH_PROOF_DEPTH_MAX)
		child->proof = given_up;
	else if (!proof_table_find(&search->proof.table, child->key, &child->proof))
		child->proof = guess(search, &after);
	node->count++;
	return true;
}

/* Lists a node's children, up to the first that settles it; false if the search has to end. */
static __attribute__((noinline)) bool
list_children(struct search *search, const struct position *position, struct node *node)
{
	struct move moves[MOVES_MAX];
	unsigned count = search->rules->moves(position, NULL, moves);
	if (count > CHILDREN_MAX)
		node->children[node->count++] = (struct child){.proof = given_up};
	for (unsigned i = 0; i < count && count <= CHILDREN_MAX; i++) {
		unsigned before = node->count;
		if (!add_child(search, position, moves[i], node))
			return false;
		const struct proof *last = &node->children[before].proof;
		if (node->count > before && (node->attacks ? last->proof : last->disproof) == 0)
			break;
	}
	return true;
}

/* What a node's children say of it together. */
struct summary {
	uint32_t least;  /* of the number of which one child's is enough */
	uint32_t second; /* the least of the others */
	uint32_t all;    /* the sum of the number that all children have to bring to 0 */
	unsigned best;   /* index of the child with the least */
	unsigned plies;  /* of the node, if it is proved */
};

/* What is beyond the numbers is infinite only if a part of it is. */
static uint32_t
add(uint32_t a, uint32_t b)
{
	if (a == PROOF_INFINITE || b == PROOF_INFINITE)
		return PROOF_INFINITE;
	return a + b < PROOF_INFINITE ? a + b : PROOF_INFINITE - 1;
}

static struct summary
sum_up(const struct node *node)
{
	struct summary sum = {.least = PROOF_INFINITE, .second = PROOF_INFINITE};
	for (unsigned i = 0; i < node->count; i++) {
		const struct proof *proof = &node->children[i].proof;
		uint32_t one = node->attacks ? proof->proof : proof->disproof;
		uint32_t all = node->attacks ? proof->disproof : proof->proof;
		bool nearer = one < sum.least || (node->attacks && one == 0 && proof->plies + 1u < sum.plies);
		if (nearer) {
			sum.second = sum.least;
			sum.least = one;
			sum.best = i;
		} else if (one < sum.second) {
			sum.second = one;
		}
		if (node->attacks ? nearer : proof->plies + 1u > sum.plies)
			sum.plies = proof->plies + 1u;
		sum.all = add(sum.all, all);
	}
	return sum;
}

/* The node's own numbers; what takes too many plies is not proved. */
static struct proof
conclude(const struct node *node, const struct summary *sum)
{
	struct proof proof = {
	    .proof = node->attacks ? sum->least : sum->all,
	    .disproof = node->attacks ? sum->all : sum->least,
	};
	if (proof.proof != 0)
		return proof;
	return sum->plies <= PROOF_PLIES_MAX ? won_in(sum->plies) : given_up;
}

/* How far the best child is followed. */
static struct bound
bound_of_child(const struct node *node, const struct summary *sum, struct bound bound)
{
	uint32_t one = node->attacks ? bound.proof : bound.disproof;
	uint32_t all = node->attacks ? bound.disproof : bound.proof;
	uint32_t near = sum->second < PROOF_INFINITE / 2 ? sum->second + sum->second / 4 + 1 : PROOF_INFINITE;
	one = near < one ? near : one;
	const struct proof *best = &node->children[sum->best].proof;
	if (all < PROOF_INFINITE)
		all -= sum->all - (node->attacks ? best->disproof : best->proof);
	return node->attacks ? (struct bound){one, all} : (struct bound){all, one};
}

static void visit(struct search *search, const struct position *position, uint64_t key, unsigned ply,
    struct bound bound, struct proof *proof);

/* Looks into the children of a node until its numbers reach the bound. */
static void
follow_best(
    struct search *search, const struct position *position, struct node *node, struct bound bound, struct proof *proof)
{
	for (;;) {
		struct summary sum = sum_up(node);
		*proof = conclude(node, &sum);
		if (proof->proof >= bound.proof || proof->disproof >= bound.disproof || proof->proof == 0 ||
		    proof->disproof == 0 || search->ended || search->nodes >= search->proof.until)
			return;
		struct child *child = &node->children[sum.best];
		struct position after;
		search->rules->make(position, child->move, &after);
		visit(search, &after, child->key, node->ply + 1, bound_of_child(node, &sum, bound), &child->proof);
	}
}

static void
begin_node(const struct search *search, const struct position *position, unsigned ply, struct node *node)
{
	node->ply = ply;
	node->attacks = position->turn == search->proof.attacker;
	node->count = 0;
}

/* Goes into a position; *proof is what is known of it, before and after. */
static void
visit(struct search *search, const struct position *position, uint64_t key, unsigned ply, struct bound bound,
    struct proof *proof)
{
	struct node node; /* its children are not worth emptying */
	uint64_t before = search->nodes;
	begin_node(search, position, ply, &node);
	search->proof.way[ply] = key;
	if (!list_children(search, position, &node))
		return;
	follow_best(search, position, &node, bound, proof);
	proof_table_keep(&search->proof.table, key, proof, search->nodes - before);
}

/*
 * The root, whose moves are those that the search is asked about, so that what
 * is found of it is not kept.  True if it is proved; node then says how.
 */
static bool
prove_root(struct search *search, const struct position *root, struct node *node)
{
	struct bound bound = {PROOF_INFINITE, PROOF_INFINITE};
	struct proof proof;
	begin_node(search, root, 0, node);
	search->proof.way[0] = key_of(search, root);
	for (unsigned i = 0; i < search->root_count; i++)
		if (!add_child(search, root, search->root[i], node))
			return false;
	follow_best(search, root, node, bound, &proof);
	if (proof.disproof == 0)
		search->proof.failed[search->proof.attacker - 1] = true;
	return proof.proof == 0;
}

/* The move from a position on a line of a proof, and what follows it. */
struct step {
	struct move move;
	struct position after;
	unsigned plies;
};

/* What is proved of a position, as far as it is still known. */
static bool
proved(struct search *search, const struct position *position, struct proof *proof)
{
	if (position->turn == 0)
		*proof = position->winner == search->proof.attacker ? won_in(0) : given_up;
	else if (!proof_table_find(&search->proof.table, key_of(search, position), proof))
		*proof = guess(search, position);
	return proof->proof == 0;
}

/*
 * The attacker's quickest move that is known, or the defender's that holds out
 * longest, to a position that is won in fewer plies; false if none is known.
 */
static bool
find_step(struct search *search, const struct position *position, unsigned plies, struct step *step)
{
	struct move moves[MOVES_MAX];
	unsigned count = search->rules->moves(position, NULL, moves);
	bool attacks = position->turn == search->proof.attacker, found = false;
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct proof proof;
		search->rules->make(position, moves[i], &after);
		if ((after.turn != 0 && forbidden(search, &after)) || !proved(search, &after, &proof) ||
		    proof.plies >= plies)
			continue;
		if (found && (attacks ? proof.plies >= step->plies : proof.plies <= step->plies))
			continue;
		*step = (struct step){moves[i], after, proof.plies};
		found = true;
	}
	return found;
}

/* One of the root's moves and the proof's main line from there: each position of it is won in fewer plies than the
 * one before, so none comes twice. */
static void
tell_child(struct search *search, const struct position *root, const struct child *child, struct search_line *line)
{
	unsigned plies = child->proof.plies;
	struct step step;
	*line = (struct search_line){.plies = (int)plies + 1, .count = 1, .moves = {child->move}};
	if (root->turn != search->proof.attacker)
		line->plies = -line->plies;
	line->score = line->plies > 0 ? SEARCH_WON - line->plies : -SEARCH_WON - line->plies;
	line->shortest = line->plies == 1;
	search->rules->make(root, child->move, &step.after);
	while (step.after.turn != 0 && line->count < SEARCH_DEPTH_MAX) {
		struct position position = step.after;
		if (!find_step(search, &position, plies, &step))
			break;
		line->moves[line->count++] = step.move;
		plies = step.plies;
	}
}

/* The child that is told before the others: of a win the quickest, of a loss what holds out longest. */
static unsigned
first_of(const struct node *node)
{
	unsigned first = 0;
	for (unsigned i = 1; i < node->count; i++) {
		const struct proof *one = &node->children[i].proof, *other = &node->children[first].proof;
		if (node->attacks ? one->proof == 0 && (other->proof != 0 || one->plies < other->plies)
				  : one->plies > other->plies)
			first = i;
	}
	return first;
}

/* The claim: of a win the one line, of a loss the lines that hold out longest. */
static void
tell_claim(struct search *search, const struct position *root, struct node *node)
{
	struct search_result *claim = &search->proof.claim;
	unsigned lines = node->attacks || search->limits->lines < 1 ? 1 : search->limits->lines;
	while (claim->count < lines && node->count > 0) {
		unsigned first = first_of(node);
		tell_child(search, root, &node->children[first], &claim->lines[claim->count++]);
		node->children[first] = node->children[--node->count];
	}
}

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
	proof->failed[0] = proof->failed[1] = false;
	proof->claim = (struct search_result){0};
	if (limits->depth != 0 || (limits->nodes != 0 && limits->nodes <= search->proof_nodes))
		return;
	if (variant_row((enum variant)root->variant)->seats != 2 || !search->rules->captures ||
	    !search->rules->forbids || search->rules->phase(root) != PHASE_CHAIN)
		return;
	if (search->last <= PROOF_PLIES_MAX + 1 || search->root_count > CHILDREN_MAX)
		return;
	take_memory(search, limits->nodes / SHARE);
}

/*
 * How many nodes it may take now: as many as the iterations took, and where the
 * budget hardly lasts for another of these, a part of the whole.
 */
static uint64_t
share(const struct search *search)
{
	uint64_t budget = search->limits->nodes, spent = search->proof.spent, most = search->nodes - spent;
	if (most < search->proof_nodes / FIRST_PART)
		return 0;
	if (budget != 0 && most * LAST_PART >= budget)
		most = budget / SHARE;
	return most > spent ? most - spent : 0;
}

/* The seat to suspect of a win; 0: neither is left. */
static unsigned
suspect(const struct search *search, const struct position *root)
{
	unsigned seat = search->root_score[0] >= 0 ? root->turn : search->both - root->turn;
	if (!search->proof.failed[seat - 1])
		return seat;
	seat = search->both - seat;
	return search->proof.failed[seat - 1] ? 0 : seat;
}

bool
search_proof_run(struct search *search, const struct position *root)
{
	struct search_proof *proof = &search->proof;
	struct position position = *root;
	uint64_t before = search->nodes;
	struct node node;
	bool proved = false;

	position.chained = true; /* as search_proof_begin saw */
	proof->until = before + (proof->runs ? share(search) : 0);
	while (proof->runs && !search->ended && search->nodes < proof->until) {
		proof->attacker = suspect(search, root);
		proved = proof->attacker != 0 && prove_root(search, &position, &node);
		proof->runs = !proved && proof->attacker != 0;
	}
	proof->spent += search->nodes - before;
	if (proved)
		tell_claim(search, &position, &node);
	return proved;
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
		if (!search_same(found->lines[i].moves[0], claim->lines[0].moves[0]))
			told->lines[told->count++] = found->lines[i];
}

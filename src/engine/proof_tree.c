#include "engine/proof_tree.h"

enum {
	DOUBLING = 140,    /* of the evaluation, in Elo, that make a node's numbers twice as great, or half */
	DOUBLINGS_MAX = 6, /* no evaluation tells more */
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

bool
proof_tree_forbids(const struct search *search, const struct position *after)
{
	return !search->past.empty && search_past_game(&search->past, after->key ^ search->left) >= 2;
}

/* Adds a move to a node, if the past does not forbid it; false if the search has to end. */
static bool
add_child(struct search *search, const struct position *position, struct move move, struct proof_node *node)
{
	struct position after;
	struct proof_child *child = &node->children[node->count];
	search->rules->make(position, move, &after);
	if (!search_count(search))
		return false;
	child->move = move;
	child->key = key_of(search, &after);
	if (after.turn == 0)
		child->proof = after.winner == search->proof.attacker ? won_in(0) : given_up;
	else if (proof_tree_forbids(search, &after))
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
list_children(struct search *search, const struct position *position, struct proof_node *node)
{
	struct move moves[MOVES_MAX];
	unsigned count = search->rules->moves(position, NULL, moves);
	if (count > PROOF_CHILDREN_MAX)
		node->children[node->count++] = (struct proof_child){.proof = given_up};
	for (unsigned i = 0; i < count && count <= PROOF_CHILDREN_MAX; i++) {
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
sum_up(const struct proof_node *node)
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
conclude(const struct proof_node *node, const struct summary *sum)
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
bound_of_child(const struct proof_node *node, const struct summary *sum, struct bound bound)
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
follow_best(struct search *search, const struct position *position, struct proof_node *node, struct bound bound,
    struct proof *proof)
{
	for (;;) {
		struct summary sum = sum_up(node);
		*proof = conclude(node, &sum);
		if (proof->proof >= bound.proof || proof->disproof >= bound.disproof || proof->proof == 0 ||
		    proof->disproof == 0 || search->ended || search->nodes >= search->proof.until)
			return;
		struct proof_child *child = &node->children[sum.best];
		struct position after;
		search->rules->make(position, child->move, &after);
		visit(search, &after, child->key, node->ply + 1, bound_of_child(node, &sum, bound), &child->proof);
	}
}

static void
begin_node(const struct search *search, const struct position *position, unsigned ply, struct proof_node *node)
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
	struct proof_node node; /* its children are not worth emptying */
	uint64_t before = search->nodes;
	begin_node(search, position, ply, &node);
	search->proof.way[ply] = key;
	if (!list_children(search, position, &node))
		return;
	follow_best(search, position, &node, bound, proof);
	proof_table_keep(&search->proof.table, key, proof, search->nodes - before);
}

bool
proof_tree_root(struct search *search, const struct position *root, struct proof_node *node)
{
	struct bound bound = {PROOF_INFINITE, PROOF_INFINITE};
	struct proof proof;
	begin_node(search, root, 0, node);
	search->proof.way[0] = key_of(search, root);
	for (unsigned i = 0; i < search->root_count; i++)
		if (!add_child(search, root, search->root[i], node))
			return false;
	follow_best(search, root, node, bound, &proof);
	search->proof.number = proof.proof;
	if (proof.disproof == 0)
		search->proof.tries[search->proof.attacker - 1].failed = true;
	return proof.proof == 0;
}

bool
proof_tree_proved(struct search *search, const struct position *position, struct proof *proof)
{
	if (position->turn == 0)
		*proof = position->winner == search->proof.attacker ? won_in(0) : given_up;
	else if (!proof_table_find(&search->proof.table, key_of(search, position), proof))
		*proof = guess(search, position);
	return proof->proof == 0;
}

/* The lines of a proof. */
#include "engine/proof_tree.h"

/* The move from a position on a line of a proof, and what follows it. */
struct step {
	struct move move;
	struct position after;
	unsigned plies;
};

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
		if ((after.turn != 0 && proof_tree_forbids(search, &after)) ||
		    !proof_tree_proved(search, &after, &proof) || proof.plies >= plies)
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
tell_child(
    struct search *search, const struct position *root, const struct proof_child *child, struct search_line *line)
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
first_of(const struct proof_node *node)
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

void
proof_line_claim(struct search *search, const struct position *root, struct proof_node *node)
{
	struct search_result *claim = &search->proof.claim;
	unsigned lines = node->attacks || search->limits->lines < 1 ? 1 : search->limits->lines;
	while (claim->count < lines && node->count > 0) {
		unsigned first = first_of(node);
		tell_child(search, root, &node->children[first], &claim->lines[claim->count++]);
		node->children[first] = node->children[--node->count];
	}
}

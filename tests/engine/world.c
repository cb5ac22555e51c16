#include "tests/engine/world.h"

#include <string.h>

struct world world;

unsigned
world_place(const struct position *position)
{
	unsigned at = (unsigned)(position->key % WORLD_SLOTS);
	for (; world.slots[at]; at = (at + 1) % WORLD_SLOTS) {
		const struct position *other = &world.places[world.slots[at] - 1].position;
		if (other->key == position->key && other->winner == position->winner)
			return world.slots[at] - 1;
	}
	if (world.count == WORLD_PLACES_MAX)
		return WORLD_PLACES_MAX;
	struct world_place *place = &world.places[world.count++];
	*place = (struct world_place){.position = *position, .wins = {WORLD_NEVER, WORLD_NEVER}};
	place->position.ply = 0;
	if (position->turn == 0)
		place->wins[position->winner - 1] = 0;
	world.slots[at] = world.count;
	return world.count - 1;
}

static bool
explore(unsigned index, const struct past *past)
{
	struct move moves[MOVES_MAX];
	struct world_place *place = &world.places[index];
	unsigned count = place->position.turn == 0 ? 0 : position_moves(&place->position, past, moves);
	place->edges = world.edge_count;
	place->edge_count = count;
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(&place->position, past, moves[i], &after, &change);
		unsigned to = world_place(&after);
		if (to == WORLD_PLACES_MAX || world.edge_count == WORLD_EDGES_MAX)
			return false;
		world.edges[world.edge_count++] = (struct world_edge){change.left, to};
	}
	return true;
}

/* In how many plies a seat wins from a place, by what is known of those behind it. */
static unsigned
distance(const struct world_place *place, unsigned seat)
{
	bool own = place->position.turn == seat;
	unsigned best = own ? WORLD_NEVER : 0;
	for (unsigned i = 0; i < place->edge_count; i++) {
		unsigned wins = world.places[world.edges[place->edges + i].to].wins[seat - 1];
		best = own ? (wins < best ? wins : best) : (wins > best ? wins : best);
	}
	return best >= WORLD_NEVER - 1 ? WORLD_NEVER : best + 1;
}

bool
world_see(const struct position *position, const struct past *past)
{
	bool changed = true;
	world.count = world.edge_count = 0;
	memset(world.slots, 0, sizeof world.slots);
	world_place(position);
	for (unsigned i = 0; i < world.count; i++)
		if (!explore(i, past))
			return false;
	while (changed) {
		changed = false;
		for (unsigned i = 0; i < world.count; i++)
			for (unsigned seat = 1; seat <= 2 && world.places[i].position.turn != 0; seat++) {
				unsigned wins = distance(&world.places[i], seat);
				changed |= wins != world.places[i].wins[seat - 1];
				world.places[i].wins[seat - 1] = (uint8_t)wins;
			}
	}
	return true;
}

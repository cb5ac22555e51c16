#include "tests/engine/sparring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/engine/deal.h"

enum {
	DEPTH_MAX = 128,     /* of the tree */
	CLOCK_PLAYOUTS = 16, /* between two looks at the clock */
	WAY_NONE = 15        /* the way of a stone that has none to its targets */
};

/* How playouts are played in a family; found by trying a few values of each. */
struct manner {
	unsigned plies; /* of a playout */
	unsigned draws; /* moves among which the furthest is played */
	float scale;    /* how many cells of way to go divide a share by e */
	bool relative;  /* counted from the root: who is far behind else sees all moves as lost alike, and drifts */
};

struct node {
	struct move move;  /* by which it is reached */
	unsigned visits;   /* playouts that passed it */
	unsigned first;    /* its children stand together; 0 until it has some */
	unsigned children; /* how many */
	unsigned tried;    /* and how many of them, from the first, have been visited */
	float won[SEATS_MAX];
};

struct sparring {
	struct node *nodes;
	unsigned size;
	unsigned used;
	struct manner manner;
	struct deal deal;
	uint8_t way[SEATS_MAX][256]; /* from each cell to the targets of each seat */
	int from[SEATS_MAX];         /* the way that each seat has to go at the root, where shares count from there */
};

struct sparring *
sparring_new(unsigned nodes)
{
	struct sparring *sparring = calloc(1, sizeof *sparring);
	if (!sparring)
		return NULL;
	sparring->nodes = calloc(nodes, sizeof *sparring->nodes);
	sparring->size = nodes;
	if (sparring->nodes)
		return sparring;
	free(sparring);
	return NULL;
}

void
sparring_free(struct sparring *sparring)
{
	if (sparring)
		free(sparring->nodes);
	free(sparring);
}

/* Iuvo: in knight's jumps on an empty board to the nearest target. */
static void
measure_jumps(enum variant variant, unsigned seat, uint8_t way[256])
{
	static const int by[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
	const struct variant_row *row = variant_row(variant);
	cell_t queue[256];
	unsigned tail = position_targets(variant, seat, queue);

	memset(way, WAY_NONE, 256);
	for (unsigned i = 0; i < tail; i++)
		way[queue[i]] = 0;
	for (unsigned head = 0; head < tail; head++) {
		for (unsigned i = 0; i < 8; i++) {
			unsigned file = cell_file(queue[head]) + (unsigned)by[i][0];
			unsigned rank = cell_rank(queue[head]) + (unsigned)by[i][1];
			if (file >= row->files || rank >= row->ranks || way[cell_at(file, rank)] != WAY_NONE)
				continue;
			way[cell_at(file, rank)] = (uint8_t)(way[queue[head]] + 1);
			queue[tail++] = cell_at(file, rank);
		}
	}
}

/* Halma: in files and ranks to the far corner. */
static void
measure_camps(unsigned seat, uint8_t way[256])
{
	for (unsigned file = 0; file < 16; file++)
		for (unsigned rank = 0; rank < 16; rank++)
			way[cell_at(file, rank)] = (uint8_t)(seat == 1 ? file + 15 - rank : 15 - file + rank);
}

/* The way that the stones of each seat have to go. */
static void
measure(const struct sparring *sparring, const struct position *position, int ways[SEATS_MAX])
{
	cell_t cells[STONES_MAX];
	unsigned count = position_stones(position, cells);

	for (unsigned i = 0; i < count; i++) {
		unsigned owners = (unsigned)position_owners(position, cells[i]);
		for (unsigned seat = 0; seat < SEATS_MAX; seat++)
			if (owners >> seat & 1)
				ways[seat] += sparring->way[seat][cells[i]];
	}
}

static void
prepare(struct sparring *sparring, const struct position *root)
{
	enum variant variant = (enum variant)root->variant;
	static const struct manner jumps = {.plies = 30, .draws = 2, .scale = 2};
	static const struct manner camps = {.plies = 16, .draws = 4, .scale = 10, .relative = true};
	bool has_camps = position_has_camps(variant);

	sparring->manner = has_camps ? camps : jumps;
	for (unsigned seat = 1; seat <= variant_row(variant)->seats; seat++) {
		if (has_camps)
			measure_camps(seat, sparring->way[seat - 1]);
		else
			measure_jumps(variant, seat, sparring->way[seat - 1]);
	}
	memset(sparring->from, 0, sizeof sparring->from);
	if (sparring->manner.relative)
		measure(sparring, root, sparring->from);
}

/* How much nearer a move brings the mover to his targets; to take a stone is worth two cells. */
static int
gain(const struct sparring *sparring, unsigned seat, struct move move)
{
	const uint8_t *way = sparring->way[seat - 1];
	int nearer = move.kind == MOVE_NEUTRAL ? 0 : way[move.from] - way[move.to];
	return nearer + (move.captures ? 2 : 0);
}

/* What each seat is given of a game that is not over: more, the less way its stones have to go. */
static void
share_out(const struct sparring *sparring, const struct position *position, float shares[SEATS_MAX])
{
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	int ways[SEATS_MAX] = {0};
	float sum = 0;

	measure(sparring, position, ways);
	for (unsigned seat = 0; seat < seats; seat++) {
		float ahead = (float)(ways[0] - sparring->from[0] - ways[seat] + sparring->from[seat]);
		shares[seat] = position_out(position, seat + 1) ? 0 : expf(ahead / sparring->manner.scale);
		sum += shares[seat];
	}
	for (unsigned seat = 0; seat < seats; seat++)
		shares[seat] /= sum;
}

/* A game that is over: all to the winner, or the same to each. */
static void
share_end(const struct position *position, float shares[SEATS_MAX])
{
	unsigned seats = variant_row((enum variant)position->variant)->seats;
	for (unsigned seat = 0; seat < seats; seat++)
		shares[seat] = position->winner == seat + 1 ? 1 : position->winner ? 0 : 1 / (float)seats;
}

static void
play_out(struct sparring *sparring, struct position *position, const struct past *past, float shares[SEATS_MAX])
{
	struct move moves[MOVES_MAX];

	for (unsigned ply = 0; ply < sparring->manner.plies && position->turn != 0; ply++) {
		unsigned count = position_moves(position, past, moves);
		unsigned best = deal_below(&sparring->deal, count);
		for (unsigned i = 1; i < sparring->manner.draws; i++) {
			unsigned other = deal_below(&sparring->deal, count);
			if (gain(sparring, position->turn, moves[other]) > gain(sparring, position->turn, moves[best]))
				best = other;
		}
		position_play(position, past, moves[best], position, NULL);
	}
	if (position->turn == 0)
		share_end(position, shares);
	else
		share_out(sparring, position, shares);
}

/* Gives a node its children, in a random order; none if the tree is full. */
static void
expand(struct sparring *sparring, struct node *node, const struct position *position, const struct past *past)
{
	struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, past, moves);

	if (count > sparring->size - sparring->used)
		return;
	node->first = sparring->used;
	node->children = count;
	sparring->used += count;
	for (unsigned left = count; left > 0; left--) {
		unsigned chosen = deal_below(&sparring->deal, left);
		sparring->nodes[node->first + count - left] = (struct node){.move = moves[chosen]};
		moves[chosen] = moves[left - 1];
	}
}

/* UCB1 from the view of a seat; a child that was never visited comes first. */
static struct node *
choose(struct sparring *sparring, struct node *node, unsigned seat)
{
	struct node *children = &sparring->nodes[node->first], *best = children;
	float log_visits = logf((float)node->visits), most = -1;

	if (node->tried < node->children)
		return &children[node->tried++];
	for (unsigned i = 0; i < node->children; i++) {
		float visits = (float)children[i].visits;
		float bound = children[i].won[seat - 1] / visits + 0.7f * sqrtf(log_visits / visits);
		if (bound > most) {
			most = bound;
			best = &children[i];
		}
	}
	return best;
}

/* One way down the tree, one playout, and back. */
static void
descend(struct sparring *sparring, const struct position *root, const struct past *past)
{
	struct node *line[DEPTH_MAX], *node = &sparring->nodes[0];
	struct position position = *root;
	unsigned count = 0;
	float shares[SEATS_MAX] = {0};

	line[count++] = node;
	while (position.turn != 0 && count < DEPTH_MAX) {
		if (node->first == 0 && (node->visits > 0 || count == 1))
			expand(sparring, node, &position, past);
		if (node->first == 0)
			break;
		node = choose(sparring, node, position.turn);
		position_play(&position, past, node->move, &position, NULL);
		line[count++] = node;
	}
	play_out(sparring, &position, past, shares);
	while (count > 0) {
		node = line[--count];
		node->visits++;
		for (unsigned i = 0; i < SEATS_MAX; i++)
			node->won[i] += shares[i];
	}
}

static uint64_t
nanoseconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* The child that most playouts passed. */
static struct move
most_visited(const struct sparring *sparring)
{
	const struct node *root = &sparring->nodes[0], *best = &sparring->nodes[root->first];
	for (unsigned i = 1; i < root->children; i++)
		if (sparring->nodes[root->first + i].visits > best->visits)
			best = &sparring->nodes[root->first + i];
	return best->move;
}

struct move
sparring_think(struct sparring *sparring, const struct position *position, const struct past *past,
    struct sparring_budget budget, uint64_t seed, uint64_t *playouts)
{
	uint64_t done = 0, start = nanoseconds_now();
	bool over = false;

	prepare(sparring, position);
	sparring->deal.seed = seed * 2 + 1;
	sparring->nodes[0] = (struct node){0};
	sparring->used = 1;
	while (!over) {
		descend(sparring, position, past);
		done++;
		over = budget.playouts && done >= budget.playouts;
		if (budget.nanoseconds && done % CLOCK_PLAYOUTS == 0)
			over |= nanoseconds_now() - start >= budget.nanoseconds;
	}
	if (playouts)
		*playouts = done;
	return most_visited(sparring);
}

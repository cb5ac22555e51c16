#include "engine/search.h"

#include <string.h>

#include "engine/search_inside.h"

struct search *
search_open(void *memory, size_t size)
{
	struct search *search = memory;
	size_t own = (sizeof *search + 63) / 64 * 64;
	search->many = search_many;
	search->proof_nodes = SEARCH_PROOF_NODES;
	table_open(&search->table, (char *)memory + own, size - own);
	search->room = search->table.room;
	search->spare = size - own - search->room * sizeof *search->table.buckets;
	return search;
}

_Static_assert(sizeof(struct search) + 64 + sizeof(struct table_entry[TABLE_WAYS]) <= SEARCH_MEMORY_MIN,
    "a search of the least size has a table");

void
search_line_take(struct search *search, unsigned ply, struct move move)
{
	unsigned count = search->line_count[ply + 1];
	search->line[ply][0] = move;
	memcpy(&search->line[ply][1], search->line[ply + 1], count * sizeof move);
	search->line_count[ply] = count + 1;
}

void
search_bring_forward(struct search *search, unsigned first, unsigned best, int score)
{
	struct move move = search->root[best];
	for (unsigned i = best; i > first; i--) {
		search->root[i] = search->root[i - 1];
		search->root_score[i] = search->root_score[i - 1];
	}
	search->root[first] = move;
	search->root_score[first] = score;
}

/* The root's moves in an order that the seed tells. */
static void
shuffle(struct search *search, uint64_t seed)
{
	if (seed == 0)
		return;
	for (unsigned i = search->root_count; i > 1; i--) {
		struct move move = search->root[i - 1];
		seed = zobrist_mix(seed);
		unsigned other = (unsigned)(seed % i);
		search->root[i - 1] = search->root[other];
		search->root[other] = move;
	}
}

/* The moves that promise too little come last. */
static void
bring_back(struct search *search, const struct position *root)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < search->root_count; i++)
		if (!search_waits(search, root, search->root[i]))
			search_bring_forward(search, kept++, i, 0);
}

/* The seat that moved before the one to move, if nobody has dropped out since. */
static unsigned
seat_before(const struct position *position)
{
	unsigned seat = position->turn;
	while (rules_next(position, seat) != position->turn)
		seat = rules_next(position, seat);
	return seat;
}

/* What two keys differ by: of the root, and of what the ply that led to it left; with two seats, of any position. */
static uint64_t
left_difference(const struct search *search, const struct position *root)
{
	uint64_t out = zobrist_out(root->out);
	if (!search->rules->forbids)
		return out;
	return out ^ zobrist_turn(root->turn) ^ zobrist_turn(seat_before(root));
}

/* False if there is no legal move: nothing else is looked at then, since in a game that is over no seat may be in. */
static bool
begin(struct search *search, const struct position *root, const struct history *history,
    const struct search_limits *limits)
{
	struct past past = history_past(history);
	search->root_count = position_moves(root, &past, search->root);
	if (search->root_count == 0)
		return false;
	search->rules = rules_of((enum variant)root->variant);
	search->limits = limits;
	search->weights = limits->weights ? limits->weights : rules_weights((enum variant)root->variant);
	search->nodes = 0;
	search->ended = false;
	search->proving = search->returns = false;
	search->bound_to = SEARCH_DEPTH_MAX;
	search->seats = rules_in_count(root);
	search->both = 0;
	for (unsigned seat = 1; seat <= variant_row((enum variant)root->variant)->seats; seat++)
		search->both += position_out(root, seat) ? 0 : seat;
	search->left = left_difference(search, root);
	search->last = PLIES_MAX - root->ply;
	search_past_begin(&search->past, history, root->key ^ search->left);
	memset(search->killers, 0, sizeof search->killers);
	memset(search->history, 0, sizeof search->history);
	memset(&search->memo, 0, sizeof search->memo);
	promise_draw(&search->promises, (enum variant)root->variant, search->weights);
	memset(search->root_score, 0, sizeof search->root_score);
	if (limits->only) {
		search->root[0] = *limits->only;
		search->root_count = 1;
	}
	shuffle(search, limits->seed);
	bring_back(search, root);
	search_proof_begin(search, root);
	table_clear(&search->table, limits->nodes);
	return true;
}

/* A line from the line at the root. */
static void
tell_line(struct search *search, unsigned at, struct search_line *line)
{
	int score = search->root_score[at];
	*line = (struct search_line){.score = score, .count = search->line_count[0]};
	memcpy(line->moves, search->line[0], line->count * sizeof *line->moves);
	if (search_decided(score))
		line->plies = score > 0 ? SEARCH_WON - score : -SEARCH_WON - score;
	line->shortest = line->plies == 1; /* the others: prove_line */
}

/*
 * Makes room for a line that begins with a move.  What stood there goes down, to
 * where the same move stood, or else the last of so many lines goes: so no move
 * begins two lines, wherever an iteration ends.
 */
static struct search_line *
open_line(struct search_result *result, unsigned at, struct move first, unsigned lines)
{
	unsigned end = at;
	while (end < result->count && !move_same(result->lines[end].moves[0], first))
		end++;
	if (end == result->count && result->count < lines)
		result->count++;
	if (end == result->count)
		end--;
	memmove(&result->lines[at + 1], &result->lines[at], (end - at) * sizeof *result->lines);
	return &result->lines[at];
}

/* Puts the line at the root into the result. */
static struct search_line *
put_line(struct search *search, unsigned at, unsigned lines, struct search_result *result)
{
	struct search_line *line = open_line(result, at, search->line[0][0], lines);
	tell_line(search, at, line);
	return line;
}

/*
 * Best first.  An iteration looks at lines one after the other, so one may come
 * out better than another before it; the root's moves follow, for the next one.
 */
static void
sort_lines(struct search *search, struct search_result *result)
{
	for (unsigned i = 1; i < result->count; i++) {
		struct search_line line = result->lines[i];
		unsigned place = i;
		for (; place > 0 && result->lines[place - 1].score < line.score; place--)
			result->lines[place] = result->lines[place - 1];
		result->lines[place] = line;
		search_bring_forward(search, place, i, line.score);
	}
}

/*
 * After an iteration that was cut off: of several lines only those of one
 * iteration can be compared, so what the last whole one found stands, but a win
 * is one however deep the others were looked at.
 */
static void
take_back(struct search *search, const struct search_result *whole, unsigned lines, struct search_result *found)
{
	struct search_result cut = *found;
	if (lines > 1 && whole->count > 0)
		*found = *whole;
	for (unsigned i = cut.count; i-- > 0;)
		if (cut.lines[i].plies > 0)
			*open_line(found, 0, cut.lines[i].moves[0], lines) = cut.lines[i];
	sort_lines(search, found);
}

/*
 * A decided line is exact, or becomes so, if the budget lasts.  Of a loss
 * another move may come to its place: the one that was proved to hold out so long.
 */
static void
prove_line(
    struct search *search, const struct position *root, unsigned at, unsigned lines, struct search_result *result)
{
	struct search_line *line = &result->lines[at];
	int score = line->score;
	if (line->plies == 0 || search->seats != 2)
		return;
	bool shortest = search_two_prove(search, root, at, &score);
	if (search->ended)
		return;
	search->root_score[at] = score;
	if (score != line->score || !move_same(search->root[at], line->moves[0]))
		line = put_line(search, at, lines, result);
	line->shortest = shortest;
}

/* How many lines, from the first on, are known as well as can be. */
static unsigned
settled(const struct search_result *result)
{
	unsigned count = 0;
	while (count < result->count && result->lines[count].shortest)
		count++;
	return count;
}

/* One line of an iteration, the best of the moves that the lines before it left; false if it was not completed. */
static bool
search_line(struct search *search, const struct position *root, unsigned at, unsigned depth, unsigned lines,
    struct search_result *result)
{
	bool found = search->seats == 2 ? search_two(search, root, at, depth) : search->many(search, root, at, depth);
	if (found)
		put_line(search, at, lines, result);
	if (!search->ended)
		prove_line(search, root, at, lines, result);
	return !search->ended;
}

/* Whatever the limits say, a move is told. */
static void
tell_any(struct search *search, struct search_result *result)
{
	search->line_count[1] = 0;
	search_line_take(search, 0, search->root[0]);
	search->root_score[0] = 0;
	tell_line(search, 0, &result->lines[0]);
	result->count = 1;
}

/* Lets the reader know what is known. */
static void
report(const struct search *search, const struct search_result *found, unsigned lines, struct search_result *result)
{
	if (search->limits->report == NULL)
		return;
	search_proof_tell(search, found, lines, result);
	search->limits->report(search->limits->reader, result);
}

/* Looks one ply deeper in every iteration, and between them for proofs. */
static void
deepen(struct search *search, const struct position *root, unsigned lines, struct search_result *found,
    struct search_result *result)
{
	const struct search_limits *limits = search->limits;
	struct search_result whole = {0};
	unsigned deepest = limits->depth && limits->depth < SEARCH_DEPTH_MAX ? limits->depth : SEARCH_DEPTH_MAX;
	for (unsigned depth = 1; depth <= deepest && settled(found) < lines; depth++) {
		search->table.age = depth;
		for (unsigned at = settled(found); at < lines; at++)
			if (!search_line(search, root, at, depth, lines, found)) {
				take_back(search, &whole, lines, found);
				return;
			}
		sort_lines(search, found);
		found->depth = depth;
		found->nodes = search->nodes;
		whole = *found;
		report(search, found, lines, result);
		if (found->lines[0].plies == 0 && search_proof_run(search, root)) {
			found->nodes = search->nodes;
			report(search, found, lines, result);
		}
	}
}

void
search_run(struct search *search, const struct position *root, const struct history *history,
    const struct search_limits *limits, struct search_result *result)
{
	struct search_result found = {0};
	*result = found;
	if (!begin(search, root, history, limits))
		return;
	unsigned lines = limits->lines > 1 ? limits->lines : 1;
	if (lines > search->root_count)
		lines = search->root_count;

	deepen(search, root, lines, &found, result);
	if (found.count == 0)
		tell_any(search, &found);
	found.nodes = search->nodes;
	search_proof_tell(search, &found, lines, result);
}

int
search_glance(struct search *search, const struct position *position, unsigned seat)
{
	enum variant variant = (enum variant)position->variant;
	int worth[SEATS_MAX];
	if (position->turn == 0)
		return position->winner == 0 ? 0 : position->winner == seat ? SEARCH_WON : -SEARCH_WON;
	if (position_out(position, seat))
		return -SEARCH_WON;
	memset(&search->memo, 0, sizeof search->memo); /* its worths may be of other weights */
	enum forecast forecast = rules_of(variant)->evaluate(position, rules_weights(variant), &search->memo, worth);
	if (forecast == FORECAST_WINS)
		return position->turn == seat ? SEARCH_WON : -SEARCH_WON;
	if (forecast == FORECAST_BLOCKED)
		return 0;
	return search_before_others(position, seat, worth);
}

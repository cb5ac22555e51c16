#include "play/opponent.h"

#include <string.h>

#include "engine/level.h"
#include "engine/rules.h"
#include "engine/zobrist.h"
#include "play/offer.h"
#include "play/review.h"

unsigned
opponent_seats(const struct game *game)
{
	unsigned seats = 0;
	for (unsigned i = 0; i < game->seat_count; i++)
		if (strcmp(game->seats[i].kind, "engine") == 0)
			seats |= 1U << i;
	return seats;
}

/*
 * The offer of a draw that an engine can answer now; NULL if there is none.  A
 * search tells what the game is worth to the seat to move, and with two that are
 * in to the other one too.
 */
static const struct offer_row *
find_draw(const struct game *game, unsigned *seat)
{
	unsigned in = game_seats_in(game);
	unsigned able = opponent_seats(game) & (__builtin_popcount(in) == 2 ? in : game_seat_bit(game->position.turn));
	for (unsigned i = 0; i < game->row.offers; i++) {
		const struct offer_row *offer = &game->offers[i];
		unsigned waiting = offer->asked & ~offer->accepted & ~offer->declined & able;
		if (strcmp(offer->kind, offer_words[OFFER_DRAW]) != 0 || waiting == 0)
			continue;
		*seat = (unsigned)__builtin_ctz(waiting) + 1;
		return offer;
	}
	return NULL;
}

/* What is to be done, and by which seat; an offer is answered before a move declines it. */
static enum opponent_act
find_act(const struct game *game, unsigned *seat, const struct offer_row **offer)
{
	if (strcmp(game->row.status, "active") != 0)
		return OPPONENT_NOTHING;
	*offer = find_draw(game, seat);
	if (*offer != NULL)
		return OPPONENT_ANSWERS;
	*seat = game->row.turn;
	return (opponent_seats(game) & game_seat_bit(*seat)) != 0 ? OPPONENT_MOVES : OPPONENT_NOTHING;
}

unsigned
opponent_wanted(const struct game *game)
{
	unsigned seat = 0;
	const struct offer_row *offer = NULL;
	if (find_act(game, &seat, &offer) == OPPONENT_NOTHING)
		return 0;
	bool alone = opponent_seats(game) == game_seats(game);
	return alone ? OPPONENT_AMONG_ENGINES : OPPONENT_AMONG_PEOPLE;
}

/* ---- reading ---- */

/* The same for the same ply of a game: whoever kills the service changes nothing of what is played. */
static uint64_t
seed_of(const struct game *game)
{
	uint64_t seed = game->row.ply;
	for (const char *c = game->row.id; *c != '\0'; c++)
		seed = zobrist_mix(seed ^ (unsigned char)*c);
	return seed;
}

/* Whether there is anything to think about: a game goes on as long as its seat can move. */
static bool
can_move(const struct position *position, const struct history *history)
{
	struct past past = history_past(history);
	return position_count(position, &past) != 0;
}

enum fault
opponent_read(struct db *db, struct arena *arena, const char *id, struct opponent_task *task, struct history *history)
{
	struct opponent_task read = {0};
	const struct offer_row *offer = NULL;
	struct game game;
	enum fault fault = game_load(db, arena, id, &game);
	if (fault != FAULT_NONE)
		return fault;
	memcpy(read.game, game.row.id, sizeof read.game);
	read.act = find_act(&game, &read.seat, &offer);
	if (read.act != OPPONENT_NOTHING) {
		read.level = game.seats[read.seat - 1].level;
		read.position = game.position;
		read.seed = seed_of(&game);
		if (read.level < LEVEL_LEAST || read.level > LEVEL_MOST)
			return FAULT_DAMAGED_GAME;
		fault = review_past(db, arena, &game, game.row.ply, history);
		if (fault == FAULT_NONE && !can_move(&read.position, history))
			return FAULT_DAMAGED_GAME;
	}
	if (offer != NULL)
		memcpy(read.offer, offer->id, sizeof read.offer);
	if (fault == FAULT_NONE)
		*task = read;
	return fault;
}

/* ---- thinking ---- */

void
opponent_think(
    struct opponent_task *task, struct search *search, const struct history *history, const _Atomic bool *stop)
{
	struct search_result result;
	if (task->act == OPPONENT_MOVES) {
		level_run(search, &task->position, history, task->level, task->seed, stop, &result);
		task->move = result.lines[0].moves[0];
		return;
	}
	/* Also a weak level looks before it answers: it has no chance of a weaker answer. */
	const struct level *level = level_row((enum variant)task->position.variant, task->level);
	struct search_limits limits = {.nodes = level->nodes, .seed = task->seed, .stop = stop};
	search_run(search, &task->position, history, &limits, &result);
	int score = result.lines[0].score;
	if (result.lines[0].plies == 0 && rules_in_count(&task->position) > 2)
		score = search_glance(search, &task->position, task->seat); /* all others need not play together */
	else if (task->position.turn != task->seat)
		score = -score;
	task->accepts = score <= 0;
}

/* ---- doing ---- */

/* Whether the game stands as it did when the task was read. */
static bool
stands(const struct game *game, const struct opponent_task *task)
{
	unsigned seat = 0;
	const struct offer_row *offer = NULL;
	if (find_act(game, &seat, &offer) != task->act || seat != task->seat)
		return false;
	if (game->position.ply != task->position.ply || game->position.key != task->position.key)
		return false;
	return task->act != OPPONENT_ANSWERS || strcmp(offer->id, task->offer) == 0;
}

static enum fault
play(struct db *db, struct arena *arena, int64_t now_ms, const struct opponent_task *task, const struct holder *holder,
    struct game *game)
{
	char text[MOVE_TEXT_MAX];
	struct move_text move;
	struct text_fault why;
	struct move_result result;
	size_t len = notation_move(task->move, text);
	if (!notation_read_move(text, len, &move, &why))
		return FAULT_INTERNAL;
	struct move_request request = {.text = &move, .expected_ply = task->position.ply};
	enum fault fault = game_move(db, arena, now_ms, game, holder, &request, false, &result);
	return fault == FAULT_NONE && result.verdict != VERDICT_LEGAL ? FAULT_INTERNAL : fault;
}

static enum fault
answer(struct db *db, int64_t now_ms, const struct opponent_task *task, const struct holder *holder, struct game *game)
{
	struct offer_answer given = {.id = task->offer, .seat = task->seat, .accept = task->accepts};
	return offer_answer(db, now_ms, game, holder, &given);
}

enum fault
opponent_do(
    struct db *db, struct arena *arena, int64_t now_ms, const struct opponent_task *task, struct game *game, bool *done)
{
	struct holder holder = {.known = true, .seats = game_seat_bit(task->seat)};
	enum fault fault = game_load(db, arena, task->game, game);
	*done = fault == FAULT_NONE && stands(game, task);
	if (!*done)
		return fault;
	if (task->act == OPPONENT_MOVES)
		fault = play(db, arena, now_ms, task, &holder, game);
	else
		fault = answer(db, now_ms, task, &holder, game);
	*done = fault == FAULT_NONE;
	/* Who oversteps his time goes out by the sweep, an engine too. */
	return fault == FAULT_TIME_IS_UP ? FAULT_NONE : fault;
}

/* What holders may do to a game: game_move, game_resign and game_withdraw of game.h. */
#include "play/game.h"

#include <string.h>

#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/past.h"
#include "play/turn.h"

/* The seat that moves for a holder: that of his which is to move, or the first of them. */
static enum fault
moving_seat(const struct game *game, const struct holder *holder, unsigned *seat)
{
	unsigned turn = game->position.turn;
	enum fault fault = holder_seat(holder, holder_has(holder, turn) ? turn : 0, seat);
	if (fault != FAULT_WHICH_SEAT)
		return fault;
	*seat = (unsigned)__builtin_ctz(holder->seats) + 1;
	return FAULT_NONE;
}

enum fault
game_check_in(const struct game *game, unsigned seat)
{
	if (strcmp(game->row.status, "open") == 0)
		return FAULT_GAME_NOT_STARTED;
	if (strcmp(game->row.status, "withdrawn") == 0)
		return FAULT_GAME_WITHDRAWN;
	if (strcmp(game->row.status, "finished") == 0)
		return FAULT_GAME_OVER;
	return position_out(&game->position, seat) ? FAULT_SEAT_OUT : FAULT_NONE;
}

/* Whether a move as written now is the stored one (H11: the ends tell). */
static bool
same_move(const struct move_text *text, const struct move_text *stored)
{
	unsigned last = text->count - 1;
	return text->cells[0].file == stored->cells[0].file && text->cells[0].rank == stored->cells[0].rank &&
	       text->cells[last].file == stored->cells[1].file && text->cells[last].rank == stored->cells[1].rank &&
	       (!text->capture || stored->capture);
}

/*
 * Whether a chain that is written out could be jumped when the stored move was
 * played.  Only Halma has chains: there the past makes no move illegal (H8), and
 * nothing comes between two plies.
 */
static enum fault
was_a_chain(
    struct db *db, struct arena *arena, const struct game *game, unsigned ply, const struct move_text *text, bool *was)
{
	struct position before;
	if (!position_has_chains(game->variant)) {
		*was = false;
		return FAULT_NONE;
	}
	enum fault fault = game_position_at(db, arena, game, ply - 1, &before);
	if (fault == FAULT_NONE)
		*was = position_judge(&before, NULL, text, NULL, NULL) == VERDICT_LEGAL;
	return fault;
}

/* The ply at which a repetition of the request would stand; 0 if there is none. */
static unsigned
repeated_ply(const struct game *game, unsigned seats, const struct move_request *request)
{
	if (request->expected_ply >= 0)
		return request->expected_ply < game->row.ply ? (unsigned)request->expected_ply + 1 : 0;
	/* Nobody moves twice in a row: whoever is to move did not make the last move. */
	unsigned turn = game_seat_bit(game->position.turn);
	return (seats & ~turn) == 0 ? 0 : game->row.ply;
}

/* Looks for the natural retry; sets *result, with repeated, if it is one. */
static enum fault
find_repeated(struct db *db, struct arena *arena, const struct game *game, unsigned seats,
    const struct move_request *request, struct move_result *result)
{
	struct move_row row;
	struct move_text stored;
	struct move move;
	unsigned ply = repeated_ply(game, seats, request);
	if (ply == 0)
		return FAULT_NONE;
	enum fault fault = game_move_at(db, arena, game, ply, &row);
	if (fault != FAULT_NONE)
		return fault;
	if (!turn_read(&row, &stored, &move))
		return FAULT_DAMAGED_GAME;
	bool same = (seats >> (row.seat - 1) & 1) != 0 && same_move(request->text, &stored);
	if (same && request->text->count > 2)
		fault = was_a_chain(db, arena, game, ply, request->text, &same);
	if (fault == FAULT_NONE && same)
		*result = (struct move_result){
		    .verdict = VERDICT_LEGAL,
		    .judgement = {VERDICT_LEGAL, request->text->count - 1},
		    .move = move,
		    .repeated = true,
		    .row = row,
		};
	return fault;
}

/* How many times the key has been left, the ply just made among them (H8, I16). */
static enum fault
count_left(struct db *db, const struct game *game, uint64_t left, unsigned *times)
{
	struct position start;
	uint64_t key;
	unsigned count;
	enum fault fault = moves_left_count(db, game->row.game, game->row.ply, left, &count);
	if (fault != FAULT_NONE)
		return fault;
	count++;
	if (position_start_counts(game->variant)) {
		fault = game_position_at(db, NULL, game, 0, &start);
		if (fault == FAULT_NONE && position_start_key(&start, &key) && key == left)
			count++;
	}
	if (fault == FAULT_NONE)
		*times = count;
	return fault;
}

/* Brings the game's past up to a ply that was just made. */
static enum fault
remember(struct db *db, struct arena *arena, struct game *game, uint64_t left)
{
	unsigned times;
	const void *twice;
	enum fault fault = count_left(db, game, left, &times);
	if (fault == FAULT_NONE)
		fault = past_add(arena, left, times, &game->past);
	if (fault == FAULT_NONE && times > 1)
		fault = past_write(arena, &game->past, &twice);
	if (fault == FAULT_NONE && times > 1) {
		game->row.twice = twice;
		game->row.twice_len = game->past.count * sizeof(uint64_t);
	}
	return fault;
}

static enum fault
write_row(struct db *db, const struct game *before, struct game *game, uint64_t left)
{
	unsigned char mark[MOVES_MARK_LEN];
	moves_mark(left, mark);
	game->row.marks = mark;
	game->row.marks_len = sizeof mark;
	enum fault fault = game_write(db, before, game);
	game->row.marks = NULL;
	game->row.marks_len = 0;
	return fault;
}

/* Plays a legal move, on a copy, so that a fault leaves the game as it was. */
static enum fault
play(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, struct move move, bool dry,
    struct move_row *row)
{
	struct game next = *game;
	struct turn *turn = turn_begin(arena, db, now_ms, dry, &next);
	if (turn == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = turn_play(turn, move, row);
	if (fault == FAULT_NONE)
		fault = remember(db, arena, &next, row->left);
	if (fault == FAULT_NONE && !dry)
		fault = write_row(db, game, &next, row->left);
	if (fault == FAULT_NONE)
		*game = next;
	return fault;
}

/* What must hold before a move is looked at, but for whose token it is. */
static enum fault
check_state(const struct game *game, unsigned seat, const struct move_request *request, int64_t now_ms)
{
	if (request->stale)
		return FAULT_PRECONDITION_FAILED;
	if (request->expected_ply >= 0 && request->expected_ply != game->row.ply)
		return FAULT_STALE_PLY;
	enum fault fault = game_check_in(game, seat);
	if (fault == FAULT_NONE && game->position.turn != seat)
		fault = FAULT_NOT_YOUR_TURN;
	return fault == FAULT_NONE && clock_is_up(&game->row, now_ms) ? FAULT_TIME_IS_UP : fault;
}

enum fault
game_move(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, const struct holder *holder,
    const struct move_request *request, bool dry, struct move_result *result)
{
	struct move_result made = {0};
	unsigned seat;
	enum fault fault = moving_seat(game, holder, &seat);
	if (fault == FAULT_NONE && !dry)
		fault = find_repeated(db, arena, game, holder->seats, request, &made);
	if (fault == FAULT_NONE && !made.repeated) {
		fault = check_state(game, seat, request, now_ms);
		if (fault != FAULT_NONE)
			return fault;
		made.verdict = position_judge(&game->position, &game->past, request->text, &made.move, &made.judgement);
		if (made.verdict == VERDICT_LEGAL)
			fault = play(db, arena, now_ms, game, made.move, dry, &made.row);
	}
	if (fault == FAULT_NONE)
		*result = made;
	return fault;
}

enum fault
game_resign(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, unsigned seat)
{
	struct game next = *game;
	struct ending_row rows[SEATS_MAX];
	unsigned count;
	enum fault fault = game_check_in(game, seat);
	if (fault == FAULT_NONE && clock_is_up(&game->row, now_ms))
		fault = FAULT_TIME_IS_UP;
	if (fault == FAULT_NONE)
		fault = endings_of(db, arena, game->row.game, rows, SEATS_MAX, &count);
	if (fault != FAULT_NONE)
		return fault;

	struct turn *turn = turn_begin(arena, db, now_ms, false, &next);
	if (turn == NULL)
		return FAULT_OUT_OF_MEMORY;
	fault = turn_drop(turn, seat, REASON_RESIGNED, count);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

static enum fault
withdraw(struct db *db, int64_t now_ms, struct game *game, const char *reason)
{
	struct game next = *game;
	clock_stop(&next, now_ms);
	next.row.status = "withdrawn";
	next.row.turn = 0;
	next.row.updated_ms = now_ms;
	bool started = strcmp(game->row.status, "active") == 0;
	enum fault fault = event_withdrawn(db, now_ms, &next, started, reason);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

enum fault
game_withdraw(struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, bool stale)
{
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	if (!holder->creator)
		return FAULT_NOT_YOUR_SEAT;
	if (stale)
		return FAULT_PRECONDITION_FAILED;
	if (strcmp(game->row.status, "withdrawn") == 0)
		return FAULT_GAME_WITHDRAWN;
	if (strcmp(game->row.status, "finished") == 0)
		return FAULT_GAME_OVER;
	if (game->row.ply > 0)
		return FAULT_GAME_MOVED;
	return withdraw(db, now_ms, game, "creator");
}

enum fault
game_withdraw_unfilled(struct db *db, int64_t now_ms, struct game *game)
{
	return withdraw(db, now_ms, game, "unfilled");
}

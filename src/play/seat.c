#include "play/seat.h"

#include <string.h>

#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"

/* The game's seat of that number; NULL if it has none. */
static struct seat_row *
find_seat(struct game *game, unsigned seat)
{
	return seat == 0 || seat > game->seat_count ? NULL : &game->seats[seat - 1];
}

/* After its last event nothing happens in a game any more: whoever reads its log need not wait. */
static enum fault
check_alive(const struct game *game)
{
	if (strcmp(game->row.status, "withdrawn") == 0)
		return FAULT_GAME_WITHDRAWN;
	return strcmp(game->row.status, "finished") == 0 ? FAULT_GAME_OVER : FAULT_NONE;
}

/* Writes who holds a seat now and by which token; NULL: by none. */
static enum fault
write_holder(struct db *db, const struct game *game, const struct seat_row *seat, const char *token)
{
	unsigned char hash[TOKEN_HASH_LEN];
	struct token_row row = {game->row.game, seat->seat};
	enum fault fault = seats_hold(db, row.game, seat);
	if (fault != FAULT_NONE)
		return fault;
	if (token == NULL)
		return tokens_delete(db, &row);
	token_hash(token, TOKEN_LEN, hash);
	return tokens_replace(db, hash, &row);
}

/* All seats are filled: from now on somebody is to move. */
static enum fault
start(struct db *db, int64_t now_ms, struct game *game)
{
	game->row.status = "active";
	game->row.turn = game->position.turn;
	clock_start(game, now_ms);
	return event_started(db, now_ms, game);
}

static void
sit(struct seat_row *seat, const struct seat_request *request)
{
	const struct player_row *player = request->player;
	seat->kind = "player";
	seat->name = request->name;
	if (player == NULL)
		return;
	seat->player = player->player;
	memcpy(seat->player_id, player->id, sizeof seat->player_id);
	seat->namesake = request->name == NULL;
	if (seat->namesake)
		seat->name = player->name;
}

/* It is no player's any more. */
static void
let_go(struct seat_row *seat)
{
	if (seat->namesake)
		seat->name = NULL;
	seat->player = 0;
	seat->player_id[0] = '\0';
	seat->namesake = false;
}

/* What follows from a seat that was taken: the start, if it was the last; after a handover, time for a move. */
static enum fault
sit_down(struct db *db, int64_t now_ms, struct game *game, unsigned seat)
{
	bool waiting = strcmp(game->row.status, "open") == 0;
	if (!waiting)
		clock_refresh(game, seat, now_ms);
	return waiting && game_open_seats(game) == 0 ? start(db, now_ms, game) : FAULT_NONE;
}

enum fault
seat_take(struct db *db, int64_t now_ms, struct game *game, const struct seat_request *request)
{
	struct game next = *game;
	struct seat_row *seat = find_seat(&next, request->seat);
	if (seat == NULL)
		return FAULT_NO_SUCH_SEAT;
	if (request->stale)
		return FAULT_PRECONDITION_FAILED;
	enum fault fault = check_alive(game);
	if (fault == FAULT_NONE && strcmp(seat->kind, "open") != 0)
		fault = FAULT_SEAT_TAKEN;
	if (fault == FAULT_NONE && (game_free_seats(game) >> (seat->seat - 1) & 1) == 0)
		fault = FAULT_SEAT_OUT;
	if (fault != FAULT_NONE)
		return fault;

	sit(seat, request);
	next.row.updated_ms = now_ms;
	fault = write_holder(db, &next, seat, request->token);
	if (fault == FAULT_NONE)
		fault = event_taken(db, now_ms, &next, seat->seat);
	if (fault == FAULT_NONE)
		fault = sit_down(db, now_ms, &next, seat->seat);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

enum fault
seat_hand_over(struct db *db, int64_t now_ms, struct game *game, unsigned number)
{
	struct seat_row *seat = &game->seats[number - 1];
	seat->kind = "open";
	seat->name = NULL;
	seat->own = false;
	/* The player who leaves still hears of it. */
	enum fault fault = event_left(db, now_ms, game, number);
	let_go(seat);
	return fault == FAULT_NONE ? write_holder(db, game, seat, NULL) : fault;
}

enum fault
seat_leave(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct seat_request *request)
{
	struct game next = *game;
	struct seat_row *seat = find_seat(&next, request->seat);
	if (seat == NULL)
		return FAULT_NO_SUCH_SEAT;
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	if (!holder_has(holder, seat->seat))
		return FAULT_NOT_YOUR_SEAT;
	if (request->stale)
		return FAULT_PRECONDITION_FAILED;
	enum fault fault = check_alive(game);
	if (fault == FAULT_NONE && strcmp(game->row.status, "open") != 0)
		fault = FAULT_GAME_STARTED;
	if (fault != FAULT_NONE)
		return fault;

	next.row.updated_ms = now_ms;
	fault = seat_hand_over(db, now_ms, &next, seat->seat);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

enum fault
seat_rekey(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct seat_request *request)
{
	struct game next = *game;
	struct seat_row *seat = find_seat(&next, request->seat);
	if (seat == NULL)
		return FAULT_NO_SUCH_SEAT;
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	bool by_creator = holder->creator && seat->own;
	if (!by_creator && !holder_has(holder, seat->seat))
		return FAULT_NOT_YOUR_SEAT;
	if (request->stale)
		return FAULT_PRECONDITION_FAILED;
	enum fault fault = check_alive(game);
	if (fault != FAULT_NONE)
		return fault;

	seat->own = by_creator;
	next.row.updated_ms = now_ms;
	fault = event_rekeyed(db, now_ms, &next, seat->seat, by_creator);
	if (!by_creator && (holder->player == 0 || holder->player != seat->player))
		let_go(seat);
	if (fault == FAULT_NONE)
		fault = write_holder(db, &next, seat, request->token);
	return fault == FAULT_NONE ? game_become(db, game, &next) : fault;
}

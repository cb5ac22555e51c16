#include "play/player.h"

#include <string.h>

#include "base/limits.h"
#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/seat.h"
#include "play/timeout.h"
#include "store/retries.h"

static enum fault
write_token(struct db *db, int64_t player, const char token[TOKEN_LEN + 1])
{
	unsigned char hash[TOKEN_HASH_LEN];
	token_hash(token, TOKEN_LEN, hash);
	return tokens_insert_player(db, hash, player);
}

enum fault
player_create(struct db *db, const char token[TOKEN_LEN + 1], struct player_row *row)
{
	enum fault fault = players_insert(db, row);
	return fault != FAULT_NONE ? fault : write_token(db, row->player, token);
}

enum fault
player_rekey(struct db *db, int64_t player, const char token[TOKEN_LEN + 1])
{
	enum fault fault = tokens_delete_player(db, player);
	return fault != FAULT_NONE ? fault : write_token(db, player, token);
}

/* An erasure, as far as one game goes. */
struct erasure {
	struct db *db;
	struct arena *arena; /* of the game */
	int64_t now_ms;
	const struct player_row *player;
	struct game game;
	unsigned seats; /* that are his, as bits */
};

static bool
has(const struct erasure *erasure, unsigned index)
{
	return (erasure->seats >> index & 1) != 0;
}

/* The row of the game, and what it means if it can be read. */
static enum fault
load(struct erasure *erasure, int64_t key, struct game_row *row)
{
	bool found;
	struct game *game = &erasure->game;
	enum fault fault = games_next(erasure->db, erasure->arena, key - 1, row, &found);
	if (fault == FAULT_NONE && (!found || row->game != key))
		fault = FAULT_INTERNAL;
	if (fault == FAULT_NONE)
		fault = game_load(erasure->db, erasure->arena, row->id, game);
	erasure->seats = 0;
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		if (game->seats[i].player == erasure->player->player)
			erasure->seats |= 1U << i;
	return fault;
}

/* What the store has of him in the game, and what answers tell of it. */
static enum fault
erase_rows(struct erasure *erasure, int64_t key)
{
	enum fault fault = players_leave(erasure->db, erasure->player, key);
	return fault != FAULT_NONE ? fault : retries_erase_game(erasure->db, key);
}

static void
forget(struct seat_row *seat)
{
	seat->name = NULL;
	seat->player = 0;
	seat->player_id[0] = '\0';
	seat->namesake = false;
	seat->due_ms = 0;
}

/* The name goes first, so that a game that ends by this has game_finished for its last event. */
static enum fault
erase_name(struct erasure *erasure)
{
	struct game next = erasure->game;
	enum fault fault = erase_rows(erasure, next.row.game);
	for (unsigned i = 0; i < next.seat_count; i++)
		if (has(erasure, i))
			forget(&next.seats[i]);
	next.row.updated_ms = erasure->now_ms;
	if (erasure->seats == 0 && fault == FAULT_NONE)
		fault = event_erased(erasure->db, erasure->now_ms, &next, 0);
	for (unsigned i = 0; i < next.seat_count && fault == FAULT_NONE; i++)
		if (has(erasure, i))
			fault = event_erased(erasure->db, erasure->now_ms, &next, i + 1);
	return fault == FAULT_NONE ? game_become(erasure->db, &erasure->game, &next) : fault;
}

/* One seat of his: left before the start, and given up while the game is on. */
static enum fault
leave_seat(struct erasure *erasure, unsigned seat)
{
	struct game *game = &erasure->game;
	const struct holder holder = {.known = true, .seats = erasure->seats};
	const struct seat_request request = {.seat = seat};
	if (strcmp(game->row.status, "open") == 0)
		return seat_leave(erasure->db, erasure->now_ms, game, &holder, &request);
	if (strcmp(game->row.status, "active") == 0 && !position_out(&game->position, seat))
		return game_resign(erasure->db, erasure->arena, erasure->now_ms, game, seat);
	return FAULT_NONE;
}

/* Whoever has let his deadline pass goes out by that, if the sweep has not come to it: it keeps nobody here. */
static enum fault
end_turn(struct erasure *erasure)
{
	struct game *game = &erasure->game;
	if (!clock_is_up(&game->row, erasure->now_ms))
		return FAULT_NONE;
	return timeout_forfeit(erasure->db, erasure->arena, erasure->now_ms, game);
}

/* In a game that is damaged nothing can be played to an end any more, but his name goes all the same. */
static enum fault
erase_game(struct erasure *erasure, int64_t key, char id[ID_LEN + 1])
{
	struct game_row row = {0};
	enum fault fault = load(erasure, key, &row);
	memcpy(id, row.id, sizeof row.id);
	if (fault == FAULT_DAMAGED_GAME)
		return erase_rows(erasure, key);
	if (fault == FAULT_NONE)
		fault = erase_name(erasure);
	if (fault == FAULT_NONE)
		fault = end_turn(erasure);
	for (unsigned i = 0; i < erasure->game.seat_count && fault == FAULT_NONE; i++)
		if (has(erasure, i))
			fault = leave_seat(erasure, i + 1);
	return fault;
}

enum fault
player_erase(struct db *db, int64_t now_ms, const struct player_row *row,
    enum fault (*changed)(void *arg, const char id[ID_LEN + 1]), void *arg)
{
	struct erasure erasure = {.db = db, .now_ms = now_ms, .player = row};
	int64_t key = 0;
	enum fault fault = players_sat(db, row->player, 0, &key);
	while (fault == FAULT_NONE && key != 0) {
		char id[ID_LEN + 1];
		/* One for each game: he may have had any number of them. */
		erasure.arena = arena_open(LIMIT_ARENA);
		if (erasure.arena == NULL)
			return FAULT_OUT_OF_MEMORY;
		fault = erase_game(&erasure, key, id);
		if (fault == FAULT_NONE)
			fault = changed(arg, id);
		arena_close(erasure.arena);
		if (fault == FAULT_NONE)
			fault = players_sat(db, row->player, key, &key);
	}
	if (fault == FAULT_NONE)
		fault = retries_erase_player(db, row->player);
	if (fault == FAULT_NONE)
		fault = players_delete(db, row->player);
	if (fault == FAULT_NONE)
		db_scrub(db);
	return fault;
}

/* New games: game_create of game.h, from a plan to its rows and its first events. */
#include "play/game.h"

#include <string.h>

#include "play/clock.h"
#include "play/event.h"
#include "play/game_write.h"
#include "play/opponent.h"

void
game_secrets_new(struct game_secrets *secrets)
{
	token_new_id(secrets->id);
	token_new(secrets->creator_token);
	for (unsigned i = 0; i < SEATS_MAX; i++)
		token_new(secrets->seat_tokens[i]);
}

/* The seat of a rematch that is that number: whoever sat before it sits there now. */
static struct seat_row
move_seat(const struct game *before, unsigned i)
{
	struct seat_row seat = before->seats[(i + before->seat_count - 1) % before->seat_count];
	seat.seat = i + 1;
	seat.out_reason = NULL;
	seat.remaining_ms = -1;
	seat.due_ms = 0;
	return seat;
}

/* A seat of a new game. */
static struct seat_row
lay_seat(const struct game_plan *plan, unsigned i)
{
	const struct seat_owner *owner = &plan->owners[i];
	struct seat_row seat = {.seat = i + 1, .kind = "open", .remaining_ms = -1};
	if (plan->open[i])
		return seat;
	if (plan->rematch_of != NULL)
		return move_seat(plan->rematch_of, i);
	if (plan->levels[i] != 0) {
		seat.kind = "engine";
		seat.level = plan->levels[i];
		return seat;
	}
	seat.kind = "player";
	seat.name = plan->names[i];
	seat.own = true;
	seat.player = owner->player;
	seat.namesake = owner->namesake;
	if (owner->player != 0)
		memcpy(seat.player_id, owner->id, sizeof seat.player_id);
	return seat;
}

/* The game that a plan describes, at its start, not yet stored. */
static enum fault
lay_out(struct arena *arena, int64_t now_ms, const struct game_plan *plan, const char *id, struct game *game)
{
	struct position start;
	char text[POSITION_TEXT_MAX];
	if (plan->start == NULL)
		position_start(plan->variant, &start);
	else
		start = *plan->start;
	start.ply = 0;
	char *copy = arena_copy(arena, text, notation_position(&start, text));
	if (copy == NULL)
		return FAULT_OUT_OF_MEMORY;

	*game = (struct game){
	    .row = {.variant = variant_row(plan->variant)->id,
		.status = "active",
		.listed = plan->listed,
		.imported = plan->imported,
		.start = copy,
		.position = copy,
		.turn = start.turn,
		.tags = plan->tags,
		.creator = plan->creator,
		.created_ms = now_ms,
		.updated_ms = now_ms},
	    .variant = plan->variant,
	    .position = start,
	    .seat_count = variant_row(plan->variant)->seats,
	    .arena = arena,
	    .hushed = plan->imported,
	};
	memcpy(game->row.id, id, sizeof game->row.id);
	for (unsigned i = 0; i < game->seat_count; i++)
		game->seats[i] = lay_seat(plan, i);
	if (plan->rematch_of != NULL) {
		game->row.creator = plan->rematch_of->row.creator;
		game->row.rematch_of = plan->rematch_of->row.id;
	}
	if (game_open_seats(game) != 0) {
		game->row.status = "open";
		game->row.turn = 0;
	}
	clock_set(game, &plan->clock);
	clock_start(game, now_ms);
	game->row.due_ms = clock_due(&game->row);
	game->row.thinks = opponent_wanted(game);
	return FAULT_NONE;
}

static enum fault
write_token(struct db *db, int64_t game, unsigned seat, const char token[TOKEN_LEN + 1])
{
	unsigned char hash[TOKEN_HASH_LEN];
	token_hash(token, TOKEN_LEN, hash);
	return tokens_insert(db, hash, &(struct token_row){game, seat});
}

static enum fault
write_seats(struct db *db, const struct game *game)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		fault = seats_insert(db, game->row.game, game->row.listed, &game->seats[i]);
	return fault;
}

/* The tokens of the seats that are filled, and the creator's own. */
static enum fault
write_tokens(struct db *db, const struct game *game, const struct game_secrets *secrets)
{
	enum fault fault = write_token(db, game->row.game, 0, secrets->creator_token);
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		if (game->seats[i].own)
			fault = write_token(db, game->row.game, i + 1, secrets->seat_tokens[i]);
	return fault;
}

enum fault
game_create(struct db *db, struct arena *arena, int64_t now_ms, const struct game_plan *plan,
    const struct game_secrets *secrets, struct game *game)
{
	struct game made;
	enum fault fault = lay_out(arena, now_ms, plan, secrets->id, &made);
	if (fault != FAULT_NONE)
		return fault;
	bool starts = game_open_seats(&made) == 0;
	/* The row counts the events below, so that it need not be written twice. */
	made.row.seq = starts ? 2 : 1;
	fault = games_insert(db, &made.row);
	made.row.seq = 0;
	if (fault == FAULT_NONE)
		fault = write_seats(db, &made);
	if (fault == FAULT_NONE && plan->rematch_of == NULL)
		fault = write_tokens(db, &made, secrets);
	if (fault == FAULT_NONE && plan->rematch_of != NULL)
		fault = tokens_move_on(db, plan->rematch_of->row.game, made.row.game, made.seat_count);
	if (fault == FAULT_NONE)
		fault = event_created(db, now_ms, &made);
	if (fault == FAULT_NONE && starts)
		fault = event_started(db, now_ms, &made);
	if (fault == FAULT_NONE)
		fault = game_wait(db, &made);
	if (fault == FAULT_NONE)
		*game = made;
	return fault;
}

#include "play/rematch.h"

#include <string.h>

#include "play/game_write.h"

static enum fault
check(const struct game *game, const struct holder *holder, const struct rematch_request *request)
{
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	if (holder->seats == 0)
		return FAULT_NOT_YOUR_SEAT;
	if (request->stale)
		return FAULT_PRECONDITION_FAILED;
	if (strcmp(game->row.status, "withdrawn") == 0)
		return FAULT_GAME_WITHDRAWN;
	return strcmp(game->row.status, "finished") == 0 ? FAULT_NONE : FAULT_GAME_NOT_OVER;
}

/* A new game is refused where a seat of it would never move. */
static bool
is_playable(const struct game *game, const struct rematch_request *request)
{
	bool engine = false;
	for (unsigned i = 0; i < game->seat_count; i++)
		engine |= strcmp(game->seats[i].kind, "engine") == 0;
	return !engine || !request->no_engine;
}

/* Which seats of the rematch nobody has: free ones, and those of players who were erased. */
static enum fault
find_free(struct db *db, const struct game *game, bool open[SEATS_MAX])
{
	unsigned held = 0;
	enum fault fault = tokens_of(db, game->row.game, &held);
	for (unsigned i = 0; i < game->seat_count && fault == FAULT_NONE; i++)
		open[(i + 1) % game->seat_count] =
		    strcmp(game->seats[i].kind, "engine") != 0 && game->seats[i].player == 0 && (held >> i & 1) == 0;
	return fault;
}

/* The new game, on the terms of the one before. */
static enum fault
make(struct db *db, struct arena *arena, int64_t now_ms, const struct game *game, const char *id, struct game *rematch)
{
	struct position start;
	struct game_secrets secrets = {0};
	struct game_plan plan = {
	    .variant = game->variant,
	    .start = &start,
	    .listed = game->row.listed,
	    .clock = {.type = game->row.clock_type,
		.on_timeout = game->row.on_timeout,
		.per_move_seconds = game->row.per_move_seconds,
		.initial_seconds = game->row.initial_seconds,
		.increment_seconds = game->row.increment_seconds},
	    .rematch_of = game,
	};
	memcpy(secrets.id, id, sizeof secrets.id);
	enum fault fault = game_position_at(db, arena, game, 0, &start);
	if (fault == FAULT_NONE)
		fault = find_free(db, game, plan.open);
	return fault != FAULT_NONE ? fault : game_create(db, arena, now_ms, &plan, &secrets, rematch);
}

/* The game that is over names it. */
static enum fault
note(struct db *db, int64_t now_ms, struct game *game, const char *id)
{
	struct game next = *game;
	next.row.rematch = id;
	next.row.updated_ms = now_ms;
	return game_become(db, game, &next);
}

enum fault
rematch_make(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, const struct holder *holder,
    const struct rematch_request *request, struct game *rematch, bool *made)
{
	struct game next;
	bool is_new = game->row.rematch == NULL;
	enum fault fault = check(game, holder, request);
	if (fault != FAULT_NONE)
		return fault;
	if (is_new && !is_playable(game, request))
		return FAULT_NO_ENGINE;
	if (is_new)
		fault = make(db, arena, now_ms, game, request->id, &next);
	else
		fault = game_load(db, arena, game->row.rematch, &next);
	if (fault == FAULT_NONE && is_new)
		fault = note(db, now_ms, game, request->id);
	if (fault != FAULT_NONE)
		return fault == FAULT_NO_SUCH_GAME ? FAULT_DAMAGED_GAME : fault;
	*rematch = next;
	*made = is_new;
	return FAULT_NONE;
}

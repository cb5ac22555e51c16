/* A player's games: those that all may see, and to himself all of them, or those that wait for him. */
#include "api/body.h"
#include "api/page.h"
#include "api/player.h"
#include "api/problem.h"
#include "api/resources.h"
#include "api/words.h"

struct wish {
	struct games_place place;
	struct page page;
};

static enum fault
prepare(struct call *call, const char *path, const char *const *names)
{
	uint64_t limit = LIMIT_PAGE_DEFAULT;
	unsigned needing = 0; /* an index of words_boolean */
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL || path == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	enum fault fault = body_word(call, "needs_action", words_boolean, &needing);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "limit", 1, LIMIT_PAGE, &limit);
	if (fault == FAULT_NONE && !call->replied)
		fault = page_prepare(call, path, names, &wish->page);
	wish->place.which = needing ? GAMES_NEEDING : GAMES_ALL;
	wish->place.limit = (unsigned)limit;
	wish->place.after_due_ms = wish->page.after.updated_ms;
	return fault;
}

enum fault
me_games_prepare(struct call *call)
{
	static const char *const names[] = {"needs_action", "limit", NULL};
	return prepare(call, "/v1/me/games", names);
}

enum fault
players_games_prepare(struct call *call)
{
	static const char *const names[] = {"limit", NULL};
	const char *id = call->param[0];
	/* What is no id leads to no list, and is refused when it is looked up. */
	const char *path = token_is_id(id, strlen(id)) ? problem_text(call, "/v1/players/%s/games", id) : "";
	return prepare(call, path, names);
}

static enum fault
reply(struct call *call, struct wish *wish)
{
	unsigned count = 0;
	bool more = false;
	struct game_row *rows = arena_take(call->arena, wish->place.limit * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = page_after(call, &wish->page, &wish->place.after_game);
	if (fault == FAULT_NONE)
		fault = games_of_player(call->db, call->arena, &wish->place, rows, &count, &more);
	if (fault != FAULT_NONE)
		return fault;
	return page_reply(call, &wish->page, rows, count, more, count == 0 ? 0 : games_due(&rows[count - 1]));
}

enum fault
me_games_run(struct call *call)
{
	struct wish *wish = call->prepared;
	if (call->holder.player == 0)
		return FAULT_NOT_A_PLAYER;
	wish->place.player = call->holder.player;
	return reply(call, wish);
}

enum fault
players_games_run(struct call *call)
{
	struct wish *wish = call->prepared;
	struct player_row row;
	enum fault fault = player_named(call, &row);
	if (fault != FAULT_NONE)
		return fault;
	wish->place.player = row.player;
	wish->place.which = GAMES_LISTED;
	return reply(call, wish);
}

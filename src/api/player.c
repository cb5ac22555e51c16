#include "api/player.h"

#include "api/reply.h"

enum fault
player_asking(struct call *call, struct player_row *row, const struct player_row **player)
{
	*player = NULL;
	if (call->holder.player == 0)
		return FAULT_NONE;
	*player = row;
	return players_by_key(call->db, call->arena, call->holder.player, row);
}

enum fault
player_required(struct call *call, struct player_row *row)
{
	const struct player_row *player;
	enum fault fault = player_asking(call, row, &player);
	return fault == FAULT_NONE && player == NULL ? FAULT_NOT_A_PLAYER : fault;
}

enum fault
player_named(struct call *call, struct player_row *row)
{
	const char *id = call->param[0];
	if (!token_is_id(id, strlen(id)))
		return FAULT_NO_SUCH_PLAYER;
	return players_by_id(call->db, call->arena, id, row);
}

/* What is told of a player to all. */
static void
write_head(struct writer *writer, const struct player_row *row)
{
	writer_key(writer, "id");
	writer_plain(writer, row->id, ID_LEN);
	writer_key(writer, "name");
	writer_string(writer, row->name);
	writer_key(writer, "created_at");
	writer_time(writer, row->created_ms);
}

void
player_document(struct writer *writer, const struct call *call, const struct player_row *row)
{
	writer_open(writer, '{');
	write_head(writer, row);
	writer_key(writer, "links");
	writer_open(writer, '{');
	reply_link(call, writer, "self", "/v1/players/", row->id, NULL);
	reply_link(call, writer, "games", "/v1/players/", row->id, "/games");
	writer_close(writer, '}');
	writer_close(writer, '}');
}

enum fault
player_reply(struct call *call, unsigned status, const struct player_row *row, const char *token)
{
	struct writer writer = reply_begin(call, status);
	writer_open(&writer, '{');
	write_head(&writer, row);
	if (token != NULL) {
		writer_key(&writer, "token");
		writer_plain(&writer, token, TOKEN_LEN);
	}
	writer_key(&writer, "seq");
	writer_int(&writer, row->seq);
	writer_key(&writer, "links");
	writer_open(&writer, '{');
	reply_link(call, &writer, "self", "/v1/me", NULL, NULL);
	reply_link(call, &writer, "public", "/v1/players/", row->id, NULL);
	reply_link(call, &writer, "games", "/v1/me/games", NULL, NULL);
	reply_link(call, &writer, "needs_action", "/v1/me/games?needs_action=true", NULL, NULL);
	reply_link(call, &writer, "events", "/v1/me/events", NULL, NULL);
	reply_link(call, &writer, "replace_token", "/v1/me/token", NULL, NULL);
	writer_close(&writer, '}');
	writer_close(&writer, '}');
	reply_no_store(call);
	return reply_end(call, "application/json");
}

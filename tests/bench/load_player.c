#include "load_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/history.h"
#include "engine/notation.h"

enum { ID_ROOM = 64, TOKEN_ROOM = 128 };

struct player {
	enum variant variant;
	uint64_t seed;
	bool playing; /* there is a game; else the next request creates one */
	char id[ID_ROOM];
	char tokens[SEATS_MAX][TOKEN_ROOM];
	struct position position;
	struct history history;
	struct move move; /* that the request plays */
};

struct player *
player_new(enum variant variant, uint64_t seed)
{
	struct player *player = calloc(1, sizeof *player);
	if (player == NULL)
		abort();
	player->variant = variant;
	player->seed = seed * 0x9E3779B97F4A7C15u + 1;
	return player;
}

static unsigned
random_below(struct player *player, unsigned limit)
{
	player->seed = player->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((player->seed >> 33) % limit);
}

static size_t
write_request(char *request, size_t room, const char *path, const char *token, const char *body)
{
	int len = snprintf(request, room,
	    "POST /v1/games%s HTTP/1.1\r\nHost: bench\r\n%s%s%sContent-Type: application/json\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    path, token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
	    token == NULL ? "" : "\r\n", strlen(body), body);
	return len < 0 || (size_t)len >= room ? 0 : (size_t)len;
}

size_t
player_request(struct player *player, char *request, size_t room)
{
	static struct move moves[MOVES_MAX];
	char path[ID_ROOM + 16], body[64], text[MOVE_TEXT_MAX];
	if (!player->playing) {
		snprintf(body, sizeof body, "{\"variant\":\"%s\"}", variant_row(player->variant)->id);
		return write_request(request, room, "", NULL, body);
	}
	struct past past = history_past(&player->history);
	player->move = moves[random_below(player, position_moves(&player->position, &past, moves))];
	notation_move(player->move, text);
	snprintf(path, sizeof path, "/%s/moves", player->id);
	snprintf(body, sizeof body, "{\"move\":\"%s\"}", text);
	return write_request(request, room, path, player->tokens[player->position.turn - 1], body);
}

/* Copies the string that follows key, which must be whole in body, and returns what is behind it; NULL if there is
 * none. */
static const char *
take_string(const char *body, const char *key, char *out, size_t room)
{
	const char *at = strstr(body, key);
	if (at == NULL)
		return NULL;
	at += strlen(key);
	size_t len = strcspn(at, "\"");
	if (len >= room)
		return NULL;
	memcpy(out, at, len);
	out[len] = '\0';
	return at + len;
}

static bool
take_game(struct player *player, const char *body)
{
	if (take_string(body, "\"id\":\"", player->id, ID_ROOM) == NULL)
		return false;
	const char *at = strstr(body, "\"seats\":");
	for (unsigned seat = 0; seat < variant_row(player->variant)->seats; seat++) {
		at = at == NULL ? NULL : take_string(at, "\"token\":\"", player->tokens[seat], TOKEN_ROOM);
		if (at == NULL)
			return false;
	}
	position_start(player->variant, &player->position);
	history_begin(&player->history, &player->position);
	player->playing = true;
	return true;
}

bool
player_reply(struct player *player, int status, const char *body, bool *move)
{
	*move = player->playing;
	if (status != 201)
		return false;
	if (!player->playing)
		return take_game(player, body);
	struct past past = history_past(&player->history);
	struct change change;
	position_play(&player->position, &past, player->move, &player->position, &change);
	history_add(&player->history, change.left);
	player->playing = player->position.turn != 0;
	return true;
}

/* Calls of every kind, taken through routing, checks and handlers. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct made {
	char id[ID_LEN + 1];
	char tokens[2][TOKEN_LEN + 1];
	char creator[TOKEN_LEN + 1];
};

/* A new game for two, whose tokens are kept; no token is sent afterwards. */
static struct made
make_game(struct client *client, const char *body)
{
	struct made made;
	client_token(client, NULL);
	assert_int_equal(client_send(client, METHOD_POST, "/v1/games", body), 201);
	strcpy(made.id, client_text(client, "id"));
	strcpy(made.tokens[0], client_text(client, "seats.0.token"));
	strcpy(made.tokens[1], client_text(client, "seats.1.token"));
	strcpy(made.creator, client_text(client, "creator_token"));
	return made;
}

static unsigned
send_to(struct client *client, enum method method, const char *id, const char *rest, const char *body)
{
	static char target[256];
	snprintf(target, sizeof target, "/v1/games/%s%s", id, rest);
	return client_send(client, method, target, body);
}

static unsigned
get(struct client *client, const char *target)
{
	return client_send(client, METHOD_GET, target, NULL);
}

static void
a_game_is_created_with_a_token_for_each_seat(void **state)
{
	struct client *client = *state;
	char location[64];
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\",\"seats\":[{\"name\":\"Ada\"},{}]}");
	snprintf(location, sizeof location, "/v1/games/%s", made.id);
	assert_string_equal(client_header(client, "Location"), location);
	assert_string_equal(client_header(client, "Cache-Control"), "no-store");
	assert_string_equal(client_text(client, "seats.0.name"), "Ada");
	assert_true(cJSON_IsNull(client_at(client, "seats.1.name")));
	assert_int_equal(strlen(made.creator), TOKEN_LEN);

	assert_int_equal(get(client, location), 200);
	assert_null(client_at(client, "seats.0.token"));
	assert_null(client_at(client, "creator_token"));
	assert_int_equal(client_number(client, "turn"), 1);
	assert_string_equal(client_text(client, "phase"), "gathering");
	assert_string_equal(client_text(client, "links.self"), location);
	assert_string_equal(client->call.reply.cache_game, made.id);
}

static void
a_move_is_played_and_sent_once_more(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	client_token(client, made.tokens[0]);
	assert_int_equal(
	    send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"a1-b3\",\"expected_ply\":0}"), 201);
	assert_int_equal(client_number(client, "move.ply"), 1);
	assert_int_equal(client_number(client, "move.seat"), 1);
	assert_int_equal(client_number(client, "game.turn"), 2);
	assert_string_equal(client_text(client, "game.last_move.move"), "a1-b3");
	assert_non_null(strstr(client_header(client, "Location"), "/moves/1"));
	assert_non_null(client->call.changed);
	assert_string_equal(client->call.changed->id, made.id);
	assert_null(client->call.changed->next);
	assert_int_equal(
	    send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"A1B3\",\"expected_ply\":0}"), 200);
	assert_int_equal(client_number(client, "move.ply"), 1);
	assert_null(client_header(client, "Location"));
	assert_null(client->call.changed);

	client_token(client, NULL);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/moves", NULL), 200);
	assert_int_equal(cJSON_GetArraySize(client_at(client, "moves")), 1);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/moves?after=1", NULL), 200);
	assert_int_equal(cJSON_GetArraySize(client_at(client, "moves")), 0);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/moves/1", NULL), 200);
	assert_string_equal(client_text(client, "to"), "b3");
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/moves/2", NULL), 404);
	client_problem(client, 404, "no-such-ply");
}

static void
a_dry_run_stores_nothing(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	client_token(client, made.tokens[0]);
	assert_int_equal(send_to(client, METHOD_POST, made.id, "/moves?dry_run=true", "{\"move\":\"a1-b3\"}"), 200);
	assert_int_equal(client->call.lane, LANE_READ);
	assert_int_equal(client_number(client, "game.ply"), 1);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
	assert_int_equal(client_number(client, "ply"), 0);
	send_to(client, METHOD_POST, made.id, "/moves?dry_run=true", "{\"move\":\"a1-a3\"}");
	client_problem(client, 409, "not-a-jump");
	send_to(client, METHOD_POST, made.id, "/moves?dry_run=yes", "{\"move\":\"a1-b3\"}");
	client_problem(client, 400, "invalid-parameter");
}

static void
an_illegal_move_is_told_by_rule_and_cells(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	client_token(client, made.tokens[0]);
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"b1-c3\"}");
	client_problem(client, 409, "no-stone");
	assert_string_equal(client_text(client, "rule"), "I6");
	assert_string_equal(client_text(client, "cells.0"), "b1");
	assert_string_equal(client_text(client, "move"), "b1-c3");
	assert_string_equal(client_text(client, "type"), "/problems/no-stone");
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"a1-z9\"}");
	client_problem(client, 409, "off-board");
	assert_string_equal(client_text(client, "cells.0"), "z9");
	assert_null(client->call.changed);
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"hello\"}");
	client_problem(client, 400, "malformed-move");
	assert_string_equal(client_text(client, "pointer"), "/move");
}

/* HTTP.md rule 3: of several things that are wrong, the first in that order is told. */
static void
checks_come_in_order(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}"),
		    other = make_game(client, "{\"variant\":\"iuvo-2\"}");
	const char *bad = "{\"move\":1}", *good = "{\"move\":\"a1-a3\",\"expected_ply\":7}";
	client->header[HEADER_ACCEPT] = "text/html";
	client->header[HEADER_CONTENT_TYPE] = "text/plain";
	send_to(client, METHOD_PUT, made.id, "/moves", bad);
	client_problem(client, 405, "method-not-allowed");
	client->header[HEADER_ACCEPT] = "text/html";
	client->header[HEADER_CONTENT_TYPE] = "text/plain";
	send_to(client, METHOD_POST, made.id, "/moves", bad);
	client_problem(client, 406, "not-acceptable");
	client->header[HEADER_CONTENT_TYPE] = "text/plain";
	send_to(client, METHOD_POST, made.id, "/moves", bad);
	client_problem(client, 415, "unsupported-media-type");
	send_to(client, METHOD_POST, made.id, "/moves", bad);
	client_problem(client, 401, "token-required");
	client_token(client, "aaaa");
	send_to(client, METHOD_POST, made.id, "/moves", bad);
	client_problem(client, 401, "token-unknown");
	client_token(client, other.tokens[0]);
	send_to(client, METHOD_POST, "aaaaaaaaaaaaaaaaaaaaaaaaaa", "/moves", bad);
	client_problem(client, 400, "invalid-body");
	send_to(client, METHOD_POST, "aaaaaaaaaaaaaaaaaaaaaaaaaa", "/moves", good);
	client_problem(client, 404, "no-such-game");
	send_to(client, METHOD_POST, made.id, "/moves", good);
	client_problem(client, 403, "not-your-seat");
	client_token(client, made.tokens[1]);
	client->header[HEADER_IF_MATCH] = "\"1-n-json\"";
	send_to(client, METHOD_POST, made.id, "/moves", good);
	client_problem(client, 412, "precondition-failed");
	assert_string_equal(client_text(client, "game.id"), made.id);
	send_to(client, METHOD_POST, made.id, "/moves", good);
	client_problem(client, 412, "stale-ply");
	assert_int_equal(client_number(client, "game.ply"), 0);
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"a1-a3\"}");
	client_problem(client, 409, "not-your-turn");
	assert_int_equal(client_number(client, "turn"), 1);
}

static void
a_resignation_ends_the_game(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"halma-2\"}");
	client_token(client, made.creator);
	send_to(client, METHOD_POST, made.id, "/resignation", NULL);
	client_problem(client, 403, "not-your-seat");
	client_token(client, made.tokens[1]);
	client->header[HEADER_IF_MATCH] = "\"1-n-json\"";
	send_to(client, METHOD_POST, made.id, "/resignation", NULL);
	client_problem(client, 412, "precondition-failed");
	client->header[HEADER_IF_MATCH] = "*";
	assert_int_equal(send_to(client, METHOD_POST, made.id, "/resignation", "{}"), 200);
	assert_int_equal(client_number(client, "outcome.winner"), 1);
	assert_string_equal(client_text(client, "seats.1.out_reason"), "resigned");
	send_to(client, METHOD_POST, made.id, "/resignation", NULL);
	client_problem(client, 409, "game-over");
	assert_string_equal(client_text(client, "outcome.reason"), "resigned");
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/legal-moves", NULL), 200);
	assert_true(cJSON_IsNull(client_at(client, "turn")));
	assert_int_equal(cJSON_GetArraySize(client_at(client, "moves")), 0);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/positions/0", NULL), 200);
	assert_string_equal(client_header(client, "Cache-Control"), "private, max-age=31536000, immutable");
}

static void
a_document_is_not_sent_twice(void **state)
{
	struct client *client = *state;
	char tag[64];
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
	strcpy(tag, client_header(client, "ETag"));
	assert_string_equal(client_header(client, "Vary"), "Authorization");
	client->header[HEADER_IF_NONE_MATCH] = tag;
	assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 304);
	assert_string_equal(client_header(client, "ETag"), tag);
	assert_string_equal(client->call.reply.cache_game, "");
	/* Another viewer has another document, though it looks the same today. */
	client_token(client, made.tokens[0]);
	client->header[HEADER_IF_NONE_MATCH] = tag;
	assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
	assert_string_equal(client_header(client, "Cache-Control"), "private, no-cache");
	client->header[HEADER_ACCEPT] = "text/plain";
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/board", NULL), 200);
	assert_string_equal(client_header(client, "Content-Type"), "text/plain; charset=utf-8");
	assert_string_equal(client_header(client, "Vary"), "Authorization, Accept");
}

static void
a_bad_body_is_told_whole(void **state)
{
	struct client *client = *state;
	client_send(
	    client, METHOD_POST, "/v1/games", "{\"seats\":[{\"name\":\"\"},{\"nmae\":1}],\"visibility\":\"secret\"}");
	client_problem(client, 400, "invalid-body");
	assert_int_equal(cJSON_GetArraySize(client_at(client, "errors")), 4);
	assert_string_equal(client_text(client, "errors.0.pointer"), "/seats/0/name");
	assert_string_equal(client_text(client, "errors.1.pointer"), "/seats/1/nmae");
	assert_string_equal(client_text(client, "errors.2.pointer"), "/visibility");
	assert_string_equal(client_text(client, "errors.3.pointer"), "/variant");
	client_send(client, METHOD_POST, "/v1/games", "{\"variant\":\n \"iuvo-2\",}");
	client_problem(client, 400, "malformed-json");
	assert_int_equal(client_number(client, "line"), 2);
	assert_int_equal(client_number(client, "column"), 11);
	client_send(client, METHOD_POST, "/v1/games", "{\"variant\":\"iuvo-4\",\"seats\":[{},{}]}");
	client_problem(client, 400, "invalid-body");
	assert_string_equal(client_text(client, "errors.0.pointer"), "/seats");
}

static void
what_is_for_the_operator_is_nowhere_else(void **state)
{
	struct client *client = *state;
	assert_int_equal(get(client, "/metrics"), 404);
	client_problem(client, 404, "no-such-path");
}

static void
a_list_is_walked_by_its_links(void **state)
{
	struct client *client = *state;
	char next[512] = "/v1/games?name=Li%20%2F%20st&limit=2", link[600];
	unsigned seen = 0, pages = 0;
	for (int i = 0; i < 5; i++)
		make_game(client, "{\"variant\":\"iuvo-2\",\"seats\":[{\"name\":\"Li / st\"},{}]}");
	make_game(client, "{\"variant\":\"iuvo-2\",\"visibility\":\"unlisted\",\"seats\":[{\"name\":\"Li / st\"},{}]}");
	do {
		assert_int_equal(get(client, next), 200);
		seen += (unsigned)cJSON_GetArraySize(client_at(client, "games"));
		pages++;
		if (cJSON_IsNull(client_at(client, "next")))
			break;
		strcpy(next, client_text(client, "next"));
		snprintf(link, sizeof link, "<%s>; rel=\"next\"", next);
		assert_string_equal(client_header(client, "Link"), link);
	} while (pages < 9);
	assert_int_equal(seen, 5);
	assert_int_equal(pages, 3);
	assert_null(client_header(client, "Link"));
	/* A cursor is good for its own list alone. */
	char *cursor = strstr(next, "cursor=");
	snprintf(link, sizeof link, "/v1/games?variant=iuvo-2&%s", cursor);
	get(client, link);
	client_problem(client, 400, "invalid-cursor");
	get(client, "/v1/games?limit=0");
	client_problem(client, 400, "invalid-parameter");
	get(client, "/v1/games?colour=red");
	client_problem(client, 400, "unknown-parameter");
	assert_string_equal(client_text(client, "parameter"), "colour");
	get(client, "/v1/games?limit=1&li%6Dit=1");
	client_problem(client, 400, "repeated-parameter");
}

static void
a_record_comes_back_byte_for_byte(void **state)
{
	struct client *client = *state;
	char *first[2], rest[64];
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\",\"seats\":[{\"name\":\"\\\"Q\\\" \\\\ ]\"},{}]}");
	client_token(client, made.tokens[0]);
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"a1-b3\"}");
	client_token(client, made.tokens[1]);
	assert_int_equal(send_to(client, METHOD_POST, made.id, "/resignation", NULL), 200);
	client_token(client, NULL);
	for (int i = 0; i < 2; i++) {
		const char *type = i == 0 ? "application/json" : "text/plain";
		client->header[HEADER_ACCEPT] = type;
		assert_int_equal(send_to(client, METHOD_GET, made.id, "/record", NULL), 200);
		first[i] = strndup(client->call.reply.body.bytes, client->call.reply.body.len);
		client->header[HEADER_CONTENT_TYPE] = type;
		assert_int_equal(client_send(client, METHOD_POST, "/v1/records", first[i]), 201);
		assert_true(cJSON_IsTrue(client_at(client, "imported")));
		assert_string_equal(client_text(client, "visibility"), "unlisted");
		snprintf(rest, sizeof rest, "%s", client_text(client, "id"));
		client->header[HEADER_ACCEPT] = type;
		assert_int_equal(send_to(client, METHOD_GET, rest, "/record", NULL), 200);
		assert_string_equal(client->call.reply.body.bytes, first[i]);
		free(first[i]);
	}
}

static void
a_wrong_record_is_told_where(void **state)
{
	struct client *client = *state;
	client_send(client, METHOD_POST, "/v1/records",
	    "{\"format\":\"iuvod-record-1\",\"variant\":\"iuvo-2\",\"moves\":[\"a1-b3\",\"a1-b3\"]}");
	client_problem(client, 400, "record-illegal-move");
	assert_string_equal(client_text(client, "pointer"), "/moves/1");
	assert_string_equal(client_text(client, "verdict"), "no-stone");
	assert_int_equal(client_number(client, "ply"), 2);
	client->header[HEADER_CONTENT_TYPE] = "text/plain; charset=UTF-8";
	client_send(client, METHOD_POST, "/v1/records", "[Variant \"iuvo-9\"]\n\n");
	client_problem(client, 400, "malformed-record");
	assert_true(client_number(client, "line") >= 1);
}

static void
analysis_answers_without_a_game(void **state)
{
	struct client *client = *state;
	assert_int_equal(
	    client_send(client, METHOD_POST, "/v1/analysis", "{\"variant\":\"iuvo-2\",\"moves\":[\"a1-b3\"]}"), 200);
	assert_int_equal(client_number(client, "turn"), 2);
	assert_true(cJSON_GetArraySize(client_at(client, "legal_moves")) > 10);
	client_send(client, METHOD_POST, "/v1/analysis", "{\"variant\":\"iuvo-2\",\"moves\":[\"a1-b3\",\"a1-b3\"]}");
	client_problem(client, 409, "no-stone");
	assert_string_equal(client_text(client, "pointer"), "/moves/1");
	client_send(client, METHOD_POST, "/v1/analysis", "{\"position\":\"iuvo-2 x 1 - -\"}");
	client_problem(client, 400, "malformed-position");
	assert_string_equal(client_text(client, "field"), "board");
	client_send(client, METHOD_POST, "/v1/analysis", "{\"position\":\"iuvo-2 x\",\"variant\":\"iuvo-2\"}");
	client_problem(client, 400, "invalid-body");
}

static void
the_log_is_read_from_anywhere(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/events", NULL), 200);
	int count = cJSON_GetArraySize(client_at(client, "events"));
	assert_int_equal(count, client_number(client, "seq"));
	assert_string_equal(client_text(client, "events.0.type"), "game_created");
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/events?after=1&limit=1", NULL), 200);
	assert_int_equal(client_number(client, "events.0.seq"), 2);
	client->header[HEADER_ACCEPT] = "text/html";
	send_to(client, METHOD_GET, made.id, "/events", NULL);
	client_problem(client, 406, "not-acceptable");
}

static void
links_carry_the_base_path(void **state)
{
	struct client *client = *state;
	client->service.base_path = "/play/here";
	client_token(client, NULL);
	assert_int_equal(client_send(client, METHOD_POST, "/play/here/v1/games", "{\"variant\":\"iuvo-2\"}"), 201);
	char id[ID_LEN + 1];
	strcpy(id, client_text(client, "id"));
	assert_int_equal(strncmp(client_header(client, "Location"), "/play/here/v1/games/", 20), 0);
	assert_int_equal(strncmp(client_text(client, "links.board"), "/play/here/v1/games/", 20), 0);
	char target[128];
	snprintf(target, sizeof target, "/play/here/v1/games/%s", id);
	assert_int_equal(get(client, target), 200);
	get(client, target + 10);
	client_problem(client, 404, "no-such-path");
	get(client, "/play/there/v1/games");
	client_problem(client, 404, "no-such-path");
	assert_string_equal(client_text(client, "type"), "/play/here/problems/no-such-path");
	client->service.base_path = "";
}

static void
every_board_is_drawn(void **state)
{
	struct client *client = *state;
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	client_token(client, made.tokens[0]);
	send_to(client, METHOD_POST, made.id, "/moves", "{\"move\":\"a1-b3\"}");
	client_token(client, NULL);
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/board?seat=2&legal_from=a7", NULL), 200);
	assert_non_null(strstr(client->call.reply.body.bytes, "<svg"));
	assert_non_null(client_header(client, "Content-Security-Policy"));
	assert_int_equal(send_to(client, METHOD_GET, made.id, "/board.txt?ply=0&legal_from=a1", NULL), 200);
	send_to(client, METHOD_GET, made.id, "/board?seat=3", NULL);
	client_problem(client, 400, "invalid-parameter");
	send_to(client, METHOD_GET, made.id, "/board?legal_from=h8", NULL);
	client_problem(client, 400, "invalid-parameter");
	send_to(client, METHOD_GET, made.id, "/board?ply=2", NULL);
	client_problem(client, 404, "no-such-ply");
}

/* A token that is dead or was never alive is refused where none is needed too. */
static void
a_bad_token_is_refused_everywhere(void **state)
{
	struct client *client = *state;
	static const char *const headers[] = {
	    "Bearer", "Bearer ", "Basic QWxhZGRpbg==", "Bearer nonsense", "Bearer a b"};
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\"}");
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		client->header[HEADER_AUTHORIZATION] = headers[i];
		send_to(client, METHOD_GET, made.id, "", NULL);
		client_problem(client, 401, "token-unknown");
		assert_non_null(strstr(client_header(client, "WWW-Authenticate"), "invalid_token"));
	}
	char lower[80];
	snprintf(lower, sizeof lower, "bEARER  %s", made.tokens[0]);
	client->header[HEADER_AUTHORIZATION] = lower;
	assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
}

/* Whatever request for memory fails, the answer is 503, and nothing has happened. */
static void
memory_that_fails_changes_nothing(void **state)
{
	struct client *client = *state;
	static const struct {
		enum method method;
		unsigned status;
		const char *target, *body;
	} cases[] = {
	    {METHOD_GET, 200, "", NULL},
	    {METHOD_GET, 200, "/legal-moves", NULL},
	    {METHOD_GET, 200, "/moves", NULL},
	    {METHOD_GET, 200, "/positions/0", NULL},
	    {METHOD_GET, 200, "/board?ply=0&legal_from=a1", NULL},
	    {METHOD_GET, 200, "/record", NULL},
	    {METHOD_GET, 200, "/events", NULL},
	    {METHOD_GET, 400, "/moves?x=1", NULL},
	    {METHOD_POST, 200, "/moves?dry_run=true", "{\"move\":\"a1-b3\"}"},
	    {METHOD_POST, 409, "/moves", "{\"move\":\"a1-a3\"}"},
	    {METHOD_POST, 412, "/moves", "{\"move\":\"a1-b3\",\"expected_ply\":3}"},
	    {METHOD_POST, 400, "/moves", "{\"move\":1,\"n\":[2]}"},
	    {METHOD_POST, 201, "/moves", "{\"move\":\"a1-b3\"}"},
	    {METHOD_POST, 200, "/resignation", "{}"},
	};
	struct made made = make_game(client, "{\"variant\":\"iuvo-2\",\"seats\":[{\"name\":\"Ada\"},{}]}");
	client_token(client, made.tokens[0]);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
		int64_t seq = client_number(client, "seq");
		for (long calls = 0;; calls++) {
			client->memory = calls;
			unsigned status = send_to(client, cases[i].method, made.id, cases[i].target, cases[i].body);
			if (status == cases[i].status && !text_failed(&client->call.reply.body))
				break;
			assert_int_equal(status, 503);
			assert_true(calls < 1000);
			assert_null(client->call.changed);
			assert_int_equal(send_to(client, METHOD_GET, made.id, "", NULL), 200);
			assert_int_equal(client_number(client, "seq"), seq);
		}
	}
}

static void
memory_that_fails_makes_no_game(void **state)
{
	struct client *client = *state;
	static const struct {
		enum method method;
		unsigned status;
		const char *target, *body;
	} cases[] = {
	    {METHOD_POST, 201, "/v1/games", "{\"variant\":\"iuvo-2\",\"seats\":[{\"name\":\"Ada\"},{}]}"},
	    {METHOD_POST, 201, "/v1/records?visibility=public",
		"{\"format\":\"iuvod-record-1\",\"variant\":\"halma-2\",\"tags\":{\"Event\":\"x\"},\"moves\":[\"m1-"
		"k3\"]}"},
	    {METHOD_POST, 200, "/v1/analysis", "{\"variant\":\"iuvo-4\",\"moves\":[\"a1-b3\"]}"},
	    {METHOD_GET, 200, "/v1/games?limit=1", NULL},
	    {METHOD_GET, 200, "/v1/variants", NULL},
	    {METHOD_GET, 200, "/problems", NULL},
	    {METHOD_GET, 404, "/nothing", NULL},
	    {METHOD_PUT, 405, "/v1/games", NULL},
	    {METHOD_OPTIONS, 204, "/v1/games", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		get(client, "/v1/games");
		int games = cJSON_GetArraySize(client_at(client, "games"));
		for (long calls = 0;; calls++) {
			client->memory = calls;
			unsigned status = client_send(client, cases[i].method, cases[i].target, cases[i].body);
			if (status == cases[i].status && !text_failed(&client->call.reply.body))
				break;
			assert_int_equal(status, 503);
			assert_true(calls < 1000);
			get(client, "/v1/games");
			assert_int_equal(cJSON_GetArraySize(client_at(client, "games")), games);
		}
	}
}

static bool
always_false(void *arg)
{
	(void)arg;
	return false;
}

static void
the_service_tells_of_itself(void **state)
{
	struct client *client = *state;
	assert_int_equal(get(client, "/"), 200);
	const cJSON *link;
	char path[64];
	struct client *other;
	client_open((void **)&other);
	cJSON_ArrayForEach(link, client_at(client, "links"))
	{
		/* Some of them take POST alone, or want a token. */
		snprintf(path, sizeof path, "%s", link->valuestring);
		unsigned status = get(other, path);
		assert_true(status == 200 || status == 405 || status == 401);
	}
	client_close((void **)&other);
	assert_int_equal(get(client, "/v1/variants/iuvo-2-loose"), 200);
	assert_int_equal(client_number(client, "files"), 7);
	get(client, "/v1/variants/chess");
	client_problem(client, 404, "no-such-variant");
	assert_int_equal(get(client, "/problems/breaks-group"), 200);
	assert_int_equal(cJSON_GetArraySize(client_at(client, "rules")), 2);
	get(client, "/problems/none");
	client_problem(client, 404, "no-such-problem");
	client->service.ready = always_false;
	get(client, "/readyz");
	client_problem(client, 503, "storage");
	assert_string_equal(client_header(client, "Retry-After"), "1");
	client->service.ready = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, client_open, client_close)
	    TEST(a_game_is_created_with_a_token_for_each_seat),
	    TEST(a_move_is_played_and_sent_once_more),
	    TEST(a_dry_run_stores_nothing),
	    TEST(an_illegal_move_is_told_by_rule_and_cells),
	    TEST(checks_come_in_order),
	    TEST(a_resignation_ends_the_game),
	    TEST(a_document_is_not_sent_twice),
	    TEST(a_bad_body_is_told_whole),
	    TEST(what_is_for_the_operator_is_nowhere_else),
	    TEST(a_list_is_walked_by_its_links),
	    TEST(a_record_comes_back_byte_for_byte),
	    TEST(a_wrong_record_is_told_where),
	    TEST(analysis_answers_without_a_game),
	    TEST(the_log_is_read_from_anywhere),
	    TEST(links_carry_the_base_path),
	    TEST(every_board_is_drawn),
	    TEST(a_bad_token_is_refused_everywhere),
	    TEST(memory_that_fails_changes_nothing),
	    TEST(memory_that_fails_makes_no_game),
	    TEST(the_service_tells_of_itself),
	};
	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}

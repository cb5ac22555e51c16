/* Calls that are sent again with their Idempotency-Key (HTTP.md rule 5). */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/reply.h"
#include "api/retry.h"
#include "store/retries.h"

static const char KEY[] = "6f1c1b0e-2d3a-4b5c-8d7e";
static const char GAME[] = "{\"variant\":\"iuvo-2\"}";

static unsigned
post(struct client *client, const char *key, const char *target, const char *body)
{
	client->header[HEADER_IDEMPOTENCY_KEY] = key;
	return client_send(client, METHOD_POST, target, body);
}

static int
count_games(struct client *client)
{
	assert_int_equal(client_send(client, METHOD_GET, "/v1/games?limit=100", NULL), 200);
	return cJSON_GetArraySize(client_at(client, "games"));
}

/* A reply as one text: status, headers and body; from malloc. */
static char *
whole(const struct client *client)
{
	const struct reply *reply = &client->call.reply;
	struct text text = TEXT_EMPTY;
	text_printf(&text, "%u\n", reply->status);
	for (unsigned i = 0; i < reply->header_count; i++)
		if (strcmp(reply->headers[i].name, "Idempotency-Replayed") != 0)
			text_printf(&text, "%s: %s\n", reply->headers[i].name, reply->headers[i].value);
	text_put(&text, reply->body.bytes, reply->body.len);
	assert_false(text_failed(&text));
	return text.bytes;
}

static void
assert_replayed(const struct client *client, const char *first)
{
	char *again = whole(client);
	assert_string_equal(again, first);
	assert_string_equal(client_header(client, "Idempotency-Replayed"), "true");
	assert_null(client->call.changed);
	free(again);
}

static void
an_answer_is_given_again(void **state)
{
	struct client *client = *state;
	assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
	assert_null(client_header(client, "Idempotency-Replayed"));
	char *first = whole(client);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
		assert_replayed(client, first);
	}
	/* The way in which the path is written does not matter; blanks behind a header's value http/ has taken off. */
	assert_int_equal(post(client, KEY, "/v1/%67ames", GAME), 201);
	assert_replayed(client, first);
	assert_int_equal(count_games(client), 1);
	free(first);
}

static void
what_differs_is_another_call(void **state)
{
	struct client *client = *state;
	char token[TOKEN_LEN + 1];
	assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
	strcpy(token, client_text(client, "creator_token"));
	post(client, KEY, "/v1/games", "{\"variant\":\"iuvo-2\" }");
	client_problem(client, 422, "idempotency-key-reused");
	assert_string_equal(client_text(client, "header"), "Idempotency-Key");
	assert_int_equal(count_games(client), 1);
	assert_int_equal(post(client, "6F1c1b0e-2d3a-4b5c-8d7e", "/v1/games", GAME), 201);
	assert_null(client_header(client, "Idempotency-Replayed"));
	client_token(client, token);
	assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
	assert_null(client_header(client, "Idempotency-Replayed"));
	assert_int_equal(count_games(client), 3);
	/* The query belongs to what was asked; another path is another call. */
	static const char record[] = "{\"format\":\"iuvod-record-1\",\"variant\":\"iuvo-2\",\"moves\":[]}";
	assert_int_equal(post(client, KEY, "/v1/records", record), 201);
	assert_null(client_header(client, "Idempotency-Replayed"));
	post(client, KEY, "/v1/records?visibility=public", record);
	client_problem(client, 422, "idempotency-key-reused");
	assert_int_equal(count_games(client), 3);
}

static void
refusals_are_not_kept(void **state)
{
	struct client *client = *state;
	char tokens[2][TOKEN_LEN + 1], target[96];
	assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
	strcpy(tokens[0], client_text(client, "seats.0.token"));
	strcpy(tokens[1], client_text(client, "seats.1.token"));
	snprintf(target, sizeof target, "/v1/games/%s/moves", client_text(client, "id"));
	client_token(client, tokens[1]);
	post(client, "k", target, "{\"move\":\"a7-b5\"}");
	client_problem(client, 409, "not-your-turn");
	client_token(client, tokens[0]);
	post(client, "k", target, "{\"move\":\"a1-b2\"}");
	client_problem(client, 409, "not-a-jump");
	assert_int_equal(post(client, "k", target, "{\"move\":\"a1-b3\"}"), 201);
	client_token(client, tokens[1]);
	assert_int_equal(post(client, "k", target, "{\"move\":\"a7-b5\"}"), 201);
	assert_null(client_header(client, "Idempotency-Replayed"));
	/* Looked up before the precondition, and before whose turn it is. */
	client->header[HEADER_IF_MATCH] = "\"1-n-json\"";
	assert_int_equal(post(client, "k", target, "{\"move\":\"a7-b5\"}"), 201);
	assert_int_equal(client_number(client, "game.ply"), 2);
	assert_string_equal(client_header(client, "Idempotency-Replayed"), "true");
}

static void
a_dry_run_keeps_nothing(void **state)
{
	struct client *client = *state;
	char token[TOKEN_LEN + 1], id[ID_LEN + 1], target[96];
	assert_int_equal(client_send(client, METHOD_POST, "/v1/games", GAME), 201);
	strcpy(token, client_text(client, "seats.0.token"));
	strcpy(id, client_text(client, "id"));
	client_token(client, token);
	snprintf(target, sizeof target, "/v1/games/%s/moves?dry_run=true", id);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(post(client, KEY, target, "{\"move\":\"a1-b3\"}"), 200);
		assert_null(client_header(client, "Idempotency-Replayed"));
	}
	snprintf(target, sizeof target, "/v1/games/%s/moves", id);
	assert_int_equal(post(client, KEY, target, "{\"move\":\"a1-b3\"}"), 201);
}

static void
a_key_has_its_form(void **state)
{
	struct client *client = *state;
	static char longest[LIMIT_KEY + 2];
	static const char *const bad[] = {"", " ", "with a blank in the middle", "\x80\x80\x80\x80\x80\x80\x80\x80",
	    "0123456789012345678901\x7f", "0123456789012345678901\t0", longest};
	memset(longest, 'x', LIMIT_KEY + 1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		post(client, bad[i], "/v1/games", GAME);
		client_problem(client, 400, "invalid-header");
		assert_string_equal(client_text(client, "header"), "Idempotency-Key");
	}
	longest[LIMIT_KEY] = '\0';
	assert_int_equal(post(client, longest, "/v1/games", GAME), 201);
	char token[TOKEN_LEN + 1];
	strcpy(token, client_text(client, "creator_token"));
	longest[LIMIT_KEY_ALONE - 1] = '\0';
	post(client, longest, "/v1/games", GAME);
	client_problem(client, 400, "weak-idempotency-key");
	longest[LIMIT_KEY_ALONE - 1] = 'x';
	longest[LIMIT_KEY_ALONE] = '\0';
	assert_int_equal(post(client, longest, "/v1/games", GAME), 201);
	client_token(client, token);
	assert_int_equal(post(client, "1", "/v1/games", GAME), 201);
	/* Where nothing is changed none is looked at. */
	client_token(client, NULL);
	assert_int_equal(post(client, "1", "/v1/analysis", "{\"variant\":\"iuvo-2\",\"moves\":[]}"), 200);
}

/* Whatever request for memory fails, there is one game, and in the end its answer. */
static void
memory_that_fails_makes_one_game(void **state)
{
	struct client *client = *state;
	char *first = NULL;
	for (long calls = 0; first == NULL; calls++) {
		assert_int_equal(count_games(client), 0);
		client->memory = calls;
		unsigned status = post(client, KEY, "/v1/games", GAME);
		if (status == 201 && !text_failed(&client->call.reply.body))
			first = whole(client);
		else
			assert_int_equal(status, 503);
		assert_true(calls < 1000);
	}
	for (long calls = 0;; calls++) {
		client->memory = calls;
		unsigned status = post(client, KEY, "/v1/games", GAME);
		if (status == 201 && !text_failed(&client->call.reply.body))
			break;
		assert_int_equal(status, 503);
		assert_true(calls < 1000);
	}
	assert_replayed(client, first);
	assert_int_equal(count_games(client), 1);
	free(first);
}

/* A stored answer that was changed or cut is never sent. */
static void
a_damaged_answer_is_a_fault(void **state)
{
	struct client *client = *state;
	const unsigned char *box;
	size_t len;
	unsigned dropped;
	unsigned char hash[SEAL_KEY_LEN];
	for (unsigned damage = 0; damage < 2; damage++) {
		const char *key = damage == 0 ? "one-more-key-for-this:cut" : "one-more-key-for-this:changed";
		assert_int_equal(post(client, key, "/v1/games", GAME), 201);
		/* The hash is the first member of what the call was given. */
		memcpy(hash, client->call.retry, sizeof hash);
		assert_int_equal(retries_find(client->write, client->arena, hash, &box, &len), FAULT_NONE);
		assert_non_null(box);
		unsigned char changed[LIMIT_KEPT];
		memcpy(changed, box, len);
		changed[len - 1] ^= 1;
		assert_int_equal(db_write_begin(client->write), FAULT_NONE);
		assert_int_equal(retries_expire(client->write, INT64_MAX, 100, &dropped), FAULT_NONE);
		assert_int_equal(
		    retries_insert(client->write, hash, 1, NULL, changed, damage == 0 ? SEAL_ADDED : len), FAULT_NONE);
		assert_int_equal(db_commit(client->write), FAULT_NONE);
		post(client, key, "/v1/games", GAME);
		client_problem(client, 500, "internal");
	}
	assert_int_equal(count_games(client), 2);
}

static void
an_answer_too_large_is_a_fault(void **state)
{
	struct client *client = *state;
	assert_int_equal(post(client, KEY, "/v1/games", GAME), 201);
	struct call *call = &client->call;
	struct text filler = TEXT_EMPTY;
	while (filler.len < LIMIT_KEPT)
		text_puts(&filler, "0123456789abcdef");
	text_put(&call->reply.body, filler.bytes, filler.len);
	assert_int_equal(retry_keep(call), FAULT_INTERNAL);
	text_free(&filler);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, client_open, client_close)
	    TEST(an_answer_is_given_again),
	    TEST(what_differs_is_another_call),
	    TEST(refusals_are_not_kept),
	    TEST(a_dry_run_keeps_nothing),
	    TEST(a_key_has_its_form),
	    TEST(memory_that_fails_makes_one_game),
	    TEST(a_damaged_answer_is_a_fault),
	    TEST(an_answer_too_large_is_a_fault),
	};
	return cmocka_run_group_tests_name("retries", tests, NULL, NULL);
}

/* What streams of events say, page after page, without a network. */
#include "client.h"

#include <stdio.h>
#include <string.h>

#include "api/stream.h"

enum { MANY = 300 };

struct table {
	char id[ID_LEN + 1];
	char token[TOKEN_LEN + 1]; /* of seat 1 */
};

static struct table
make_game(struct client *client)
{
	struct table table;
	client_token(client, NULL);
	assert_int_equal(client_send(client, METHOD_POST, "/v1/games", "{\"variant\":\"iuvo-2\"}"), 201);
	strcpy(table.id, client_text(client, "id"));
	strcpy(table.token, client_text(client, "seats.0.token"));
	return table;
}

/* The stream that a call begins, or would wait for; NULL if it does neither. */
static const struct stream *
ask(struct client *client, const struct table *table, const char *accept, const char *last, const char *query)
{
	char target[128];
	snprintf(target, sizeof target, "/v1/games/%s/events%s", table->id, query);
	client->header[HEADER_ACCEPT] = accept;
	client->header[HEADER_LAST_EVENT_ID] = last;
	assert_int_equal(client_send(client, METHOD_GET, target, NULL), 200);
	return client->call.reply.stream;
}

static void
a_log_that_goes_on_is_handed_on(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	const struct stream *stream = ask(client, &table, "text/event-stream", NULL, "?after=1");
	assert_non_null(stream);
	assert_int_equal(stream->form, STREAM_SSE);
	assert_int_equal(stream->after, 1);
	assert_false(stream->reset || stream_seated(stream));
	assert_string_equal(stream->id, table.id);
	assert_string_equal(client_header(client, "Cache-Control"), "no-store");
	assert_int_equal(client->call.reply.body.len + client->call.reply.wait_seconds, 0);
	stream = ask(client, &table, "application/x-ndjson", "2", "?after=1");
	assert_true(stream->form == STREAM_NDJSON && stream->after == 2 && !stream->reset);
	assert_true(ask(client, &table, "text/event-stream", "3", "")->reset);
	assert_true(ask(client, &table, "text/event-stream", "x", "?after=2")->reset);
	assert_null(ask(client, &table, "text/event-stream", NULL, "?format=json"));
	client_token(client, table.token);
	assert_true(stream_seated(ask(client, &table, NULL, NULL, "?format=ndjson")));
}

static void
an_answer_waits_only_where_there_is_nothing_new(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	client->header[HEADER_PREFER] = "wait=5";
	assert_null(ask(client, &table, NULL, NULL, "?after=1"));
	assert_string_equal(client_header(client, "Preference-Applied"), "wait=5");
	client->header[HEADER_PREFER] = "wait=5";
	assert_non_null(ask(client, &table, NULL, NULL, "?after=2"));
	assert_int_equal(client->call.reply.wait_seconds, 5);
	assert_int_equal(client_number(client, "seq"), 2);
	client->header[HEADER_PREFER] = "wait=500";
	ask(client, &table, NULL, NULL, "?after=2");
	assert_int_equal(client->call.reply.wait_seconds, LIMIT_WAIT_SECONDS);
	client->header[HEADER_PREFER] = "wait=5";
	assert_null(ask(client, &table, NULL, NULL, "?after=3"));
}

/* Writes an event of its own into a game's log. */
static void
add_event(struct client *client, const struct stream *stream, unsigned seq, const char *type, const char *data)
{
	struct event_row row = {.seq = seq, .type = type, .at_ms = 1000 * seq, .seat = 1, .data = data};
	assert_int_equal(db_write_begin(client->write), FAULT_NONE);
	assert_int_equal(events_insert(client->write, stream->key, &row), FAULT_NONE);
	assert_int_equal(db_commit(client->write), FAULT_NONE);
}

static enum fault
page(struct client *client, const struct stream *stream, struct text *out, int64_t *to)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	assert_int_equal(db_read_begin(client->read), FAULT_NONE);
	enum fault fault = stream_page(&client->service, client->read, arena, 5000, stream, out, to);
	db_end(client->read);
	arena_close(arena);
	return fault;
}

static void
a_long_log_comes_in_pages_that_are_bounded(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	struct stream stream = *ask(client, &table, "application/x-ndjson", NULL, "?after=2");
	char data[512];
	unsigned lines = 0, pages = 0;
	snprintf(data, sizeof data, "{\"name\":\"%0400d\",\"open_seats\":[]}", 0);
	for (unsigned i = 0; i < MANY; i++)
		add_event(client, &stream, 3 + i, "seat_taken", data);
	while (stream.after < 2 + MANY) {
		struct text out = TEXT_EMPTY;
		int64_t to = 0;
		assert_int_equal(page(client, &stream, &out, &to), FAULT_NONE);
		assert_true(to > stream.after && out.len < 8 * 1024);
		for (size_t i = 0; i < out.len; i++)
			lines += out.bytes[i] == '\n';
		stream.after = to;
		pages++;
		text_free(&out);
	}
	assert_int_equal(lines, MANY);
	assert_true(pages > 10);
	struct text out = TEXT_EMPTY;
	int64_t to = 0;
	assert_int_equal(page(client, &stream, &out, &to), FAULT_NONE);
	assert_int_equal(to, stream.after);
	assert_int_equal(out.len, 0);
	text_free(&out);
}

static void
expect_page(struct client *client, const struct stream *stream, const char *wanted)
{
	struct text out = TEXT_EMPTY;
	int64_t to = 0;
	assert_int_equal(page(client, stream, &out, &to), FAULT_NONE);
	assert_string_equal(out.bytes, wanted);
	text_free(&out);
}

static void
offers_are_told_to_the_seats_alone(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	struct stream stream = *ask(client, &table, "text/event-stream", NULL, "?after=2");
	add_event(client, &stream, 3, "offer_made", "{\"kind\":\"draw\"}");
	expect_page(client, &stream,
	    "id: 3\nevent: private\ndata: {\"seq\":3,\"type\":\"private\",\"at\":\"1970-01-01T00:00:03.000Z\"}\n\n");
	client_token(client, table.token);
	stream = *ask(client, &table, "text/event-stream", NULL, "?after=2");
	expect_page(client, &stream,
	    "id: 3\nevent: offer_made\ndata: {\"seq\":3,\"type\":\"offer_made\",\"at\":\"1970-01-01T00:00:03.000Z\","
	    "\"ply\":0,\"seat\":1,\"data\":{\"kind\":\"draw\"}}\n\n");
	/* The same in JSON. */
	ask(client, &table, NULL, NULL, "?after=2");
	assert_string_equal(client_text(client, "events.0.data.kind"), "draw");
	client_token(client, NULL);
	ask(client, &table, NULL, NULL, "?after=2");
	assert_string_equal(client_text(client, "events.0.type"), "private");
	assert_null(client_at(client, "events.0.data"));
}

static void
goodbye_says_where_to_go_on(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	struct stream stream = *ask(client, &table, "text/event-stream", NULL, "?after=2");
	struct stream_tip tip = {.seq = 9, .ply = 4};
	struct text out = TEXT_EMPTY;
	stream_goodbye(&stream, &tip, 7000, "stopping", &out);
	assert_string_equal(out.bytes,
	    "id: 2\nevent: goodbye\ndata: {\"seq\":2,\"type\":\"goodbye\",\"at\":\"1970-01-01T00:00:07.000Z\","
	    "\"ply\":4,\"seat\":null,\"data\":{\"reason\":\"stopping\"}}\n\n");
	text_free(&out);
}

static void
a_token_that_died_is_found_dead(void **state)
{
	struct client *client = *state;
	struct table table = make_game(client);
	char target[128];
	client_token(client, table.token);
	struct stream stream = *ask(client, &table, "text/event-stream", NULL, "");
	assert_int_equal(stream_alive(client->read, &stream), FAULT_NONE);
	snprintf(target, sizeof target, "/v1/games/%s/seats/1/token", table.id);
	assert_int_equal(client_send(client, METHOD_POST, target, NULL), 200);
	assert_int_equal(stream_alive(client->read, &stream), FAULT_TOKEN_UNKNOWN);
	client_token(client, NULL);
	stream = *ask(client, &table, "text/event-stream", NULL, "");
	assert_int_equal(stream_alive(client->read, &stream), FAULT_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_log_that_goes_on_is_handed_on),
	    cmocka_unit_test(an_answer_waits_only_where_there_is_nothing_new),
	    cmocka_unit_test(a_long_log_comes_in_pages_that_are_bounded),
	    cmocka_unit_test(offers_are_told_to_the_seats_alone),
	    cmocka_unit_test(goodbye_says_where_to_go_on),
	    cmocka_unit_test(a_token_that_died_is_found_dead),
	};
	return cmocka_run_group_tests(tests, client_open, client_close);
}

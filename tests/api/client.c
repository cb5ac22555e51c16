#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/token.h"
#include "store/db.h"

enum { NOW_MS = 1767323045 };

int
client_open(void **state)
{
	struct client *client = calloc(1, sizeof *client);
	char path[FOLDER_FILE_MAX], why[256] = "";
	assert_non_null(client);
	assert_true(token_init());
	assert_true(folder_make(NULL, "api", client->directory));
	snprintf(path, sizeof path, "%s/games.db", client->directory);
	client->write = db_open(path, DB_WRITE, why, sizeof why);
	if (client->write == NULL)
		fail_msg("%s", why);
	client->read = db_open(path, DB_READ, why, sizeof why);
	assert_non_null(client->read);
	client->service = (struct service){
	    .version = "0.0.0", .base_path = "", .schema = 1, .started_ms = NOW_MS, .limits = SERVICE_LIMITS_DEFAULT};
	client->memory = -1;
	*state = client;
	return 0;
}

static void
forget(struct client *client)
{
	text_free(&client->call.reply.body);
	arena_close(client->arena);
	client->arena = NULL;
	client->json = NULL;
}

int
client_close(void **state)
{
	struct client *client = *state;
	forget(client);
	db_close(client->read);
	db_close(client->write);
	bool gone = folder_remove(client->directory);
	free(client);
	return gone ? 0 : -1;
}

static void
run_write(struct client *client)
{
	struct call *call = &client->call;
	assert_int_equal(db_write_begin(client->write), FAULT_NONE);
	assert_int_equal(db_savepoint(client->write), FAULT_NONE);
	call->db = client->write;
	enum fault fault = call_run(call) ? db_release(client->write) : db_rollback_to(client->write);
	assert_int_equal(fault, FAULT_NONE);
	assert_int_equal(db_commit(client->write), FAULT_NONE);
}

static void
run_read(struct client *client)
{
	assert_int_equal(db_read_begin(client->read), FAULT_NONE);
	client->call.db = client->read;
	call_run(&client->call);
	db_end(client->read);
}

static void
take_headers(struct client *client, const char *body)
{
	struct call *call = &client->call;
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		call->header[i] = client->header[i];
	if (client->authorization[0] != '\0')
		call->header[HEADER_AUTHORIZATION] = client->authorization;
	if (body != NULL && call->header[HEADER_CONTENT_TYPE] == NULL)
		call->header[HEADER_CONTENT_TYPE] = "application/json";
	call->content_length = body == NULL ? 0 : strlen(body);
	memset(client->header, 0, sizeof client->header);
}

static void
run_call(struct client *client, const char *body)
{
	struct call *call = &client->call;
	call_begin(call);
	call->body = body;
	call->body_len = body == NULL ? 0 : strlen(body);
	if (!call->replied && call_prepare(call) == LANE_WRITE)
		run_write(client);
	else if (!call->replied)
		run_read(client);
}

unsigned
client_send(struct client *client, enum method method, const char *target, const char *body)
{
	static const char *const names[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"};
	struct json_fault where;
	struct call *call = &client->call;
	forget(client);
	memory_fail_after(client->memory);
	client->memory = -1;
	client->arena = arena_open(LIMIT_ARENA);
	*call = (struct call){
	    .arena = client->arena,
	    .service = &client->service,
	    .request_id = "1-1",
	    .method = method,
	    .method_text = names[method],
	    .target = target,
	    .now_ms = NOW_MS,
	};
	take_headers(client, body);
	if (client->arena == NULL)
		call_fail(call, FAULT_OUT_OF_MEMORY, NULL);
	else
		run_call(client, body);
	memory_fail_after(-1);
	assert_true(call->replied);
	if (text_failed(&call->reply.body))
		return call->reply.status;
	if (call->reply.body.len > 0 && call->reply.body.bytes[0] == '{')
		assert_int_equal(
		    json_read(client->arena, call->reply.body.bytes, call->reply.body.len, &client->json, &where),
		    FAULT_NONE);
	return call->reply.status;
}

const char *
client_header(const struct client *client, const char *name)
{
	for (unsigned i = 0; i < client->call.reply.header_count; i++) {
		if (strcmp(client->call.reply.headers[i].name, name) == 0)
			return client->call.reply.headers[i].value;
	}
	return NULL;
}

const cJSON *
client_at(const struct client *client, const char *path)
{
	const cJSON *at = client->json;
	while (*path != '\0' && at != NULL) {
		char name[64];
		size_t len = strcspn(path, ".");
		snprintf(name, sizeof name, "%.*s", (int)len, path);
		at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(name)) : json_member(at, name);
		path += len;
		path += *path == '.';
	}
	return at;
}

const char *
client_text(const struct client *client, const char *path)
{
	const char *text = cJSON_GetStringValue(client_at(client, path));
	return text == NULL ? "(no text)" : text;
}

int64_t
client_number(const struct client *client, const char *path)
{
	const cJSON *number = client_at(client, path);
	return cJSON_IsNumber(number) ? (int64_t)number->valuedouble : -1;
}

void
client_token(struct client *client, const char *token)
{
	client->authorization[0] = '\0';
	if (token != NULL)
		snprintf(client->authorization, sizeof client->authorization, "Bearer %s", token);
}

void
client_problem(const struct client *client, unsigned status, const char *code)
{
	if (client->call.reply.status != status || strcmp(client_text(client, "code"), code) != 0)
		fail_msg("expected %u %s, got %u %s", status, code, client->call.reply.status,
		    client->call.reply.body.bytes == NULL ? "" : client->call.reply.body.bytes);
	assert_string_equal(client_header(client, "Content-Type"), "application/problem+json");
	assert_int_equal(client_number(client, "status"), status);
	assert_string_equal(client_header(client, "Access-Control-Allow-Origin"), "*");
}

#include "tests/fuzz/caller.h"

#include <sodium.h>
#include <string.h>

#include "api/accept.h"
#include "api/question.h"
#include "api/stream.h"
#include "base/token.h"
#include "engine/search.h"
#include "engine/verdict.h"
#include "play/sweep.h"
#include "play/verify_game.h"
#include "store/db.h"
#include "tests/folder.h"
#include "tests/fuzz/fuzz.h"

#define BEGIN_MS INT64_C(1767323045678)

static char directory[FOLDER_MAX], path[FOLDER_FILE_MAX];
static struct db *db;
static struct search *search;
static uint64_t chance; /* how much of it was asked for by this input */
static int64_t now_ms;
static struct arena *arena; /* of the last call */
static struct call call;
static char *body; /* of the last call */

/* ---- the world around api/ ---- */

static const char *
chance_name(void)
{
	return "the same in every run";
}

static void
chance_fill(void *const bytes, const size_t len)
{
	unsigned char seed[randombytes_SEEDBYTES] = {0};
	chance++;
	memcpy(seed, &chance, sizeof chance);
	randombytes_buf_deterministic(bytes, len, seed);
}

static uint32_t
chance_number(void)
{
	uint32_t number;
	chance_fill(&number, sizeof number);
	return number;
}

static bool
is_ready(void *arg)
{
	(void)arg;
	return true;
}

static bool
is_stopping(void *arg)
{
	(void)arg;
	return false;
}

static bool
move_clock(int64_t ms)
{
	if (ms < now_ms)
		return false;
	now_ms = ms;
	return true;
}

static const struct service service = {
    .version = "0.0.0",
    .base_path = "/base",
    .schema = 1,
    .started_ms = BEGIN_MS,
    .ready = is_ready,
    .move_clock = move_clock,
    .stopping = is_stopping,
    .engine = true,
    .limits = SERVICE_LIMITS_DEFAULT,
};

/* ---- once ---- */

static void
remove_files(void)
{
	db_close(db);
	folder_remove(directory);
}

static void
open_world(void)
{
	static struct randombytes_implementation same = {
	    .implementation_name = chance_name, .random = chance_number, .buf = chance_fill};
	char why[512] = "";
	FUZZ_CHECK(randombytes_set_implementation(&same) == 0 && token_init());
	FUZZ_CHECK(folder_make(getenv("TMPDIR"), "fuzz", directory));
	snprintf(path, sizeof path, "%s/games.db", directory);
	db = db_open(path, DB_WRITE, why, sizeof why);
	FUZZ_CHECK(db != NULL);
	atexit(remove_files);
	void *memory = aligned_alloc(64, SEARCH_MEMORY_MIN);
	FUZZ_CHECK(memory != NULL);
	search = search_open(memory, SEARCH_MEMORY_MIN);
}

/* ---- an input ---- */

void
caller_begin(void)
{
	if (db == NULL)
		open_world();
	chance = 0;
	now_ms = BEGIN_MS;
	FUZZ_CHECK(db_write_begin(db) == FAULT_NONE);
}

static void
forget(void)
{
	text_free(&call.reply.body);
	free(body);
	body = NULL;
	arena_close(arena);
	arena = NULL;
}

static void
ignore(void *arg, const struct game *game)
{
	(void)arg, (void)game;
}

static void
sweep_failed(void *arg, const char id[ID_LEN + 1], enum fault fault)
{
	(void)arg;
	fprintf(stderr, "%s: %s\n", id, fault_row(fault)->slug);
	FUZZ_CHECK(!"what is due can be done");
}

/* As the lane does before its calls. */
static void
sweep(void)
{
	const struct sweep due = {.db = db, .now_ms = now_ms, .changed = ignore, .failed = sweep_failed};
	unsigned count = 0;
	do
		FUZZ_CHECK(sweep_due(&due, &count) == FAULT_NONE);
	while (count > 0);
}

void
caller_wait(int64_t ms)
{
	now_ms += ms;
	sweep();
}

static void
difference(void *arg, const char *id, const char *line)
{
	(void)arg;
	fprintf(stderr, "%s: %s\n", id, line);
}

static void
verify_games(void)
{
	struct verify_count count = {0};
	struct verify verify = {.db = db, .count = &count, .difference = difference};
	int64_t key = 0;
	bool found = true;
	while (found) {
		verify.arena = arena_open(LIMIT_ARENA);
		FUZZ_CHECK(verify.arena != NULL);
		FUZZ_CHECK(games_next(db, verify.arena, key, &verify.row, &found) == FAULT_NONE);
		if (found) {
			key = verify.row.game;
			FUZZ_CHECK(verify_game(&verify) == FAULT_NONE);
		}
		arena_close(verify.arena);
	}
	FUZZ_CHECK(count.differences == 0);
}

void
caller_end(void)
{
	forget();
	verify_games();
	db_end(db);
}

/* ---- a call ---- */

static enum method
method_of(const char *text)
{
	static const char *const names[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
	unsigned method = METHOD_GET;
	while (method < METHOD_OTHER && strcmp(names[method], text) != 0)
		method++;
	return (enum method)method;
}

/* On the writer's connection in either lane: nothing is committed that another could read. */
static void
run(void)
{
	call.db = db;
	if (call.lane == LANE_WRITE)
		sweep();
	FUZZ_CHECK(db_savepoint(db) == FAULT_NONE);
	bool keep = call_run(&call);
	FUZZ_CHECK(call.replied != (call.question != NULL));
	FUZZ_CHECK((keep && call.lane == LANE_WRITE ? db_release(db) : db_rollback_to(db)) == FAULT_NONE);
}

/* The engine says the first thing that comes to its mind. */
static void
think(void)
{
	static const _Atomic bool stop = true;
	while (call.question->step(call.question, search, &stop))
		;
	call_answer(&call);
}

static void
take(const struct caller_request *request)
{
	forget();
	arena = arena_open(LIMIT_ARENA);
	body = malloc(request->body_len + 1);
	FUZZ_CHECK(arena != NULL && body != NULL);
	if (request->body_len > 0)
		memcpy(body, request->body, request->body_len);
	body[request->body_len] = '\0';
	call = (struct call){
	    .arena = arena,
	    .service = &service,
	    .request_id = "1-1",
	    .method = method_of(request->method),
	    .method_text = request->method,
	    .target = request->target,
	    .now_ms = now_ms,
	};
	memcpy(call.header, request->header, sizeof call.header);
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		call.header_times[i] = call.header[i] != NULL;
	if (call.header[HEADER_TRANSFER_ENCODING] == NULL)
		call.content_length = request->body_len;
}

static void
answer(const struct caller_request *request)
{
	call_begin(&call);
	if (call.replied)
		return;
	if (request->body_len > call.body_limit && call.body_limit > 0) {
		call_fail(&call, FAULT_BODY_TOO_LARGE, NULL);
		return;
	}
	if (request->body_len > 0 && call.body_limit > 0) {
		call.body = body;
		call.body_len = request->body_len;
	}
	call_prepare(&call);
	run();
	if (call.question != NULL && !call.replied)
		think();
}

/* ---- what must hold of every reply ---- */

static const char *
header_of(const char *name)
{
	for (unsigned i = 0; i < call.reply.header_count; i++)
		if (strcmp(call.reply.headers[i].name, name) == 0)
			return call.reply.headers[i].value;
	return NULL;
}

static void
check_headers(void)
{
	FUZZ_CHECK(call.reply.header_count < REPLY_HEADERS_MAX);
	for (unsigned i = 0; i < call.reply.header_count; i++)
		for (const char *c = call.reply.headers[i].value; *c != '\0'; c++)
			FUZZ_CHECK(*c >= ' ' && *c <= '~');
	FUZZ_CHECK(header_of("Access-Control-Allow-Origin") != NULL);
}

static bool
is_code(const char *code, unsigned status)
{
	for (int fault = FAULT_NONE + 1; fault < FAULT_COUNT; fault++)
		if (strcmp(fault_row((enum fault)fault)->slug, code) == 0)
			return fault_row((enum fault)fault)->status == status;
	for (int verdict = VERDICT_LEGAL + 1; verdict < VERDICT_COUNT; verdict++)
		if (strcmp(verdict_row((enum verdict)verdict)->slug, code) == 0)
			return status == 409;
	return false;
}

static void
check_problem(const cJSON *json)
{
	const char *code = json_text(json, "code");
	FUZZ_CHECK(strcmp(header_of("Content-Type"), "application/problem+json") == 0);
	FUZZ_CHECK(code != NULL && json_text(json, "detail") != NULL);
	FUZZ_CHECK(json_int(json, "status", 0) == (int64_t)call.reply.status && is_code(code, call.reply.status));
	FUZZ_CHECK(call.reply.status != 405 || header_of("Allow") != NULL);
	FUZZ_CHECK(call.reply.status != 401 || header_of("WWW-Authenticate") != NULL);
}

static const cJSON *
read_body(void)
{
	const struct text *text = &call.reply.body;
	const char *type = header_of("Content-Type");
	const cJSON *json = NULL;
	struct json_fault where = {0};
	if (text->len == 0)
		return NULL;
	FUZZ_CHECK(type != NULL && text_utf8_prefix(text->bytes, text->len) == text->len);
	if (strcmp(type, "application/json") != 0 && strcmp(type, "application/problem+json") != 0)
		return NULL;
	enum fault fault = json_read(arena, text->bytes, text->len, &json, &where);
	if (fault != FAULT_NONE)
		fprintf(stderr, "%u:%u: %s: %s\n", where.line, where.column, where.why, text->bytes);
	FUZZ_CHECK(fault == FAULT_NONE);
	return json;
}

/* The log goes on: so much of it as there is. */
static void
read_stream(void)
{
	struct text text = TEXT_EMPTY;
	int64_t to = 0;
	if (call.reply.stream == NULL)
		return;
	FUZZ_CHECK(stream_page(&service, db, arena, now_ms, call.reply.stream, &text, &to) == FAULT_NONE);
	FUZZ_CHECK(!text_failed(&text));
	FUZZ_CHECK(text.len == 0 || text_utf8_prefix(text.bytes, text.len) == text.len);
	text_free(&text);
}

const struct call *
caller_send(const struct caller_request *request, const cJSON **json)
{
	take(request);
	answer(request);
	FUZZ_CHECK(call.replied && !text_failed(&call.reply.body));
	FUZZ_CHECK(call.reply.status >= 200 && call.reply.status < 500);
	check_headers();
	*json = read_body();
	if (call.reply.status >= 400)
		check_problem(*json);
	read_stream();
	return &call;
}

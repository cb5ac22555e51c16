/*
 * A record as JSON, imported as a new game.  What is taken is the record of a game
 * whose own record, as JSON or as text, makes the same game again.
 */
#include <string.h>

#include "tests/fuzz/caller.h"
#include "tests/fuzz/fuzz.h"

static const char *const forms[] = {"application/json", "text/plain"};

/* Imports a record; false if it was refused.  Else where its game has its own. */
static bool
import(const char *form, const char *body, size_t len, char record[64])
{
	struct caller_request request = {.method = "POST", .target = "/v1/records", .body = body, .body_len = len};
	const cJSON *json;
	request.header[HEADER_CONTENT_TYPE] = form;
	if (caller_send(&request, &json)->reply.status != 201)
		return false;
	snprintf(record, 64, "/v1/games/%s/record", json_text(json, "id"));
	return true;
}

/* The record in one of its forms; free it. */
static struct text
fetch(const char *form, const char *target)
{
	struct caller_request request = {.method = "GET", .target = target};
	const cJSON *json;
	struct text copy = TEXT_EMPTY;
	request.header[HEADER_ACCEPT] = form;
	const struct call *call = caller_send(&request, &json);
	FUZZ_CHECK(call->reply.status == 200);
	text_put(&copy, call->reply.body.bytes, call->reply.body.len);
	FUZZ_CHECK(!text_failed(&copy));
	return copy;
}

static void
check_again(const char *first)
{
	char second[64];
	for (unsigned i = 0; i < 2; i++) {
		struct text as_json = fetch(forms[0], first), record = fetch(forms[i], first);
		FUZZ_CHECK(import(forms[i], record.bytes, record.len, second));
		struct text again = fetch(forms[0], second);
		FUZZ_CHECK(as_json.len == again.len && memcmp(as_json.bytes, again.bytes, again.len) == 0);
		text_free(&as_json);
		text_free(&record);
		text_free(&again);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char record[64];
	caller_begin();
	if (import(forms[0], (const char *)data, size, record))
		check_again(record);
	caller_end();
	return 0;
}

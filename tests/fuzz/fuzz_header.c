/*
 * The values of headers and parameters: every input is read as each of them.
 */
#include <string.h>

#include "api/accept.h"
#include "api/cursor.h"
#include "api/etag.h"
#include "api/field.h"
#include "api/prefer.h"
#include "base/clock.h"
#include "base/text.h"
#include "tests/fuzz/fuzz.h"

enum { WAIT_MOST = 50, SEQ = 12 };

static void
check_accept(const char *header)
{
	static const char *const types[] = {"application/json", "text/event-stream", "image/svg+xml", NULL};
	static const char *const fewer[] = {"text/event-stream", NULL};
	const char *best = accept_pick(header, types), *only = accept_pick(header, fewer);
	FUZZ_CHECK(best == NULL || best == types[0] || best == types[1] || best == types[2]);
	/* What is taken of one is taken of more; what is best is taken alone. */
	FUZZ_CHECK(only == NULL || best != NULL);
	FUZZ_CHECK(best != types[1] || only == fewer[0]);
	FUZZ_CHECK(!accept_is_type(header, "application/json") || !accept_is_type(header, "text/plain"));
}

static void
check_prefer(const char *header)
{
	unsigned most = prefer_wait(header, WAIT_MOST), least = prefer_wait(header, 1);
	FUZZ_CHECK(most <= WAIT_MOST && least == (most > 0));
	prefer_minimal(header);
}

/* A tag that an If-None-Match names is named by an If-Match too, unless that is weak or cannot be read. */
static void
check_tags(const char *header)
{
	enum etag_answer answer = etag_match(header, SEQ);
	FUZZ_CHECK(answer == ETAG_GOOD || answer == ETAG_STALE || answer == ETAG_UNREADABLE);
	if (etag_none_match(header, "\"12-s1-json\"") && strstr(header, "W/") == NULL)
		FUZZ_CHECK(answer != ETAG_STALE);
}

static void
check_cursor(const char *text)
{
	struct cursor cursor;
	char again[CURSOR_LEN + 1];
	if (!cursor_read(text, "/v1/games", &cursor))
		return;
	FUZZ_CHECK(token_is_id(cursor.id, strlen(cursor.id)));
	cursor_write(&cursor, "/v1/games", again);
	FUZZ_CHECK(strcmp(text, again) == 0 && !cursor_read(text, "/v1/me/games", &cursor));
}

static void
check_time(const char *text, size_t len)
{
	int64_t ms = 0, again = 0;
	char written[CLOCK_TEXT_MAX];
	if (!clock_read(text, len, &ms))
		return;
	size_t written_len = clock_text(ms, written);
	FUZZ_CHECK(written_len < CLOCK_TEXT_MAX && clock_read(written, written_len, &again) && again == ms);
}

static void
check_number(const char *text, size_t len)
{
	uint64_t value;
	char again[32];
	if (!text_read_uint(text, len, UINT64_MAX, &value))
		return;
	int written = snprintf(again, sizeof again, "%llu", (unsigned long long)value);
	FUZZ_CHECK((size_t)written == len && memcmp(text, again, len) == 0);
	FUZZ_CHECK(value == 0 || !text_read_uint(text, len, value - 1, &value));
}

static void
check_utf8(const char *text, size_t len)
{
	size_t prefix = text_utf8_prefix(text, len), at = 0, count = 0;
	FUZZ_CHECK(prefix <= len && text_utf8_prefix(text, prefix) == prefix);
	while (at < prefix) {
		uint32_t code_point = text_utf8_next(text, prefix, &at);
		FUZZ_CHECK(code_point <= 0x10ffff && (code_point < 0xd800 || code_point > 0xdfff) && at <= prefix);
		text_name_char(code_point);
		count++;
	}
	FUZZ_CHECK(text_utf8_count(text, prefix) == count);
}

static void
check_field(const char *text, size_t len)
{
	FUZZ_CHECK(field_token(text) <= len);
	const char *behind = field_skip_space(text);
	FUZZ_CHECK(behind >= text && behind <= text + len);
	const char *end = *text == '"' ? field_skip_quoted(text) : NULL;
	FUZZ_CHECK(end == NULL || (end >= text + 2 && end <= text + len && end[-1] == '"'));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	size_t len = strlen(text); /* a header ends at its first NUL */
	check_accept(text);
	check_prefer(text);
	check_tags(text);
	check_cursor(text);
	check_time(text, len);
	check_number(text, len);
	check_utf8(text, size);
	check_field(text, len);
	free(text);
	return 0;
}

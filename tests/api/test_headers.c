/* Accept and Content-Type, entity tags, cursors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "api/accept.h"
#include "api/cursor.h"
#include "api/etag.h"
#include "api/prefer.h"

static void
the_best_liked_type_is_sent(void **state)
{
	(void)state;
	static const char *const types[] = {"image/svg+xml", "text/plain", NULL};
	static const struct {
		const char *header, *picked;
	} cases[] = {
	    {NULL, "image/svg+xml"},
	    {"", "image/svg+xml"},
	    {"*/*", "image/svg+xml"},
	    {"text/plain", "text/plain"},
	    {"TEXT/Plain", "text/plain"},
	    {"text/*", "text/plain"},
	    {"text/plain, image/svg+xml", "image/svg+xml"},
	    {"text/plain, image/svg+xml;q=0.9", "text/plain"},
	    {"text/plain;q=0.5,*/*;q=0.4", "text/plain"},
	    {"*/*;q=0.1, image/svg+xml;q=0", "text/plain"},
	    {"text/*;q=0.9, text/plain;q=0.1, image/*;q=0.5", "image/svg+xml"},
	    {"text/plain; charset=utf-8; q=1.000", "text/plain"},
	    {"text/plain ; format=\"a,b;\\\"q=0\" , x/y", "text/plain"},
	    {",, text/plain ,", "text/plain"},
	    {"nonsense, text/plain", "text/plain"},
	    {"text/plain;q=2, image/svg+xml;q=0.1", "image/svg+xml"},
	    {"text/plain;q=0", NULL},
	    {"application/json", NULL},
	    {"text", NULL},
	    {"*", NULL},
	    {"text/plain;q", NULL},
	    {"*/plain", NULL},
	    {"text/plain/x", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *picked = accept_pick(cases[i].header, types);
		if (picked != cases[i].picked &&
		    (picked == NULL || cases[i].picked == NULL || strcmp(picked, cases[i].picked) != 0))
			fail_msg("%s: %s", cases[i].header, picked == NULL ? "none" : picked);
	}
}

static void
a_body_is_json_in_any_letter_case(void **state)
{
	(void)state;
	static const char *const good[] = {"application/json", "Application/JSON", "application/json;charset=utf-8",
	    "application/json; Charset=\"UTF-8\"", "application/json ; charset=utf-8"};
	static const char *const bad[] = {"", "application/jsonp", "application/json; version=1",
	    "application/json;charset=utf-8;x=y", "application/json5", "text/json", "application/json; charset=latin1",
	    "application/json; charset", "application/json; charset=", "application/json, text/plain",
	    "application/json;;", "application/json; charset=\"utf-8", "application/json x", "application /json"};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (!accept_is_type(good[i], "application/json"))
			fail_msg("%s", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (accept_is_type(bad[i], "application/json"))
			fail_msg("%s", bad[i]);
	}
}

static void
a_tag_names_seq_viewer_and_format(void **state)
{
	(void)state;
	const struct holder nobody = {0}, seat = {.known = true, .seats = 2}, stranger = {.known = true};
	const struct holder creator = {.known = true, .creator = true},
			    all = {.known = true, .seats = 5, .creator = true};
	char tag[ETAG_MAX];
	assert_int_equal(etag_write(&(struct game_row){.seq = 12}, &nobody, "json", tag), strlen("\"12-n-json\""));
	assert_string_equal(tag, "\"12-n-json\"");
	etag_write(&(struct game_row){.seq = 4294967295u}, &seat, "text", tag);
	assert_string_equal(tag, "\"4294967295-s2-text\"");
	etag_write(&(struct game_row){.seq = 0}, &creator, "svg", tag);
	assert_string_equal(tag, "\"0-c-svg\"");
	etag_write(&(struct game_row){.seq = 1}, &stranger, "json", tag);
	assert_string_equal(tag, "\"1-x-json\"");
	etag_write(&(struct game_row){.seq = 1}, &all, "json", tag);
	assert_string_equal(tag, "\"1-cs13-json\"");
	etag_write(&(struct game_row){.seq = 1, .rematch = "x"}, &all, "json", tag);
	assert_string_equal(tag, "\"1-cs13-json-r\"");
}

static void
none_match_compares_weakly(void **state)
{
	(void)state;
	const char *tag = "\"12-n-json\"";
	assert_true(etag_none_match("\"12-n-json\"", tag));
	assert_true(etag_none_match("W/\"12-n-json\"", tag));
	assert_true(etag_none_match("\"a\", \"b,c\" ,W/\"12-n-json\"", tag));
	assert_true(etag_none_match(" * ", tag));
	assert_true(etag_none_match(",,\"12-n-json\",", tag));
	assert_false(etag_none_match("\"12-s1-json\"", tag));
	assert_false(etag_none_match("\"1\"", tag));
	assert_false(etag_none_match("12-n-json", tag));
	assert_false(etag_none_match("\"12-n-json", tag));
	assert_false(etag_none_match("w/\"12-n-json\"", tag));
	assert_false(etag_none_match("", tag));
	assert_false(etag_none_match("*, \"a\"", tag));
}

static void
match_looks_at_the_seq_alone(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		enum etag_answer answer;
	} cases[] = {
	    {"*", ETAG_GOOD},
	    {"\"12-n-json\"", ETAG_GOOD},
	    {"\"12-s1-text\"", ETAG_GOOD},
	    {"\"12-s1-text-r\"", ETAG_GOOD},
	    {"\"11-n-json\", \"12-n-json\"", ETAG_GOOD},
	    {"\"12-n-json\",\"11-n-json\"", ETAG_GOOD},
	    {"\"11-n-json\"", ETAG_STALE},
	    {"\"112-n-json\"", ETAG_STALE},
	    {"\"012-n-json\"", ETAG_STALE},
	    {"W/\"12-n-json\"", ETAG_STALE},
	    {"\"12\"", ETAG_STALE},
	    {"\"\"", ETAG_STALE},
	    {"\"-12\"", ETAG_STALE},
	    {"\"18446744073709551628-n-json\"", ETAG_STALE},
	    {"12", ETAG_UNREADABLE},
	    {"", ETAG_UNREADABLE},
	    {" , ", ETAG_UNREADABLE},
	    {"\"12-n-json\" \"11\"", ETAG_UNREADABLE},
	    {"\"12-n-json\", x", ETAG_UNREADABLE},
	    {"\"12 n json\"", ETAG_UNREADABLE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (etag_match(cases[i].header, 12) != cases[i].answer)
			fail_msg("%s: %d", cases[i].header, (int)etag_match(cases[i].header, 12));
	}
}

static void
a_cursor_comes_back_for_its_own_list_alone(void **state)
{
	(void)state;
	const struct cursor cursor = {.id = "abcdefghijklmnopqrstuvwxya", .updated_ms = 1767323045678};
	struct cursor read = {.id = "untouched"};
	char text[CURSOR_LEN + 1], changed[CURSOR_LEN + 2];
	cursor_write(&cursor, "status=active&", text);
	assert_int_equal(strlen(text), CURSOR_LEN);
	assert_false(cursor_read(text, "", &read));
	assert_false(cursor_read(text, "status=active", &read));
	for (size_t i = 0; i < CURSOR_LEN; i++) {
		memcpy(changed, text, sizeof text);
		changed[i] = changed[i] == 'b' ? 'c' : 'b';
		assert_false(cursor_read(changed, "status=active&", &read));
		changed[i] = '\0';
		assert_false(cursor_read(changed, "status=active&", &read));
	}
	memcpy(changed, text, CURSOR_LEN);
	memcpy(changed + CURSOR_LEN, "0", 2);
	assert_false(cursor_read(changed, "status=active&", &read));
	assert_string_equal(read.id, "untouched");
	assert_true(cursor_read(text, "status=active&", &read));
	assert_string_equal(read.id, cursor.id);
	assert_int_equal(read.updated_ms, cursor.updated_ms);
}

static void
a_minimal_answer_is_asked_for_in_so_many_words(void **state)
{
	(void)state;
	static const char *const asked[] = {"return=minimal", "Return=Minimal", "return=\"minimal\"",
	    " return\t= minimal ", "wait=5, return=minimal", "wait=5,,return=minimal,", "return=minimal;",
	    "return=minimal; x=1;y ; z=\"a,b\"", "return=minimal;;x", "return=minimal, return=minimal",
	    "return=minimal, return=other", "x=\"return=representation, \\\" ,\", return=minimal",
	    "(nonsense), return=minimal", "x y, return=minimal", "a, \"b, c\", return=minimal"};
	static const char *const not_asked[] = {"", ",", "return", "return=", "return=\"\"", "minimal",
	    "returns=minimal", "return=minimally", "return=min", "return=representation",
	    "return=representation, return=minimal", "return=minimal, wait=1, return=representation",
	    "return=other, return=minimal", "return, return=minimal", "respond-async; return=minimal",
	    "x=\"return=minimal", "x=\", return=minimal", "x=\", return=minimal\"", "return=minimal x",
	    "return=minimal;=1", "return=minimal;x=\"", "return==minimal", "=minimal", "return=\"minimal",
	    "return=\"minimal\"x", "return:minimal", "return=\"minimal\\", "return=\"\\\"minimal\""};
	assert_false(prefer_minimal(NULL));
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		if (!prefer_minimal(asked[i]))
			fail_msg("%s", asked[i]);
	for (size_t i = 0; i < sizeof not_asked / sizeof *not_asked; i++)
		if (prefer_minimal(not_asked[i]))
			fail_msg("%s", not_asked[i]);
}

static void
a_wait_is_a_number_of_seconds_up_to_a_limit(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		unsigned seconds;
	} cases[] = {
	    {NULL, 0},
	    {"", 0},
	    {"wait=25", 25},
	    {"WAIT=25", 25},
	    {"wait=\"25\"", 25},
	    {"respond-async, wait = 025 ;x", 25},
	    {"wait=60", 60},
	    {"wait=61", 60},
	    {"wait=18446744073709551617", 60},
	    {"wait=99999999999999999999999999999999999999999999999999999999999999999999999999999999", 60},
	    {"wait=0", 0},
	    {"wait", 0},
	    {"wait=", 0},
	    {"wait=-1", 0},
	    {"wait=+1", 0},
	    {"wait=1.5", 0},
	    {"wait=1s", 0},
	    {"wait=\" 1\"", 0},
	    {"wait=1 2", 0},
	    {"await=1", 0},
	    {"x; wait=1", 0},
	    {"wait=5, wait=6", 5},
	    {"wait=soon, wait=6", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned seconds = prefer_wait(cases[i].header, 60);
		if (seconds != cases[i].seconds)
			fail_msg("%s: %u", cases[i].header, seconds);
	}
	assert_int_equal(prefer_wait("wait=4294967296", UINT32_MAX), UINT32_MAX);
	assert_int_equal(prefer_wait("wait=1", 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_best_liked_type_is_sent),
	    cmocka_unit_test(a_body_is_json_in_any_letter_case),
	    cmocka_unit_test(a_tag_names_seq_viewer_and_format),
	    cmocka_unit_test(none_match_compares_weakly),
	    cmocka_unit_test(match_looks_at_the_seq_alone),
	    cmocka_unit_test(a_minimal_answer_is_asked_for_in_so_many_words),
	    cmocka_unit_test(a_wait_is_a_number_of_seconds_up_to_a_limit),
	    cmocka_unit_test(a_cursor_comes_back_for_its_own_list_alone),
	};
	return cmocka_run_group_tests_name("headers", tests, NULL, NULL);
}

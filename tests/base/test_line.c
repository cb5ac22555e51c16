/* Lines of a dump: what is written is read, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/line.h"

enum { FIELDS = 4 };

struct line {
	char bytes[512];
	struct line_field fields[FIELDS];
	unsigned count;
	const char *why;
};

static bool
read_line(struct line *line, const char *text)
{
	strcpy(line->bytes, text);
	line->count = 0;
	line->why = NULL;
	return line_read(line->bytes, strlen(text), line->fields, FIELDS, &line->count, &line->why);
}

static void
what_is_written_is_read(void **state)
{
	(void)state;
	static const char odd[] = "\x01\x1f \"\\/\b\f\n\r\t\x7f \xc3\xb8 \xe2\x82\xac \xf0\x9f\x98\x80";
	struct text text = TEXT_EMPTY;
	struct line line;
	unsigned char bytes[4];
	line_begin(&text);
	line_int(&text, "least", INT64_MIN);
	assert_true(line_text(&text, "odd", odd, strlen(odd)));
	line_hex(&text, "bytes", "\x00\xab\xff\x10", 4);
	line_null(&text, "none");
	line_end(&text);
	assert_false(text_failed(&text));
	assert_int_equal(text.bytes[text.len - 1], '\n');
	text.bytes[text.len - 1] = '\0';
	assert_true(read_line(&line, text.bytes));
	assert_int_equal(line.count, 4);
	assert_int_equal(line_find(line.fields, 4, "least")->number, INT64_MIN);
	const struct line_field *found = line_find(line.fields, 4, "odd");
	assert_int_equal(found->len, strlen(odd));
	assert_string_equal(found->text, odd);
	found = line_find(line.fields, 4, "bytes");
	assert_true(found->len == 8 && line_unhex(found->text, found->len, bytes));
	assert_memory_equal(bytes, "\x00\xab\xff\x10", 4);
	assert_int_equal(line_find(line.fields, 4, "none")->kind, LINE_NULL);
	assert_null(line_find(line.fields, 4, "nothing"));
	text_free(&text);
}

static void
what_is_no_text_is_not_written(void **state)
{
	(void)state;
	struct text text = TEXT_EMPTY;
	line_begin(&text);
	assert_false(line_text(&text, "a", "\xff", 1));
	assert_false(line_text(&text, "a", "a\0b", 3));
	assert_string_equal(text.bytes, "{");
	text_free(&text);
}

static void
escapes_and_blanks_are_read(void **state)
{
	(void)state;
	struct line line;
	assert_true(read_line(&line, " { \"a\" : \"\\u00f8\\u20ac\\uD83D\\uDE00\\/\" ,\t\"\\u0062\":-1}\r"));
	assert_string_equal(line_find(line.fields, line.count, "a")->text, "\xc3\xb8\xe2\x82\xac\xf0\x9f\x98\x80/");
	assert_int_equal(line_find(line.fields, line.count, "b")->number, -1);
	assert_true(read_line(&line, "{\"a\":9223372036854775807}"));
	assert_int_equal(line.fields[0].number, INT64_MAX);
}

static void
nothing_else_is_read(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "{", "{}", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}",
	    "{\"a\":1}}", "{\"a\":1} {\"b\":1}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":01}",
	    "{\"a\":-0}", "{\"a\":+1}", "{\"a\":1.0}", "{\"a\":1e3}", "{\"a\":-}", "{\"a\":true}", "{\"a\":[1]}",
	    "{\"a\":{}}", "{\"a\":nul}", "{\"a\":9223372036854775808}", "{\"a\":-9223372036854775809}", "{\"a\":\"",
	    "{\"a\":\"\\\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u00\"}", "{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}",
	    "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\udc00\"}", "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}",
	    "{\"a\":\"\xed\xa0\x80\"}", "{'a':1}", "{a:1}", "\xef\xbb\xbf{\"a\":1}",
	    "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}"};
	struct line line;
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		if (read_line(&line, wrong[i]))
			fail_msg("%s was read", wrong[i]);
		assert_non_null(line.why);
	}
	unsigned char bytes[4];
	assert_false(line_unhex("abc", 3, bytes));
	assert_false(line_unhex("0G", 2, bytes));
	assert_false(line_unhex("AB", 2, bytes));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_written_is_read),
	    cmocka_unit_test(what_is_no_text_is_not_written),
	    cmocka_unit_test(escapes_and_blanks_are_read),
	    cmocka_unit_test(nothing_else_is_read),
	};
	return cmocka_run_group_tests_name("base line", tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static void
text_grows(void **state)
{
	(void)state;
	struct text text = TEXT_EMPTY;
	for (unsigned i = 0; i < 5000; i++)
		text_char(&text, (char)('a' + i % 26));
	assert_int_equal(text.len, 5000);
	for (unsigned i = 0; i < 5000; i++)
		assert_int_equal(text.bytes[i], 'a' + i % 26);
	assert_int_equal(text.bytes[5000], '\0');
	text_free(&text);
	assert_null(text.bytes);
	text_put(&text, "", 0);
	assert_string_equal(text.bytes, "");
	text_free(&text);
}

static void
numbers_and_formats(void **state)
{
	(void)state;
	struct text text = TEXT_EMPTY;
	static const int64_t values[] = {0, 7, -1, 10, 1234567890123456789, INT64_MAX, INT64_MIN};
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
		text_int(&text, values[i]);
		text_char(&text, ' ');
	}
	assert_string_equal(text.bytes, "0 7 -1 10 1234567890123456789 9223372036854775807 -9223372036854775808 ");
	text_free(&text);
	/* Every length around the first room: the last byte that fits, and one more. */
	for (int len = 250; len < 262; len++) {
		text_printf(&text, "%*d", len, 5);
		assert_int_equal(text.len, len);
		assert_int_equal(strlen(text.bytes), len);
		text_printf(&text, "%s", "");
		assert_int_equal(text.len, len);
		text_free(&text);
	}
}

static void
a_failure_sticks(void **state)
{
	(void)state;
	struct text text = TEXT_EMPTY;
	text_puts(&text, "kept");
	memory_fail_after(0);
	text_printf(&text, "%300d", 1);
	memory_fail_after(-1);
	assert_true(text_failed(&text));
	text_puts(&text, "x");
	text_char(&text, 'x');
	text_int(&text, 1);
	text_printf(&text, "%d", 1);
	assert_string_equal(text.bytes, "kept");
	assert_int_equal(text.len, 4);
	text_free(&text);
	assert_false(text_failed(&text));
	text_put(&text, "x", SIZE_MAX);
	assert_true(text_failed(&text));
	text_free(&text);
}

static void
utf8_is_told_from_other_bytes(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t len, prefix;
	} cases[] = {
	    {"", 0, 0},
	    {"plain text, longer than eight", 29, 29},
	    {"a\0b", 3, 3},
	    {"\x7F\xC2\x80", 3, 3},                 /* U+007F, U+0080 */
	    {"\xDF\xBF\xE0\xA0\x80", 5, 5},         /* U+07FF, U+0800 */
	    {"\xED\x9F\xBF\xEE\x80\x80", 6, 6},     /* the last before and the first after the surrogates */
	    {"\xEF\xBF\xBF\xF0\x90\x80\x80", 7, 7}, /* U+FFFF, U+10000 */
	    {"\xF4\x8F\xBF\xBF", 4, 4},             /* U+10FFFF */
	    {"12345678\xF4\x90\x80\x80", 12, 8},    /* beyond it */
	    {"a\xC0\x80", 3, 1},                    /* overlong, of each length */
	    {"a\xC1\xBF", 3, 1},
	    {"\xE0\x9F\xBF", 3, 0},
	    {"\xF0\x8F\xBF\xBF", 4, 0},
	    {"\xED\xA0\x80", 3, 0}, /* surrogates */
	    {"\xED\xBF\xBF", 3, 0},
	    {"ab\x80", 3, 2}, /* a byte that begins nothing */
	    {"\xF5\x80\x80\x80", 4, 0},
	    {"\xFF", 1, 0},
	    {"ab\xC3", 3, 2}, /* cut off, after each byte */
	    {"ab\xE2\x82", 4, 2},
	    {"ab\xF0\x9F\x98", 5, 2},
	    {"\xE2\x28\xA1", 3, 0}, /* not continued */
	    {"\xE2\x82\x28", 3, 0},
	    {"\xF0\x9F\x98\x28", 4, 0},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		/* In memory of just that size, so that reading past the end is seen. */
		char *bytes = malloc(cases[i].len + 1);
		memcpy(bytes, cases[i].bytes, cases[i].len);
		bytes = realloc(bytes, cases[i].len == 0 ? 1 : cases[i].len);
		size_t prefix = text_utf8_prefix(bytes, cases[i].len);
		if (prefix != cases[i].prefix)
			fail_msg("case %u: %zu, not %zu", i, prefix, cases[i].prefix);
		free(bytes);
	}
}

static size_t
encode(uint32_t c, char out[4])
{
	if (c < 0x80)
		return out[0] = (char)c, 1;
	if (c < 0x800)
		return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
	if (c < 0x10000)
		return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)),
		       out[2] = (char)(0x80 | (c & 63)), 3;
	return out[0] = (char)(0xF0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63)),
	       out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63)), 4;
}

static void
every_code_point_is_read_back(void **state)
{
	(void)state;
	char bytes[4], put[4];
	for (uint32_t c = 0; c < 0x110000; c++) {
		size_t len = encode(c, bytes), at = 0;
		assert_int_equal(text_utf8_put(c, put), len);
		assert_memory_equal(put, bytes, len);
		bool valid = text_utf8_prefix(bytes, len) == len;
		assert_int_equal(valid, c < 0xD800 || c > 0xDFFF);
		if (!valid)
			continue;
		assert_int_equal(text_utf8_next(bytes, len, &at), c);
		assert_int_equal(at, len);
		assert_int_equal(text_utf8_count(bytes, len), 1);
	}
	assert_int_equal(text_utf8_count("J\xC3\xB6rg \xF0\x9F\x98\x80", 10), 6);
}

static void
names_have_no_controls(void **state)
{
	(void)state;
	static const uint32_t good[] = {' ', 'a', '"', '\\', 0xA0, 0xF6, 0x5D0, 0x623, 0x200D, 0x4E2D, 0xFEFF, 0x1F600};
	static const uint32_t bad[] = {0, '\n', '\r', '\t', 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028,
	    0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xD800, 0xDFFF, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF,
	    0x110000};
	for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
		if (!text_name_char(good[i]))
			fail_msg("U+%04X is refused", good[i]);
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
		if (text_name_char(bad[i]))
			fail_msg("U+%04X is taken", bad[i]);
}

static bool
read_uint(const char *text, uint64_t max, uint64_t *value)
{
	return text_read_uint(text, strlen(text), max, value);
}

static void
whole_numbers(void **state)
{
	(void)state;
	uint64_t value = 77;
	static const char *const bad[] = {
	    "", "00", "01", "-1", "+1", " 1", "1 ", "1.0", "1e3", "101", "0x1", "99999999999999999999"};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
		if (read_uint(bad[i], 100, &value) || value != 77)
			fail_msg("\"%s\" was read", bad[i]);
	assert_true(read_uint("100", 100, &value) && value == 100);
	assert_true(read_uint("0", 0, &value) && value == 0);
	assert_false(read_uint("1", 0, &value));
	assert_true(read_uint("18446744073709551615", UINT64_MAX, &value) && value == UINT64_MAX);
	assert_false(read_uint("18446744073709551616", UINT64_MAX, &value));
}

static void
hexadecimal_digits(void **state)
{
	static const char lower[] = "0123456789abcdef", upper[] = "ABCDEF";
	unsigned small = 0, any = 0;
	(void)state;
	for (int i = 0; i < 16; i++) {
		assert_int_equal(text_hex(lower[i]), i);
		assert_int_equal(text_hex_lower(lower[i]), i);
	}
	for (int i = 0; i < 6; i++)
		assert_int_equal(text_hex(upper[i]), 10 + i);
	for (int c = -128; c < 128; c++) {
		small += text_hex_lower((char)c) >= 0;
		any += text_hex((char)c) >= 0;
	}
	assert_int_equal(small, 16);
	assert_int_equal(any, 22);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_grows),
	    cmocka_unit_test(numbers_and_formats),
	    cmocka_unit_test(a_failure_sticks),
	    cmocka_unit_test(utf8_is_told_from_other_bytes),
	    cmocka_unit_test(every_code_point_is_read_back),
	    cmocka_unit_test(names_have_no_controls),
	    cmocka_unit_test(whole_numbers),
	    cmocka_unit_test(hexadecimal_digits),
	};
	return cmocka_run_group_tests_name("base text", tests, NULL, NULL);
}

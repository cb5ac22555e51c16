#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

static char captured[1 << 20];

/* Standard error goes to a file while `run` runs; what it wrote is then in captured. */
static void
capture(void (*run)(void))
{
	char name[] = "/tmp/iuvod-log-XXXXXX";
	int file = mkstemp(name), before = dup(STDERR_FILENO);
	assert_true(file >= 0 && before >= 0);
	unlink(name);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	run();
	log_flush();
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	ssize_t len = pread(file, captured, sizeof captured - 1, 0);
	assert_true(len >= 0);
	captured[len] = '\0';
	close(file);
	close(before);
}

static void
two_lines(void)
{
	log_line(LOG_INFO, "started", "port=%d", 8080);
	log_line(LOG_DEBUG, "unseen", "x=1");
	log_line(LOG_WARN, "alone", "%s", "");
}

static void
lines_have_time_level_and_event(void **state)
{
	(void)state;
	int64_t ms;
	capture(two_lines);
	assert_memory_equal(captured, "time=", 5);
	assert_true(clock_read(captured + 5, 24, &ms));
	char *rest = captured + 29;
	static const char first[] = " level=info event=started port=8080\n";
	assert_memory_equal(rest, first, sizeof first - 1);
	assert_string_equal(rest + sizeof first - 1 + 29, " level=warn event=alone\n");
	assert_true(log_enabled(LOG_INFO));
	assert_false(log_enabled(LOG_DEBUG));
}

static void
broken_line(void)
{
	log_line(LOG_INFO, "x", "a=%s", "1\ntime=forged level=error\r\x1b[2J");
}

static void
no_value_makes_a_line(void **state)
{
	(void)state;
	capture(broken_line);
	assert_ptr_equal(strchr(captured, '\n'), captured + strlen(captured) - 1);
	assert_null(strchr(captured, '\r'));
	assert_null(strchr(captured, '\x1b'));
}

static void
line_in_pieces(void)
{
	if (log_begin(LOG_INFO, "pieces")) {
		log_text("plain", "/v1/games/{game}");
		log_text("quoted", "a b=\"c\"\n");
		log_text("none", NULL);
		log_uint("zero", 0);
		log_uint("large", UINT64_MAX);
		log_hex("id", "abc", 0x1f);
		log_us_as_ms("ms", 12034);
		log_us_as_ms("short", 7);
		log_end();
	}
	if (log_begin(LOG_DEBUG, "unseen"))
		abort();
}

static void
pieces_make_a_line(void **state)
{
	(void)state;
	capture(line_in_pieces);
	assert_string_equal(captured + 29,
	    " level=info event=pieces plain=/v1/games/{game} quoted=\"a b=\\\"c\\\"\\x0a\" none=- zero=0"
	    " large=18446744073709551615 id=abc-1f ms=12.034 short=0.007\n");
}

static void
long_pieces(void)
{
	char value[400];
	memset(value, 'v', sizeof value - 1);
	value[sizeof value - 1] = '\0';
	log_begin(LOG_INFO, "long");
	for (int i = 0; i < 100; i++)
		log_text("key", value);
	log_end();
	log_line(LOG_INFO, "next", "b=1");
}

static void
long_pieces_are_cut(void **state)
{
	(void)state;
	capture(long_pieces);
	char *end = strchr(captured, '\n');
	assert_non_null(end);
	assert_in_range(end - captured, 1000, 5000);
	assert_non_null(strstr(end, "event=next b=1\n"));
}

static void
long_line(void)
{
	log_line(LOG_INFO, "long", "a=%0100000d", 1);
	log_line(LOG_INFO, "next", "b=1");
}

static void
a_long_line_is_cut(void **state)
{
	(void)state;
	capture(long_line);
	char *end = strchr(captured, '\n');
	assert_non_null(end);
	assert_in_range(end - captured, 1000, 5000);
	assert_non_null(strstr(end, "event=next b=1\n"));
}

static void *
many_lines(void *arg)
{
	for (int i = 0; i < 1000; i++)
		log_line(LOG_INFO, "line", "thread=%c n=%d filler=%0100d", *(char *)arg, i, 0);
	log_flush();
	return NULL;
}

static void
two_threads(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, many_lines, (char[]){"a"});
	pthread_create(&b, NULL, many_lines, (char[]){"b"});
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

/* Every line whole, and those of a thread in order. */
static void
threads_do_not_tear_lines(void **state)
{
	(void)state;
	int next[2] = {0, 0}, lines = 0;
	capture(two_threads);
	for (char *line = strtok(captured, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
		char thread, zeros[128];
		int n;
		assert_int_equal(
		    sscanf(line, "time=%*24s level=info event=line thread=%c n=%d filler=%127s", &thread, &n, zeros),
		    3);
		assert_int_equal(strlen(zeros), 100);
		assert_int_equal(n, next[thread - 'a']++);
	}
	assert_int_equal(lines, 2000);
}

static void
values_are_quoted(void **state)
{
	(void)state;
	static const struct {
		const char *value, *quoted;
	} cases[] = {
	    {"plain-1.0/x", "plain-1.0/x"},
	    {NULL, "-"},
	    {"-", "\"-\""},
	    {"", "\"\""},
	    {"two words", "\"two words\""},
	    {"a=b", "\"a=b\""},
	    {"say \"hi\"", "\"say \\\"hi\\\"\""},
	    {"back\\slash", "\"back\\\\slash\""},
	    {"x\ny\r\t", "\"x\\x0ay\\x0d\\x09\""},
	    {"\x7F\x1b", "\"\\x7f\\x1b\""},
	    {"J\xC3\xB6rg", "\"J\\xc3\\xb6rg\""},
	};
	char out[64];
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(log_quote(cases[i].value, out, sizeof out), cases[i].quoted);
}

/* In no room does it write past the end, or leave a quote open. */
static void
quoting_keeps_to_its_room(void **state)
{
	(void)state;
	static const char value[] = "ab \"\n\xFF";
	static const char whole[] = "\"ab \\\"\\x0a\\xff\"";
	for (unsigned room = 0; room < 32; room++) {
		char *out = malloc(room + 1);
		out[room] = 'Z';
		assert_ptr_equal(log_quote(value, out, room), out);
		assert_int_equal(out[room], 'Z');
		if (room > sizeof whole + 3)
			assert_string_equal(out, whole);
		else if (room > 0 && out[0] != '\0' && strcmp(out, whole) != 0) {
			size_t len = strlen(out);
			assert_string_equal(out + len - 4, "\"...");
			assert_memory_equal(out, whole, len - 4);
		}
		free(out);
	}
	char out[8];
	assert_string_equal(log_quote("a-long-plain-word", out, sizeof out), "\"a-\"...");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_have_time_level_and_event),
	    cmocka_unit_test(no_value_makes_a_line),
	    cmocka_unit_test(a_long_line_is_cut),
	    cmocka_unit_test(pieces_make_a_line),
	    cmocka_unit_test(long_pieces_are_cut),
	    cmocka_unit_test(threads_do_not_tear_lines),
	    cmocka_unit_test(values_are_quoted),
	    cmocka_unit_test(quoting_keeps_to_its_room),
	};
	return cmocka_run_group_tests_name("base log", tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

static void
times_are_written(void **state)
{
	(void)state;
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {
	    {0, "1970-01-01T00:00:00.000Z"},
	    {-1, "1969-12-31T23:59:59.999Z"},
	    {951782399999, "2000-02-28T23:59:59.999Z"},
	    {951782400000, "2000-02-29T00:00:00.000Z"},
	    {1767323045678, "2026-01-02T03:04:05.678Z"},
	    {4107542400000, "2100-03-01T00:00:00.000Z"},
	    {-62167219200000, "0000-01-01T00:00:00.000Z"},
	    {253402300799999, "9999-12-31T23:59:59.999Z"},
	    {INT64_MAX, "9999-12-31T23:59:59.999Z"},
	    {INT64_MIN, "0000-01-01T00:00:00.000Z"},
	};
	char text[CLOCK_TEXT_MAX];
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(clock_text(cases[i].ms, text), 24);
		assert_string_equal(text, cases[i].text);
	}
}

/* Every day of ten thousand years, against the C library, and back. */
static void
every_day_is_right(void **state)
{
	(void)state;
	char text[CLOCK_TEXT_MAX], expected[CLOCK_TEXT_MAX];
	for (int64_t day = -719528; day <= 2932896; day++) {
		time_t seconds = (time_t)(day * 86400 + (day & 0xFFFF));
		int64_t ms = (int64_t)seconds * 1000 + 123, back;
		struct tm tm;
		clock_text(ms, text);
		gmtime_r(&seconds, &tm);
		snprintf(expected, sizeof expected, "%04u-%02u-%02uT%02u:%02u:%02u.123Z", (tm.tm_year + 1900) & 0x3FFFu,
		    (tm.tm_mon + 1) & 15u, tm.tm_mday & 31u, tm.tm_hour & 31u, tm.tm_min & 63u, tm.tm_sec & 63u);
		if (strcmp(text, expected) != 0)
			fail_msg("%s, not %s", text, expected);
		assert_true(clock_read(text, 24, &back));
		assert_int_equal(back, ms);
	}
}

static void
times_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
	    {"2026-01-02T03:04:05Z", 1767323045000},
	    {"2026-01-02t03:04:05z", 1767323045000},
	    {"2026-01-02T03:04:05.6Z", 1767323045600},
	    {"2026-01-02T03:04:05.67891234567890123Z", 1767323045678},
	    {"2026-01-02T03:04:05+00:00", 1767323045000},
	    {"2026-01-02T03:04:05-00:00", 1767323045000},
	    {"2026-01-02T05:34:05+02:30", 1767323045000},
	    {"2026-01-01T23:04:05.678-04:00", 1767323045678},
	    {"2024-02-29T00:00:00Z", 1709164800000},
	    {"1969-12-31T23:59:59.999Z", -1},
	    {"2016-12-31T23:59:60Z", 1483228800000}, /* a leap second */
	    {"2017-01-01T00:59:60+01:00", 1483228800000},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t ms;
		if (!clock_read(cases[i].text, strlen(cases[i].text), &ms) || ms != cases[i].ms)
			fail_msg("%s", cases[i].text);
	}
}

static void
other_text_is_no_time(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "2026", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05",
	    "2026-01-02 03:04:05Z", "2026-1-2T03:04:05Z", "2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z",
	    "2026-01-00T03:04:05Z", "2026-01-32T03:04:05Z", "2026-02-29T03:04:05Z", "1900-02-29T00:00:00Z",
	    "2026-04-31T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z", "2026-01-02T03:04:61Z",
	    "2026-01-02T03:04:60Z", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05+0200",
	    "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+02:60", "2026-01-02T03:04:05Z ", " 2026-01-02T03:04:05Z",
	    "2026-01-02T03:04:05ZZ", "+2026-01-02T03:04:05Z", "-026-01-02T03:04:05Z", "2026-01-02T03:04:05+2:00"};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t ms = 77;
		if (clock_read(bad[i], strlen(bad[i]), &ms) || ms != 77)
			fail_msg("\"%s\" was read", bad[i]);
	}
	/* Every beginning of a time is none. */
	static const char whole[] = "2026-01-02T03:04:05.678+01:00";
	int64_t ms;
	for (size_t len = 0; len < sizeof whole - 1; len++)
		assert_false(clock_read(whole, len, &ms));
}

static void
clocks_run(void **state)
{
	(void)state;
	int64_t mono = clock_mono_us();
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t apart = clock_now_ms() - (int64_t)now.tv_sec * 1000;
	assert_in_range(apart + 10, 0, 60000);
	assert_true(clock_mono_us() >= mono);
}

/* The last test: from here on time stands still. */
static void
time_stands_still(void **state)
{
	(void)state;
	assert_false(clock_is_test());
	assert_false(clock_test_move(INT64_MAX));
	int64_t boot = clock_boot_us(), mono = clock_mono_us();
	clock_test_begin(1000);
	assert_true(clock_is_test());
	assert_int_equal(clock_now_ms(), 1000);
	assert_false(clock_test_move(999));
	assert_int_equal(clock_now_ms(), 1000);
	assert_true(clock_test_move(1000));
	assert_true(clock_test_move(5000));
	assert_int_equal(clock_now_ms(), 5000);
	/* The others go on. */
	while (clock_boot_us() == boot || clock_mono_us() == mono)
		continue;
	assert_true(clock_boot_us() > boot && clock_mono_us() > mono);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(times_are_written),
	    cmocka_unit_test(every_day_is_right),
	    cmocka_unit_test(times_are_read),
	    cmocka_unit_test(other_text_is_no_time),
	    cmocka_unit_test(clocks_run),
	    cmocka_unit_test(time_stands_still),
	};
	return cmocka_run_group_tests_name("base clock", tests, NULL, NULL);
}

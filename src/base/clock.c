#include "base/clock.h"

#include <stdatomic.h>
#include <time.h>

enum { MS_PER_SECOND = 1000, SECONDS_PER_DAY = 86400 };

#define MS_PER_DAY ((int64_t)SECONDS_PER_DAY * MS_PER_SECOND)

/* What four digits of a year can say. */
#define MS_FIRST (-62167219200000) /* 0000-01-01T00:00:00.000Z */
#define MS_LAST 253402300799999    /* 9999-12-31T23:59:59.999Z */

/* Where time stands still; INT64_MIN: it does not. */
static _Atomic int64_t held_ms = INT64_MIN;

int64_t
clock_now_ms(void)
{
	int64_t held = atomic_load_explicit(&held_ms, memory_order_acquire);
	struct timespec now;
	if (held != INT64_MIN)
		return held;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / 1000000;
}

void
clock_test_begin(int64_t ms)
{
	atomic_store(&held_ms, ms);
}

bool
clock_is_test(void)
{
	return atomic_load(&held_ms) != INT64_MIN;
}

bool
clock_test_move(int64_t ms)
{
	int64_t held = atomic_load(&held_ms);
	do {
		if (held == INT64_MIN || ms < held)
			return false;
	} while (!atomic_compare_exchange_weak(&held_ms, &held, ms));
	return true;
}

static int64_t
microseconds(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t
clock_mono_us(void)
{
	return microseconds(CLOCK_MONOTONIC);
}

int64_t
clock_boot_us(void)
{
	return microseconds(CLOCK_BOOTTIME);
}

/*
 * Days since 1970-01-01 of a date of the Gregorian calendar, and back.  Years
 * are counted from March: the leap day is then the last day of a year, and the
 * months before a month have (153 m + 2) / 5 days.
 */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2);
	int64_t m = month > 2 ? month - 3 : month + 9;
	/* 400 years more, so that the divisions of year 0 and before round down. */
	y += 400;
	return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468 - 146097;
}

static void
date_of(int64_t days, int *year, int *month, int *day)
{
	int64_t d = days + 719468 + 146097; /* since 0000-03-01, 400 years earlier */
	int64_t era = d / 146097, in_era = d % 146097;
	int64_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * y + y / 4 - y / 100);
	int64_t m = (5 * in_year + 2) / 153;
	*day = (int)(in_year - (153 * m + 2) / 5 + 1);
	*month = (int)(m < 10 ? m + 3 : m - 9);
	*year = (int)(era * 400 + y - 400 + (*month <= 2));
}

static char *
digits(char *at, int value, int count)
{
	for (int i = count - 1; i >= 0; i--, value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + count;
}

size_t
clock_text(int64_t ms, char text[CLOCK_TEXT_MAX])
{
	ms = ms < MS_FIRST ? MS_FIRST : ms > MS_LAST ? MS_LAST : ms;
	int64_t days = ms / MS_PER_DAY, rest = ms % MS_PER_DAY;
	if (rest < 0) {
		days--;
		rest += MS_PER_DAY;
	}
	int year, month, day, in_day = (int)rest;
	date_of(days, &year, &month, &day);
	char *at = digits(text, year, 4);
	*at++ = '-';
	at = digits(at, month, 2);
	*at++ = '-';
	at = digits(at, day, 2);
	*at++ = 'T';
	at = digits(at, in_day / 3600000, 2);
	*at++ = ':';
	at = digits(at, in_day / 60000 % 60, 2);
	*at++ = ':';
	at = digits(at, in_day / 1000 % 60, 2);
	*at++ = '.';
	at = digits(at, in_day % 1000, 3);
	*at++ = 'Z';
	*at = '\0';
	return (size_t)(at - text);
}

/* What is left to read.  A reading that failed stays so. */
struct reader {
	const char *at, *end;
	bool failed;
};

static int
read_digits(struct reader *reader, int count, int low, int high)
{
	int value = 0;
	for (int i = 0; i < count; i++) {
		if (reader->failed || reader->at == reader->end || *reader->at < '0' || *reader->at > '9') {
			reader->failed = true;
			return low;
		}
		value = value * 10 + (*reader->at++ - '0');
	}
	if (value < low || value > high)
		reader->failed = true;
	return value;
}

/* Takes one of two characters if it comes next. */
static bool
take(struct reader *reader, char a, char b)
{
	if (reader->failed || reader->at == reader->end || (*reader->at != a && *reader->at != b))
		return false;
	reader->at++;
	return true;
}

static void
expect(struct reader *reader, char a, char b)
{
	if (!take(reader, a, b))
		reader->failed = true;
}

static int
days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month == 2 && leap ? 29 : days[month - 1];
}

static int64_t
read_date(struct reader *reader)
{
	int year = read_digits(reader, 4, 0, 9999);
	expect(reader, '-', '-');
	int month = read_digits(reader, 2, 1, 12);
	expect(reader, '-', '-');
	if (reader->failed)
		return 0;
	int day = read_digits(reader, 2, 1, days_in(year, month));
	return days_of(year, month, day);
}

/* Any number of digits, of which three count. */
static int
read_fraction(struct reader *reader)
{
	int ms = read_digits(reader, 1, 0, 9) * 100, weight = 10;
	while (!reader->failed && reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
		ms += (*reader->at++ - '0') * weight;
		weight /= 10;
	}
	return ms;
}

/* Seconds that the clock is ahead of UTC. */
static int
read_offset(struct reader *reader)
{
	if (take(reader, 'Z', 'z'))
		return 0;
	int sign = take(reader, '-', '-') ? -1 : 1;
	if (sign > 0)
		expect(reader, '+', '+');
	int hours = read_digits(reader, 2, 0, 23);
	expect(reader, ':', ':');
	int minutes = read_digits(reader, 2, 0, 59);
	return sign * (hours * 3600 + minutes * 60);
}

bool
clock_read(const char *text, size_t len, int64_t *ms)
{
	struct reader reader = {text, text + len, false};
	int64_t days = read_date(&reader);
	expect(&reader, 'T', 't');
	int hour = read_digits(&reader, 2, 0, 23);
	expect(&reader, ':', ':');
	int minute = read_digits(&reader, 2, 0, 59);
	expect(&reader, ':', ':');
	int second = read_digits(&reader, 2, 0, 60);
	int fraction = take(&reader, '.', '.') ? read_fraction(&reader) : 0;
	int offset = read_offset(&reader);
	if (reader.failed || reader.at != reader.end)
		return false;
	int64_t seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
	/* A leap second ends a day of UTC; it is read as the moment after it. */
	if (second == 60 && (seconds % SECONDS_PER_DAY) != 0)
		return false;
	*ms = seconds * MS_PER_SECOND + fraction;
	return true;
}

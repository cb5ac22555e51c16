/* Clocks.  Only main, http/ and the writer read them; below, time is an argument. */
#ifndef IUVOD_BASE_CLOCK_H
#define IUVOD_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLOCK_TEXT_MAX = 32 };

/* Milliseconds since 1970-01-01T00:00:00Z. */
int64_t clock_now_ms(void);

/*
 * For tests: from now on clock_now_ms stands still at this time, and is moved by
 * clock_test_move alone.  Before the threads start; other clocks go on.
 */
void clock_test_begin(int64_t ms);
bool clock_is_test(void);

/* False, and nothing happens, if time does not stand still or would go back.  Any thread. */
bool clock_test_move(int64_t ms);

/* Microseconds of a clock that only goes forward, for durations. */
int64_t clock_mono_us(void);

/* The same, with the time in which the machine slept. */
int64_t clock_boot_us(void);

/* RFC 3339 in UTC with milliseconds, 2026-01-02T03:04:05.678Z; returns the length. */
size_t clock_text(int64_t ms, char text[CLOCK_TEXT_MAX]);

/* Reads an RFC 3339 time with Z or an offset, fractions cut to milliseconds; false if it is none. */
bool clock_read(const char *text, size_t len, int64_t *ms);

#endif

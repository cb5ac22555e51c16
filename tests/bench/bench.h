/* What programs that measure have in common. */
#ifndef IUVOD_TESTS_BENCH_H
#define IUVOD_TESTS_BENCH_H

#include <stdint.h>

/* Says `PROGRAM: WHAT: DETAIL` (NULL: no detail) and ends the program, which failed. */
_Noreturn void bench_die(const char *what, const char *detail);

/* An argument that must be a number above 0. */
uint64_t bench_number(const char *text);

/* Microseconds of a clock that only goes forward; nanoseconds of processor time of this thread. */
int64_t bench_now_us(void);
uint64_t bench_cpu_ns(void);

#endif

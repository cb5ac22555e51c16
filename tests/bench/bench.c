#include "config.h" /* program_invocation_short_name */

#include "tests/bench/bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void
bench_die(const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s%s%s\n", program_invocation_short_name, what, detail == NULL ? "" : ": ",
	    detail == NULL ? "" : detail);
	exit(EXIT_FAILURE);
}

uint64_t
bench_number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);
	if (*end != '\0' || value == 0)
		bench_die("this must be a number above 0", text);
	return value;
}

int64_t
bench_now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

uint64_t
bench_cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

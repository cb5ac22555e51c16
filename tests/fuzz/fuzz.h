/*
 * A fuzz target: takes any bytes, and aborts if what must be true of every input
 * is not true of these.  libFuzzer calls it millions of times (tests/fuzz/run);
 * linked with replay.c it is a test that goes over its corpus.
 */
#ifndef IUVOD_TESTS_FUZZ_H
#define IUVOD_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* In its own file each target defines this one; 0: the input may be kept in a corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold; in no build does it vanish. */
#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A copy of len bytes with a NUL behind them and no byte more, so that a sanitizer sees who reads on; free it. */
static inline char *
fuzz_copy(const uint8_t *data, size_t len)
{
	char *copy = malloc(len + 1);
	FUZZ_CHECK(copy != NULL);
	for (size_t i = 0; i < len; i++)
		copy[i] = (char)data[i];
	copy[len] = '\0';
	return copy;
}

#endif

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Negative in production: one comparison a call. */
static _Thread_local long left = -1;

static bool
refused(void)
{
	if (left < 0)
		return false;
	if (left == 0)
		return true;
	left--;
	return false;
}

void *
memory_take(size_t size)
{
	return refused() ? NULL : malloc(size);
}

void *
memory_resize(void *memory, size_t size)
{
	return refused() ? NULL : realloc(memory, size);
}

void *
memory_take_table(size_t size)
{
	enum { LINE = 64, LARGE = 2 << 20 };
	size_t aligned = size < LARGE ? LINE : LARGE;
	size_t whole = (size + aligned - 1) / aligned * aligned;
	void *memory = refused() || whole < size ? NULL : aligned_alloc(aligned, whole);
	if (memory != NULL && aligned == LARGE)
		madvise(memory, whole, MADV_HUGEPAGE); /* else it is only slower */
	return memory;
}

void
memory_fail_after(long calls)
{
	left = calls;
}

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

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

void
memory_fail_after(long calls)
{
	left = calls;
}

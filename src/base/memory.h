/*
 * Memory from malloc, by way of one place where a test can make it fail.  What
 * comes from here is freed by free(), by anybody.
 */
#ifndef IUVOD_BASE_MEMORY_H
#define IUVOD_BASE_MEMORY_H

#include <stddef.h>

/* As malloc and realloc; NULL if there is no memory, or if the test has said so. */
void *memory_take(size_t size);
void *memory_resize(void *memory, size_t size);

/*
 * The same for what is looked up all over the place, as a search's table: it
 * is aligned to 64 bytes, a line of the cache, and where it is large the system
 * is asked for large pages, since finding a page takes as long as reading it.
 */
void *memory_take_table(size_t size);

/*
 * For tests: of this thread's calls from now on, the first `calls` succeed and
 * all later ones fail.  A negative number ends it.
 */
void memory_fail_after(long calls);

#endif

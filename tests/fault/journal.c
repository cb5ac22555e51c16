#include "journal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* As disk.py reads it; `len` bytes follow. */
struct entry {
	uint32_t kind;
	uint32_t len;
	uint64_t file; /* its inode */
	int64_t at;
};

pthread_mutex_t journal_mutex = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

/* The shim's own open is not asked. */
void
journal_open(const char *path)
{
	if (path != NULL)
		journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_APPEND | O_CLOEXEC);
}

uint64_t
journal_mark(void)
{
	struct stat file;
	return journal >= 0 && fstat(journal, &file) == 0 ? (uint64_t)file.st_size : 0;
}

/* A journal with a gap would prove nothing. */
static void
append(const struct entry *entry, const void *bytes)
{
	struct iovec parts[] = {{(void *)(uintptr_t)entry, sizeof *entry}, {(void *)(uintptr_t)bytes, entry->len}};
	if (writev(journal, parts, 2) != (ssize_t)(sizeof *entry + entry->len))
		abort();
}

void
journal_file(enum journal_kind kind, int file, int64_t at, const void *bytes, size_t len)
{
	struct stat stat;
	if (journal < 0 || fstat(file, &stat) != 0)
		return;
	append(&(struct entry){(uint32_t)kind, (uint32_t)len, stat.st_ino, at}, bytes);
}

void
journal_name(enum journal_kind kind, const char *name, const char *to)
{
	char names[2 * PATH_MAX];
	struct stat stat;
	size_t len = strlen(name) + 1, more = to == NULL ? 0 : strlen(to) + 1;
	if (journal < 0 || len > PATH_MAX || more > PATH_MAX || lstat(name, &stat) != 0)
		return;
	memcpy(names, name, len);
	memcpy(names + len, to == NULL ? "" : to, more);
	append(&(struct entry){(uint32_t)kind, (uint32_t)(len + more), stat.st_ino, 0}, names);
}

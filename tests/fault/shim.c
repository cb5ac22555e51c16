/*
 * A library for LD_PRELOAD that makes the n-th call of a kind fail, to learn
 * what the daemon does then (the idiom is SQLite's: faults by countdown).  The
 * file named by IUVOD_SHIM holds one counter per kind, mapped by the daemon
 * and by the test: `left` calls succeed, then `failures` calls fail; left < 0 is off.
 * With DIES for an error the process is killed there and then, with LIES a sync
 * says that it was done and was not, with WAITS the call hangs until the counter is switched off.  `before` bytes of
 * what is written or sent by the first call that fails get through.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "journal.h"

/* MAP: of files, as SQLite's index of the WAL is; NAME: names taken away or changed. */
enum kind { MEMORY, WRITE, SYNC, SEND, READ, OPEN, MAP, TRUNCATE, NAME, KINDS };

enum { DIES = -1, LIES = -2, WAITS = -3 };

struct counter {
	_Atomic int32_t left;
	_Atomic int32_t failures;
	_Atomic int32_t failed; /* how many did fail */
	int32_t error;          /* errno of a failure; 0: the kind's own; DIES; LIES; WAITS */
	int32_t before;         /* of what is written or sent: as many bytes get through before it fails */
};

static struct counter off[KINDS] = {[0 ... KINDS - 1] = {.left = -1}};
static struct counter *counters = off;

__attribute__((constructor)) static void
attach(void)
{
	const char *path = getenv("IUVOD_SHIM");
	journal_open(getenv("IUVOD_SHIM_JOURNAL"));
	int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return;
	void *map = mmap(NULL, sizeof(struct counter) * KINDS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (map != MAP_FAILED)
		counters = map;
}

/* Whether the call is one of those that fail. */
static int
is_chosen(enum kind kind)
{
	struct counter *counter = &counters[kind];
	if (atomic_load_explicit(&counter->left, memory_order_relaxed) < 0)
		return 0;
	if (atomic_fetch_sub(&counter->left, 1) > 0)
		return 0;
	if (atomic_fetch_sub(&counter->failures, 1) <= 0) {
		atomic_store(&counter->left, -1);
		return 0;
	}
	atomic_store(&counter->left, 0);
	atomic_fetch_add(&counter->failed, 1);
	if (counter->error != WAITS)
		return 1;
	while (atomic_load(&counter->left) >= 0)
		usleep(2000);
	return 0;
}

static void
fail(enum kind kind, int error)
{
	int wanted = counters[kind].error;
	if (wanted == DIES)
		kill(getpid(), SIGKILL);
	errno = wanted != 0 ? wanted : error;
}

static int
fails(enum kind kind, int error)
{
	int chosen = is_chosen(kind);
	if (chosen)
		fail(kind, error);
	return chosen;
}

/* glibc's own entry points: dlsym would allocate before it could answer. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *
malloc(size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *block, size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(block, size);
}

/* The function that stands behind ours, looked up once. */
#define NEXT(name) \
	static __typeof__(&name) next; \
	if (next == NULL) \
	next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A sync that was only said to be done. */
static int
lies(enum kind kind)
{
	return counters[kind].error == LIES;
}

static ssize_t
write_down(int file, const void *bytes, size_t len, off64_t at)
{
	NEXT(pwrite64);
	pthread_mutex_lock(&journal_mutex);
	journal_file(JOURNAL_WRITE, file, at, bytes, len);
	ssize_t written = next(file, bytes, len, at);
	pthread_mutex_unlock(&journal_mutex);
	return written;
}

/* A disk that takes some of a page: whoever writes is told how much, and fails with the rest. */
ssize_t
pwrite64(int file, const void *bytes, size_t len, off64_t at)
{
	if (!is_chosen(WRITE))
		return write_down(file, bytes, len, at);
	size_t before = (size_t)counters[WRITE].before;
	ssize_t written = -1;
	if (before > 0 && before < len && atomic_load(&counters[WRITE].failed) == 1)
		written = write_down(file, bytes, before, at);
	if (written < 0 || counters[WRITE].error == DIES)
		fail(WRITE, ENOSPC);
	return written;
}

ssize_t
pread64(int file, void *bytes, size_t len, off64_t at)
{
	NEXT(pread64);
	return fails(READ, EIO) ? -1 : next(file, bytes, len, at);
}

/* What was written before a sync began is on the disk when it ends. */
static int
sync_by(int (*sync)(int), int file)
{
	if (is_chosen(SYNC)) {
		if (lies(SYNC))
			return 0;
		fail(SYNC, EIO);
		return -1;
	}
	uint64_t mark = journal_mark();
	int code = sync(file);
	pthread_mutex_lock(&journal_mutex);
	if (code == 0)
		journal_file(JOURNAL_SYNC, file, (int64_t)mark, NULL, 0);
	pthread_mutex_unlock(&journal_mutex);
	return code;
}

int
fdatasync(int file)
{
	NEXT(fdatasync);
	return sync_by(next, file);
}

int
fsync(int file)
{
	NEXT(fsync);
	return sync_by(next, file);
}

int
ftruncate64(int file, off64_t len)
{
	NEXT(ftruncate64);
	if (fails(TRUNCATE, EIO))
		return -1;
	pthread_mutex_lock(&journal_mutex);
	journal_file(JOURNAL_LENGTH, file, len, NULL, 0);
	int code = next(file, len);
	pthread_mutex_unlock(&journal_mutex);
	return code;
}

void *
mmap64(void *at, size_t len, int protection, int flags, int file, off64_t offset)
{
	NEXT(mmap64);
	return file >= 0 && fails(MAP, ENOMEM) ? MAP_FAILED : next(at, len, protection, flags, file, offset);
}

/* Names that were taken away or changed, after the fact: a call that is refused has changed none. */
int
unlink(const char *path)
{
	NEXT(unlink);
	if (fails(NAME, EIO))
		return -1;
	pthread_mutex_lock(&journal_mutex);
	journal_name(JOURNAL_GONE, path, NULL);
	int code = next(path);
	pthread_mutex_unlock(&journal_mutex);
	return code;
}

static int
moved(int code, const char *to, const char *from)
{
	if (code == 0)
		journal_name(JOURNAL_MOVED, to, from);
	pthread_mutex_unlock(&journal_mutex);
	return code;
}

int
rename(const char *from, const char *to)
{
	NEXT(rename);
	if (fails(NAME, EIO))
		return -1;
	pthread_mutex_lock(&journal_mutex);
	return moved(next(from, to), to, from);
}

int
renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	NEXT(renameat2);
	if (fails(NAME, EIO))
		return -1;
	pthread_mutex_lock(&journal_mutex);
	return moved(next(from_folder, from, to_folder, to, flags), to, from);
}

int
link(const char *from, const char *to)
{
	NEXT(link);
	if (fails(NAME, EIO))
		return -1;
	pthread_mutex_lock(&journal_mutex);
	return moved(next(from, to), to, NULL);
}

/* The rights are passed on whether the caller has given any or not. */
static mode_t
rights(va_list more, int flags)
{
	return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

/* A file that is new under its name is told of. */
static int
open_by(int (*opens)(const char *, int, ...), const char *path, int flags, mode_t mode)
{
	if (fails(OPEN, EIO))
		return -1;
	if ((flags & O_CREAT) == 0)
		return opens(path, flags, mode);
	pthread_mutex_lock(&journal_mutex);
	int there = faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	int file = opens(path, flags, mode);
	if (file >= 0 && !there)
		journal_name(JOURNAL_MADE, path, NULL);
	pthread_mutex_unlock(&journal_mutex);
	return file;
}

int
open64(const char *path, int flags, ...)
{
	NEXT(open64);
	va_list more;
	va_start(more, flags);
	mode_t mode = rights(more, flags);
	va_end(more);
	return open_by(next, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	NEXT(open);
	va_list more;
	va_start(more, flags);
	mode_t mode = rights(more, flags);
	va_end(more);
	return open_by(next, path, flags, mode);
}

int
mkostemp(char *path, int flags)
{
	NEXT(mkostemp);
	pthread_mutex_lock(&journal_mutex);
	int file = next(path, flags);
	if (file >= 0)
		journal_name(JOURNAL_MADE, path, NULL);
	pthread_mutex_unlock(&journal_mutex);
	return file;
}

/* The library sends an answer in one call: head and body, or the two as parts. */
static ssize_t
send_parts(int socket, const struct msghdr *message, int flags)
{
	NEXT(sendmsg);
	if (!is_chosen(SEND))
		return next(socket, message, flags);
	size_t before = (size_t)counters[SEND].before;
	if (before > 0 && message->msg_iovlen > 0) {
		struct iovec first = message->msg_iov[0];
		struct msghdr some = {.msg_iov = &first, .msg_iovlen = 1};
		first.iov_len = first.iov_len < before ? first.iov_len : before;
		next(socket, &some, flags);
	}
	fail(SEND, ECONNRESET);
	return -1;
}

ssize_t
sendmsg(int socket, const struct msghdr *message, int flags)
{
	return send_parts(socket, message, flags);
}

ssize_t
send(int socket, const void *bytes, size_t len, int flags)
{
	struct iovec part = {(void *)bytes, len};
	return send_parts(socket, &(struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, flags);
}

/*
 * A library for LD_PRELOAD that makes the n-th call of a kind fail, to learn
 * what the daemon does then (the idiom is SQLite's: faults by countdown).  The
 * file named by IUVOD_SHIM holds one counter per kind, mapped by the daemon
 * and by the test: `left` calls succeed, then `failures` calls fail; left < 0 is off.
 * With DIES for an error the process is killed there and then.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { MEMORY, WRITE, SYNC, SEND, KINDS };

enum { DIES = -1 };

struct counter {
	_Atomic int32_t left;
	_Atomic int32_t failures;
	_Atomic int32_t failed; /* how many did fail */
	int32_t error;          /* errno of a failure; 0: the kind's own; DIES */
	int32_t before;         /* of what is sent: as many bytes go out before it fails */
};

static struct counter off[KINDS] = {{.left = -1}, {.left = -1}, {.left = -1}, {.left = -1}};
static struct counter *counters = off;

__attribute__((constructor)) static void
attach(void)
{
	const char *path = getenv("IUVOD_SHIM");
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
	return 1;
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

ssize_t
pwrite64(int file, const void *bytes, size_t len, off64_t at)
{
	static ssize_t (*next)(int, const void *, size_t, off64_t);
	if (next == NULL)
		next = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
	return fails(WRITE, ENOSPC) ? -1 : next(file, bytes, len, at);
}

int
fdatasync(int file)
{
	static int (*next)(int);
	if (next == NULL)
		next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
	return fails(SYNC, EIO) ? -1 : next(file);
}

int
fsync(int file)
{
	static int (*next)(int);
	if (next == NULL)
		next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
	return fails(SYNC, EIO) ? -1 : next(file);
}

/* The library sends an answer in one call: head and body, or the two as parts. */
static ssize_t (*next_sendmsg)(int, const struct msghdr *, int);

static ssize_t
send_parts(int socket, const struct msghdr *message, int flags)
{
	if (next_sendmsg == NULL)
		next_sendmsg = (ssize_t(*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
	if (!is_chosen(SEND))
		return next_sendmsg(socket, message, flags);
	size_t before = (size_t)counters[SEND].before;
	if (before > 0 && message->msg_iovlen > 0) {
		struct iovec first = message->msg_iov[0];
		struct msghdr some = {.msg_iov = &first, .msg_iovlen = 1};
		first.iov_len = first.iov_len < before ? first.iov_len : before;
		next_sendmsg(socket, &some, flags);
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

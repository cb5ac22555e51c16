#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/file.h"

/* Whether the file that was locked is still the one of that name: its holder removes it before he gives it back. */
static bool
is_current(int fd, const char *path)
{
	struct stat held, named;
	return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
	       held.st_dev == named.st_dev;
}

static void
say_holder(int fd, const char *file, char *why, size_t room)
{
	char pid[16] = "";
	ssize_t len = pread(fd, pid, sizeof pid - 1, 0);
	if (len > 0 && strspn(pid, "0123456789") == (size_t)len)
		snprintf(why, room, "%s is in use by another iuvod, process %s", file, pid);
	else
		snprintf(why, room, "%s is in use by another iuvod", file);
}

/* Opens and locks; -1 with errno, EWOULDBLOCK if another has it. */
static int
open_locked(const char *path, const char *file, char *why, size_t room)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
			int error = errno;
			say_holder(fd, file, why, room);
			close(fd);
			errno = error;
			return -1;
		}
		if (is_current(fd, path))
			return fd;
		close(fd);
	}
}

enum lock_result
lock_take(struct lock *lock, const char *file, char *why, size_t room)
{
	/* Beside the file that a symbolic link leads to, so that two names of a file have one lock. */
	char *path = file_beside(file, "-lock");
	if (path == NULL) {
		snprintf(why, room, "cannot lock %s: %s", file, strerror(ENOMEM));
		return LOCK_IMPOSSIBLE;
	}
	int fd = open_locked(path, file, why, room);
	if (fd < 0) {
		bool held = errno == EWOULDBLOCK;
		if (!held)
			snprintf(why, room, "cannot lock %s with %s: %s", file, path, strerror(errno));
		free(path);
		return held ? LOCK_HELD_BY_OTHER : LOCK_IMPOSSIBLE;
	}
	/* For the message to who comes next; the lock itself needs no content. */
	if (ftruncate(fd, 0) == 0)
		dprintf(fd, "%ld", (long)getpid());
	*lock = (struct lock){path, fd};
	return LOCK_TAKEN;
}

void
lock_give(struct lock *lock)
{
	if (lock->path == NULL)
		return;
	unlink(lock->path);
	close(lock->fd);
	free(lock->path);
	*lock = (struct lock){NULL, -1};
}

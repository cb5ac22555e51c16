#include "store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool
refuse(char *why, size_t room, const char *what, const char *path)
{
	snprintf(why, room, "cannot %s %s: %s", what, path, strerror(errno));
	return false;
}

/*
 * A new file has no connection yet whose locks closing this descriptor could lose.
 * It holds hashes of tokens and what is said between players: it is its owner's
 * alone, and SQLite gives the WAL and the index of it the mode of the file.
 */
static bool
create(const char *path, char *why, size_t room)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return refuse(why, room, "create", path);
	close(fd);
	return true;
}

bool
file_check(const char *path, enum db_mode mode, uint64_t *size, char *why, size_t room)
{
	struct stat file;
	if (stat(path, &file) != 0) {
		if (errno != ENOENT || mode != DB_WRITE)
			return refuse(why, room, "open", path);
		*size = 0;
		return create(path, why, room);
	}
	if (!S_ISREG(file.st_mode)) {
		snprintf(why, room, "%s is %s, not a file", path,
		    S_ISDIR(file.st_mode) ? "a directory" : "a device or socket");
		return false;
	}
	if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
		return refuse(why, room, "read", path);
	if (mode == DB_WRITE && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
		return refuse(why, room, "write", path);
	/* Lock and WAL are found by the name: by another of its names a second daemon would write beside the first. */
	if (mode == DB_WRITE && file.st_nlink > 1) {
		snprintf(why, room, "%s has %lu names (hard links): a copy, made while nobody serves it, is safe", path,
		    (unsigned long)file.st_nlink);
		return false;
	}
	/* SQLite takes a file of one byte for an empty one, and would write over it. */
	if (file.st_size == 1) {
		snprintf(why, room, "%s is not a database", path);
		return false;
	}
	*size = (uint64_t)file.st_size;
	return true;
}

static char *
escape(char *at, unsigned char c)
{
	static const char hex[] = "0123456789ABCDEF";
	bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
	if (plain || strchr("/._-", c) != NULL) {
		*at++ = (char)c;
		return at;
	}
	*at++ = '%';
	*at++ = hex[c >> 4];
	*at++ = hex[c & 15];
	return at;
}

char *
file_uri(const char *path, bool immutable)
{
	/* With ./ before it, a file named :memory: is a file too. */
	const char *head = path[0] == '/' ? "file://" : "file:./";
	char *uri = memory_take(strlen(path) * 3 + 32);
	if (uri == NULL)
		return NULL;
	char *at = stpcpy(uri, head);
	for (; *path != '\0'; path++)
		at = escape(at, (unsigned char)*path);
	strcpy(at, immutable ? "?immutable=1" : "");
	return uri;
}

char *
file_beside(const char *path, const char *suffix)
{
	char real[PATH_MAX];
	const char *base = realpath(path, real) == NULL ? path : real;
	size_t len = strlen(base), more = strlen(suffix) + 1;
	char *name = memory_take(len + more);
	if (name == NULL)
		return NULL;
	memcpy(name, base, len);
	memcpy(name + len, suffix, more);
	return name;
}

bool
file_has_wal(const char *path)
{
	struct stat wal;
	char *name = file_beside(path, "-wal");
	/* Without memory to look: the careful answer. */
	bool has = name == NULL || (stat(name, &wal) == 0 && wal.st_size > 0);
	free(name);
	return has;
}

static bool
sync_one(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC);
	bool done = fd >= 0 && fsync(fd) == 0;
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return done;
}

bool
file_sync(const char *name)
{
	char *copy = strdup(name);
	bool done = copy != NULL && sync_one(name, O_RDWR) && sync_one(dirname(copy), O_RDONLY | O_DIRECTORY);
	int error = errno;
	free(copy);
	errno = error;
	return done;
}

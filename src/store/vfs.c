#include "store/vfs_private.h"

#include <pthread.h>
#include <sqlite3.h>

/*
 * A read that fails with EIO is SQLITE_IOERR_CORRUPTFS to SQLite's unix VFS, and
 * by the time a statement ends that is SQLITE_CORRUPT, as if the page had been
 * read and made no sense.  A disk that fails may be well again in a moment (503);
 * a damaged page stays damaged (500).  So here a read that fails is one that
 * fails; all else is as it was.
 */

enum { KINDS_MAX = 8 }; /* of files, by their ways of locking */

static struct kind {
	const sqlite3_io_methods *base;
	sqlite3_io_methods methods;
} kinds[KINDS_MAX];

static sqlite3_vfs *base_vfs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int
read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
	/* The methods of a file are those of a kind: xRead is reached through no others. */
	const struct kind *kind =
	    (const struct kind *)((const char *)file->pMethods - __builtin_offsetof(struct kind, methods));
	int code = kind->base->xRead(file, bytes, count, offset);
	return code == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : code;
}

/* The kind of a file, which is found once and then only read; NULL if there are more than there is room for. */
static struct kind *
find_kind(const sqlite3_io_methods *base)
{
	struct kind *kind = kinds;
	pthread_mutex_lock(&mutex);
	while (kind < kinds + KINDS_MAX && kind->base != NULL && kind->base != base)
		kind++;
	if (kind == kinds + KINDS_MAX) {
		kind = NULL;
	} else if (kind->base == NULL) {
		kind->methods = *base;
		kind->methods.xRead = read_file;
		kind->base = base;
	}
	pthread_mutex_unlock(&mutex);
	return kind;
}

static int
open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
	(void)vfs;
	int code = base_vfs->xOpen(base_vfs, name, file, flags, flags_out);
	struct kind *kind = code == SQLITE_OK && file->pMethods != NULL ? find_kind(file->pMethods) : NULL;
	if (kind != NULL)
		file->pMethods = &kind->methods;
	return code;
}

void
vfs_register(void)
{
	static sqlite3_vfs vfs;
	base_vfs = sqlite3_vfs_find(NULL);
	if (base_vfs == NULL)
		return;
	vfs = *base_vfs;
	vfs.pNext = NULL;
	vfs.zName = "iuvod";
	vfs.xOpen = open_file;
	sqlite3_vfs_register(&vfs, 1);
}

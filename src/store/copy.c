#include "config.h" /* renameat2 */

#include "store/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/connection_private.h"
#include "store/file.h"
#include "store/query_private.h"
#include "store/schema_private.h"

enum {
	TRIES = 50, /* while another connection is just bringing its WAL into order */
	TRY_MS = 100
};

struct copy {
	char *to;    /* the file that a symbolic link leads to */
	char *part;  /* its name until it is placed; NULL if there is no such file */
	char *aside; /* what the file before it was renamed to */
	enum copy_over over;
	struct lock lock; /* of `to` */
};

static bool
refuse(char *why, size_t room, const char *what, const char *name)
{
	snprintf(why, room, "cannot %s %s: %s", what, name, strerror(errno));
	return false;
}

static bool
is_there(const char *name)
{
	struct stat file;
	return lstat(name, &file) == 0 || errno != ENOENT;
}

static bool
may_begin(struct copy *copy, char *why, size_t room)
{
	uint64_t size;
	if (copy->over == COPY_NEW && is_there(copy->to)) {
		snprintf(why, room, "%s is there already; nothing is written over it", copy->to);
		return false;
	}
	if (is_there(copy->to) && !file_check(copy->to, DB_WRITE, &size, why, room))
		return false;
	return lock_take(&copy->lock, copy->to, why, room) == LOCK_TAKEN;
}

static bool
make_part(struct copy *copy, char *why, size_t room)
{
	char *part = file_beside(copy->to, ".part-XXXXXX");
	int fd = part == NULL ? -1 : mkostemp(part, O_CLOEXEC); /* of mode 0600 */
	if (fd < 0) {
		free(part);
		return refuse(why, room, "make", copy->to);
	}
	close(fd);
	copy->part = part;
	return true;
}

struct copy *
copy_begin(const char *name, enum copy_over over, char *why, size_t room)
{
	struct copy *copy = memory_take(sizeof *copy);
	if (copy == NULL) {
		connection_refuse(why, room, name, NULL);
		return NULL;
	}
	*copy = (struct copy){.to = file_beside(name, ""), .over = over, .lock = {NULL, -1}};
	if (copy->to == NULL)
		connection_refuse(why, room, name, NULL);
	else if (may_begin(copy, why, room) && make_part(copy, why, room))
		return copy;
	copy_end(copy);
	return NULL;
}

const char *
copy_name(const struct copy *copy)
{
	return copy->part;
}

const char *
copy_lock(const struct copy *copy)
{
	return copy->lock.path;
}

/* All pages in one step: what is written meanwhile goes to the WAL, and does not make it begin anew. */
static int
copy_pages(sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	if (backup == NULL)
		return sqlite3_errcode(to);
	int code = SQLITE_BUSY;
	for (unsigned i = 0; i < TRIES && (code == SQLITE_BUSY || code == SQLITE_LOCKED); i++) {
		if (i > 0)
			sqlite3_sleep(TRY_MS);
		code = sqlite3_backup_step(backup, -1);
	}
	sqlite3_backup_finish(backup);
	return code;
}

/* What is in *sqlite then must be closed, also on failure. */
static bool
open_part(const struct copy *copy, sqlite3 **sqlite, char *why, size_t room)
{
	return connection_open(copy->part, false, SQLITE_OPEN_READWRITE, sqlite, why, room) &&
	       (sqlite3_exec(*sqlite, schema_sql(SCHEMA_SETTINGS_COPY), NULL, NULL, NULL) == SQLITE_OK ||
		   connection_refuse(why, room, copy->part, *sqlite));
}

bool
copy_fill(struct copy *copy, struct db *from, const char *path, char *why, size_t room)
{
	sqlite3 *to = NULL;
	bool done = open_part(copy, &to, why, room);
	int code = done ? copy_pages(from->sqlite, to) : SQLITE_DONE;
	if (code != SQLITE_DONE) {
		snprintf(why, room, "cannot copy %s to %s: %s", path, copy->to, sqlite3_errstr(code));
		done = false;
	}
	sqlite3_close(to);
	return done;
}

bool
copy_raise(struct copy *copy, char *why, size_t room)
{
	sqlite3 *sqlite = NULL;
	unsigned schema;
	bool done = open_part(copy, &sqlite, why, room) &&
		    schema_read(sqlite, copy->part, schema_latest, &schema, why, room) &&
		    schema_raise(sqlite, copy->part, schema_migrations, schema_latest, &schema, why, room);
	sqlite3_close(sqlite);
	return done;
}

/* Gives a file its name if nothing has it: true, or false with errno. */
static bool
rename_to_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	/* Not every file system can do that in one step; the lock keeps others of us away. */
	return errno == EINVAL && !is_there(to) && rename(from, to) == 0;
}

/* The old file keeps its second name, so that at no moment there is none under the first. */
static char *
link_aside(const char *file)
{
	char suffix[48] = ".before-restore";
	for (unsigned n = 1;; n++) {
		char *name = file_beside(file, suffix);
		if (name == NULL || link(file, name) == 0)
			return name;
		int error = errno;
		free(name);
		errno = error;
		if (error != EEXIST)
			return NULL;
		snprintf(suffix, sizeof suffix, ".before-restore.%u", n);
	}
}

/* Whoever may use the old file may use the new one. */
static bool
keep_owner(const char *from, const char *to)
{
	struct stat old;
	if (stat(from, &old) != 0 || chmod(to, old.st_mode & 0777) != 0)
		return false;
	return chown(to, old.st_uid, old.st_gid) == 0 || errno == EPERM;
}

/*
 * Brings a WAL that a killed daemon has left into the file; where the file is too
 * damaged for that, both are kept aside as they are.
 */
static void
settle_wal(const char *file)
{
	char why[256];
	sqlite3 *sqlite = NULL;
	bool open = file_has_wal(file) && connection_open(file, false, SQLITE_OPEN_READWRITE, &sqlite, why, sizeof why);
	/* Before it has read anything, a connection does not know of a WAL. */
	if (open && sqlite3_exec(sqlite, schema_sql(SCHEMA_USER_VERSION), NULL, NULL, NULL) == SQLITE_OK) {
		sqlite3_wal_checkpoint_v2(sqlite, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
		sqlite3_db_config(sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	}
	sqlite3_close(sqlite);
}

/* A WAL may never stand beside another file than its own: it would be played into it. */
static bool
move_wal(const char *file, const char *aside)
{
	char *from = file_beside(file, "-wal"), *to = file_beside(aside, "-wal"), *index = file_beside(file, "-shm");
	bool done = from != NULL && to != NULL && index != NULL;
	if (done && file_has_wal(file))
		done = rename(from, to) == 0;
	if (done)
		done = (unlink(from) == 0 || errno == ENOENT) && (unlink(index) == 0 || errno == ENOENT);
	free(from);
	free(to);
	free(index);
	return done;
}

static bool
place_over(struct copy *copy, char *why, size_t room)
{
	if (!keep_owner(copy->to, copy->part))
		return refuse(why, room, "make ready", copy->part);
	settle_wal(copy->to);
	copy->aside = link_aside(copy->to);
	if (copy->aside == NULL)
		return refuse(why, room, "keep aside", copy->to);
	return (move_wal(copy->to, copy->aside) && rename(copy->part, copy->to) == 0) ||
	       refuse(why, room, "replace", copy->to);
}

bool
copy_place(struct copy *copy, const char **aside, char *why, size_t room)
{
	/* Under another name it would be found without its content after a power cut. */
	if (!file_sync(copy->part))
		return refuse(why, room, "write", copy->to);
	bool over = copy->over == COPY_ASIDE && is_there(copy->to);
	if (over ? !place_over(copy, why, room) : !rename_to_new(copy->part, copy->to))
		return over ? false : refuse(why, room, "make", copy->to);
	free(copy->part);
	copy->part = NULL;
	*aside = copy->aside;
	return file_sync(copy->to) || refuse(why, room, "write", copy->to);
}

void
copy_end(struct copy *copy)
{
	if (copy == NULL)
		return;
	if (copy->part != NULL)
		unlink(copy->part);
	lock_give(&copy->lock);
	free(copy->part);
	free(copy->aside);
	free(copy->to);
	free(copy);
}

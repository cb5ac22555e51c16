/*
 * A data file that is being made: whole and durable under a name of its own,
 * before it gets the name under which it shall be found.
 *
 *     copy_begin → copy_fill → (look at copy_name) → copy_place → copy_end
 *
 * Between copy_begin and copy_end nobody else can serve or make a file of the
 * name that it is to have.  Every failure has a line for the operator in
 * why[room].
 */
#ifndef IUVOD_STORE_COPY_H
#define IUVOD_STORE_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "store/db.h"

struct copy;

enum copy_over {
	COPY_NEW,  /* a file of the name is never touched: copy_begin refuses */
	COPY_ASIDE /* a file of the name is kept as NAME.before-restore, or .before-restore.1, .2 … */
};

/*
 * Makes an empty file NAME.part-XXXXXX, mode 0600, to become `name`.  NULL on
 * failure: a file of that name is there (COPY_NEW) or being served.
 */
struct copy *copy_begin(const char *name, enum copy_over over, char *why, size_t room);

/* Where it is until it is placed. */
const char *copy_name(const struct copy *copy);

/* The file of its lock, which only who holds it may remove, and only as the last that he does. */
const char *copy_lock(const struct copy *copy);

/* Copies all pages of `from`, as they stand at one moment; others may go on to write.  `path` names it in why. */
bool copy_fill(struct copy *copy, struct db *from, const char *path, char *why, size_t room);

/* Brings a copy that was filled up to the newest schema. */
bool copy_raise(struct copy *copy, char *why, size_t room);

/*
 * Makes it durable and gives it its name.  *aside is then the name of what stood
 * there before, or NULL; it lives as long as the copy.
 */
bool copy_place(struct copy *copy, const char **aside, char *why, size_t room);

/* Removes what was not placed.  NULL is allowed. */
void copy_end(struct copy *copy);

#endif

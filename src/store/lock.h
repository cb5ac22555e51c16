/*
 * Inside store/ only: the lock that lets one daemon at a time serve a data file.
 *
 * It is an flock on FILE-lock, which is there while it is held.  Not on the data
 * file itself: a process that closes any descriptor of a file loses the locks
 * that SQLite holds on it by other descriptors.
 */
#ifndef IUVOD_STORE_LOCK_H
#define IUVOD_STORE_LOCK_H

#include <stddef.h>

struct lock {
	char *path; /* owned; NULL while it is not held */
	int fd;
};

enum lock_result { LOCK_TAKEN, LOCK_HELD_BY_OTHER, LOCK_IMPOSSIBLE };

/* Takes the lock of a data file; otherwise a line in why[room] says who has it, or why it cannot be taken. */
enum lock_result lock_take(struct lock *lock, const char *file, char *why, size_t room);

/* Gives it back and removes its file.  Nothing happens if it is not held. */
void lock_give(struct lock *lock);

#endif

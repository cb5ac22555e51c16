/*
 * A command that makes a file and is ended by a signal (SIGINT, SIGTERM, SIGHUP) removes
 * what it has begun, and dies of the signal as it would have.  One thread, one file at a time:
 *
 *     tidy_hold → make the file → tidy_begin → fill it → tidy_hold → give it its name → tidy_end
 *
 * While they are held signals wait, so that a file is never removed under a name that is another's by then.
 */
#ifndef IUVOD_TIDY_H
#define IUVOD_TIDY_H

#include "store/copy.h"

void tidy_hold(void);

/* From now on a signal removes the file that is being made, what SQLite keeps beside it, and its lock.  NULL: there is
 * none. */
void tidy_begin(const struct copy *copy);

/* Nothing is removed any more; what has waited ends the program now. */
void tidy_end(void);

#endif

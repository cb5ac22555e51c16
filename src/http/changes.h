/*
 * Which games have changed, for caches of rendered documents.  Time is counted
 * in epochs: one for each committed batch.  A table of slots, several games to a
 * slot, holds the epoch of the slot's last change.  A document that was read
 * at or after that epoch is fresh.
 *
 * The writer holds the slots of a batch before COMMIT and publishes them after
 * it, before it answers.  In between nothing of these games is fresh: so no two
 * readers can see the new state and then the old one.
 *
 * Whoever waits for a game watches its slot before he reads it: what he does not
 * read then is told to him.
 */
#ifndef IUVOD_HTTP_CHANGES_H
#define IUVOD_HTTP_CHANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	CHANGES_SLOTS = 4096,
	CHANGES_ANY = CHANGES_SLOTS, /* to be watched: a change of any game */
	CHANGES_WORDS = CHANGES_SLOTS / 64 + 1
};

struct changes {
	_Atomic uint64_t begun; /* batches whose COMMIT has begun: as epoch, or one more */
	_Atomic uint64_t epoch;
	_Atomic uint64_t slot[CHANGES_SLOTS];
	/* For those who wait for a change: how many in each slot, and which of these slots have changed. */
	_Atomic unsigned watched[CHANGES_SLOTS + 1];
	_Atomic uint64_t news[CHANGES_WORDS];
	int event; /* of the one who takes the news; -1: nobody yet */
};

/* The slot of a game's id. */
unsigned changes_slot(const char *game);

/* To be asked before a read transaction begins: what it will see is at least of this epoch. */
uint64_t changes_now(const struct changes *changes);

/*
 * Whether a read transaction that began after changes_now returned epoch may
 * serve further calls: no COMMIT has begun since, so that none can have been seen
 * or told to anybody.  Any thread.
 */
bool changes_none_since(const struct changes *changes, uint64_t epoch);

/* Whether what was read at an epoch still stands.  Any thread. */
bool changes_fresh(const struct changes *changes, unsigned slot, uint64_t epoch);

/* The writer alone: begin and hold before COMMIT; then one changes_next, and publish each with what it returned. */
void changes_begin(struct changes *changes);
void changes_hold(struct changes *changes, unsigned slot);
uint64_t changes_next(struct changes *changes);
void changes_publish(struct changes *changes, unsigned slot, uint64_t epoch);

/* After the last changes_publish of a batch: wakes the one who takes the news, if there are any. */
void changes_tell(struct changes *changes);

/* One more, or one less, waits for a slot.  Any thread. */
void changes_watch(struct changes *changes, unsigned slot);
void changes_unwatch(struct changes *changes, unsigned slot);

/* The slots with news, as bits, since the last call; by one thread, which waits on changes->event. */
void changes_take(struct changes *changes, uint64_t news[CHANGES_WORDS]);

#endif

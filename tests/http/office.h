/* A data file with games in a directory of its own, and the writer that serves it, on the real clock. */
#ifndef IUVOD_TESTS_HTTP_OFFICE_H
#define IUVOD_TESTS_HTTP_OFFICE_H

/* cmocka wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <semaphore.h>

#include "http/lane.h"
#include "play/game.h"
#include "tests/folder.h"

struct office {
	char directory[FOLDER_MAX], path[FOLDER_FILE_MAX]; /* path: of the data file */
	struct arena *arena;
	struct lane_writer *lane; /* the last one, which may be asked until it is followed by another */
};

/* For cmocka: set-up and tear-down; *state is the office. */
int office_enter(void **state);
int office_leave(void **state);

/* Games in the file, all of one plan and made at one time; *last is the last of them.  Nobody may be serving. */
void office_create(
    struct office *office, int64_t at_ms, const struct game_plan *plan, unsigned count, struct game *last);

/* Opens the writer; closes it when all that was taken is answered. */
void office_serve(struct office *office);
void office_end(struct office *office);

/* Reads a game, whose id may be in *game; what it points at lives until the next one is read. */
void office_read(struct office *office, const char *id, struct game *game);

/* How many games wait for an engine, up to two. */
unsigned office_thinking(struct office *office);

/* A call that nobody sent: what it does is its own. */
struct office_call {
	struct lane_entry entry; /* first: the writer gives it back */
	struct call call;
	const char *id;   /* of the game that it is about */
	enum fault fault; /* what came of it, as its run says */
	sem_t done;
};

/* That which a call is part of. */
struct office_call *office_call_of(struct call *call);

/* Hands a call to the writer; office_await waits until it is durable, or has failed, and frees what it took. */
void office_send(struct office *office, struct office_call *sent, bool (*run)(struct call *call));
void office_await(struct office_call *sent);

#endif

/*
 * What passing time asks of the writer: what is due is done, and time in which
 * the service did not run is given back to the clocks of games.
 *
 * The row `alive` says when the service was last seen to run.  From then until
 * now it was down, when it starts; and when the writer comes back after a gap in
 * which its process was stopped or the machine slept.  That is owed to each game in
 * which a clock ran, the notice of an offer, or the wait for the last seats.  It is
 * paid in transactions of some hundred games, each of which writes how far it got,
 * before anything else is written.
 */
#ifndef IUVOD_HTTP_LANE_TIME_H
#define IUVOD_HTTP_LANE_TIME_H

#include "api/call.h"
#include "play/sweep.h"
#include "store/alive.h"

enum { LANE_DOWNTIME_MS = 1000 /* the shortest downtime: what is less is a slow answer */ };

struct lane_time {
	struct alive_row alive, before; /* as it is now, and before the transaction under way */
	int64_t downtime_ms;            /* the shortest that counts */
	int64_t back_ms;                /* up to when something is owed */
	int64_t due_ms;                 /* when something is due next; 0: nothing is */
	bool clocks;                    /* there are games under way that have one, or something is due sometime */
	int64_t rest_until_us;          /* clock_mono_us before which what failed is not tried again */
	int64_t seen_us;                /* clock_boot_us when the writer last looked; 0: it need not have */
	struct arena *arena;            /* of the transaction under way */
	struct changed_game *changed;   /* by it, besides those that calls changed */
	struct sweep_damaged damaged;   /* games that time does nothing to any more, and indexes that lead to none */
	unsigned left_out;              /* of those games, before the transaction under way */
	struct sweep_list found;        /* for it: in which something is due, or something is owed */
	bool looked;                    /* for those in which something is due */
	bool short_of_memory;           /* one of them could not be noted */
};

/* Opens it on the writer's connection: what the file says is owed from now on.  False without memory. */
bool lane_time_open(struct lane_time *time, struct db *db, int64_t downtime_ms);
void lane_time_close(struct lane_time *time);

/* At each turn of the writer: whether it was away. */
void lane_time_turn(struct lane_time *time);

/* Whether the writer has something to do, though nobody calls. */
bool lane_time_calls(const struct lane_time *time);

/* For how long it may wait for calls, in microseconds; -1: for ever. */
int64_t lane_time_wait_us(struct lane_time *time);

/*
 * Before a transaction that is to pay, or to sweep: looks for the games.  Damage that
 * is met on the way spoils no transaction then.
 */
enum fault lane_time_look_to_pay(struct lane_time *time, struct db *db);
void lane_time_look_to_sweep(struct lane_time *time, struct db *db);

/* Whether the transaction under way has met a game that is damaged, and the next one will be without it. */
bool lane_time_got_further(const struct lane_time *time);

/*
 * Inside a transaction.  lane_time_pay pays some of what is owed, and nothing else
 * may be written while it is.  lane_time_sweep does what is due; with all, however
 * much that is.  lane_time_sign writes that the service is alive.
 */
enum fault lane_time_pay(struct lane_time *time, struct db *db);
enum fault lane_time_sweep(struct lane_time *time, struct db *db, bool all);
enum fault lane_time_sign(struct lane_time *time, struct db *db);

/* A transaction begins; it ended and is kept, or is lost as far as is known. */
void lane_time_begin(struct lane_time *time);
void lane_time_kept(struct lane_time *time, struct db *db);
void lane_time_lost(struct lane_time *time);

/* The file was opened anew: it tells what became of the last transaction. */
void lane_time_reopened(struct lane_time *time, struct db *db);

#endif

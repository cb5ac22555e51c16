/* Parts of verify_all: one game, and its log of events. */
#ifndef IUVOD_PLAY_VERIFY_GAME_H
#define IUVOD_PLAY_VERIFY_GAME_H

#include "play/verify.h"

enum { VERIFY_PAGE = 64 }; /* rows that are read at once */

/* A verification under way. */
struct verify {
	struct db *db;
	struct verify_count *count;
	void (*difference)(void *arg, const char *id, const char *line);
	void *arg;
	struct arena *arena; /* of the game */
	struct game_row row; /* the game */
};

/* Counts a difference and tells it. */
void verify_differs(struct verify *verify, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells a difference if two texts are not the same; NULL stands for none. */
void verify_text(struct verify *verify, const char *what, const char *stored, const char *replayed);

/* Replays verify->row and compares all that is stored of it. */
enum fault verify_game(struct verify *verify);

/* Compares verify->row with the game that it is a rematch of, and with its own rematch. */
enum fault verify_rematch(struct verify *verify);

/* Replays the clocks of verify->row by its log, which has been found good, and compares what is stored of them. */
enum fault verify_clock(struct verify *verify, const struct seat_row *seats, unsigned seat_count);

/* Follows the offers of verify->row through its log, which has been found good, and compares those that are open. */
enum fault verify_offers(struct verify *verify);

/* Gives the events of verify->row to `follow`, from the first to the last or until it says no more (false), with an
 * arena that lasts for the call. */
enum fault verify_events_each(
    struct verify *verify, bool (*follow)(void *walk, const struct event_row *event, struct arena *arena), void *walk);

/* A walk through a game's log, in pages that have an arena of their own. */
struct verify_events {
	struct verify *verify;
	struct arena *arena;
	struct event_row rows[VERIFY_PAGE];
	unsigned count, at;           /* rows of the page, and how many of them were taken */
	unsigned seq;                 /* of the last one taken */
	const struct event_row *held; /* the next that a replay can tell, not yet taken; of the page */
	unsigned seat_count;
	/* The seats of which the log has told whether they are filled, as bits, and those that are. */
	unsigned known, filled;
	bool lost; /* one did not fit: those behind it are not compared any more */
};

/* Begins; verify_events_end must follow. */
void verify_events_begin(struct verify_events *events, struct verify *verify, unsigned seat_count);

/* The next event that a replay can tell, which stays the next; NULL at the end of the log, and when it was lost. */
enum fault verify_events_peek(struct verify_events *events, const struct event_row **row);

/* The replay would have logged this next; tells a difference if something else stands there. */
enum fault verify_events_expect(struct verify_events *events, const char *type, unsigned ply, unsigned seat);

/* The replay is over: no more of what a replay logs may follow, and the game's row must count them all. */
enum fault verify_events_finish(struct verify_events *events);
void verify_events_end(struct verify_events *events);

#endif

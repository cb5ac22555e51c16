/*
 * Rows of `feed`: each player's own log, seq from 1 without gaps.  An entry names
 * an event of a game, and what the player had to do with the game then; the
 * event itself is read from the game's log.
 */
#ifndef IUVOD_STORE_FEED_H
#define IUVOD_STORE_FEED_H

#include "base/arena.h"
#include "base/token.h"
#include "store/events.h"

struct feed_row {
	int64_t seq;            /* the player's own; set by feed_append */
	unsigned seats;         /* his in the game, as bits: 1 for seat 1 */
	bool turn;              /* one of them was to move after the event */
	char id[ID_LEN + 1];    /* of the game; only when read */
	struct event_row event; /* when written: seq and ply alone */
};

/* Adds an entry to a player's feed. */
enum fault feed_append(struct db *db, int64_t player, int64_t game, struct feed_row *row);

/* Up to max rows with seq > after, in order. */
enum fault feed_of(struct db *db, struct arena *arena, int64_t player, int64_t after, struct feed_row *rows,
    unsigned max, unsigned *count);

/* News for a player: an entry of the feeds of all, in their order. */
struct feed_news {
	int64_t entry, player;
};

/* Up to max entries of all feeds after one, in order. */
enum fault feed_since(struct db *db, int64_t after, struct feed_news *news, unsigned max, unsigned *count);

/* The last entry of all; 0 if there is none. */
enum fault feed_last(struct db *db, int64_t *entry);

#endif

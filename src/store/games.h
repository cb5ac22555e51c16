/* Rows of `games`.  Texts of a row that was read lie in the arena; of one that is written they are borrowed. */
#ifndef IUVOD_STORE_GAMES_H
#define IUVOD_STORE_GAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/token.h"
#include "store/db.h"

struct game_row {
	int64_t game; /* key inside the store; never shown */
	char id[ID_LEN + 1];
	const char *variant; /* its id */
	const char *status;  /* open, active, finished, withdrawn */
	bool listed;         /* visibility is public */
	bool imported;
	const char *start; /* position texts (T2) */
	const char *position;
	unsigned turn; /* 0 while nobody is to move: before the start, and when it is over */
	unsigned ply;
	unsigned seq;           /* of the newest event */
	const char *reason;     /* of the outcome; NULL while there is none */
	unsigned winner;        /* 0 for a draw */
	const void *twice;      /* keys left twice, 8 bytes each in the machine's order of a little-endian machine */
	size_t twice_len;       /* bytes */
	const char *tags;       /* JSON object of an imported record's tags; NULL if none */
	const char *clock_type; /* none, per_move, budget */
	const char *on_timeout; /* forfeit, claim */
	int64_t per_move_seconds, initial_seconds, increment_seconds; /* 0 where they do not apply */
	int64_t deadline_ms;                                          /* 0 for none */
	int64_t created_ms, updated_ms;
	int64_t creator;        /* a player's key; 0: nobody who has a lasting name */
	int64_t due_ms;         /* when the service must look at it by itself; 0 for never */
	int64_t paused_ms;      /* what the seat to move had left when the clock was paused; -1: it is not paused */
	unsigned offers;        /* how many are open */
	const char *rematch_of; /* ids of games; NULL for none */
	const char *rematch;
	unsigned thinks; /* while an engine must move or answer: enum opponent_among (play/opponent.h); else 0 */
	/* What games_update adds: moves_mark (moves.h) of each key that was left since the last.  Never read. */
	const void *marks;
	size_t marks_len;
};

/* Adds a game and sets row->game. */
enum fault games_insert(struct db *db, struct game_row *row);

/*
 * Writes status, position, turn, ply, seq, reason, winner, twice, deadline, updated
 * time, due, paused, offers, rematch and thinks of row->game, and adds marks.
 */
enum fault games_update(struct db *db, const struct game_row *row);

/* How many games there are of each status.  FAULT_DAMAGED_DATA if the file does not say. */
struct games_counts {
	int64_t open, active, finished, withdrawn;
};

enum fault games_counts(struct db *db, struct games_counts *counts);

/* FAULT_NO_SUCH_GAME if there is none. */
enum fault games_by_id(struct db *db, struct arena *arena, const char *id, struct game_row *row);

/*
 * Whether the row's position is that of the last move or ending as it is stored, or
 * the start where there is neither: FAULT_DAMAGED_DATA if not.
 */
enum fault games_agree(struct db *db, const struct game_row *row);

/* The first game whose key is above after, for walks over all (verify); *found tells whether there is one. */
enum fault games_next(struct db *db, struct arena *arena, int64_t after, struct game_row *row, bool *found);

/* A game as it is found, to be loaded. */
struct game_key {
	int64_t game;
	char id[ID_LEN + 1];
};

/*
 * The keys of up to max games whose due_ms has come, the longest due first; *count tells
 * how many.  An index says so: the row of a game is not looked at.
 */
enum fault games_overdue(struct db *db, int64_t now_ms, int64_t *games, unsigned max, unsigned *count);

/* The id of a game.  FAULT_NO_SUCH_GAME. */
enum fault games_id(struct db *db, int64_t game, char id[ID_LEN + 1]);

/* The earliest due_ms of all; 0 if there is none. */
enum fault games_next_due(struct db *db, int64_t *due_ms);

/*
 * Up to max games that something after since_ms is to happen to: their deadline, their withdrawal if they are open, an
 * offer that takes effect by itself.  Behind `after`, in the order of their keys.
 */
enum fault games_running(
    struct db *db, int64_t since_ms, int64_t after, struct game_key *keys, unsigned max, unsigned *count);

/* The keys of up to max games that think so, behind `after`, in their order; as an index tells. */
enum fault games_thinking(
    struct db *db, unsigned thinks, int64_t after, int64_t *games, unsigned max, unsigned *count);

/* Whether any game under way has a clock, or is due at some time. */
enum fault games_any_clock(struct db *db, bool *any);

/* Forgets when the game is due: it is damaged, and cannot be looked at. */
enum fault games_leave_alone(struct db *db, int64_t game);

/*
 * One page of the public games.  The combinations that an index serves are in
 * games_filters; any other gives FAULT_UNSUPPORTED_FILTERS.
 */
struct games_filter {
	const char *variant;      /* NULL: any */
	const char *status;       /* NULL: any */
	unsigned turn;            /* 0: any */
	const char *name;         /* of a seat, whole; NULL: any */
	int64_t updated_since_ms; /* -1: not asked; else order by time of change, ascending */
	/* where the page before ended; 0 for the first page */
	int64_t after_game;
	int64_t after_updated_ms;
	unsigned limit; /* 1..LIMIT_PAGE */
};

/* Reads up to limit rows into rows[limit], which the caller took from the arena; *count tells how many, *more whether
 * others follow. */
enum fault games_list(struct db *db, struct arena *arena, const struct games_filter *filter, struct game_row *rows,
    unsigned *count, bool *more);

/* One page of a player's games, each once, however many of its seats are his. */
struct games_place {
	int64_t player;
	enum {
		GAMES_ALL,    /* newest created first */
		GAMES_LISTED, /* the public ones of them */
		GAMES_NEEDING /* in which he must do something: by deadline, those without one last */
	} which;
	/* where the page before ended; 0 for the first page */
	int64_t after_game;
	int64_t after_due_ms; /* games_due of it; only of GAMES_NEEDING */
	unsigned limit;       /* 1..LIMIT_PAGE */
};

/* As games_list. */
enum fault games_of_player(struct db *db, struct arena *arena, const struct games_place *place, struct game_row *rows,
    unsigned *count, bool *more);

/* The deadline of a game as GAMES_NEEDING orders by it. */
int64_t games_due(const struct game_row *row);

/* The combinations of filters that are served, as a NULL-terminated list of texts like "variant, status". */
extern const char *const games_filters[];

#endif

/* Inside verify_game: the replay of one game under way, shared by the files that do it. */
#ifndef IUVOD_PLAY_VERIFY_REPLAY_H
#define IUVOD_PLAY_VERIFY_REPLAY_H

#include "engine/history.h"
#include "play/turn.h"
#include "play/verify_game.h"

struct replay {
	struct verify *verify;
	enum variant variant;
	struct position position;
	struct history *history;
	struct position *before; /* [ply]: as the game stood when ply + 1 was made, for takebacks; PLIES_MAX of them */
	unsigned record_ply; /* plies of the record so far: the position is ahead by those that a takeback takes out */
	struct turn_texts texts;
	const char *out_reasons[SEATS_MAX];
	unsigned seat_count;
	struct seat_row seats[SEATS_MAX]; /* as stored */
	unsigned open;                    /* those of them that are open, as bits */
	bool started;
	unsigned ending_count, ending; /* rows, and how many of them were replayed */
	struct ending_row endings[SEATS_MAX];
	bool broken; /* a move or an ending could not be replayed: what follows tells nothing */
	struct verify_events events;
};

/* Sets up the start of the game of replay->verify; false, and a difference, if it has none. */
bool verify_replay_begin(struct replay *replay);

/*
 * Replays the whole game, its log beside it: moves, endings, and what was taken
 * back.  Sets replay->broken, after a difference, where it cannot go on.
 */
enum fault verify_replay_all(struct replay *replay);

/* That a game was withdrawn follows from nothing else: it is believed where it can be. */
bool verify_replay_withdrawn(const struct replay *replay);

/* Plays a legal move; what followed from it is in *change. */
void verify_replay_move(struct replay *replay, struct move move, struct change *change);

/* What the log must say of a turn: who went out, and the end of the game. */
enum fault verify_replay_follow(struct replay *replay, const struct change *change);

/*
 * Replays what the log tells next of moves that were taken back, and of their
 * taking back; the game stands at a ply of its record again afterwards.
 */
enum fault verify_replay_taken_back(struct replay *replay);

#endif

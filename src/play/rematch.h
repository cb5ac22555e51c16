/*
 * A rematch: another game of those who sat in a finished one, from the same
 * start and on the same terms, in which everybody sits one seat further on in
 * turn order, the last at the first.  Whoever had a token of the finished game
 * goes on with it: it is for his seat of the new one too.
 */
#ifndef IUVOD_PLAY_REMATCH_H
#define IUVOD_PLAY_REMATCH_H

#include "play/game.h"

/* What was asked. */
struct rematch_request {
	bool stale;     /* If-Match names another state */
	bool no_engine; /* there is none that would play */
	const char *id; /* of the new game: made by the caller, so that tests choose it */
};

/*
 * The rematch of a game, asked for by the holder of any seat, whether it went out
 * or not.  A game has one: it is made for who asks first (*made), and found by who
 * asks again.  It starts at once, unless there is a seat of which nobody is left:
 * that is open.
 *
 *     FAULT_TOKEN_REQUIRED, FAULT_NOT_YOUR_SEAT
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_GAME_WITHDRAWN, FAULT_GAME_NOT_OVER
 *     FAULT_NO_ENGINE     (an engine would sit in the new game, and there is none)
 *
 * No event tells of it in the game that is over, since whoever follows a game stops
 * at game_finished: its row names the new one.
 */
enum fault rematch_make(struct db *db, struct arena *arena, int64_t now_ms, struct game *game,
    const struct holder *holder, const struct rematch_request *request, struct game *rematch, bool *made);

#endif

/*
 * Who sits at the board: open seats taken, left before the start, and their
 * tokens replaced.  Like all that changes a game (play/game.h): in the write
 * lane, each with its rows and its event; on a fault nothing was written that
 * the caller's savepoint does not undo, and *game is untouched.
 *
 * A seat has one token at a time, and an open one none: leaving and replacing
 * make the old one dead at once.  Replacing does so in all games for which it was
 * (play/rematch.h), and the new one is for all of them.
 */
#ifndef IUVOD_PLAY_SEAT_H
#define IUVOD_PLAY_SEAT_H

#include "play/game.h"
#include "store/players.h"

/* What was asked of a seat. */
struct seat_request {
	unsigned seat;    /* checked here: 0 is no seat */
	bool stale;       /* If-Match names another state */
	const char *name; /* of the taker, checked by the caller (struct game_plan); NULL: none; borrowed by *game */
	const struct player_row
	    *player;       /* who takes it, if he has a lasting name; else NULL; his name is borrowed too */
	const char *token; /* the new one (seat_take, seat_rekey): made by the caller, so that tests choose it */
};

/*
 * Takes an open seat; whoever comes first.  The game starts if it was the last;
 * if it goes on already, after a handover, and the seat is to move, it has the
 * time of a whole move.
 * A player's seat has the name that he asks for, or else his own as it is now.
 *
 *     FAULT_NO_SUCH_SEAT
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER
 *     FAULT_SEAT_TAKEN
 *     FAULT_SEAT_OUT    it was handed over, and has gone out since
 */
enum fault seat_take(struct db *db, int64_t now_ms, struct game *game, const struct seat_request *request);

/*
 * Leaves a seat before the start, by its holder: it is open again, and belongs to
 * whoever takes it next, also if the creator had made it as his own.
 *
 *     FAULT_NO_SUCH_SEAT
 *     FAULT_TOKEN_REQUIRED, FAULT_NOT_YOUR_SEAT
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER, FAULT_GAME_STARTED
 */
enum fault seat_leave(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct seat_request *request);

/*
 * The seat of a game under way is open again, for whoever takes it, and nobody's
 * until then: an agreed handover (play/offer.h).  Its clock goes on.  The game's
 * row is the caller's to write; on a fault the game is spoilt: work on a copy.
 */
enum fault seat_hand_over(struct db *db, int64_t now_ms, struct game *game, unsigned seat);

/*
 * Replaces a seat's token: by its holder, or by the creator's token while the
 * seat is one that he made as his own and that nobody else has re-keyed.  Whoever
 * got the token from him makes the seat his for good by replacing it himself.
 *
 * A player's seat stays his if he or the creator's token asks.  Whoever does it
 * with the seat's own token makes it his, and it is the player's no more, nor has
 * it that name any more, if it was his.
 *
 *     FAULT_NO_SUCH_SEAT
 *     FAULT_TOKEN_REQUIRED, FAULT_NOT_YOUR_SEAT
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER
 */
enum fault seat_rekey(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct seat_request *request);

#endif

/*
 * Offers: what seats ask of one another, and what comes of it when all agree.
 * Like all that changes a game (play/game.h): in the write lane, with rows and
 * events together; on a fault *game is untouched.
 *
 *     draw      the game is a draw (I17, H10)
 *     takeback  the game goes back to a ply (play/takeback.h)
 *     pause     no clock runs (play/clock.h)
 *     resume    it runs again; also when LIMIT_NOTICE_MS have passed, whatever was answered
 *     handover  a seat is open again, for whoever takes it: by its holder, or, because he is gone, by
 *               another seat; then LIMIT_NOTICE_MS pass in which he neither declines it nor moves
 *
 * An engine (play/opponent.h) answers a draw when it has thought; to all else it
 * agrees beforehand, so it is not asked.  Its own seat is not handed over.
 *
 * Asked are all other active seats in which somebody sits; of a takeback also those
 * that it brings back, of a handover not the seat itself.  If nobody sits in any of
 * the others, those who take them are asked, save for a handover.  Who is asked is
 * seen anew after each change of the game, so a seat that goes out, or is handed
 * over, is waited for no longer, and whoever takes it is asked in his turn.  An offer ends when it takes effect, when
 * one who is asked declines it, when it is withdrawn, and by what happens in the game: when
 *
 *     the game is over, or the seat that made it is out or open
 *     draw      one who is asked and has not answered moves: that declines it
 *     takeback  anybody moves or goes out
 *     handover  the seat's holder moves, or the seat is out
 *
 * A game has one open offer of a kind at most; the seats of a game see them,
 * nobody else does.
 */
#ifndef IUVOD_PLAY_OFFER_H
#define IUVOD_PLAY_OFFER_H

#include "play/game.h"

enum offer_kind { OFFER_DRAW, OFFER_TAKEBACK, OFFER_PAUSE, OFFER_RESUME, OFFER_HANDOVER };

/* The words of the kinds in that order, ending with NULL. */
extern const char *const offer_words[];

/* What is offered. */
struct offer_request {
	enum offer_kind kind;
	unsigned ply;   /* of a takeback: to which */
	unsigned seat;  /* named by the caller; 0: not said.  Of a handover: the seat to be handed over, else the one
			   that acts */
	bool stale;     /* If-Match names another state */
	const char *id; /* of the offer: made by the caller, so that tests choose it */
};

/*
 * Makes an offer; *made is the offer as it was made.  It takes effect at once if
 * nobody need be asked.
 *
 *     FAULT_TOKEN_REQUIRED, FAULT_NOT_YOUR_SEAT, FAULT_WHICH_SEAT
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_GAME_NOT_STARTED, FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER, FAULT_TIME_IS_UP, FAULT_SEAT_OUT
 *     FAULT_OFFER_OPEN       there is one of the kind: game->offers
 *     FAULT_NO_TAKEBACK      the ply is not below the game's, or a resignation or timeout came after it
 *     FAULT_NO_CLOCK, FAULT_CLOCK_PAUSED, FAULT_CLOCK_NOT_PAUSED
 *     FAULT_NO_SUCH_SEAT, FAULT_SEAT_OPEN, FAULT_ENGINE_SEAT     (handover)
 */
enum fault offer_make(struct db *db, int64_t now_ms, struct game *game, const struct holder *holder,
    const struct offer_request *request, struct offer_row *made);

/* An answer to an offer. */
struct offer_answer {
	const char *id;
	unsigned seat; /* that answers; 0: not said */
	bool accept;
	bool stale;
};

/*
 * Answers an offer; who has accepted may still decline.  Given once more, an
 * answer changes nothing.
 *
 *     FAULT_TOKEN_REQUIRED, FAULT_NOT_YOUR_SEAT, FAULT_WHICH_SEAT
 *     FAULT_NO_SUCH_OFFER
 *     FAULT_PRECONDITION_FAILED
 *     FAULT_TIME_IS_UP
 *     FAULT_NOT_ASKED        the seat made it, is out, or is not asked for another reason
 */
enum fault offer_answer(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const struct offer_answer *answer);

/* Withdraws an offer, by the seat that made it.  The faults of an answer; FAULT_NOT_YOUR_SEAT if another made it. */
enum fault offer_withdraw(
    struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, const char *id, bool stale);

/* The offer of that id; NULL if it is not open. */
const struct offer_row *offer_find(const struct game *game, const char *id);

/* The seats whose answer is waited for, as bits. */
unsigned offer_waiting(const struct game *game);

/* When the first of the open offers takes effect by itself; 0: never. */
int64_t offer_due(const struct game *game);

/* Those that are due take effect: for the service, when offer_due has come. */
enum fault offer_pass(struct db *db, int64_t now_ms, struct game *game);

/* Gives the notices that run in a game time back. */
enum fault offer_credit(struct db *db, struct game *game, int64_t ms);

/* What a change of a game means for its offers: game_write calls it for every one, before the game's row is written. */
enum fault offer_follow(struct db *db, const struct game *before, struct game *after);

#endif

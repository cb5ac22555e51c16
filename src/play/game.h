/*
 * Games: what may happen to one, and how it is stored.  Functions that change a
 * game run in the write lane, inside its transaction; each writes the change,
 * its rows and its events together, and on a fault the caller rolls back to its
 * savepoint.  Time and randomness are arguments.
 */
#ifndef IUVOD_PLAY_GAME_H
#define IUVOD_PLAY_GAME_H

#include "base/arena.h"
#include "base/fault.h"
#include "engine/notation.h"
#include "engine/position.h"
#include "play/holder.h"
#include "store/events.h"
#include "store/games.h"
#include "store/moves.h"
#include "store/offers.h"
#include "store/seats.h"

/*
 * A game as it stands: its rows, and what they mean.  All in the arena.  A seat
 * is out where position.out says so; its out_reason is NULL if it was out in the
 * position that the game started from.
 */
struct game {
	struct game_row row;
	enum variant variant;
	struct position position; /* with ply, winner and reason from the row */
	struct past past;
	unsigned seat_count;
	struct seat_row seats[SEATS_MAX];
	struct offer_row offers[OFFERS_MAX]; /* row.offers of them: those that are open */
	struct arena *arena;                 /* in which it lies */
	bool hushed;                         /* its players are not told of its events, since all of them are old */
};

/* A seat as a bit, 1 for seat 1; 0, nobody, is none. */
static inline unsigned
game_seat_bit(unsigned seat)
{
	return seat == 0 ? 0 : 1U << (seat - 1);
}

/* All seats of a game, and those that are in, as bits. */
static inline unsigned
game_seats(const struct game *game)
{
	return (1U << game->seat_count) - 1;
}

static inline unsigned
game_seats_in(const struct game *game)
{
	return game_seats(game) & ~game->position.out;
}

/* The endings of a game, which its seats and its outcome tell of, too.  FAULT_DAMAGED_GAME if they do not agree. */
enum fault game_endings(
    struct db *db, struct arena *arena, const struct game *game, struct ending_row rows[SEATS_MAX], unsigned *count);

/* Reads a game.  FAULT_NO_SUCH_GAME; FAULT_DAMAGED_GAME if what is stored cannot be read. */
enum fault game_load(struct db *db, struct arena *arena, const char *id, struct game *game);

/* The same of a row that has been read, whose texts stay the game's. */
enum fault game_load_row(struct db *db, struct arena *arena, const struct game_row *row, struct game *game);

/* Random input to game_create and record_import: made by the caller, so that tests choose it. */
struct game_secrets {
	char id[ID_LEN + 1];
	char creator_token[TOKEN_LEN + 1];
	char seat_tokens[SEATS_MAX][TOKEN_LEN + 1];
};

/* Draws all of it from the system (not in tests). */
void game_secrets_new(struct game_secrets *secrets);

/* How much time there is to play (play/clock.h). */
struct clock_terms {
	const char *type;                                             /* none, per_move, budget; NULL: not said */
	const char *on_timeout;                                       /* forfeit, claim; NULL: not said */
	int64_t per_move_seconds, initial_seconds, increment_seconds; /* 0 where they do not apply */
};

/* Whose a seat is to be; all zero: of nobody who has a lasting name. */
struct seat_owner {
	int64_t player; /* as a key of the store */
	const char *id; /* the same for all to see */
	bool namesake;  /* the seat has its name of him, not of who asked for it */
};

/* What a new game is to be. */
struct game_plan {
	enum variant variant;
	/* NULL: the variant's own; else one for which position_is_start holds. */
	const struct position *start;
	/* NULL: no name.  Checked by the caller: 1 to LIMIT_NAME code points of text_name_char. */
	const char *names[SEATS_MAX];
	/* Anybody may take it; such a seat has no name and no token yet.  The others are the creator's own. */
	bool open[SEATS_MAX];
	/* Of an engine that has it; 0: it is no engine's.  Such a seat has no name, no token and no owner. */
	unsigned levels[SEATS_MAX];
	/* Of the seats that are neither. */
	struct seat_owner owners[SEATS_MAX];
	int64_t creator; /* a player's key; 0: nobody who has a lasting name */
	bool listed;
	struct clock_terms clock;
	/*
	 * NULL, but for a rematch (play/rematch.h): the game whose seats and tokens, each
	 * moved on by one, are those of the new game.  Names, owners, creator and the
	 * tokens of the secrets say nothing then.
	 */
	const struct game *rematch_of;
	/* Only for record_import; the tags are a JSON object or NULL. */
	bool imported;
	const char *tags;
};

/*
 * Creates a game and leaves it in *game, as game_load would (texts in the arena or
 * borrowed from the plan).  It starts at once if no seat is open, else when the
 * last one is taken (play/seat.h).
 */
enum fault game_create(struct db *db, struct arena *arena, int64_t now_ms, const struct game_plan *plan,
    const struct game_secrets *secrets, struct game *game);

/* What was asked of a move. */
struct move_request {
	const struct move_text *text;
	int64_t expected_ply; /* -1: not said */
	bool stale;           /* If-Match names another state: FAULT_PRECONDITION_FAILED, but for a retry */
};

/* What came of it. */
struct move_result {
	enum verdict verdict; /* VERDICT_LEGAL, or why nothing happened */
	struct judgement judgement;
	struct move move;
	bool repeated;       /* HTTP.md rule 5: the same move again; nothing was written, row is the stored one */
	struct move_row row; /* as stored, or as a dry run would store it */
};

/*
 * Plays a move for the holder.  Checks in the order of HTTP.md rule 3:
 *
 *     FAULT_TOKEN_REQUIRED        the holder is not known
 *     FAULT_NOT_YOUR_SEAT         the token is for another game, or for no seat (the creator's own)
 *     (the natural retry, below)
 *     FAULT_PRECONDITION_FAILED   request->stale
 *     FAULT_STALE_PLY             expected_ply is said and is not the game's ply
 *     FAULT_GAME_NOT_STARTED, FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER
 *     FAULT_SEAT_OUT
 *     FAULT_NOT_YOUR_TURN         none of his seats is to move
 *     result->verdict             an illegal move is no fault: FAULT_NONE, and nothing is written
 *
 * The natural retry (HTTP.md rule 5).  A move is a repetition if the game holds
 * a move of the same seat with the same two end cells at one certain ply: at
 * expected_ply + 1 where expected_ply is said, also when others have moved since;
 * at the game's last ply where it is not.  An x that took nothing, or a chain
 * written out that could not have been jumped, is not the same move.  Then
 * result->repeated is set, row is the stored one, verdict is legal, nothing is
 * written and *game is untouched, whether the game goes on or is over.  A dry run
 * is never a retry.
 *
 * With dry, nothing is written, *game is the game as it would stand, and db may
 * be a read connection.
 */
enum fault game_move(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, const struct holder *holder,
    const struct move_request *request, bool dry, struct move_result *result);

/*
 * A seat of the holder (holder_seat) resigns (I12, H10), in turn or out of it.
 * FAULT_GAME_NOT_STARTED, FAULT_GAME_WITHDRAWN, FAULT_GAME_OVER, FAULT_SEAT_OUT,
 * FAULT_TIME_IS_UP (of the seat to move, whoever it is: that comes first).
 */
enum fault game_resign(struct db *db, struct arena *arena, int64_t now_ms, struct game *game, unsigned seat);

/*
 * Withdraws a game in which nobody has moved, whether it has started or not; by
 * the creator's token alone.  Checks in this order: FAULT_TOKEN_REQUIRED,
 * FAULT_NOT_YOUR_SEAT, FAULT_PRECONDITION_FAILED (stale), FAULT_GAME_WITHDRAWN,
 * FAULT_GAME_OVER, FAULT_GAME_MOVED.
 */
enum fault game_withdraw(struct db *db, int64_t now_ms, struct game *game, const struct holder *holder, bool stale);

/* Withdraws a game that was not filled in time, by nobody's token. */
enum fault game_withdraw_unfilled(struct db *db, int64_t now_ms, struct game *game);

/*
 * Whether a seat may act: FAULT_GAME_NOT_STARTED, FAULT_GAME_WITHDRAWN,
 * FAULT_GAME_OVER, FAULT_SEAT_OUT.
 */
enum fault game_check_in(const struct game *game, unsigned seat);

/* The seats of a game that are open, as bits: 1 for seat 1.  A game starts when there is none. */
unsigned game_open_seats(const struct game *game);

/* Those of them that can be taken: a seat that was handed over and has gone out since cannot. */
unsigned game_free_seats(const struct game *game);

/* Reads a position of the game as it was stored, after so many plies.  FAULT_DAMAGED_GAME. */
enum fault game_read_position(const struct game *game, const char *text, unsigned ply, struct position *position);

/*
 * The row of a ply, from 1 to the game's own, its texts in the arena.
 * FAULT_NO_SUCH_PLY beyond; FAULT_DAMAGED_GAME if the row is lost, or the log tells of another.
 */
enum fault game_move_at(
    struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct move_row *row);

/*
 * The position that a ply left, with all that followed from the move itself; 0
 * is the start.  A resignation after that ply is not in it, so it never changes.
 * With winner and reason if that ply ended the game.  FAULT_NO_SUCH_PLY, FAULT_DAMAGED_GAME.
 */
enum fault game_position_at(
    struct db *db, struct arena *arena, const struct game *game, unsigned ply, struct position *position);

#endif

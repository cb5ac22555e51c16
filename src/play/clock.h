/*
 * Clocks of games: arithmetic on a game in memory, in 64-bit milliseconds; time
 * is an argument.  Whoever changes a game writes its rows afterwards.
 *
 * One clock runs at a time, that of the seat to move; row.deadline_ms is when it
 * has run out, 0 while none runs.  A clock of type per_move gives each move the
 * same time.  One of type budget takes it from what the seat has left, to which
 * each move adds an increment; seats[].remaining_ms is that, as of the beginning
 * of the turn for the seat to move.  A deadline belongs to the past: at the
 * deadline itself it is too late.
 *
 * While a game is paused no clock runs, and row.paused_ms is what the seat to
 * move has left, -1 otherwise.  A move that is made meanwhile costs no time and
 * earns none.
 */
#ifndef IUVOD_PLAY_CLOCK_H
#define IUVOD_PLAY_CLOCK_H

#include "play/game.h"

/* How long an open game waits for its seats to be filled. */
#define CLOCK_OPEN_MS ((int64_t)30 * 24 * 60 * 60 * 1000)

/* Puts the terms into a game that begins, and gives each seat its budget. */
void clock_set(struct game *game, const struct clock_terms *terms);

/* The seat to move begins its turn: at the start of the game, and after a takeback. */
void clock_start(struct game *game, int64_t now_ms);

/*
 * After a change by which the turn may have passed from seat `was`: by its move
 * (moved), or because somebody went out.  What `was` has left is put down, and the
 * clock of the seat that is to move now begins; it goes on as it was if the turn
 * did not pass.  When the game is over no clock runs.
 */
void clock_turned(struct game *game, unsigned was, bool moved, int64_t now_ms);

/* Before nobody is to move any more: what the seat to move has left is put down, and no clock runs. */
void clock_stop(struct game *game, int64_t now_ms);

/* False if there is nothing to pause or to resume: no clock runs, or it is not paused. */
bool clock_pause(struct game *game, int64_t now_ms);
bool clock_resume(struct game *game, int64_t now_ms);

/*
 * After a takeback, with the turn as it is then: each seat has what it had left at
 * that ply (moves.remaining of its last move up to there; -1: it had not moved), and
 * the seat to move begins its turn.
 */
void clock_restore(struct game *game, const int64_t remaining_ms[SEATS_MAX], int64_t now_ms);

/* Another person sits in the seat: if it is to move it has a whole move's time.  A budget goes on. */
void clock_refresh(struct game *game, unsigned seat, int64_t now_ms);

/* Gives time back to the seat to move, whose clock must run; and to an open game, for its seats to be filled. */
void clock_credit(struct game *game, int64_t ms);
void clock_credit_open(struct game *game, int64_t ms);

/* The clock of the seat to move has run out. */
bool clock_is_late(const struct game_row *row, int64_t now_ms);

/* … and that ends its part, whether somebody claims it or not: nobody may do anything in the game before. */
bool clock_is_up(const struct game_row *row, int64_t now_ms);

/*
 * When the service must look at the game because of its clock, or because it is still open; 0: never.  An open game
 * has CLOCK_OPEN_MS, and what it was given back since: row->due_ms, if it is set, tells.
 */
int64_t clock_due(const struct game_row *row);

/* What a seat has left as of row->updated_ms: never less than 0; -1 if that is not counted. */
int64_t clock_remaining(const struct game_row *row, const struct seat_row *seat);

#endif

/*
 * The event log of a game, as far as play/ writes it (types and rules: HTTP.md).
 * Each function appends one event in the running transaction, takes the game's
 * next seq and names its ply as it is then, so it is called after the change.
 *
 * `data` tells a reader of the log all that happened, so that he needs nothing else:
 *
 *     game_created   {variant, start, seats [{seat, name, kind, player}],
 *                    visibility, imported, rematch_of if it is one}
 *     game_started   {position, turn}
 *     seat_taken     {name, player, open_seats [those that are still free]}
 *     seat_left      {open_seats}
 *     seat_rekeyed   {by: "holder" or "creator"}
 *     move_played    {move, from, to, path [cells], kind, captures,
 *                    captured [owners], position, turn}
 *     seat_out       {reason, position, turn}
 *     offer_made     {offer, kind, ply, handover, asked [seats], takes_effect_at}
 *     offer_answered {offer, kind, answer, status, takes_effect_at}
 *     takeback_done  {to_ply, position, turn}
 *     clock_paused   {remaining_ms}, of the seat to move
 *     clock_resumed  {deadline}, likewise
 *     time_credited  {ms, deadline}, of the seat to move; of none if no clock ran,
 *                    but the notice of an offer or the wait for the seats of an open game
 *     name_erased    {}
 *     game_withdrawn {started, reason: "creator" or "unfilled"}
 *     game_finished  {winner, reason, position}
 *
 * position is the one after everything that followed from the same act; turn is
 * null when the game is over, name where there is none, winner for a draw;
 * captured stands only where something was, player only where it is one.  Times are
 * as the interface writes them, null where there is none.  handover is the seat that
 * is to be handed over, ply the one to take back to.  An answer is accepted or declined, null where no seat
 * gave one; the status after it is open, agreed, declined, withdrawn or void.
 */
#ifndef IUVOD_PLAY_EVENT_H
#define IUVOD_PLAY_EVENT_H

#include "play/game.h"

/*
 * Whether an event of this type and seat is shown to a viewer: those of offers are for the game's seats alone
 * (HTTP.md), and so is time given back where no clock ran, since it tells of a notice.
 */
bool event_shown(const char *type, unsigned seat, bool seated);

enum fault event_created(struct db *db, int64_t now_ms, struct game *game);
enum fault event_started(struct db *db, int64_t now_ms, struct game *game);

enum fault event_taken(struct db *db, int64_t now_ms, struct game *game, unsigned seat);
enum fault event_left(struct db *db, int64_t now_ms, struct game *game, unsigned seat);
enum fault event_rekeyed(struct db *db, int64_t now_ms, struct game *game, unsigned seat, bool by_creator);
enum fault event_offered(struct db *db, int64_t now_ms, struct game *game, const struct offer_row *offer);

/* seat: who answered or withdrew, 0 for nobody; answer: NULL for none. */
enum fault event_answered(struct db *db, int64_t now_ms, struct game *game, const struct offer_row *offer,
    unsigned seat, const char *answer, const char *status);

enum fault event_taken_back(struct db *db, int64_t now_ms, struct game *game);
enum fault event_paused(struct db *db, int64_t now_ms, struct game *game);
enum fault event_resumed(struct db *db, int64_t now_ms, struct game *game);

/* seat 0: of none that is still his. */
enum fault event_erased(struct db *db, int64_t now_ms, struct game *game, unsigned seat);
enum fault event_withdrawn(struct db *db, int64_t now_ms, struct game *game, bool started, const char *reason);

/* Writes the row of the move, which has its event in it.  captured: bits of the owners of the captured stone, 0 if
 * there was none. */
enum fault event_moved(
    struct db *db, struct game *game, const struct move_row *row, struct move move, unsigned captured);

/* Of the seat to move, whose deadline has been moved by so much; 0: no clock ran, but something else did. */
enum fault event_credited(struct db *db, int64_t now_ms, struct game *game, unsigned seat, int64_t ms);

enum fault event_out(struct db *db, int64_t now_ms, struct game *game, unsigned seat, const char *reason);
enum fault event_finished(struct db *db, int64_t now_ms, struct game *game);

#endif

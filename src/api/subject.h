/* The game that a call is about: found by the path, and the headers of a document about it. */
#ifndef IUVOD_API_SUBJECT_H
#define IUVOD_API_SUBJECT_H

#include "api/call.h"
#include "api/json.h"
#include "api/writer.h"

/* Loads the game that the path's first variable names.  FAULT_NO_SUCH_GAME. */
enum fault subject_load(struct call *call, struct game *game);

/* The last move of a game: *last points to *row, or is NULL before the first. */
enum fault subject_last(struct call *call, const struct game *game, struct move_row *row, const struct move_row **last);

/* count moves behind a ply, all of which the game must have: into rows[count].  FAULT_DAMAGED_GAME. */
enum fault subject_moves(
    struct call *call, const struct game *game, unsigned after, struct move_row *rows, unsigned count);

/* The path's second variable as a ply.  FAULT_NO_SUCH_PLY. */
enum fault subject_ply(const struct call *call, unsigned *ply);

/* Keeps the `seat` of a body for which the call is to act (play/holder.h); for a prepare that has nothing else to keep.
 */
enum fault subject_ask(struct call *call, const cJSON *body);

/* The seat that was asked for; 0 if none was. */
unsigned subject_asked(const struct call *call);

/* The same as a seat; 0 if it is the number of none. */
unsigned subject_seat(const struct call *call);

/*
 * The headers of a document about the game (HTTP.md rule 6): ETag of the seq,
 * the viewer and the media type, Vary, Cache-Control.  Turns the reply, whose body
 * is begun, into a 304 where If-None-Match says so, and marks it for the
 * cache where it may be.
 */
enum fault subject_headers(struct call *call, const struct game *game, bool immutable);

/*
 * Replies with a 304 if If-None-Match names the document as it is (as subject_headers
 * would), so that it need not be made; else there is no reply.
 */
enum fault subject_unchanged(struct call *call, const struct game *game);

/* The same for the answer to a change: the game's new ETag, and not to be kept. */
enum fault subject_changed(struct call *call, const struct game *game);

/*
 * Writes the game into the answer to a change: whole, or the least of it where the
 * call would have that (Prefer: return=minimal), which a header tells then.  last
 * and secrets: of document_game.
 */
void subject_write(struct call *call, struct writer *writer, const struct game *game, const struct move_row *last,
    const struct game_secrets *secrets);

/* The answer to a change that issues nothing: the game as it is after it. */
enum fault subject_reply(struct call *call, const struct game *game);

/* The answer to a creation: the game with its tokens (NULL: it issues none), and where it is. */
enum fault subject_created(struct call *call, const struct game *game, const struct game_secrets *secrets);

/* The answer to what would create a game that is there already: the same without tokens, and with 200. */
enum fault subject_found(struct call *call, const struct game *game);

/* Whether If-Match was sent and names another state of the game. */
bool subject_stale(const struct call *call, const struct game *game);

/* A fault of a change to the game with what it is about: `game` (412), `turn`, `deadline`, `outcome`, `open_seats`
 * (409). */
enum fault subject_refuse(struct call *call, enum fault fault, const struct game *game);

/* The same for a move or a resignation, which no creator's token makes. */
enum fault subject_refuse_mover(struct call *call, enum fault fault, const struct game *game);

#endif

/* The JSON documents of the interface, written from what play/ knows (HTTP.md, "A game", "A move in a list"). */
#ifndef IUVOD_API_DOCUMENT_H
#define IUVOD_API_DOCUMENT_H

#include "api/call.h"
#include "api/writer.h"

/* A cell as a string. */
void document_cell(struct writer *writer, cell_t cell);

/* Members `phase`, `stones`. */
void document_stones(struct writer *writer, const struct position *position);

/* Members `turn`, `outcome`; the reason as a word, NULL while it goes on. */
void document_turn(struct writer *writer, unsigned turn);
void document_reason(struct writer *writer, const char *reason, unsigned winner);
void document_outcome(struct writer *writer, enum reason reason, unsigned winner);

/* Members `position`, `phase`, `stones`, `turn`, `outcome`. */
void document_position(struct writer *writer, const struct position *position);

/* An array of legal moves of the position; from CELL_NONE: all of them. */
void document_legal_moves(struct writer *writer, const struct position *position, const struct past *past,
    cell_or_none_t from, struct move moves[MOVES_MAX]);

/* Member `deadline`; null while no clock runs. */
void document_deadline(struct writer *writer, const struct game_row *row);

/* A move that was played, as an object. */
void document_played(struct writer *writer, const struct move_row *row);

/* Member `open_seats`: the numbers of those that can still be taken. */
void document_open_seats(struct writer *writer, const struct game *game);

/* An open offer as an object, and member `offers`: those of the game, if the caller has a seat in it. */
void document_offer(
    struct writer *writer, const struct call *call, const struct game *game, const struct offer_row *offer);
void document_offers(struct writer *writer, const struct call *call, const struct game *game);

/*
 * A game as an object.  last: its last move, NULL before the first.  secrets:
 * its tokens, in the answer that issues them and in no other; else NULL.
 */
void document_game(struct writer *writer, const struct call *call, const struct game *game, const struct move_row *last,
    const struct game_secrets *secrets);

/*
 * The least that an answer to a change must tell of a game: `id, status, seq, ply,
 * turn, outcome`, and its tokens, where they are issued, in their places.
 */
void document_minimal(struct writer *writer, const struct game *game, const struct game_secrets *secrets);

/* Whether a seat is out: the position's text tells it too, after its last space (T2). */
bool document_is_out(const struct game_row *row, const struct seat_row *seat);

/* Member `links` of a game. */
void document_links(struct writer *writer, const struct call *call, const struct game_row *row,
    const struct seat_row *seats, unsigned seat_count);

/* A game as lists show it. */
void document_summary(struct writer *writer, const struct call *call, const struct game *game);

#endif

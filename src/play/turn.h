/*
 * What happens to a game in one turn: a move, or a seat that goes out by its own
 * doing, or an agreed draw.  Each changes the game in memory and, unless dry,
 * writes the move or ending, the seats that went out and the events; the caller
 * writes the game's own row afterwards (an import: once for all turns) and keeps
 * the game's past.  On a fault the game is spoilt: work on a copy.
 */
#ifndef IUVOD_PLAY_TURN_H
#define IUVOD_PLAY_TURN_H

#include "play/game.h"

enum {
	OUT_TEXT_MAX = SEATS_MAX * 16 /* "2 captured,3 blocked" and NUL */
};

/* The texts that a row of a move borrows. */
struct turn_texts {
	char move[MOVE_TEXT_MAX];
	char path[PATH_TEXT_MAX];
	char position[POSITION_TEXT_MAX];
	char out[OUT_TEXT_MAX];
};

struct turn {
	struct db *db;
	int64_t now_ms;
	bool dry;
	struct game *game;
	struct turn_texts texts; /* of the last turn; the game's row.position borrows from it */
};

/* Begins turns of a game, in the arena.  NULL if there is no memory. */
struct turn *turn_begin(struct arena *arena, struct db *db, int64_t now_ms, bool dry, struct game *game);

/* A legal move by the seat to move.  *row borrows from turn->texts. */
enum fault turn_play(struct turn *turn, struct move move, struct move_row *row);

/* Resignation or timeout of a seat that is in; n: the number of endings before. */
enum fault turn_drop(struct turn *turn, unsigned seat, enum reason reason, unsigned n);

/* A draw that all active seats have agreed on; n: as above. */
enum fault turn_agree(struct turn *turn, unsigned n);

/* What the row of a move must be, but for its time: every text from the engine alone.  *row borrows from texts. */
void turn_describe(const struct position *before, struct move move, const struct position *after,
    const struct change *change, struct turn_texts *texts, struct move_row *row);

/* Reads back what turn_describe wrote: the move of a row, as text and as a move.  False if the row holds none. */
bool turn_read(const struct move_row *row, struct move_text *text, struct move *move);

#endif

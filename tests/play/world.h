/* A database in a directory of its own, and games in it, for the tests of play/. */
#ifndef IUVOD_TESTS_PLAY_WORLD_H
#define IUVOD_TESTS_PLAY_WORLD_H

/* cmocka wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "play/game.h"
#include "play/record.h"
#include "play/verify.h"
#include "tests/folder.h"

struct world {
	char directory[FOLDER_MAX];
	char path[FOLDER_FILE_MAX];
	struct db *db; /* of mode DB_WRITE, in a transaction */
	struct arena *arena;
	int64_t now_ms; /* moves on with every act */
	uint64_t random;
	unsigned games; /* made so far: the ids and tokens follow from it */
};

/* Set-up and teardown of cmocka: *state is the world. */
int world_open(void **state);
int world_close(void **state);

/* Commits and closes the database, and opens it again. */
void world_reopen(struct world *world, enum db_mode mode);

/* Commits what was done so far and begins anew. */
void world_commit(struct world *world);

/* Runs SQL on the data file behind the back of the store; the database must be closed by world_shut. */
void world_shut(struct world *world);
void world_sql(struct world *world, const char *sql);
int64_t world_ask(struct world *world, const char *sql);

/* A number below n from the world's own sequence. */
unsigned world_random(struct world *world, unsigned n);

/* The secrets of the n-th game, all different. */
void world_secrets(unsigned n, struct game_secrets *secrets);

/* A new game of the variant, or of a plan. */
void world_create(struct world *world, enum variant variant, struct game *game);
void world_plan(struct world *world, const struct game_plan *plan, struct game *game);

/* The holder of a seat's token; 0: of the creator's. */
struct holder world_holder(unsigned seat);

/* What a token is in a game; FAULT_TOKEN_UNKNOWN if it is dead. */
enum fault world_token(struct world *world, const struct game *game, const char *token, struct holder *holder);

/* A move as text by a seat, without expected_ply. */
enum fault world_move(
    struct world *world, struct game *game, unsigned seat, const char *text, struct move_result *result);

/* Plays moves by whoever is to move, separated by blanks; each must be legal. */
void world_play(struct world *world, struct game *game, const char *moves);

/* A random legal move by the seat to move. */
void world_play_random(struct world *world, struct game *game);

/* A random game of at most so many plies, with resignations, one ply in `resign` (0: none). */
void world_random_game(struct world *world, enum variant variant, unsigned plies, unsigned resign, struct game *game);

/* The game as it is stored must be the one in memory. */
void world_same(struct world *world, const struct game *game);

/* The record of a game as text; free with text_free. */
struct text world_record_text(struct world *world, const struct game *game);

/*
 * What verify finds first in the file as it stands: a line, good until the next call, or
 * "" if nothing differs.  The database is open to be inspected then.
 */
const char *world_verify(struct world *world, struct verify_count *count);

/* Nothing differs.  The database is open for writing again then. */
void world_expect_sound(struct world *world);

/* Runs SQL behind the back of the store; what verify finds first then begins with line. */
void world_expect_difference(struct world *world, const char *sql, const char *line);

/* How many events the log of a game has; all of them in rows[max]. */
unsigned world_events(struct world *world, const struct game *game, struct event_row *rows, unsigned max);

#endif

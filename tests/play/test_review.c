/* A game looked at again is the game that was played: each position, each move, and the past up to any ply. */
#include "play/review.h"

#include <stdio.h>
#include <string.h>

#include "world.h"

enum { PLIES = 60, NOBODY = 0 };

/* A game as the test saw it being played. */
struct seen {
	struct game game;
	struct position before[PLIES + 1]; /* of each ply, from 1: as its seat found it */
	struct move moves[PLIES + 1];
	uint64_t left[PLIES + 1];
	unsigned resigned_at; /* before this ply; NOBODY */
};

/* The seat to move plays any legal move, and the test keeps what that is. */
static void
play_one(struct world *world, struct seen *seen)
{
	static struct move moves[MOVES_MAX];
	struct game *game = &seen->game;
	unsigned ply = game->row.ply + 1u, count = position_moves(&game->position, &game->past, moves);
	char text[MOVE_TEXT_MAX];
	struct move_result result;
	struct position after;
	struct change change;

	assert_in_range(ply, 1, PLIES);
	assert_true(count > 0);
	seen->before[ply] = game->position;
	seen->moves[ply] = moves[world_random(world, count)];
	position_play(&game->position, &game->past, seen->moves[ply], &after, &change);
	seen->left[ply] = change.left;
	notation_move(seen->moves[ply], text);
	assert_int_equal(world_move(world, game, game->position.turn, text, &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
}

/* A game of so many plies at most; before one of them a seat that is not to move resigns. */
static void
play(struct world *world, enum variant variant, unsigned plies, unsigned resigns_at, struct seen *seen)
{
	*seen = (struct seen){.resigned_at = resigns_at};
	world_create(world, variant, &seen->game);
	while (seen->game.position.turn != 0 && seen->game.row.ply < plies) {
		if (seen->game.row.ply + 1u == resigns_at) {
			unsigned seat = seen->game.position.turn % seen->game.seat_count + 1;
			assert_int_equal(
			    game_resign(world->db, world->arena, world->now_ms++, &seen->game, seat), FAULT_NONE);
		}
		play_one(world, seen);
	}
}

static void
same_position(const struct position *a, const struct position *b)
{
	assert_true(a->key == b->key);
	assert_int_equal(a->ply, b->ply);
	assert_int_equal(a->turn, b->turn);
	assert_int_equal(a->out, b->out);
	assert_int_equal(a->resting, b->resting);
}

/* Any piece of the game, by its first ply and its length. */
static void
look_at(struct world *world, const struct seen *seen, unsigned first, unsigned count)
{
	struct review_ply plies[PLIES];
	assert_int_equal(review_plies(world->db, world->arena, &seen->game, first, count, plies), FAULT_NONE);
	for (unsigned i = 0; i < count; i++) {
		same_position(&plies[i].before, &seen->before[first + i]);
		assert_memory_equal(&plies[i].move, &seen->moves[first + i], sizeof plies[i].move);
		assert_true(plies[i].left == seen->left[first + i]);
	}
}

/* The past up to a ply: what a history grown by the test itself holds. */
static void
look_back(struct world *world, const struct seen *seen, unsigned ply)
{
	static struct history found, grown;
	struct position start;
	position_start(seen->game.variant, &start);
	history_begin(&grown, &start);
	for (unsigned i = 1; i <= ply; i++)
		history_add(&grown, seen->left[i]);
	assert_int_equal(review_past(world->db, world->arena, &seen->game, ply, &found), FAULT_NONE);
	assert_int_equal(found.count, grown.count);
	assert_memory_equal(found.keys, grown.keys, grown.count * sizeof *grown.keys);
	assert_int_equal(found.twice_count, grown.twice_count);
	assert_memory_equal(found.twice, grown.twice, grown.twice_count * sizeof *grown.twice);
}

static void
every_piece_is_what_was_played(void **state)
{
	struct world *world = *state;
	for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
		static struct seen seen;
		play(world, (enum variant)variant, 30, NOBODY, &seen);
		unsigned plies = seen.game.row.ply;
		assert_true(plies > 4);
		for (unsigned first = 1; first <= plies; first += 5)
			for (unsigned count = 0; first + count <= plies + 1; count += 7)
				look_at(world, &seen, first, count);
		look_at(world, &seen, 1, plies);
		look_at(world, &seen, plies, 1);
		for (unsigned ply = 0; ply <= plies; ply += 3)
			look_back(world, &seen, ply);
		look_back(world, &seen, plies);
	}
}

/* Who gave up before a ply is out in the position that its seat found, in whichever piece the ply stands. */
static void
who_gave_up_is_out(void **state)
{
	struct world *world = *state;
	static struct seen seen;
	play(world, VARIANT_IUVO_4, 20, 9, &seen);
	unsigned plies = seen.game.row.ply;
	assert_true(plies >= 9);
	assert_int_equal(seen.before[8].out, 0);
	assert_true(seen.before[9].out != 0);
	look_at(world, &seen, 1, plies);
	look_at(world, &seen, 9, 1);
	look_at(world, &seen, 8, 2);
	look_at(world, &seen, 1, 8);
	look_at(world, &seen, 10, plies - 9);
}

/* The past does not hang on where the game began to be counted: a game that goes to and fro has left positions twice.
 */
static void
what_was_left_twice_is_known(void **state)
{
	struct world *world = *state;
	static struct history history;
	struct game game;
	world_create(world, VARIANT_HALMA_2, &game);
	world_play(world, &game, "n4-m5 b12-b11 m5-n4 b11-b12 n4-m5 b12-b11");
	assert_int_equal(review_past(world->db, world->arena, &game, 6, &history), FAULT_NONE);
	assert_int_equal(history.twice_count, 3); /* the start, and what the first two plies left */
	assert_int_equal(review_past(world->db, world->arena, &game, 4, &history), FAULT_NONE);
	assert_int_equal(history.twice_count, 1);
	assert_int_equal(review_past(world->db, world->arena, &game, 0, &history), FAULT_NONE);
	assert_int_equal(history.twice_count, 0);
	assert_int_equal(history.count, 1);
}

static void
plies_that_there_are_not_are_refused(void **state)
{
	struct world *world = *state;
	static struct seen seen;
	static struct history history;
	struct review_ply plies[PLIES];
	play(world, VARIANT_IUVO_2, 6, NOBODY, &seen);
	const struct game *game = &seen.game;
	struct {
		unsigned first, count;
	} beyond[] = {{0, 1}, {1, 7}, {6, 2}, {7, 1}, {8, 0}};
	for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++)
		assert_int_equal(review_plies(world->db, world->arena, game, beyond[i].first, beyond[i].count, plies),
		    FAULT_NO_SUCH_PLY);
	assert_int_equal(review_plies(world->db, world->arena, game, 7, 0, plies), FAULT_NONE);
	assert_int_equal(review_past(world->db, world->arena, game, 6, &history), FAULT_NONE);
	assert_int_equal(review_past(world->db, world->arena, game, 7, &history), FAULT_NO_SUCH_PLY);
}

/* What cannot be read, or is missing, is told, and not looked at as if it were something else. */
static void
damage_is_told(void **state)
{
	static const char *const damages[] = {
	    "UPDATE moves SET position = 'iuvo-2 nonsense' WHERE ply = 3",
	    "UPDATE moves SET position = (SELECT start FROM games WHERE variant = 'halma-2') WHERE ply = 3",
	    "UPDATE moves SET move = 'nonsense' WHERE ply = 4",
	    "DELETE FROM moves WHERE ply = 4",
	};
	struct world *world = *state;
	struct game other;
	world_create(world, VARIANT_HALMA_2, &other);
	for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
		static struct seen seen;
		struct game game;
		struct review_ply plies[PLIES];
		char id[ID_LEN + 1], sql[256];
		play(world, VARIANT_IUVO_2, 6, NOBODY, &seen);
		memcpy(id, seen.game.row.id, sizeof id);
		look_at(world, &seen, 1, 6);
		snprintf(sql, sizeof sql, "%s AND game = %lld", damages[i], (long long)seen.game.row.game);
		world_shut(world);
		world_sql(world, sql);
		world_reopen(world, DB_WRITE);
		assert_int_equal(game_load(world->db, world->arena, id, &game), FAULT_NONE);
		assert_int_equal(review_plies(world->db, world->arena, &game, 1, 6, plies), FAULT_DAMAGED_GAME);
		assert_int_equal(review_plies(world->db, world->arena, &game, 1, 2, plies), FAULT_NONE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(every_piece_is_what_was_played, world_open, world_close),
	    cmocka_unit_test_setup_teardown(who_gave_up_is_out, world_open, world_close),
	    cmocka_unit_test_setup_teardown(what_was_left_twice_is_known, world_open, world_close),
	    cmocka_unit_test_setup_teardown(plies_that_there_are_not_are_refused, world_open, world_close),
	    cmocka_unit_test_setup_teardown(damage_is_told, world_open, world_close),
	};
	return cmocka_run_group_tests_name("review", tests, NULL, NULL);
}

/* Engines at the board: when one must do something, and that it is done only where the game still stands. */
#include "play/opponent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/offer.h"
#include "play/timeout.h"
#include "world.h"

#define WON "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -" /* seat 2 captures the last stone of seat 1 */

enum { MEMORY = SEARCH_MEMORY_MIN, MINUTE_MS = 60 * 1000 };

struct mind {
	void *memory;
	struct search *search;
	struct history history;
	struct opponent_task task;
};

static struct mind *
mind_open(void)
{
	struct mind *mind = calloc(1, sizeof *mind);
	assert_non_null(mind);
	mind->memory = aligned_alloc(64, MEMORY);
	assert_non_null(mind->memory);
	mind->search = search_open(mind->memory, MEMORY);
	return mind;
}

static void
mind_close(struct mind *mind)
{
	free(mind->memory);
	free(mind);
}

/* That of the engines of a test. */
static struct mind *mind;

static int
begin(void **state)
{
	mind = mind_open();
	return world_open(state);
}

static int
end(void **state)
{
	mind_close(mind);
	return world_close(state);
}

/* A game in which the seats of the bits are engines'; start NULL: the variant's own. */
static void
create(
    struct world *world, enum variant variant, unsigned engines, unsigned level, const char *start, struct game *game)
{
	struct position position;
	struct text_fault why;
	struct game_plan plan = {
	    .variant = variant, .listed = true, .clock = {.type = "per_move", .per_move_seconds = 60}};
	for (unsigned i = 0; i < SEATS_MAX; i++)
		plan.levels[i] = (engines >> i & 1) != 0 ? level : 0;
	if (start != NULL) {
		assert_true(notation_read_position(start, strlen(start), &position, &why));
		plan.start = &position;
	}
	world_plan(world, &plan, game);
}

static void
read_task(struct world *world, struct mind *thinker, const struct game *game)
{
	assert_int_equal(
	    opponent_read(world->db, world->arena, game->row.id, &thinker->task, &thinker->history), FAULT_NONE);
}

static void
think_with(struct world *world, struct mind *thinker, const struct game *game, enum opponent_act act, unsigned seat)
{
	read_task(world, thinker, game);
	assert_int_equal(thinker->task.act, act);
	if (act == OPPONENT_NOTHING)
		return;
	assert_int_equal(thinker->task.seat, seat);
	opponent_think(&thinker->task, thinker->search, &thinker->history, NULL);
}

static void
think(struct world *world, const struct game *game, enum opponent_act act, unsigned seat)
{
	think_with(world, mind, game, act, seat);
}

/* A game of a person and an engine, which has thought about its first move. */
static void
create_thought(struct world *world, struct game *game)
{
	create(world, VARIANT_IUVO_2, 1 << 1, 3, NULL, game);
	world_play_random(world, game);
	think(world, game, OPPONENT_MOVES, 2);
}

static bool
do_task(struct world *world, struct game *game)
{
	struct game after;
	bool done;
	assert_int_equal(opponent_do(world->db, world->arena, world->now_ms++, &mind->task, &after, &done), FAULT_NONE);
	if (done)
		*game = after;
	world_same(world, game);
	return done;
}

static struct offer_row
offer(struct world *world, struct game *game, unsigned seat, struct offer_request request)
{
	static unsigned made_so_far;
	struct holder holder = world_holder(seat);
	struct offer_row made;
	char id[ID_LEN + 1];
	snprintf(id, sizeof id, "%026u", made_so_far++);
	request.id = id;
	assert_int_equal(offer_make(world->db, world->now_ms++, game, &holder, &request, &made), FAULT_NONE);
	return made;
}

static void
what_is_wanted_follows_the_turn(void **state)
{
	struct world *world = *state;
	struct game game;
	create(world, VARIANT_IUVO_2, 1 << 1, 1, NULL, &game);
	assert_int_equal(opponent_seats(&game), 1 << 1);
	assert_int_equal(game.row.thinks, 0);
	world_play_random(world, &game);
	assert_int_equal(game.row.thinks, OPPONENT_AMONG_PEOPLE);
	world_same(world, &game);
	create(world, VARIANT_IUVO_4, 0xF, 1, NULL, &game);
	assert_int_equal(game.row.thinks, OPPONENT_AMONG_ENGINES);
	world_create(world, VARIANT_IUVO_2, &game);
	assert_int_equal(opponent_seats(&game) | game.row.thinks, 0);
}

static void
engines_play_a_game_to_its_end(void **state)
{
	static const enum variant variants[] = {VARIANT_IUVO_2, VARIANT_IUVO_4, VARIANT_HALMA_2};
	struct world *world = *state;
	for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
		struct game game;
		create(world, variants[i], (1 << variant_row(variants[i])->seats) - 1, 2, NULL, &game);
		while (game.row.thinks != 0) {
			unsigned ply = game.row.ply;
			think(world, &game, OPPONENT_MOVES, game.row.turn);
			assert_true(do_task(world, &game));
			assert_int_equal(game.row.ply, ply + 1);
			arena_reset(world->arena);
			assert_int_equal(game_load(world->db, world->arena, game.row.id, &game), FAULT_NONE);
		}
		assert_string_equal(game.row.status, "finished");
		think(world, &game, OPPONENT_NOTHING, 0);
	}
	world_expect_sound(world);
}

/* The same ply of the same game is played alike, whoever asks and however often; the past is that of the game. */
static void
a_move_follows_from_game_and_ply(void **state)
{
	struct world *world = *state;
	struct mind *first = mind_open(), *second = mind_open();
	struct game game;
	create(world, VARIANT_IUVO_2, 1 << 1, 5, NULL, &game);
	world_play_random(world, &game);
	think_with(world, first, &game, OPPONENT_MOVES, 2);
	think_with(world, second, &game, OPPONENT_MOVES, 2);
	assert_memory_equal(&first->task.move, &second->task.move, sizeof first->task.move);
	assert_int_equal(first->history.count, 1);
	uint64_t seed = first->task.seed;
	create(world, VARIANT_IUVO_2, 1 << 1, 5, NULL, &game);
	world_play_random(world, &game);
	read_task(world, second, &game);
	assert_true(second->task.seed != seed);
	mind_close(first);
	mind_close(second);
}

static void
what_was_thought_is_dropped_when_the_game_went_on(void **state)
{
	struct world *world = *state;
	struct game game;
	/* Done already. */
	create(world, VARIANT_IUVO_2, 1 << 1, 3, NULL, &game);
	world_play(world, &game, "a1-b3");
	think(world, &game, OPPONENT_MOVES, 2);
	assert_true(do_task(world, &game));
	assert_false(do_task(world, &game));
	/* Taken back; and then the same ply is reached by another move. */
	offer(world, &game, 1, (struct offer_request){.kind = OFFER_TAKEBACK, .ply = 0});
	assert_int_equal(game.row.ply, 0);
	assert_false(do_task(world, &game));
	world_play(world, &game, "c1-d3");
	assert_false(do_task(world, &game));
	/* Over. */
	think(world, &game, OPPONENT_MOVES, 2);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 1), FAULT_NONE);
	assert_false(do_task(world, &game));
	world_expect_sound(world);
}

/* An offer that changes nothing on the board does not make it think again. */
static void
a_pause_does_not_disturb_it(void **state)
{
	struct world *world = *state;
	struct game game;
	create_thought(world, &game);
	struct offer_row made = offer(world, &game, 1, (struct offer_request){.kind = OFFER_PAUSE});
	assert_int_equal(made.asked, 0);
	assert_true(game.row.paused_ms >= 0);
	assert_true(do_task(world, &game));
	world_expect_sound(world);
}

/* At the deadline itself it is too late, and the sweep does the rest. */
static void
its_time_runs_out(void **state)
{
	struct world *world = *state;
	struct game game;
	create_thought(world, &game);
	world->now_ms += MINUTE_MS;
	assert_false(do_task(world, &game));
	assert_int_equal(timeout_forfeit(world->db, world->arena, world->now_ms++, &game), FAULT_NONE);
	assert_int_equal(game.row.winner, 1);
	assert_int_equal(game.row.thinks, 0);
	world_expect_sound(world);
}

/* Who loses by force agrees; who wins by force does not: to move or not. */
static void
a_draw_is_a_matter_of_who_stands_better(void **state)
{
	struct world *world = *state;
	for (unsigned engine = 1; engine <= 2; engine++) {
		struct game game;
		create(world, VARIANT_IUVO_2, 1U << (engine - 1), 4, WON, &game);
		assert_int_equal(game.row.thinks, engine == 2 ? OPPONENT_AMONG_PEOPLE : 0);
		struct offer_row made = offer(world, &game, 3 - engine, (struct offer_request){.kind = OFFER_DRAW});
		assert_int_equal(made.asked, 1 << (engine - 1));
		assert_int_equal(game.row.thinks, OPPONENT_AMONG_PEOPLE);
		think(world, &game, OPPONENT_ANSWERS, engine);
		assert_int_equal(mind->task.accepts, engine == 1);
		assert_true(do_task(world, &game));
		assert_string_equal(game.row.status, engine == 1 ? "finished" : "active");
		assert_int_equal(game.row.thinks, engine == 1 ? 0 : OPPONENT_AMONG_PEOPLE);
		assert_false(do_task(world, &game));
	}
	world_expect_sound(world);
}

/* Of four in, an engine answers when it is to move: before that it is not asked to think. */
static void
of_four_it_answers_in_its_turn(void **state)
{
	struct world *world = *state;
	struct game game;
	create(world, VARIANT_IUVO_4, 1 << 1 | 1 << 2, 2, NULL, &game);
	offer(world, &game, 1, (struct offer_request){.kind = OFFER_DRAW});
	assert_int_equal(game.row.thinks, 0);
	world_play_random(world, &game);
	think(world, &game, OPPONENT_ANSWERS, 2);
	mind->task.accepts = true;
	assert_true(do_task(world, &game));
	assert_int_equal(game.offers[0].accepted, 1 << 1);
	think(world, &game, OPPONENT_MOVES, 2);
	assert_true(do_task(world, &game));
	assert_int_equal(game.row.offers, 1);
	think(world, &game, OPPONENT_ANSWERS, 3);
	world_expect_sound(world);
}

/* Of four, who is before the best of the others does not agree, though all three together would bring it down. */
static void
of_four_a_draw_is_a_matter_of_who_is_ahead(void **state)
{
	static const char *const boards[] = {
	    "iuvo-4 7/2pAs2/2oAoB1/2ooCD1/7/7/7 1 - -", "iuvo-4 7/2pAs2/2oAoB1/2ooCD1/7/7/7 3 - -"};
	struct world *world = *state;
	for (unsigned i = 0; i < 2; i++) {
		struct game game;
		unsigned seat = i == 0 ? 1 : 3;
		create(world, VARIANT_IUVO_4, 1U << (seat - 1), 8, boards[i], &game);
		offer(world, &game, 2, (struct offer_request){.kind = OFFER_DRAW});
		think(world, &game, OPPONENT_ANSWERS, seat);
		assert_int_equal(mind->task.accepts, seat == 3);
		assert_true(do_task(world, &game));
	}
	world_expect_sound(world);
}

static void
its_seat_is_not_handed_over(void **state)
{
	struct world *world = *state;
	struct game game;
	struct offer_row made;
	struct holder holder = world_holder(1);
	struct offer_request request = {.kind = OFFER_HANDOVER, .seat = 2, .id = "aaaaaaaaaaaaaaaaaaaaaaaaaa"};
	create(world, VARIANT_IUVO_2, 1 << 1, 1, NULL, &game);
	assert_int_equal(offer_make(world->db, world->now_ms++, &game, &holder, &request, &made), FAULT_ENGINE_SEAT);
	assert_int_equal(game.row.offers, 0);
}

static void
verify_sees_who_must_think(void **state)
{
	struct world *world = *state;
	struct game game;
	create(world, VARIANT_IUVO_2, 3, 1, NULL, &game);
	world_expect_sound(world);
	world_expect_difference(world, "UPDATE games SET thinks = NULL", "thinks: stored 0, by the game 2");
}

static void
a_level_that_is_none_is_damage(void **state)
{
	struct world *world = *state;
	struct game game;
	create(world, VARIANT_IUVO_2, 3, 1, NULL, &game);
	world_shut(world);
	world_sql(world, "UPDATE seats SET level = 11");
	world_reopen(world, DB_WRITE);
	assert_int_equal(
	    opponent_read(world->db, world->arena, game.row.id, &mind->task, &mind->history), FAULT_DAMAGED_GAME);
}

/* No game starts like this or comes to it; that of a file that is damaged may. */
static void
a_seat_that_cannot_move_is_damage(void **state)
{
	struct world *world = *state;
	struct game game;
	create(world, VARIANT_IUVO_2, 3, 1, "iuvo-2 B6/7/7/7/7/7/A6 1 - -", &game);
	assert_int_equal(
	    opponent_read(world->db, world->arena, game.row.id, &mind->task, &mind->history), FAULT_DAMAGED_GAME);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_wanted_follows_the_turn),
	    TEST(engines_play_a_game_to_its_end),
	    TEST(a_move_follows_from_game_and_ply),
	    TEST(what_was_thought_is_dropped_when_the_game_went_on),
	    TEST(a_pause_does_not_disturb_it),
	    TEST(its_time_runs_out),
	    TEST(a_draw_is_a_matter_of_who_stands_better),
	    TEST(of_four_a_draw_is_a_matter_of_who_is_ahead),
	    TEST(of_four_it_answers_in_its_turn),
	    TEST(its_seat_is_not_handed_over),
	    TEST(verify_sees_who_must_think),
	    TEST(a_level_that_is_none_is_damage),
	    TEST(a_seat_that_cannot_move_is_damage),
	};
	return cmocka_run_group_tests_name("opponent", tests, NULL, NULL);
}

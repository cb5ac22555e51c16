/* Games that go back: all of a game is as it was, and verify follows the log through it. */
#include "play/takeback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/offer.h"
#include "world.h"

enum { EVENTS_MAX = 4096 };

static void
take_back(struct world *world, struct game *game, unsigned ply)
{
	static unsigned ids;
	char id[ID_LEN + 1];
	struct offer_row made;
	struct holder holder = world_holder(game->position.turn);
	struct offer_request request = {.kind = OFFER_TAKEBACK, .ply = ply, .id = id};
	snprintf(id, sizeof id, "%026u", ids++);
	assert_int_equal(offer_make(world->db, world->now_ms, game, &holder, &request, &made), FAULT_NONE);
	for (unsigned seat = 1; seat <= game->seat_count; seat++) {
		struct offer_answer answer = {.id = id, .accept = true};
		holder = world_holder(seat);
		if ((made.asked >> (seat - 1) & 1) != 0)
			assert_int_equal(offer_answer(world->db, world->now_ms, game, &holder, &answer), FAULT_NONE);
	}
	world->now_ms++;
	assert_int_equal(game->row.ply, ply);
}

/* What the takeback must bring back: all of a game but who sits in it and what time it is. */
static void
same_stand(const struct game *a, const struct game *b)
{
	assert_string_equal(a->row.position, b->row.position);
	assert_string_equal(a->row.status, b->row.status);
	assert_int_equal(a->row.turn, b->row.turn);
	assert_int_equal(a->row.ply, b->row.ply);
	assert_int_equal(a->position.key, b->position.key);
	assert_int_equal(a->position.ply, b->position.ply);
	assert_int_equal(a->position.resting, b->position.resting);
	assert_int_equal(a->past.count, b->past.count);
	for (size_t i = 0; i < a->past.count; i++) {
		bool found = false;
		for (size_t j = 0; j < b->past.count; j++)
			found |= a->past.twice[i] == b->past.twice[j];
		assert_true(found);
	}
	for (unsigned i = 0; i < a->seat_count; i++)
		assert_int_equal(a->seats[i].out_reason == NULL, b->seats[i].out_reason == NULL);
}

/* The log has no gaps, and each event is as it was before. */
static void
same_log(struct world *world, const struct game *game, const struct event_row *rows, unsigned count)
{
	static struct event_row now[EVENTS_MAX];
	unsigned total = world_events(world, game, now, EVENTS_MAX);
	assert_int_equal(total, game->row.seq);
	assert_true(total >= count);
	for (unsigned i = 0; i < total; i++)
		assert_int_equal(now[i].seq, i + 1);
	for (unsigned i = 0; i < count; i++) {
		assert_string_equal(now[i].type, rows[i].type);
		assert_string_equal(now[i].data, rows[i].data);
		assert_int_equal(now[i].ply, rows[i].ply);
		assert_int_equal(now[i].seat, rows[i].seat);
		assert_int_equal(now[i].at_ms, rows[i].at_ms);
	}
}

/* Random games go to and fro; at each ply they have once stood at, they stand as they did. */
static void
a_game_stands_as_it_did(void **state)
{
	struct world *world = *state;
	static struct game stood[PLIES_MAX + 1];
	static struct event_row log[EVENTS_MAX];
	for (unsigned round = 0; round < 4 * VARIANT_COUNT; round++) {
		struct game game;
		world_create(world, (enum variant)(round % VARIANT_COUNT), &game);
		stood[0] = game;
		for (unsigned step = 0; step < 80 && game.position.turn != 0; step++) {
			if (game.row.ply > 0 && world_random(world, 12) == 0) {
				unsigned count = world_events(world, &game, log, EVENTS_MAX);
				unsigned ply = world_random(world, game.row.ply);
				take_back(world, &game, ply);
				same_stand(&game, &stood[ply]);
				same_log(world, &game, log, count);
			} else {
				world_play_random(world, &game);
				stood[game.row.ply] = game;
			}
			world_same(world, &game);
		}
		struct text text = world_record_text(world, &game);
		assert_non_null(strstr(text.bytes, "[Variant"));
		text_free(&text);
	}
	world_expect_sound(world);
}

/* A move made for the third time is no repetition after the second was taken back (I16), nor a draw (H8). */
static void
repetitions_are_uncounted(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_result result;
	world_create(world, VARIANT_HALMA_2, &game);
	for (unsigned round = 0; round < 3; round++) {
		world_play(world, &game, "l2-k3 e15-f14 k3-l2");
		if (round > 0) {
			/* The start stands for the third time if this is made: H8 counts it once. */
			assert_int_equal(game.past.count, 4);
			take_back(world, &game, 4);
			continue;
		}
		world_play(world, &game, "f14-e15");
	}
	world_play(world, &game, "l2-k3 e15-f14 k3-l2");
	assert_int_equal(world_move(world, &game, 2, "f14-e15", &result), FAULT_NONE);
	assert_int_equal(game.position.reason, REASON_REPETITION);
	assert_int_equal(game.row.ply, 8);
	world_expect_sound(world);
}

/* Plays at random until seats are out by moves alone; the ply before the first went out, or PLIES_MAX. */
static unsigned
play_until_out(struct world *world, struct game *game)
{
	unsigned before = game->position.out;
	while (game->position.turn != 0 && game->position.out == before)
		world_play_random(world, game);
	return game->position.turn == 0 ? PLIES_MAX : game->row.ply - 1U;
}

static void
seats_come_in_again(void **state)
{
	struct world *world = *state;
	unsigned found = 0;
	for (unsigned round = 0; round < 200 && found < 3; round++) {
		struct game game;
		world_create(world, VARIANT_IUVO_4, &game);
		unsigned ply = play_until_out(world, &game);
		if (ply == PLIES_MAX)
			continue;
		found++;
		unsigned out = game.position.out;
		take_back(world, &game, ply);
		assert_int_equal(game.position.out, 0);
		for (unsigned i = 0; i < 4; i++)
			assert_null(game.seats[i].out_reason);
		world_same(world, &game);
		assert_int_not_equal(out, 0);
		while (game.position.turn != 0 && game.row.ply < ply + 20U)
			world_play_random(world, &game);
	}
	assert_int_equal(found, 3);
	world_expect_sound(world);
}

/* A seat that has resigned stays out, also when the game goes back to the very ply. */
static void
nothing_goes_behind_a_resignation(void **state)
{
	struct world *world = *state;
	struct game game;
	unsigned lowest;
	world_create(world, VARIANT_IUVO_4, &game);
	assert_int_equal(takeback_lowest(world->db, world->arena, &game, &lowest), FAULT_NONE);
	assert_int_equal(lowest, 0);
	world_play(world, &game, "c1-d3");
	for (unsigned i = 0; i < 4; i++)
		world_play_random(world, &game);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 3), FAULT_NONE);
	struct game stood = game;
	for (unsigned i = 0; i < 4; i++)
		world_play_random(world, &game);
	assert_int_equal(takeback_lowest(world->db, world->arena, &game, &lowest), FAULT_NONE);
	assert_int_equal(lowest, 5);
	take_back(world, &game, 5);
	same_stand(&game, &stood);
	assert_string_equal(game.seats[2].out_reason, "resigned");
	world_same(world, &game);
	/* Resigning at a ply to which the game has come back. */
	world_play_random(world, &game);
	take_back(world, &game, 5);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 1), FAULT_NONE);
	world_play_random(world, &game);
	world_same(world, &game);
	world_expect_sound(world);
}

/* One game, taken back from ply 4 to ply 1 and from 3 to 2; whatever is forged in its log or its record is found. */
static void
what_is_forged_is_found(void **state)
{
	(void)state;
	static const struct {
		const char *sql, *line;
	} plants[] = {
	    {"UPDATE events SET data = json_set(data, '$.move', 'g7-f5') WHERE seq = 6",
		"events: seq 6: position: stored"},
	    {"UPDATE events SET data = json_set(data, '$.to_ply', 2) WHERE seq = 9", "events: seq 9: position: stored"},
	    {"UPDATE events SET data = json_set(data, '$.to_ply', 4) WHERE seq = 9",
		"events: seq 9: from ply 4 nothing is taken back to ply 4"},
	    {"UPDATE events SET data = json_remove(data, '$.to_ply') WHERE seq = 9",
		"events: seq 9: from ply 4 nothing is taken back to ply -1"},
	    {"UPDATE events SET ply = 0 WHERE seq = 9", "events: seq 9: stored takeback_done of ply 0"},
	    {"UPDATE events SET type = 'seat_rekeyed' WHERE seq = 9", "ply 4: played by the log, neither stored nor"},
	    {"UPDATE events SET type = 'seat_rekeyed' WHERE seq = 14", "ply 3: played by the log, neither stored nor"},
	    {"UPDATE events SET data = json_set(data, '$.move', 'c1-d3') WHERE seq = 4",
		"events: seq 4: c1-d3 is not-your-stone"},
	    {"UPDATE events SET data = json_set(data, '$.move', 'x') WHERE seq = 4",
		"events: seq 4: the data tell of no move"},
	    {"UPDATE events SET data = '{}' WHERE seq = 4", "events: seq 4: the data tell of no move"},
	    {"UPDATE events SET data = json_set(data, '$.position', 'nowhere') WHERE seq = 4",
		"events: seq 4: position: stored nowhere"},
	    {"UPDATE events SET seat = 1 WHERE seq = 4",
		"events: seq 4: move_played of ply 2, seat 1, replayed of ply 2"},
	    {"UPDATE events SET ply = 7 WHERE seq = 5", "events: seq 5: move_played of ply 7"},
	    {"DELETE FROM events WHERE seq = 5", "events: seq 6 follows 4"},
	    {"UPDATE events SET data = json_set(data, '$.ply', 0) WHERE seq = 7",
		"offers: seq 9: takeback_done: another ply was agreed on"},
	    {"UPDATE events SET data = json_set(data, '$.status', 'void') WHERE seq = 8",
		"offers: seq 9: takeback_done: it was not agreed on"},
	    {"UPDATE events SET type = 'seat_rekeyed' WHERE seq = 7",
		"offers: seq 8: offer_answered: there is no such open offer"},
	    {"UPDATE events SET data = json_set(data, '$.kind', 'draw') WHERE seq = 7",
		"offers: seq 9: takeback_done: it stands where what was agreed on should"},
	    {"UPDATE events SET data = json_set(data, '$.status', 'open') WHERE seq = 13",
		"offers: seq 14: takeback_done: it was not agreed on"},
	    {"UPDATE moves SET move = 'c1-d3' WHERE ply = 1", "ply 1 key: stored"},
	    {"UPDATE moves SET position = 'nowhere' WHERE ply = 2", "ply 2 position: stored nowhere"},
	    {"UPDATE games SET ply = 3", "ply: stored 3, replayed 2"},
	    {"INSERT INTO moves SELECT game, 3, 1, at, left, 15, move, kind, path, out, position, event, remaining"
	     " FROM moves WHERE ply = 1",
		"ply 3: "},
	};
	for (unsigned i = 0; i < sizeof plants / sizeof *plants; i++) {
		void *own = NULL;
		struct game game;
		assert_int_equal(world_open(&own), 0);
		struct world *world = own;
		world_create(world, VARIANT_IUVO_2, &game);
		world_play(world, &game, "a1-b3 a7-b5 c1-d3 c7-d5"); /* seq 3 to 6 */
		take_back(world, &game, 1);                          /* 7 to 9 */
		world_play(world, &game, "g7-f5 g1-f3");             /* 10, 11 */
		take_back(world, &game, 2);                          /* 12 to 14 */
		world_expect_sound(world);
		world_expect_difference(world, plants[i].sql, plants[i].line);
		assert_int_equal(world_close(&own), 0);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_game_stands_as_it_did),
	    TEST(repetitions_are_uncounted),
	    TEST(seats_come_in_again),
	    TEST(nothing_goes_behind_a_resignation),
	    cmocka_unit_test(what_is_forged_is_found),
	};
	return cmocka_run_group_tests_name("play takeback", tests, NULL, NULL);
}

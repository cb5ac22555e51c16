/* A game of the same people again. */
#include "play/rematch.h"

#include <stdio.h>
#include <string.h>

#include "play/seat.h"
#include "world.h"

/* Asks for a rematch with the token of a seat, under an id of the world's own. */
static enum fault
ask(struct world *world, struct game *game, struct holder holder, struct game *rematch, bool *made)
{
	static struct game_secrets secrets;
	struct rematch_request request = {.id = secrets.id};
	world_secrets(world->games, &secrets);
	enum fault fault =
	    rematch_make(world->db, world->arena, world->now_ms++, game, &holder, &request, rematch, made);
	if (fault == FAULT_NONE && *made)
		world->games++;
	return fault;
}

static void
expect_made(struct world *world, struct game *game, unsigned seat, struct game *rematch)
{
	bool made = false;
	assert_int_equal(ask(world, game, world_holder(seat), rematch, &made), FAULT_NONE);
	assert_true(made);
}

static void
resign(struct world *world, struct game *game, unsigned seat)
{
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, game, seat), FAULT_NONE);
}

/* All but one go, so that nobody has moved. */
static void
end(struct world *world, struct game *game, unsigned winner)
{
	for (unsigned seat = 1; seat <= game->seat_count; seat++)
		if (seat != winner)
			resign(world, game, seat);
	assert_string_equal(game->row.status, "finished");
}

/* Which seats of a game a token is for, as bits; the creator's as bit 8. */
static unsigned
seats_of_token(struct world *world, const struct game *game, const char *token)
{
	struct holder holder;
	assert_int_equal(world_token(world, game, token, &holder), FAULT_NONE);
	return holder.seats | (holder.creator ? 256 : 0);
}

static void
everybody_sits_one_seat_further_on(void **state)
{
	struct world *world = *state;
	static const char *const names[] = {"Ada", "Bo", "Cy", NULL};
	for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
		struct game_plan plan = {.variant = variant, .names = {"Ada", "Bo", "Cy", NULL}, .listed = true};
		struct game_secrets secrets;
		struct game game, rematch;
		unsigned n = world->games;
		world_plan(world, &plan, &game);
		world_secrets(n, &secrets);
		end(world, &game, 2);
		expect_made(world, &game, 1, &rematch);
		world_same(world, &game);
		world_same(world, &rematch);
		assert_string_equal(rematch.row.status, "active");
		assert_int_equal(rematch.row.turn, 1);
		assert_int_equal(rematch.row.ply, 0);
		assert_string_equal(game.row.rematch, rematch.row.id);
		assert_string_equal(rematch.row.rematch_of, game.row.id);
		assert_null(rematch.row.rematch);
		for (unsigned i = 0; i < game.seat_count; i++) {
			const struct seat_row *seat = &rematch.seats[(i + 1) % game.seat_count];
			if (names[i] == NULL)
				assert_null(seat->name);
			else
				assert_string_equal(seat->name, names[i]);
			assert_true(seat->own);
			assert_null(seat->out_reason);
			unsigned bit = 1U << (seat->seat - 1);
			assert_int_equal(seats_of_token(world, &rematch, secrets.seat_tokens[i]), bit);
			assert_int_equal(seats_of_token(world, &game, secrets.seat_tokens[i]), 1U << i);
		}
		assert_int_equal(seats_of_token(world, &rematch, secrets.creator_token), 256);
		world_play_random(world, &rematch);
	}
}

static void
the_terms_are_the_same(void **state)
{
	struct world *world = *state;
	static const char text[] = "iuvo-2 7/7/3oo2/1A1B3/1ooo3/1oAo3/1o5 2 - -";
	struct position start;
	struct text_fault why;
	assert_true(notation_read_position(text, strlen(text), &start, &why));
	struct game_plan plan = {
	    .variant = VARIANT_IUVO_2, .start = &start, .imported = true, .tags = "{\"Event\":\"x\"}"};
	struct game game, rematch, stored;
	world_plan(world, &plan, &game);
	resign(world, &game, 2);
	expect_made(world, &game, 1, &rematch);
	assert_int_equal(game_load(world->db, world->arena, rematch.row.id, &stored), FAULT_NONE);
	assert_string_equal(stored.row.start, text);
	assert_string_equal(stored.row.position, text);
	assert_int_equal(stored.row.turn, 2);
	assert_false(stored.row.listed);
	assert_string_equal(stored.row.clock_type, game.row.clock_type);
	assert_string_equal(stored.row.on_timeout, game.row.on_timeout);
	assert_string_equal(stored.row.rematch_of, game.row.id);
	/* It was played here, whatever the first was made from. */
	assert_false(stored.row.imported);
	assert_null(stored.row.tags);
}

static void
whoever_asks_again_finds_the_same_game(void **state)
{
	struct world *world = *state;
	struct game game, first, again;
	bool made = true;
	world_create(world, VARIANT_IUVO_4, &game);
	end(world, &game, 3);
	expect_made(world, &game, 4, &first);
	world_play_random(world, &first);
	int64_t updated_ms = game.row.updated_ms;
	for (unsigned seat = 1; seat <= 4; seat++) {
		assert_int_equal(game_load(world->db, world->arena, game.row.id, &game), FAULT_NONE);
		assert_int_equal(ask(world, &game, world_holder(seat), &again, &made), FAULT_NONE);
		assert_false(made);
		assert_string_equal(again.row.id, first.row.id);
		assert_int_equal(again.row.ply, 1);
		assert_int_equal(game.row.updated_ms, updated_ms);
	}
}

static void
no_event_tells_of_it_in_the_finished_game(void **state)
{
	struct world *world = *state;
	struct game game, rematch;
	struct event_row rows[8];
	char named[64];
	world_create(world, VARIANT_IUVO_2, &game);
	resign(world, &game, 1);
	unsigned seq = game.row.seq, count = world_events(world, &game, rows, 8);
	expect_made(world, &game, 2, &rematch);
	assert_int_equal(game.row.seq, seq);
	assert_int_equal(world_events(world, &game, rows, 8), count);
	assert_string_equal(rows[count - 1].type, "game_finished");
	/* The list by time of change shows that its document is another one. */
	assert_int_equal(game.row.updated_ms, world->now_ms - 1);
	assert_int_equal(world_events(world, &rematch, rows, 8), 2);
	assert_string_equal(rows[0].type, "game_created");
	assert_string_equal(rows[1].type, "game_started");
	snprintf(named, sizeof named, "\"rematch_of\":\"%s\"", game.row.id);
	assert_non_null(strstr(rows[0].data, named));
}

/* Two seats move on to each other and back: one token for all games of a chain. */
static void
a_rematch_has_a_rematch(void **state)
{
	struct world *world = *state;
	struct game_secrets secrets;
	struct game game, next;
	unsigned n = world->games;
	world_create(world, VARIANT_HALMA_2, &game);
	world_secrets(n, &secrets);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(seats_of_token(world, &game, secrets.seat_tokens[0]), i % 2 == 0 ? 1 : 2);
		assert_string_equal(game.seats[i % 2].name, "Ada");
		resign(world, &game, 1);
		expect_made(world, &game, 1 + i % 2, &next);
		game = next;
	}
}

static void
replaced_tokens_go_on_as_they_are(void **state)
{
	struct world *world = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .names = {"Ada"}, .open = {false, true}};
	struct game_secrets secrets;
	struct game game, rematch;
	unsigned n = world->games;
	char bo[TOKEN_LEN + 1];
	memset(bo, 'b', TOKEN_LEN);
	bo[TOKEN_LEN] = '\0';
	world_plan(world, &plan, &game);
	world_secrets(n, &secrets);
	struct seat_request request = {.seat = 2, .name = "Bo", .token = bo};
	assert_int_equal(seat_take(world->db, world->now_ms++, &game, &request), FAULT_NONE);
	resign(world, &game, 2);
	expect_made(world, &game, 2, &rematch);
	assert_int_equal(seats_of_token(world, &rematch, bo), 1);
	assert_string_equal(rematch.seats[0].name, "Bo");
	/* The creator cannot take the seat from whoever sits in it, in the next game either. */
	assert_false(rematch.seats[0].own);
	assert_true(rematch.seats[1].own);
}

static void
a_token_is_replaced_in_all_games_at_once(void **state)
{
	struct world *world = *state;
	struct game_secrets secrets;
	struct game first, second, other;
	unsigned n = world->games;
	char token[TOKEN_LEN + 1];
	struct holder seat;
	memset(token, 'b', TOKEN_LEN);
	token[TOKEN_LEN] = '\0';
	world_create(world, VARIANT_IUVO_4, &first);
	world_secrets(n, &secrets);
	world_create(world, VARIANT_IUVO_4, &other);
	end(world, &first, 1);
	expect_made(world, &first, 1, &second);
	assert_int_equal(world_token(world, &second, secrets.seat_tokens[3], &seat), FAULT_NONE);
	struct seat_request request = {.seat = 1, .token = token};
	assert_int_equal(seat_rekey(world->db, world->now_ms++, &second, &seat, &request), FAULT_NONE);
	assert_int_equal(world_token(world, &second, secrets.seat_tokens[3], &seat), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(seats_of_token(world, &first, token), 8);
	assert_int_equal(seats_of_token(world, &second, token), 1);
	assert_int_equal(seats_of_token(world, &other, token), 0);
	assert_int_equal(seats_of_token(world, &first, secrets.seat_tokens[2]), 4);
}

/* As a handover leaves one whose new player never came. */
static void
a_seat_that_was_free_at_the_end_is_free(void **state)
{
	struct world *world = *state;
	struct game_secrets secrets;
	struct game game, rematch;
	unsigned n = world->games;
	world_create(world, VARIANT_IUVO_4, &game);
	world_secrets(n, &secrets);
	end(world, &game, 1);
	world_shut(world);
	world_sql(world, "UPDATE seats SET kind = 'open', name = NULL, own = 0 WHERE seat = 3;"
			 "DELETE FROM tokens WHERE seat = 3");
	world_reopen(world, DB_WRITE);
	assert_int_equal(game_load(world->db, world->arena, game.row.id, &game), FAULT_NONE);
	expect_made(world, &game, 1, &rematch);
	assert_string_equal(rematch.row.status, "open");
	assert_int_equal(game_open_seats(&rematch), 8);
	assert_int_equal(rematch.row.turn, 0);
	assert_int_equal(rematch.row.seq, 1);
	world_same(world, &rematch);
	struct seat_request request = {.seat = 4, .name = "Eve", .token = secrets.creator_token};
	assert_int_equal(seat_take(world->db, world->now_ms++, &rematch, &request), FAULT_NONE);
	assert_string_equal(rematch.row.status, "active");
}

/* A player who was erased keeps his seats, but nobody can move for them. */
static void
a_seat_that_nobody_has_any_more_is_free(void **state)
{
	struct world *world = *state;
	struct game game, rematch;
	world_create(world, VARIANT_IUVO_2, &game);
	end(world, &game, 2);
	world_shut(world);
	world_sql(world, "DELETE FROM tokens WHERE seat = 1");
	world_reopen(world, DB_WRITE);
	expect_made(world, &game, 2, &rematch);
	assert_string_equal(rematch.row.status, "open");
	assert_int_equal(game_open_seats(&rematch), 2);
	assert_null(rematch.seats[1].name);
	assert_false(rematch.seats[1].own);
	assert_string_equal(rematch.seats[0].name, "Bo");
	world_same(world, &rematch);
}

static void
refusals(void **state)
{
	struct world *world = *state;
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .open = {false, true}};
	const struct holder nobody = {0}, stranger = {.known = true};
	struct rematch_request stale = {.stale = true, .id = "never"};
	struct game open, game, rematch = {.seat_count = 77};
	bool made = true;
	world_plan(world, &plan, &open);
	assert_int_equal(ask(world, &open, world_holder(1), &rematch, &made), FAULT_GAME_NOT_OVER);
	world_create(world, VARIANT_IUVO_2, &game);
	assert_int_equal(ask(world, &game, world_holder(1), &rematch, &made), FAULT_GAME_NOT_OVER);
	assert_int_equal(ask(world, &game, nobody, &rematch, &made), FAULT_TOKEN_REQUIRED);
	assert_int_equal(ask(world, &game, stranger, &rematch, &made), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(ask(world, &game, world_holder(0), &rematch, &made), FAULT_NOT_YOUR_SEAT);
	struct holder creator = world_holder(0), seat = world_holder(2);
	assert_int_equal(game_withdraw(world->db, world->now_ms++, &game, &creator, false), FAULT_NONE);
	assert_int_equal(ask(world, &game, seat, &rematch, &made), FAULT_GAME_WITHDRAWN);

	world_create(world, VARIANT_IUVO_2, &game);
	resign(world, &game, 1);
	assert_int_equal(ask(world, &game, creator, &rematch, &made), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(rematch_make(world->db, world->arena, world->now_ms, &game, &seat, &stale, &rematch, &made),
	    FAULT_PRECONDITION_FAILED);
	assert_null(game.row.rematch);
	assert_int_equal(rematch.seat_count, 77);
	assert_true(made);
	world_shut(world);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM games"), 3);
	world_reopen(world, DB_WRITE);
}

static void
expect_difference(struct world *world, const char *expected)
{
	struct verify_count count;
	const char *first = world_verify(world, &count);
	world_shut(world);
	assert_int_equal(count.games, 3);
	if (strncmp(first, expected, strlen(expected)) != 0 || (expected[0] == '\0' && first[0] != '\0'))
		fail_msg("expected %s, found %s", expected, first);
}

static void
verify_holds_both_games_beside_each_other(void **state)
{
	struct world *world = *state;
	static const struct {
		const char *plant, *back, *line;
	} cases[] = {
	    {"UPDATE games SET rematch = NULL WHERE game = 1",
		"UPDATE games SET rematch = (SELECT id FROM games WHERE game = 2) WHERE game = 1",
		"rematch of a game whose rematch is: stored -, replayed "},
	    {"UPDATE games SET rematch_of = NULL WHERE game = 3",
		"UPDATE games SET rematch_of = (SELECT id FROM games WHERE game = 2) WHERE game = 3",
		"rematch, which is one of: stored -, replayed "},
	    {"UPDATE games SET rematch = 'gone' WHERE game = 3", "UPDATE games SET rematch = NULL WHERE game = 3",
		"rematch: there is no game gone"},
	    {"UPDATE games SET rematch_of = 'gone' WHERE game = 1", "UPDATE games SET rematch_of = NULL WHERE game = 1",
		"rematch of: there is no game gone"},
	    {"UPDATE games SET rematch_of = (SELECT id FROM games WHERE game = 3) WHERE game = 1",
		"UPDATE games SET rematch_of = NULL WHERE game = 1",
		"rematch of a game that is: stored active, replayed finished"},
	};
	struct game game, second, third;
	world_create(world, VARIANT_IUVO_4, &game);
	end(world, &game, 1);
	expect_made(world, &game, 1, &second);
	end(world, &second, 2);
	expect_made(world, &second, 2, &third);
	world_shut(world);
	expect_difference(world, "");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		world_sql(world, cases[i].plant);
		expect_difference(world, cases[i].line);
		world_sql(world, cases[i].back);
	}
	/* A rematch of another start: its own replay is sound. */
	world_sql(world, "UPDATE games SET start = 'iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 2 - -', "
			 "position = 'iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 2 - -', turn = 2 WHERE game = 3");
	expect_difference(
	    world, "rematch of a game from the start: stored iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(everybody_sits_one_seat_further_on, world_open, world_close),
	    cmocka_unit_test_setup_teardown(the_terms_are_the_same, world_open, world_close),
	    cmocka_unit_test_setup_teardown(whoever_asks_again_finds_the_same_game, world_open, world_close),
	    cmocka_unit_test_setup_teardown(no_event_tells_of_it_in_the_finished_game, world_open, world_close),
	    cmocka_unit_test_setup_teardown(a_rematch_has_a_rematch, world_open, world_close),
	    cmocka_unit_test_setup_teardown(replaced_tokens_go_on_as_they_are, world_open, world_close),
	    cmocka_unit_test_setup_teardown(a_token_is_replaced_in_all_games_at_once, world_open, world_close),
	    cmocka_unit_test_setup_teardown(a_seat_that_nobody_has_any_more_is_free, world_open, world_close),
	    cmocka_unit_test_setup_teardown(a_seat_that_was_free_at_the_end_is_free, world_open, world_close),
	    cmocka_unit_test_setup_teardown(refusals, world_open, world_close),
	    cmocka_unit_test_setup_teardown(verify_holds_both_games_beside_each_other, world_open, world_close),
	};
	return cmocka_run_group_tests_name("rematch", tests, NULL, NULL);
}

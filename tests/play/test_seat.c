/* Open seats: taken, left and re-keyed; the start, and withdrawal. */
#include "play/seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { EVENTS_MAX = 64, TOKENS_MAX = 512 };

/* A token that no other call gives. */
static const char *
new_token(void)
{
	static char tokens[TOKENS_MAX][TOKEN_LEN + 1];
	static unsigned count;
	char *token = tokens[count % TOKENS_MAX];
	snprintf(token, TOKEN_LEN + 1, "%052u", count++);
	return token;
}

/* A game in which the seats of `open`, as bits, are open. */
static void
create_open(struct world *world, enum variant variant, unsigned open, struct game *game)
{
	struct game_plan plan = {.variant = variant, .names = {"Ada", "Bo", "Cy", "Di"}, .listed = true};
	for (unsigned i = 0; i < SEATS_MAX; i++)
		plan.open[i] = (open >> i & 1) != 0;
	world_plan(world, &plan, game);
}

static enum fault
take(struct world *world, struct game *game, unsigned seat, const char *name)
{
	struct seat_request request = {.seat = seat, .name = name, .token = new_token()};
	return seat_take(world->db, world->now_ms++, game, &request);
}

static enum fault
leave(struct world *world, struct game *game, struct holder holder, unsigned seat)
{
	struct seat_request request = {.seat = seat};
	return seat_leave(world->db, world->now_ms++, game, &holder, &request);
}

static enum fault
rekey(struct world *world, struct game *game, struct holder holder, unsigned seat, const char *token)
{
	struct seat_request request = {.seat = seat, .token = token};
	return seat_rekey(world->db, world->now_ms++, game, &holder, &request);
}

static enum fault
withdraw(struct world *world, struct game *game, unsigned seat)
{
	struct holder holder = world_holder(seat);
	return game_withdraw(world->db, world->now_ms++, game, &holder, false);
}

/* The seat that a token is for; -1 if it is dead. */
static int
seat_of(struct world *world, const char *token)
{
	struct holder holder;
	struct token_row row;
	enum fault fault = holder_find(world->db, token, strlen(token), &holder);
	assert_true(fault == FAULT_NONE || fault == FAULT_TOKEN_UNKNOWN);
	if (fault == FAULT_NONE)
		assert_int_equal(tokens_find(world->db, holder.hash, &row), FAULT_NONE);
	return fault == FAULT_NONE ? (int)row.seat : -1;
}

static void
expect_types(struct world *world, const struct game *game, const char *types)
{
	struct event_row rows[EVENTS_MAX];
	char text[1024] = "";
	unsigned count = world_events(world, game, rows, EVENTS_MAX);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(rows[i].seq, i + 1);
		assert_int_equal(rows[i].ply, strcmp(rows[i].type, "move_played") == 0 ? rows[i].ply : 0);
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : " ", rows[i].type);
		if (rows[i].seat != 0)
			snprintf(text + strlen(text), sizeof text - strlen(text), ":%u", rows[i].seat);
	}
	assert_string_equal(text, types);
	assert_int_equal(game->row.seq, count);
}

static void
expect_sound(struct world *world)
{
	struct verify_count count;
	assert_string_equal(world_verify(world, &count), "");
	assert_int_equal(count.games, world->games);
}

static void
a_game_waits_for_its_seats(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_secrets secrets;
	struct move_result result;
	create_open(world, VARIANT_IUVO_2, 2, &game);
	assert_string_equal(game.row.status, "open");
	assert_int_equal(game.row.turn, 0);
	assert_int_equal(game.row.seq, 1);
	assert_int_equal(game_open_seats(&game), 2);
	assert_string_equal(game.seats[1].kind, "open");
	assert_null(game.seats[1].name);
	world_same(world, &game);

	world_secrets(0, &secrets);
	assert_int_equal(seat_of(world, secrets.seat_tokens[0]), 1);
	assert_int_equal(seat_of(world, secrets.seat_tokens[1]), -1);
	assert_int_equal(seat_of(world, secrets.creator_token), 0);

	assert_int_equal(world_move(world, &game, 1, "a1-b3", &result), FAULT_GAME_NOT_STARTED);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms, &game, 1), FAULT_GAME_NOT_STARTED);
	expect_types(world, &game, "game_created");

	/* Its record is that of a game in which nothing has happened yet. */
	struct text text = world_record_text(world, &game);
	assert_non_null(strstr(text.bytes, "\nunfinished\n"));
	text_free(&text);
	expect_sound(world);
}

static void
the_last_taker_starts_it(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_result result;
	struct event_row rows[EVENTS_MAX];
	create_open(world, VARIANT_IUVO_4, 2 | 8, &game);
	int64_t now_ms = world->now_ms;
	assert_int_equal(take(world, &game, 4, "Eve"), FAULT_NONE);
	assert_string_equal(game.row.status, "open");
	assert_int_equal(game.row.turn, 0);
	assert_int_equal(game.row.updated_ms, now_ms);
	assert_string_equal(game.seats[3].name, "Eve");
	assert_string_equal(game.seats[3].kind, "player");
	assert_false(game.seats[3].own);
	world_same(world, &game);
	assert_int_equal(take(world, &game, 4, "Fay"), FAULT_SEAT_TAKEN);
	assert_int_equal(take(world, &game, 1, "Fay"), FAULT_SEAT_TAKEN);
	assert_int_equal(take(world, &game, 0, NULL), FAULT_NO_SUCH_SEAT);
	assert_int_equal(take(world, &game, 5, NULL), FAULT_NO_SUCH_SEAT);

	assert_int_equal(take(world, &game, 2, NULL), FAULT_NONE);
	assert_string_equal(game.row.status, "active");
	assert_int_equal(game.row.turn, 1);
	world_same(world, &game);
	expect_types(world, &game, "game_created seat_taken:4 seat_taken:2 game_started");
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 4);
	assert_string_equal(rows[1].data, "{\"name\":\"Eve\",\"open_seats\":[2]}");
	assert_string_equal(rows[2].data, "{\"name\":null,\"open_seats\":[]}");
	assert_string_equal(
	    rows[3].data, "{\"position\":\"iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -\",\"turn\":1}");
	assert_int_equal(take(world, &game, 2, NULL), FAULT_SEAT_TAKEN);
	assert_int_equal(world_move(world, &game, 1, "c1-d3", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	expect_sound(world);
}

static void
a_left_seat_is_open_again(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_secrets secrets;
	struct event_row rows[EVENTS_MAX];
	create_open(world, VARIANT_IUVO_2, 2, &game);
	world_secrets(0, &secrets);
	struct holder ada = world_holder(1), nobody = {0};
	assert_int_equal(leave(world, &game, nobody, 1), FAULT_TOKEN_REQUIRED);
	assert_int_equal(leave(world, &game, world_holder(0), 1), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(leave(world, &game, ada, 2), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(leave(world, &game, ada, 3), FAULT_NO_SUCH_SEAT);
	struct holder elsewhere = {.known = true};
	assert_int_equal(leave(world, &game, elsewhere, 1), FAULT_NOT_YOUR_SEAT);

	assert_int_equal(leave(world, &game, ada, 1), FAULT_NONE);
	assert_int_equal(game_open_seats(&game), 3);
	assert_null(game.seats[0].name);
	assert_false(game.seats[0].own);
	assert_int_equal(seat_of(world, secrets.seat_tokens[0]), -1);
	world_same(world, &game);

	/* Whoever takes it next has it to himself: the creator gets it back by nothing. */
	assert_int_equal(take(world, &game, 1, "Zoe"), FAULT_NONE);
	assert_int_equal(rekey(world, &game, world_holder(0), 1, new_token()), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(take(world, &game, 2, "Yan"), FAULT_NONE);
	assert_int_equal(leave(world, &game, world_holder(2), 2), FAULT_GAME_STARTED);
	expect_types(world, &game, "game_created seat_left:1 seat_taken:1 seat_taken:2 game_started");
	world_events(world, &game, rows, EVENTS_MAX);
	assert_string_equal(rows[1].data, "{\"open_seats\":[1,2]}");
	expect_sound(world);
}

static void
a_token_is_replaced(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_secrets secrets;
	struct event_row rows[EVENTS_MAX];
	create_open(world, VARIANT_IUVO_4, 8, &game);
	world_secrets(0, &secrets);
	const char *by_creator = new_token(), *by_holder = new_token(), *again = new_token();
	struct holder creator = world_holder(0), bo = world_holder(2), nobody = {0};

	/* The creator, as often as he likes, while nobody else has done so. */
	assert_int_equal(rekey(world, &game, creator, 2, new_token()), FAULT_NONE);
	assert_int_equal(rekey(world, &game, creator, 2, by_creator), FAULT_NONE);
	assert_int_equal(seat_of(world, secrets.seat_tokens[1]), -1);
	assert_int_equal(seat_of(world, by_creator), 2);
	/* From then on the holder alone. */
	assert_int_equal(rekey(world, &game, bo, 2, by_holder), FAULT_NONE);
	assert_int_equal(seat_of(world, by_creator), -1);
	assert_int_equal(rekey(world, &game, creator, 2, new_token()), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(rekey(world, &game, bo, 2, again), FAULT_NONE);
	assert_int_equal(seat_of(world, by_holder), -1);
	assert_int_equal(seat_of(world, again), 2);
	world_same(world, &game);

	/* Nobody a seat that is not his, and the creator none that was ever open. */
	assert_int_equal(rekey(world, &game, nobody, 2, new_token()), FAULT_TOKEN_REQUIRED);
	assert_int_equal(rekey(world, &game, bo, 1, new_token()), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(rekey(world, &game, bo, 5, new_token()), FAULT_NO_SUCH_SEAT);
	assert_int_equal(rekey(world, &game, creator, 4, new_token()), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(take(world, &game, 4, NULL), FAULT_NONE);
	assert_int_equal(rekey(world, &game, creator, 4, new_token()), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(rekey(world, &game, world_holder(4), 4, new_token()), FAULT_NONE);
	assert_int_equal(seat_of(world, secrets.creator_token), 0);
	assert_int_equal(seat_of(world, secrets.seat_tokens[0]), 1);

	expect_types(world, &game,
	    "game_created seat_rekeyed:2 seat_rekeyed:2 seat_rekeyed:2 seat_rekeyed:2 seat_taken:4 game_started "
	    "seat_rekeyed:4");
	world_events(world, &game, rows, EVENTS_MAX);
	assert_string_equal(rows[1].data, "{\"by\":\"creator\"}");
	assert_string_equal(rows[3].data, "{\"by\":\"holder\"}");
	expect_sound(world);
}

static void
a_game_is_withdrawn(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_result result;
	struct event_row rows[EVENTS_MAX];
	create_open(world, VARIANT_IUVO_2, 2, &game);
	struct holder creator = world_holder(0), ada = world_holder(1);
	struct holder elsewhere = {.known = true}, nobody = {0};
	assert_int_equal(game_withdraw(world->db, 1, &game, &nobody, false), FAULT_TOKEN_REQUIRED);
	assert_int_equal(game_withdraw(world->db, 1, &game, &ada, true), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(game_withdraw(world->db, 1, &game, &elsewhere, false), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(game_withdraw(world->db, 1, &game, &creator, true), FAULT_PRECONDITION_FAILED);

	assert_int_equal(withdraw(world, &game, 0), FAULT_NONE);
	assert_string_equal(game.row.status, "withdrawn");
	assert_int_equal(game.row.turn, 0);
	world_same(world, &game);
	assert_int_equal(withdraw(world, &game, 0), FAULT_GAME_WITHDRAWN);
	assert_int_equal(take(world, &game, 2, NULL), FAULT_GAME_WITHDRAWN);
	assert_int_equal(leave(world, &game, ada, 1), FAULT_GAME_WITHDRAWN);
	assert_int_equal(rekey(world, &game, ada, 1, new_token()), FAULT_GAME_WITHDRAWN);
	assert_int_equal(world_move(world, &game, 1, "a1-b3", &result), FAULT_GAME_WITHDRAWN);
	assert_int_equal(game_resign(world->db, world->arena, 1, &game, 1), FAULT_GAME_WITHDRAWN);
	expect_types(world, &game, "game_created game_withdrawn");
	world_events(world, &game, rows, EVENTS_MAX);
	assert_string_equal(rows[1].data, "{\"started\":false,\"reason\":\"creator\"}");

	/* After the start too, but not after a move. */
	world_create(world, VARIANT_IUVO_4, &game);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 4), FAULT_NONE);
	assert_int_equal(withdraw(world, &game, 0), FAULT_NONE);
	world_same(world, &game);
	expect_types(world, &game, "game_created game_started seat_out:4 game_withdrawn");
	world_create(world, VARIANT_IUVO_2, &game);
	world_play(world, &game, "a1-b3");
	assert_int_equal(withdraw(world, &game, 0), FAULT_GAME_MOVED);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 2), FAULT_NONE);
	assert_int_equal(withdraw(world, &game, 0), FAULT_GAME_OVER);
	assert_int_equal(take(world, &game, 1, NULL), FAULT_GAME_OVER);
	assert_int_equal(leave(world, &game, world_holder(2), 2), FAULT_GAME_OVER);
	assert_int_equal(rekey(world, &game, world_holder(2), 2, new_token()), FAULT_GAME_OVER);
	expect_sound(world);
}

static void
preconditions_come_after_whose_seat_it_is(void **state)
{
	struct world *world = *state;
	struct game game;
	create_open(world, VARIANT_IUVO_2, 2, &game);
	struct holder ada = world_holder(1);
	struct seat_request none = {.seat = 3, .stale = true, .token = new_token()};
	struct seat_request first = {.seat = 1, .stale = true, .token = new_token()};
	struct seat_request second = {.seat = 2, .stale = true, .token = new_token()};
	assert_int_equal(seat_take(world->db, 1, &game, &none), FAULT_NO_SUCH_SEAT);
	assert_int_equal(seat_take(world->db, 1, &game, &first), FAULT_PRECONDITION_FAILED);
	assert_int_equal(seat_take(world->db, 1, &game, &second), FAULT_PRECONDITION_FAILED);
	assert_int_equal(seat_leave(world->db, 1, &game, &ada, &second), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(seat_leave(world->db, 1, &game, &ada, &first), FAULT_PRECONDITION_FAILED);
	assert_int_equal(seat_rekey(world->db, 1, &game, &ada, &second), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(seat_rekey(world->db, 1, &game, &ada, &first), FAULT_PRECONDITION_FAILED);
	world_same(world, &game);
	expect_types(world, &game, "game_created");
}

/* What a test keeps of a lobby beside the game. */
struct lobby {
	unsigned open;
	const char *tokens[SEATS_MAX]; /* NULL: not known here */
	unsigned events;
};

/* Somebody comes or goes or wants another token, at random; refused or not as it must be. */
static void
act_random(struct world *world, struct game *game, struct lobby *lobby)
{
	unsigned seat = 1 + world_random(world, game->seat_count), bit = 1U << (seat - 1);
	bool open = (lobby->open & bit) != 0;
	struct seat_request request = {.seat = seat, .token = new_token()};
	struct holder holder = world_holder(seat);
	const char *old = lobby->tokens[seat - 1];
	enum fault fault;
	switch (world_random(world, 4)) {
	case 0:
	case 1:
		fault = seat_take(world->db, world->now_ms++, game, &request);
		assert_int_equal(fault, open ? FAULT_NONE : FAULT_SEAT_TAKEN);
		lobby->open &= ~bit;
		lobby->events += fault == FAULT_NONE ? 1 + (lobby->open == 0) : 0;
		break;
	case 2:
		if (open)
			return;
		fault = seat_leave(world->db, world->now_ms++, game, &holder, &request);
		assert_int_equal(fault, FAULT_NONE);
		request.token = NULL;
		lobby->open |= bit;
		lobby->events++;
		break;
	default:
		if (open)
			return;
		fault = seat_rekey(world->db, world->now_ms++, game, &holder, &request);
		assert_int_equal(fault, FAULT_NONE);
		lobby->events++;
	}
	if (fault != FAULT_NONE)
		return;
	lobby->tokens[seat - 1] = request.token;
	if (old != NULL)
		assert_int_equal(seat_of(world, old), -1);
	if (request.token != NULL)
		assert_int_equal(seat_of(world, request.token), (int)seat);
}

static void
four_seats_fill_in_any_order(void **state)
{
	struct world *world = *state;
	for (unsigned round = 0; round < 60; round++) {
		struct game game;
		struct lobby lobby = {.open = 1 + world_random(world, 15), .events = 1};
		create_open(world, VARIANT_IUVO_4, lobby.open, &game);
		while (lobby.open != 0) {
			assert_string_equal(game.row.status, "open");
			act_random(world, &game, &lobby);
			assert_int_equal(game_open_seats(&game), lobby.open);
			assert_int_equal(game.row.seq, lobby.events);
			world_same(world, &game);
		}
		assert_string_equal(game.row.status, "active");
		assert_int_equal(game.row.turn, 1);
		world_play_random(world, &game);
	}
	expect_sound(world);
}

/* A taker for whom the storage fails has taken nothing. */
static void
what_is_rolled_back_was_not_taken(void **state)
{
	struct world *world = *state;
	struct game game, before;
	create_open(world, VARIANT_IUVO_2, 2, &game);
	before = game;
	assert_int_equal(db_savepoint(world->db), FAULT_NONE);
	assert_int_equal(take(world, &game, 2, "Bo"), FAULT_NONE);
	assert_int_equal(db_rollback_to(world->db), FAULT_NONE);
	world_same(world, &before);
	game = before;
	assert_int_equal(take(world, &game, 2, "Cy"), FAULT_NONE);
	world_same(world, &game);
}

struct plant {
	const char *sql;
	const char *line; /* how the first difference begins */
};

/* Game 1 has started after seat 2 was taken, left and taken again; game 2 waits for its seat 2. */
static void
verify_knows_who_sat_where(void **state)
{
	(void)state;
	static const struct plant plants[] = {
	    {"UPDATE games SET status = 'open', turn = 0 WHERE game = 1", "status: stored open, replayed active"},
	    {"UPDATE seats SET kind = 'open' WHERE game = 1 AND seat = 2",
		"seat 2: stored as open, the log ends with it taken"},
	    {"UPDATE events SET type = 'seat_left' WHERE game = 1 AND seq = 2",
		"events: seq 3: seat_left of seat 2 cannot be"},
	    {"UPDATE events SET type = 'seat_taken' WHERE game = 1 AND seq = 3",
		"events: seq 3: seat_taken of seat 2 cannot be"},
	    {"UPDATE events SET seat = 9 WHERE game = 1 AND seq = 2", "events: seq 2: seat_taken of seat 9"},
	    {"UPDATE events SET type = 'seat_rekeyed' WHERE game = 1 AND seq = 4",
		"events: seq 6: game_started with an open seat"},
	    {"UPDATE games SET status = 'active', turn = 1 WHERE game = 2", "status: stored active, replayed open"},
	    {"UPDATE games SET turn = 1 WHERE game = 2", "turn: stored 1, replayed 0"},
	    {"UPDATE games SET status = 'withdrawn' WHERE game = 2",
		"events: the log ends with seq 1, replayed game_withdrawn"},
	    {"UPDATE seats SET kind = 'player' WHERE game = 2 AND seat = 2",
		"events: the log ends with seq 1, replayed game_started"},
	};
	for (unsigned i = 0; i < sizeof plants / sizeof *plants; i++) {
		struct game game;
		void *own = NULL;
		assert_int_equal(world_open(&own), 0);
		struct world *world = own;
		create_open(world, VARIANT_IUVO_2, 3, &game);
		assert_int_equal(take(world, &game, 2, "Bo"), FAULT_NONE);
		assert_int_equal(leave(world, &game, world_holder(2), 2), FAULT_NONE);
		assert_int_equal(take(world, &game, 2, "Cy"), FAULT_NONE);
		assert_int_equal(take(world, &game, 1, "Di"), FAULT_NONE);
		create_open(world, VARIANT_IUVO_2, 2, &game);
		world_expect_difference(world, plants[i].sql, plants[i].line);
		assert_int_equal(world_close(&own), 0);
	}
}

/* What cannot be is not served as if it could. */
static void
a_status_that_its_seats_deny_is_damage(void **state)
{
	struct world *world = *state;
	struct game game, loaded;
	create_open(world, VARIANT_IUVO_2, 2, &game);
	world_shut(world);
	world_sql(world, "UPDATE games SET turn = 1");
	world_reopen(world, DB_WRITE);
	assert_int_equal(game_load(world->db, world->arena, game.row.id, &loaded), FAULT_DAMAGED_GAME);
	world_shut(world);
	world_sql(world, "UPDATE games SET turn = 0");
	world_sql(world, "UPDATE seats SET kind = 'player'");
	world_reopen(world, DB_WRITE);
	assert_int_equal(game_load(world->db, world->arena, game.row.id, &loaded), FAULT_DAMAGED_GAME);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_game_waits_for_its_seats),
	    TEST(the_last_taker_starts_it),
	    TEST(a_left_seat_is_open_again),
	    TEST(a_token_is_replaced),
	    TEST(a_game_is_withdrawn),
	    TEST(preconditions_come_after_whose_seat_it_is),
	    TEST(four_seats_fill_in_any_order),
	    TEST(what_is_rolled_back_was_not_taken),
	    TEST(verify_knows_who_sat_where),
	    TEST(a_status_that_its_seats_deny_is_damage),
	};
	return cmocka_run_group_tests_name("play seat", tests, NULL, NULL);
}

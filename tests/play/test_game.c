/* What may happen to a game: creating, loading, moving, resigning. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { EVENTS_MAX = 64 };

static struct position
read_position(const char *text)
{
	struct position position;
	struct text_fault why;
	if (!notation_read_position(text, strlen(text), &position, &why))
		fail_msg("%s: %s", text, why.why);
	return position;
}

static void
a_new_game_starts_at_once(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	assert_string_equal(game.row.status, "active");
	assert_string_equal(game.row.position, "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -");
	assert_int_equal(game.row.turn, 1);
	assert_int_equal(game.row.seq, 2);
	assert_int_equal(game.seat_count, 4);
	assert_string_equal(game.seats[1].name, "Bo");
	assert_null(game.seats[2].name);
	world_same(world, &game);
}

static void
every_token_has_its_seat(void **state)
{
	struct world *world = *state;
	struct game game, other;
	struct game_secrets secrets;
	struct holder holder = {0};
	world_create(world, VARIANT_IUVO_2, &other);
	world_create(world, VARIANT_IUVO_4, &game);
	world_secrets(1, &secrets);
	for (unsigned seat = 1; seat <= 4; seat++) {
		assert_int_equal(world_token(world, &game, secrets.seat_tokens[seat - 1], &holder), FAULT_NONE);
		assert_true(holder.known);
		assert_false(holder.creator);
		assert_int_equal(holder.seats, 1U << (seat - 1));
		assert_int_equal(holder_resolve(world->db, &other, &holder), FAULT_NONE);
		assert_int_equal(holder.seats, 0);
	}
	assert_int_equal(world_token(world, &game, secrets.creator_token, &holder), FAULT_NONE);
	assert_true(holder.creator);
	assert_int_equal(holder.seats, 0);
	assert_int_equal(holder_resolve(world->db, &other, &holder), FAULT_NONE);
	assert_false(holder.creator);

	/* Seats three and four of a game for two were never made. */
	struct holder untouched = {.seats = 99};
	world_secrets(0, &secrets);
	assert_int_equal(world_token(world, &game, secrets.seat_tokens[2], &untouched), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(holder_find(world->db, "", 0, &untouched), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(holder_find(world->db, secrets.id, ID_LEN, &untouched), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(untouched.seats, 99);
}

static void
secrets_are_drawn_afresh(void **state)
{
	(void)state;
	struct game_secrets a, b;
	assert_true(token_init());
	game_secrets_new(&a);
	game_secrets_new(&b);
	assert_true(token_is_id(a.id, strlen(a.id)));
	assert_string_not_equal(a.id, b.id);
	assert_string_not_equal(a.creator_token, b.creator_token);
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		assert_int_equal(strlen(a.seat_tokens[i]), TOKEN_LEN);
		assert_string_not_equal(a.seat_tokens[i], b.seat_tokens[i]);
		assert_string_not_equal(a.seat_tokens[i], a.creator_token);
	}
}

static void
the_log_tells_of_the_beginning(void **state)
{
	struct world *world = *state;
	struct game game;
	struct event_row rows[EVENTS_MAX];
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .names = {"A \"quoted\" \\ name", NULL}};
	int64_t now_ms = world->now_ms;
	world_plan(world, &plan, &game);
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 2);
	assert_int_equal(rows[0].seq, 1);
	assert_string_equal(rows[0].type, "game_created");
	assert_int_equal(rows[0].at_ms, now_ms);
	assert_int_equal(rows[0].ply, 0);
	assert_int_equal(rows[0].seat, 0);
	assert_string_equal(rows[0].data,
	    "{\"variant\":\"iuvo-2\",\"start\":\"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -\","
	    "\"seats\":[{\"seat\":1,\"name\":\"A \\\"quoted\\\" \\\\ name\",\"kind\":\"player\"},"
	    "{\"seat\":2,\"name\":null,\"kind\":\"player\"}],\"visibility\":\"unlisted\",\"imported\":false}");
	assert_int_equal(rows[1].seq, 2);
	assert_string_equal(rows[1].type, "game_started");
	assert_string_equal(
	    rows[1].data, "{\"position\":\"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -\",\"turn\":1}");
}

static void
a_game_starts_from_a_position(void **state)
{
	struct world *world = *state;
	struct game game;
	struct position start = read_position("iuvo-4 q1C1C1r/7/4o1D/1o5/B1o1o1D/7/p1A1A1s 3 b4 -");
	struct game_plan plan = {.variant = VARIANT_IUVO_4, .start = &start};
	world_plan(world, &plan, &game);
	assert_int_equal(game.row.turn, 3);
	assert_int_equal(game.row.ply, 0);
	assert_string_equal(game.row.start, "iuvo-4 q1C1C1r/7/4o1D/1o5/B1o1o1D/7/p1A1A1s 3 b4 -");
	world_same(world, &game);
}

static void
an_unknown_game_is_not_loaded(void **state)
{
	struct world *world = *state;
	struct game game = {.seat_count = 77};
	assert_int_equal(game_load(world->db, world->arena, "aaaaaaaaaaaaaaaaaaaaaaaaaa", &game), FAULT_NO_SUCH_GAME);
	assert_int_equal(game.seat_count, 77);
}

static void
a_move_is_stored_and_logged(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_result result;
	struct move_row row;
	struct event_row rows[EVENTS_MAX];
	world_create(world, VARIANT_IUVO_2, &game);
	int64_t now_ms = world->now_ms;
	assert_int_equal(world_move(world, &game, 1, "C1d3", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	assert_int_equal(result.move.kind, MOVE_OWN);
	assert_false(result.repeated);
	assert_string_equal(result.row.move, "c1-d3");
	world_same(world, &game);
	assert_int_equal(moves_at(world->db, world->arena, game.row.game, 1, &row), FAULT_NONE);
	assert_int_equal(row.seat, 1);
	assert_int_equal(row.at_ms, now_ms);
	assert_string_equal(row.move, "c1-d3");
	assert_string_equal(row.kind, "own");
	assert_string_equal(row.position, "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1oAo1o/7/A3A1A 2 - -");
	assert_int_equal(row.left, result.row.left);
	assert_null(row.path);
	assert_null(row.out);
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 3);
	assert_string_equal(rows[2].type, "move_played");
	assert_int_equal(rows[2].ply, 1);
	assert_int_equal(rows[2].seat, 1);
	assert_string_equal(rows[2].data,
	    "{\"move\":\"c1-d3\",\"from\":\"c1\",\"to\":\"d3\",\"path\":[\"c1\",\"d3\"],\"kind\":\"own\","
	    "\"captures\":false,\"position\":\"iuvo-2 B1B1B1B/7/o1o1o1o/7/o1oAo1o/7/A3A1A 2 - -\",\"turn\":2}");
}

static void
a_chain_is_stored_with_its_path(void **state)
{
	struct world *world = *state;
	struct game game;
	struct event_row rows[EVENTS_MAX];
	struct move_row row;
	world_create(world, VARIANT_HALMA_2, &game);
	/* m1 jumps over l2 to k3, and from there over j3 where a step has put a stone. */
	world_play(world, &game, "l1-k2 e16-f15 k2-j3 f15-g14 m1-k3-i3");
	assert_int_equal(moves_at(world->db, world->arena, game.row.game, 5, &row), FAULT_NONE);
	assert_string_equal(row.move, "m1-i3");
	assert_string_equal(row.path, "m1-k3-i3");
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 7);
	assert_non_null(strstr(rows[6].data, "\"from\":\"m1\",\"to\":\"i3\",\"path\":[\"m1\",\"k3\",\"i3\"],"));
	world_same(world, &game);
}

/* One capture that takes the last stone of seat 2, and with it the game. */
static void
a_capture_is_told_with_all_that_follows(void **state)
{
	struct world *world = *state;
	struct game game;
	struct event_row rows[EVENTS_MAX];
	struct position start = read_position("iuvo-2 7/7/3oo2/1A1B3/1ooo3/1oAo3/1o5 1 - -");
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .start = &start};
	struct move_row row;
	world_plan(world, &plan, &game);
	world_play(world, &game, "c2-d4");
	assert_string_equal(game.row.status, "finished");
	assert_string_equal(game.row.reason, "captured");
	assert_int_equal(game.row.winner, 1);
	assert_int_equal(game.row.turn, 0);
	assert_string_equal(game.seats[1].out_reason, "captured");
	world_same(world, &game);
	assert_int_equal(moves_at(world->db, world->arena, game.row.game, 1, &row), FAULT_NONE);
	assert_string_equal(row.move, "c2xd4");
	assert_string_equal(row.out, "2 captured");
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 5);
	const char *position = "iuvo-2 7/7/3oo2/1A1A3/1ooo3/1o1o3/1o5 - - 2";
	assert_string_equal(row.position, position);
	assert_string_equal(rows[2].data,
	    "{\"move\":\"c2xd4\",\"from\":\"c2\",\"to\":\"d4\",\"path\":[\"c2\",\"d4\"],\"kind\":\"own\","
	    "\"captures\":true,\"captured\":[2],"
	    "\"position\":\"iuvo-2 7/7/3oo2/1A1A3/1ooo3/1o1o3/1o5 - - 2\",\"turn\":null}");
	assert_string_equal(rows[3].type, "seat_out");
	assert_int_equal(rows[3].seat, 2);
	assert_string_equal(rows[3].data,
	    "{\"reason\":\"captured\",\"position\":\"iuvo-2 7/7/3oo2/1A1A3/1ooo3/1o1o3/1o5 - - 2\",\"turn\":null}");
	assert_string_equal(rows[4].type, "game_finished");
	assert_string_equal(rows[4].data,
	    "{\"winner\":1,\"reason\":\"captured\",\"position\":\"iuvo-2 7/7/3oo2/1A1A3/1ooo3/1o1o3/1o5 - - 2\"}");
}

/* Asks for c1-d3 by holder and expects a fault, and nothing to happen. */
static void
expect_fault(struct world *world, struct game *game, struct holder holder, int64_t expected_ply, bool stale,
    const char *text, enum fault fault)
{
	struct move_text move;
	struct text_fault why;
	struct move_result result = {.verdict = VERDICT_COUNT};
	struct game before = *game;
	struct move_request request = {.text = &move, .expected_ply = expected_ply, .stale = stale};
	assert_true(notation_read_move(text, strlen(text), &move, &why));
	assert_int_equal(
	    game_move(world->db, world->arena, world->now_ms++, game, &holder, &request, false, &result), fault);
	assert_int_equal(result.verdict, VERDICT_COUNT);
	assert_memory_equal(game, &before, sizeof before);
	assert_int_equal(
	    game_move(world->db, world->arena, world->now_ms++, game, &holder, &request, true, &result), fault);
	world_same(world, &before);
}

static void
moves_are_refused_in_order(void **state)
{
	struct world *world = *state;
	struct game game, other;
	world_create(world, VARIANT_IUVO_2, &game);
	world_create(world, VARIANT_IUVO_2, &other);
	struct holder nobody = {0}, creator = world_holder(0), first = world_holder(1);
	struct holder second = world_holder(2), elsewhere = {.known = true};
	/* Each request breaks all rules from its own on. */
	expect_fault(world, &game, nobody, 7, true, "c1-d3", FAULT_TOKEN_REQUIRED);
	expect_fault(world, &game, elsewhere, 7, true, "c1-d3", FAULT_NOT_YOUR_SEAT);
	expect_fault(world, &game, creator, 7, true, "c1-d3", FAULT_NOT_YOUR_SEAT);
	expect_fault(world, &game, second, 7, true, "c1-d3", FAULT_PRECONDITION_FAILED);
	expect_fault(world, &game, second, 7, false, "c1-d3", FAULT_STALE_PLY);
	expect_fault(world, &game, second, INT64_MAX, false, "c1-d3", FAULT_STALE_PLY);
	expect_fault(world, &game, second, 0, false, "c1-d3", FAULT_NOT_YOUR_TURN);
	expect_fault(world, &game, second, -1, false, "c1-d3", FAULT_NOT_YOUR_TURN);
	expect_fault(world, &game, first, 1, false, "c1-d3", FAULT_STALE_PLY);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 1), FAULT_NONE);
	expect_fault(world, &game, second, 7, false, "c1-d3", FAULT_STALE_PLY);
	expect_fault(world, &game, second, 0, false, "c1-d3", FAULT_GAME_OVER);
	expect_fault(world, &game, first, -1, false, "c1-d3", FAULT_GAME_OVER);
	expect_fault(world, &game, elsewhere, -1, false, "c1-d3", FAULT_NOT_YOUR_SEAT);
}

static void
a_holder_of_several_seats_says_which(void **state)
{
	(void)state;
	unsigned seat = 77;
	const struct holder nobody = {0}, stranger = {.known = true}, creator = {.known = true, .creator = true};
	const struct holder second = world_holder(2), both = {.known = true, .seats = 5};
	assert_int_equal(holder_seat(&nobody, 1, &seat), FAULT_TOKEN_REQUIRED);
	assert_int_equal(holder_seat(&stranger, 0, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(holder_seat(&creator, 0, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(holder_seat(&second, 1, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(holder_seat(&both, 2, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(holder_seat(&both, SEATS_MAX + 1, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(holder_seat(&both, 0, &seat), FAULT_WHICH_SEAT);
	assert_int_equal(seat, 77);
	assert_int_equal(holder_seat(&second, 0, &seat), FAULT_NONE);
	assert_int_equal(seat, 2);
	assert_int_equal(holder_seat(&both, 3, &seat), FAULT_NONE);
	assert_int_equal(seat, 3);
}

static void
move_as(struct world *world, struct game *game, const struct holder *holder, const char *text, bool repeated)
{
	struct move_text move;
	struct text_fault why;
	struct move_result result = {0};
	struct move_request request = {.text = &move, .expected_ply = -1};
	assert_true(notation_read_move(text, strlen(text), &move, &why));
	assert_int_equal(
	    game_move(world->db, world->arena, world->now_ms++, game, holder, &request, false, &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	assert_int_equal(result.repeated, repeated);
}

/* One person with two seats: his move is by the one to move, and a retry is known by the seat that moved. */
static void
a_holder_of_several_seats_moves_for_the_one_to_move(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	const struct holder both = {.known = true, .seats = 5};
	expect_fault(world, &game, both, 1, false, "c1-d3", FAULT_STALE_PLY);
	move_as(world, &game, &both, "c1-d3", false);
	move_as(world, &game, &both, "c1-d3", true);
	assert_int_equal(game.row.ply, 1);
	expect_fault(world, &game, both, -1, false, "a1-b3", FAULT_NOT_YOUR_TURN);
	world_play_random(world, &game);
	move_as(world, &game, &both, "c7-d5", false);
	assert_int_equal(game.row.ply, 3);
}

static void
a_seat_that_is_out_moves_no_more(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	struct holder first = world_holder(1), third = world_holder(3);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 3), FAULT_NONE);
	expect_fault(world, &game, third, -1, false, "c7-d5", FAULT_SEAT_OUT);
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 1), FAULT_NONE);
	expect_fault(world, &game, first, 0, false, "c1-d3", FAULT_SEAT_OUT);
}

static void
an_illegal_move_is_no_fault_and_changes_nothing(void **state)
{
	struct world *world = *state;
	struct game game, before;
	struct move_result result;
	world_create(world, VARIANT_IUVO_2, &game);
	before = game;
	assert_int_equal(world_move(world, &game, 1, "c7-d5", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_NOT_YOUR_STONE);
	assert_int_equal(world_move(world, &game, 1, "c1-c2", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_NOT_A_JUMP);
	assert_int_equal(result.judgement.verdict, VERDICT_NOT_A_JUMP);
	assert_int_equal(world_move(world, &game, 1, "c1xd3", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_NO_CAPTURE);
	assert_int_equal(world_move(world, &game, 1, "p16-p15", &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_OFF_BOARD);
	assert_memory_equal(&game, &before, sizeof game);
	world_same(world, &before);
}

/* Posts text by a seat and expects a repetition of ply, or none. */
static void
expect_repeated(
    struct world *world, struct game *game, unsigned seat, int64_t expected_ply, const char *text, unsigned ply)
{
	struct move_text move;
	struct text_fault why;
	struct move_result result = {0};
	struct game before = *game;
	struct holder holder = world_holder(seat);
	struct move_request request = {.text = &move, .expected_ply = expected_ply, .stale = true};
	assert_true(notation_read_move(text, strlen(text), &move, &why));
	/* If-Match is stale: whatever is no repetition is refused for that. */
	enum fault fault = game_move(world->db, world->arena, world->now_ms++, game, &holder, &request, false, &result);
	assert_memory_equal(game, &before, sizeof before);
	world_same(world, &before);
	assert_int_equal(fault, ply == 0 ? FAULT_PRECONDITION_FAILED : FAULT_NONE);
	assert_int_equal(result.repeated, ply > 0);
	if (ply == 0)
		return;
	struct move_row row;
	assert_int_equal(moves_at(world->db, world->arena, game->row.game, ply, &row), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	assert_int_equal(result.row.ply, ply);
	assert_int_equal(result.row.at_ms, row.at_ms);
	assert_string_equal(result.row.position, row.position);
	assert_string_equal(result.row.move, row.move);
	char again[MOVE_TEXT_MAX];
	notation_move(result.move, again);
	assert_string_equal(again, row.move);
}

static void
the_same_move_again_is_the_same_move(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_2, &game);
	world_play(world, &game, "c1-d3");
	expect_repeated(world, &game, 1, -1, "c1-d3", 1);
	expect_repeated(world, &game, 1, -1, "C1D3", 1);
	expect_repeated(world, &game, 1, 0, "c1-d3", 1);
	expect_repeated(world, &game, 1, 1, "c1-d3", 0);
	expect_repeated(world, &game, 2, 0, "c1-d3", 0);
	expect_repeated(world, &game, 2, -1, "c1-d3", 0);
	expect_repeated(world, &game, 1, -1, "e1-d3", 0);
	expect_repeated(world, &game, 1, -1, "c1-b3", 0);
	/* Written as a capture, or as a chain, it is another move. */
	expect_repeated(world, &game, 1, -1, "c1xd3", 0);
	expect_repeated(world, &game, 1, -1, "c1-e2-d3", 0);
	/* Others have moved since: only expected_ply still names it. */
	world_play(world, &game, "c7-d5");
	expect_repeated(world, &game, 1, 0, "c1-d3", 1);
	expect_repeated(world, &game, 1, -1, "c1-d3", 0);
	expect_repeated(world, &game, 2, 1, "c7-d5", 2);
	expect_repeated(world, &game, 2, -1, "c7-d5", 2);
	expect_repeated(world, &game, 1, 5000000000, "c1-d3", 0);
}

static void
a_capture_or_the_last_move_is_repeated_too(void **state)
{
	struct world *world = *state;
	struct game game;
	struct position start = read_position("iuvo-2 7/7/3oo2/1A1B3/1ooo3/1oAo3/1o5 1 - -");
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .start = &start};
	world_plan(world, &plan, &game);
	world_play(world, &game, "c2-d4");
	expect_repeated(world, &game, 1, -1, "c2xd4", 1);
	expect_repeated(world, &game, 1, 0, "c2-d4", 1);
	expect_repeated(world, &game, 2, 0, "c2-d4", 0);
}

static void
a_chain_is_repeated_however_it_is_written(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_HALMA_2, &game);
	world_play(world, &game, "l1-k2 e16-f15 k2-j3 f15-g14 m1-k3-i3");
	expect_repeated(world, &game, 1, -1, "m1-i3", 5);
	expect_repeated(world, &game, 1, 4, "m1-k3-i3", 5);
	/* No chain of jumps has those landings. */
	expect_repeated(world, &game, 1, 4, "m1-l2-i3", 0);
}

static void
a_dry_run_writes_nothing(void **state)
{
	struct world *world = *state;
	struct game game, as_it_was;
	struct move_text move;
	struct text_fault why;
	struct move_result result;
	struct move_request request = {.text = &move, .expected_ply = -1};
	world_create(world, VARIANT_IUVO_2, &game);
	world_play(world, &game, "c1-d3");
	world_reopen(world, DB_READ);
	assert_int_equal(db_read_begin(world->db), FAULT_NONE);
	as_it_was = game;
	struct holder holder = world_holder(2);
	assert_true(notation_read_move("c7-d5", 5, &move, &why));
	assert_int_equal(game_move(world->db, world->arena, 1, &game, &holder, &request, true, &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	assert_string_equal(result.row.position, "iuvo-2 B3B1B/7/o1oBo1o/7/o1oAo1o/7/A3A1A 1 - -");
	assert_string_equal(game.row.position, result.row.position);
	assert_int_equal(game.row.ply, 2);
	assert_int_equal(game.position.turn, 1);
	world_same(world, &as_it_was);
	db_end(world->db);

	/* And the move can still be made. */
	world_reopen(world, DB_WRITE);
	world_play(world, &as_it_was, "c7-d5");
	assert_string_equal(as_it_was.row.position, game.row.position);
}

static void
resigning_ends_a_game_for_two(void **state)
{
	struct world *world = *state;
	struct game game;
	struct event_row rows[EVENTS_MAX];
	struct ending_row endings[SEATS_MAX];
	unsigned count;
	world_create(world, VARIANT_HALMA_2, &game);
	assert_int_equal(game_resign(world->db, world->arena, 5, &game, 2), FAULT_NONE);
	assert_string_equal(game.row.status, "finished");
	assert_string_equal(game.row.reason, "resigned");
	assert_int_equal(game.row.winner, 1);
	assert_int_equal(game.row.updated_ms, 5);
	world_same(world, &game);
	assert_int_equal(game_resign(world->db, world->arena, 6, &game, 2), FAULT_GAME_OVER);
	assert_int_equal(world_events(world, &game, rows, EVENTS_MAX), 4);
	assert_string_equal(rows[2].type, "seat_out");
	assert_int_equal(rows[2].seat, 2);
	assert_non_null(strstr(rows[2].data, "{\"reason\":\"resigned\",\"position\":\"halma-2 "));
	assert_string_equal(rows[3].type, "game_finished");
	assert_non_null(strstr(rows[3].data, "{\"winner\":1,\"reason\":\"resigned\","));
	assert_int_equal(endings_of(world->db, world->arena, game.row.game, endings, SEATS_MAX, &count), FAULT_NONE);
	assert_int_equal(count, 1);
	assert_int_equal(endings[0].ply, 0);
	assert_int_equal(endings[0].seat, 2);
	assert_string_equal(endings[0].reason, "resigned");
	assert_string_equal(endings[0].position, game.row.position);
	assert_int_equal(endings[0].at_ms, 5);
}

static void
resign(struct world *world, struct game *game, unsigned seat, enum fault fault)
{
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, game, seat), fault);
	world_same(world, game);
}

static void
four_resign_in_turn_and_out_of_turn(void **state)
{
	struct world *world = *state;
	struct game game;
	struct position at;
	world_create(world, VARIANT_IUVO_4, &game);
	world_play(world, &game, "c1-d3");
	const char *after_move = game.row.position;
	resign(world, &game, 4, FAULT_NONE); /* out of turn */
	assert_int_equal(game.position.turn, 2);
	assert_int_equal(game.position.out, 1 << 3);
	resign(world, &game, 4, FAULT_SEAT_OUT);
	resign(world, &game, 2, FAULT_NONE); /* in turn */
	assert_int_equal(game.position.turn, 3);
	assert_string_equal(game.row.status, "active");
	/* The stones that only they owned are neutral now. */
	assert_null(strchr(game.row.position, 'D'));
	assert_null(strchr(game.row.position, 'B'));
	/* What the ply left is as it was. */
	assert_int_equal(game_position_at(world->db, world->arena, &game, 1, &at), FAULT_NONE);
	char text[POSITION_TEXT_MAX];
	notation_position(&at, text);
	assert_string_equal(text, after_move);
	world_play_random(world, &game);
	assert_int_equal(game.position.turn, 1);
	resign(world, &game, 3, FAULT_NONE);
	assert_int_equal(game.row.winner, 1);
	assert_string_equal(game.row.status, "finished");
	resign(world, &game, 1, FAULT_GAME_OVER);
	assert_int_equal(game_position_at(world->db, world->arena, &game, 2, &at), FAULT_NONE);
	assert_int_equal(at.reason, REASON_NONE);
	assert_int_equal(at.turn, 1);
}

static void
halma_is_drawn_when_it_repeats(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_HALMA_2, &game);
	world_play(world, &game, "l2-k3 e15-f14 k3-l2");
	assert_int_equal(game.past.count, 0);
	world_play(world, &game, "f14-e15"); /* the start again: twice */
	assert_int_equal(game.past.count, 1);
	world_same(world, &game);
	world_play(world, &game, "l2-k3 e15-f14 k3-l2");
	assert_int_equal(game.past.count, 4);
	world_play(world, &game, "f14-e15");
	assert_string_equal(game.row.reason, "repetition");
	assert_int_equal(game.row.winner, 0);
	assert_int_equal(game.row.turn, 0);
	assert_int_equal(game.past.count, 3);
	world_same(world, &game);
}

/* A legal move that would leave a key that was left before, if there is one. */
static bool
find_return(const struct game *game, const uint64_t *left, struct move *found)
{
	static struct move moves[MOVES_MAX];
	unsigned count = position_moves(&game->position, &game->past, moves);
	for (unsigned i = 0; i < count; i++) {
		struct position after;
		struct change change;
		position_play(&game->position, &game->past, moves[i], &after, &change);
		for (unsigned j = 0; j < game->row.ply; j++) {
			if (left[j] == change.left && after.turn != 0) {
				*found = moves[i];
				return true;
			}
		}
	}
	return false;
}

/* A move that only the past forbids must be refused as a third repetition. */
static unsigned
try_forbidden(struct world *world, struct game *game)
{
	static struct move free[MOVES_MAX], bound[MOVES_MAX];
	unsigned count = position_moves(&game->position, NULL, free), tried = 0;
	unsigned bound_count = position_moves(&game->position, &game->past, bound), next = 0;
	struct move_result result;
	char text[MOVE_TEXT_MAX];
	for (unsigned i = 0; i < count; i++) {
		if (next < bound_count && bound[next].from == free[i].from && bound[next].to == free[i].to) {
			next++;
			continue;
		}
		notation_move(free[i], text);
		assert_int_equal(world_move(world, game, game->position.turn, text, &result), FAULT_NONE);
		assert_int_equal(result.verdict, VERDICT_THIRD_REPETITION);
		tried++;
	}
	assert_int_equal(next, bound_count);
	return tried;
}

/* Games that go back and forth wherever they can meet I16, and the past is kept exactly. */
static void
iuvo_does_not_repeat_a_third_time(void **state)
{
	struct world *world = *state;
	static uint64_t left[PLIES_MAX];
	unsigned forbidden = 0;
	for (unsigned round = 0; round < 6; round++) {
		struct game game;
		world_create(world, round % 2 == 0 ? VARIANT_IUVO_2_LOOSE : VARIANT_IUVO_4_LOOSE, &game);
		while (game.position.turn != 0 && game.row.ply < 150) {
			struct move_result result;
			struct move move;
			char text[MOVE_TEXT_MAX];
			forbidden += try_forbidden(world, &game);
			if (find_return(&game, left, &move)) {
				notation_move(move, text);
				assert_int_equal(
				    world_move(world, &game, game.position.turn, text, &result), FAULT_NONE);
				assert_int_equal(result.verdict, VERDICT_LEGAL);
				left[game.row.ply - 1] = result.row.left;
			} else {
				struct move_row row;
				world_play_random(world, &game);
				assert_int_equal(
				    moves_at(world->db, world->arena, game.row.game, game.row.ply, &row), FAULT_NONE);
				left[game.row.ply - 1] = row.left;
			}
			world_same(world, &game);
		}
		unsigned twice = 0;
		for (unsigned i = 0; i < game.row.ply; i++)
			for (unsigned j = 0; j < i; j++)
				twice += left[i] == left[j];
		assert_int_equal(game.past.count, twice);
	}
	assert_true(forbidden > 0);
}

/* Every ply of a stored game reads back as the position that the engine had. */
static void
random_games_are_stored_ply_by_ply(void **state)
{
	struct world *world = *state;
	static struct position positions[PLIES_MAX + 1];
	for (unsigned round = 0; round < 3 * VARIANT_COUNT; round++) {
		struct game game;
		struct position at;
		world_create(world, (enum variant)(round % VARIANT_COUNT), &game);
		positions[0] = game.position;
		while (game.position.turn != 0 && game.row.ply < 120) {
			world_play_random(world, &game);
			world_same(world, &game);
			positions[game.row.ply] = game.position;
		}
		for (unsigned ply = 0; ply <= game.row.ply; ply++) {
			assert_int_equal(game_position_at(world->db, world->arena, &game, ply, &at), FAULT_NONE);
			assert_int_equal(at.key, positions[ply].key);
			assert_int_equal(at.ply, ply);
			assert_int_equal(at.turn, positions[ply].turn);
			assert_int_equal(at.winner, positions[ply].winner);
			assert_int_equal(at.reason, positions[ply].reason);
		}
		at.ply = 9999;
		assert_int_equal(
		    game_position_at(world->db, world->arena, &game, game.row.ply + 1, &at), FAULT_NO_SUCH_PLY);
		assert_int_equal(at.ply, 9999);
	}
}

/* What is damaged is said to be, and nothing is read into it. */
static void
damaged_rows_are_not_loaded(void **state)
{
	static const char *const damages[] = {
	    "UPDATE games SET variant = 'go'",
	    "UPDATE games SET variant = 'iuvo-4'",
	    "UPDATE games SET position = 'iuvo-2 nothing'",
	    "UPDATE games SET position = 'iuvo-2-loose B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -'",
	    "UPDATE games SET turn = 2",
	    "UPDATE games SET ply = 5000",
	    "UPDATE games SET status = 'finished'",
	    "UPDATE games SET reason = 'boredom'",
	    "UPDATE games SET reason = 'target'",
	    "UPDATE games SET winner = 1",
	    "UPDATE games SET twice = x'00'",
	    "DELETE FROM seats WHERE seat = 2",
	    "UPDATE seats SET seat = 3 WHERE seat = 2",
	};
	struct world *world = *state;
	for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct game game, loaded = {.seat_count = 77};
		world_create(world, VARIANT_IUVO_2, &game);
		world_shut(world);
		world_sql(world, damages[i]);
		world_reopen(world, DB_WRITE);
		if (game_load(world->db, world->arena, game.row.id, &loaded) != FAULT_DAMAGED_GAME)
			fail_msg("loaded after %s", damages[i]);
		assert_int_equal(loaded.seat_count, 77);
	}
}

/* Whatever fails on the way, the caller's game is as it was, and his savepoint takes the rest back. */
static void
a_failure_leaves_the_game_as_it_was(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_text move;
	struct text_fault why;
	struct move_request request = {.text = &move, .expected_ply = -1};
	struct game_plan plan = {.variant = VARIANT_IUVO_2};
	struct game_secrets secrets;
	unsigned failed = 0;
	enum fault fault = FAULT_OUT_OF_MEMORY;
	world_create(world, VARIANT_IUVO_2, &game);
	struct holder holder = world_holder(1);
	struct game before = game;
	assert_true(notation_read_move("c1-d3", 5, &move, &why));
	world_secrets(world->games++, &secrets);
	for (long calls = 0; fault != FAULT_NONE; calls++, failed++) {
		struct move_result result = {.verdict = VERDICT_COUNT};
		struct game made = {.seat_count = 77};
		assert_true(calls < 1000);
		assert_int_equal(db_savepoint(world->db), FAULT_NONE);
		memory_fail_after(calls);
		fault = game_move(world->db, world->arena, 1, &game, &holder, &request, false, &result);
		if (fault == FAULT_NONE)
			fault = game_create(world->db, world->arena, 1, &plan, &secrets, &made);
		memory_fail_after(-1);
		if (fault == FAULT_NONE)
			break;
		assert_int_equal(fault, FAULT_OUT_OF_MEMORY);
		assert_int_equal(made.seat_count, 77);
		assert_int_equal(db_rollback_to(world->db), FAULT_NONE);
		if (result.verdict == VERDICT_COUNT)
			assert_memory_equal(&game, &before, sizeof game);
		game = before;
		world_same(world, &before);
	}
	/* The texts of the events, each of which grows. */
	assert_true(failed > 1);
	assert_int_equal(db_release(world->db), FAULT_NONE);
	world_same(world, &game);
	assert_int_equal(game.row.ply, 1);
}

static void
an_arena_that_is_full_is_a_fault(void **state)
{
	struct world *world = *state;
	struct game game;
	struct move_text move;
	struct text_fault why;
	struct move_request request = {.text = &move, .expected_ply = -1};
	unsigned failed = 0;
	enum fault fault = FAULT_OUT_OF_MEMORY;
	world_create(world, VARIANT_IUVO_2, &game);
	struct holder holder = world_holder(1);
	struct game before = game;
	assert_true(notation_read_move("c1-d3", 5, &move, &why));
	for (size_t cap = 0; fault != FAULT_NONE; cap += 64, failed++) {
		struct arena *arena = arena_open(cap);
		struct move_result result;
		assert_non_null(arena);
		assert_true(cap < 1 << 16);
		fault = game_move(world->db, arena, 1, &game, &holder, &request, true, &result);
		if (fault != FAULT_NONE) {
			assert_int_equal(fault, FAULT_OUT_OF_MEMORY);
			assert_memory_equal(&game, &before, sizeof game);
		}
		arena_close(arena);
	}
	assert_true(failed > 1);
}

/* A connection that only reads takes no game, no move and no resignation. */
static void
a_refusing_store_is_a_fault(void **state)
{
	struct world *world = *state;
	struct game game, before, made = {.seat_count = 77};
	struct game_plan plan = {.variant = VARIANT_IUVO_2};
	struct game_secrets secrets;
	struct move_result result;
	world_create(world, VARIANT_IUVO_2, &game);
	before = game;
	world_secrets(world->games++, &secrets);
	world_reopen(world, DB_READ);
	assert_int_equal(db_read_begin(world->db), FAULT_NONE);
	assert_int_equal(game_create(world->db, world->arena, 1, &plan, &secrets, &made), FAULT_STORAGE);
	assert_int_equal(made.seat_count, 77);
	assert_int_equal(world_move(world, &game, 1, "c1-d3", &result), FAULT_STORAGE);
	assert_int_equal(game_resign(world->db, world->arena, 1, &game, 1), FAULT_STORAGE);
	assert_memory_equal(&game, &before, sizeof game);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_new_game_starts_at_once),
	    TEST(every_token_has_its_seat),
	    cmocka_unit_test(secrets_are_drawn_afresh),
	    TEST(the_log_tells_of_the_beginning),
	    TEST(a_game_starts_from_a_position),
	    TEST(an_unknown_game_is_not_loaded),
	    TEST(a_move_is_stored_and_logged),
	    TEST(a_chain_is_stored_with_its_path),
	    TEST(a_capture_is_told_with_all_that_follows),
	    TEST(moves_are_refused_in_order),
	    cmocka_unit_test(a_holder_of_several_seats_says_which),
	    TEST(a_holder_of_several_seats_moves_for_the_one_to_move),
	    TEST(a_seat_that_is_out_moves_no_more),
	    TEST(an_illegal_move_is_no_fault_and_changes_nothing),
	    TEST(the_same_move_again_is_the_same_move),
	    TEST(a_capture_or_the_last_move_is_repeated_too),
	    TEST(a_chain_is_repeated_however_it_is_written),
	    TEST(a_dry_run_writes_nothing),
	    TEST(resigning_ends_a_game_for_two),
	    TEST(four_resign_in_turn_and_out_of_turn),
	    TEST(halma_is_drawn_when_it_repeats),
	    TEST(iuvo_does_not_repeat_a_third_time),
	    TEST(random_games_are_stored_ply_by_ply),
	    TEST(damaged_rows_are_not_loaded),
	    TEST(a_failure_leaves_the_game_as_it_was),
	    TEST(an_arena_that_is_full_is_a_fault),
	    TEST(a_refusing_store_is_a_fault),
	};
	return cmocka_run_group_tests_name("play game", tests, NULL, NULL);
}

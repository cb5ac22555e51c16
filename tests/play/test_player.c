/* Players: whom a game waits for, what each of them is told, and what is left when one is erased. */
#include "play/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/offer.h"
#include "play/seat.h"
#include "store/feed.h"
#include "world.h"

enum { PLAYERS = 3, GAMES = 12, ENTRIES_MAX = 4096, LIST_MAX = GAMES };

/* Players and games of which everything is known. */
struct crowd {
	struct world *world;
	struct player_row players[PLAYERS];
	struct game games[GAMES];
};

static const char *
new_token(void)
{
	static char token[TOKEN_LEN + 1];
	static unsigned count;
	snprintf(token, sizeof token, "%052u", 900000 + count++);
	return token;
}

static void
make_player(struct world *world, const char *name, struct player_row *row)
{
	static unsigned count;
	*row = (struct player_row){.name = name, .created_ms = world->now_ms};
	snprintf(row->id, sizeof row->id, "player%019ua", count++ % 1000);
	assert_int_equal(player_create(world->db, new_token(), row), FAULT_NONE);
}

static void
make_crowd(struct world *world, struct crowd *crowd)
{
	static const char *const names[PLAYERS] = {"Ada Erasable", "Bo Erasable", "Cy Erasable"};
	static const enum variant variants[] = {VARIANT_IUVO_2, VARIANT_IUVO_4, VARIANT_HALMA_2};
	crowd->world = world;
	for (unsigned i = 0; i < PLAYERS; i++)
		make_player(world, names[i], &crowd->players[i]);
	for (unsigned i = 0; i < GAMES; i++) {
		struct game_plan plan = {.variant = variants[i % 3], .listed = i % 2 == 0, .open = {1, 1, 1, 1}};
		world_plan(world, &plan, &crowd->games[i]);
	}
}

static struct holder
holder_of(struct crowd *crowd, const struct game *game, unsigned player)
{
	struct holder holder = {.known = true, .player = crowd->players[player].player};
	assert_int_equal(holder_resolve(crowd->world->db, game, &holder), FAULT_NONE);
	return holder;
}

/* A random act in a random game; most are refused, which must change nothing. */
static void
act(struct crowd *crowd)
{
	struct world *world = crowd->world;
	struct game *game = &crowd->games[world_random(world, GAMES)];
	unsigned who = world_random(world, PLAYERS), seat = 1 + world_random(world, game->seat_count);
	struct holder holder = holder_of(crowd, game, who);
	struct seat_request request = {.seat = seat, .token = new_token(), .player = &crowd->players[who]};
	struct offer_request offer = {.kind = (enum offer_kind)world_random(world, OFFER_PAUSE), .id = "o"};
	char id[ID_LEN + 1];
	switch (world_random(world, 16)) {
	case 0:
		seat_leave(world->db, world->now_ms++, game, &holder, &request);
		break;
	case 1:
		seat_rekey(world->db, world->now_ms++, game, &holder, &request);
		break;
	case 2:
		if (world_random(world, 8) == 0 && holder_has(&holder, seat))
			game_resign(world->db, world->arena, world->now_ms++, game, seat);
		break;
	case 3:
		snprintf(id, sizeof id, "offer%020ua", (unsigned)world->now_ms % 100000);
		offer.id = id;
		offer.seat = seat;
		offer.ply = game->row.ply > 0 ? game->row.ply - 1 : 0;
		struct offer_row made;
		offer_make(world->db, world->now_ms++, game, &holder, &offer, &made);
		break;
	case 4:
		if (game->row.offers > 0) {
			struct offer_answer answer = {
			    .id = game->offers[0].id, .seat = seat, .accept = world_random(world, 3) != 0};
			offer_answer(world->db, world->now_ms++, game, &holder, &answer);
		}
		break;
	case 5:
	case 6:
	case 7:
		seat_take(world->db, world->now_ms++, game, &request);
		break;
	default:
		if (game->row.turn != 0)
			world_play_random(world, game);
	}
}

static bool
has_player(const struct game *game, unsigned seats, int64_t player)
{
	for (unsigned i = 0; i < game->seat_count; i++)
		if ((seats >> i & 1) != 0 && game->seats[i].player == player)
			return true;
	return false;
}

/* The seats that must do something: told from the rules alone. */
static unsigned
must_act(const struct game *game)
{
	unsigned seats = game->row.turn == 0 ? 0 : 1U << (game->row.turn - 1);
	for (unsigned i = 0; i < game->row.offers; i++)
		seats |= game->offers[i].asked & ~(game->offers[i].accepted | game->offers[i].declined);
	return strcmp(game->row.status, "active") == 0 ? seats : 0;
}

/* The list of what needs a player is just that, each game once, in the order of deadlines. */
static void
check_needs(struct crowd *crowd, int64_t player)
{
	struct game_row rows[LIST_MAX];
	struct games_place place = {.player = player, .which = GAMES_NEEDING, .limit = LIST_MAX};
	unsigned count, expected = 0;
	bool more;
	assert_int_equal(
	    games_of_player(crowd->world->db, crowd->world->arena, &place, rows, &count, &more), FAULT_NONE);
	assert_false(more);
	for (unsigned i = 0; i < GAMES; i++) {
		const struct game *game = &crowd->games[i];
		if (!has_player(game, must_act(game), player))
			continue;
		bool found = false;
		for (unsigned j = 0; j < count; j++)
			found |= rows[j].game == game->row.game;
		assert_true(found);
		expected++;
	}
	assert_int_equal(count, expected);
	for (unsigned i = 1; i < count; i++)
		assert_true(games_due(&rows[i - 1]) < games_due(&rows[i]) ||
			    (games_due(&rows[i - 1]) == games_due(&rows[i]) && rows[i - 1].game < rows[i].game));
}

static struct game *
game_of(struct crowd *crowd, const char *id)
{
	for (unsigned i = 0; i < GAMES; i++)
		if (strcmp(crowd->games[i].row.id, id) == 0)
			return &crowd->games[i];
	fail_msg("no game %s", id);
	return NULL;
}

/* Every entry is an event of the game's log, later than the one before it in that game; none is missing among them. */
static void
check_feed(struct crowd *crowd, int64_t player)
{
	static struct feed_row rows[ENTRIES_MAX];
	unsigned count, last[GAMES] = {0};
	assert_int_equal(
	    feed_of(crowd->world->db, crowd->world->arena, player, 0, rows, ENTRIES_MAX, &count), FAULT_NONE);
	assert_true(count < ENTRIES_MAX);
	for (unsigned i = 0; i < count; i++) {
		const struct event_row *event = &rows[i].event;
		struct game *game = game_of(crowd, rows[i].id);
		struct event_row of_log;
		unsigned found, index = (unsigned)(game - crowd->games);
		assert_int_equal(rows[i].seq, i + 1);
		assert_int_equal(events_of(crowd->world->db, crowd->world->arena, game->row.game, event->seq - 1,
				     &of_log, 1, &found),
		    FAULT_NONE);
		assert_int_equal(found, 1);
		assert_int_equal(of_log.seq, event->seq);
		assert_string_equal(of_log.type, event->type);
		assert_string_equal(of_log.data, event->data);
		assert_int_equal(of_log.at_ms, event->at_ms);
		assert_int_equal(of_log.ply, event->ply);
		assert_int_equal(of_log.seat, event->seat);
		assert_true(event->seq > last[index]);
		assert_true(rows[i].seats != 0 && (!rows[i].turn || strcmp(event->type, "game_finished") != 0));
		/* He is told of all from when he sits down until he gets up. */
		bool came = strcmp(event->type, "seat_taken") == 0;
		assert_true(came || event->seq == last[index] + 1 || event->seq == 1);
		last[index] = event->seq;
	}
	for (unsigned i = 0; i < GAMES; i++)
		if (has_player(&crowd->games[i], 0xF, player))
			assert_int_equal(last[i], crowd->games[i].row.seq);
}

static void
check_crowd(struct crowd *crowd)
{
	for (unsigned i = 0; i < GAMES; i++)
		world_same(crowd->world, &crowd->games[i]);
	for (unsigned i = 0; i < PLAYERS; i++)
		check_needs(crowd, crowd->players[i].player);
}

static void
a_game_waits_for_whom_it_must(void **state)
{
	struct world *world = *state;
	static struct crowd crowd;
	make_crowd(world, &crowd);
	unsigned active = 0, asked = 0;
	for (unsigned round = 0; round < 400; round++) {
		act(&crowd);
		check_crowd(&crowd);
		for (unsigned i = 0; i < GAMES; i++) {
			unsigned must = must_act(&crowd.games[i]);
			active += must != 0;
			asked += (must & (must - 1)) != 0;
		}
	}
	assert_true(active > 400 && asked > 40);
	for (unsigned i = 0; i < PLAYERS; i++)
		check_feed(&crowd, crowd.players[i].player);
}

static enum fault
count_changed(void *arg, const char id[ID_LEN + 1])
{
	assert_int_equal(strlen(id), ID_LEN);
	++*(unsigned *)arg;
	return FAULT_NONE;
}

/* One after the other, from a crowd in any state: what is told of the others stays true. */
static void
who_is_erased_leaves_games_that_replay(void **state)
{
	struct world *world = *state;
	static struct crowd crowd;
	make_crowd(world, &crowd);
	for (unsigned round = 0; round < 300; round++)
		act(&crowd);
	for (unsigned i = 0; i < PLAYERS; i++) {
		unsigned changed = 0;
		struct player_row gone;
		int64_t key = crowd.players[i].player;
		assert_int_equal(
		    player_erase(world->db, world->now_ms++, &crowd.players[i], count_changed, &changed), FAULT_NONE);
		assert_true(changed > 0 && changed <= GAMES);
		assert_int_equal(players_by_key(world->db, world->arena, key, &gone), FAULT_NO_SUCH_PLAYER);
		for (unsigned j = 0; j < GAMES; j++) {
			const char *id = crowd.games[j].row.id;
			assert_int_equal(game_load(world->db, world->arena, id, &crowd.games[j]), FAULT_NONE);
			assert_false(has_player(&crowd.games[j], 0xF, key));
		}
		crowd.players[i].player = -1;
		for (unsigned j = i + 1; j < PLAYERS; j++) {
			check_needs(&crowd, crowd.players[j].player);
			check_feed(&crowd, crowd.players[j].player);
		}
		struct verify_count count;
		assert_string_equal(world_verify(world, &count), "");
		assert_int_equal(count.games, GAMES);
		world_reopen(world, DB_WRITE);
	}
	world_shut(world);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM events WHERE data LIKE '%Erasable%'"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM events WHERE data LIKE '%\"player\":%'"), 0);
	assert_int_equal(
	    world_ask(world, "SELECT count(*) FROM seats WHERE name IS NOT NULL OR player IS NOT NULL"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM seats WHERE due IS NOT NULL"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM players"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM feed"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM sat"), 0);
	assert_int_equal(world_ask(world, "SELECT count(*) FROM player_tokens"), 0);
	world_reopen(world, DB_WRITE);
}

static enum fault
refuse(void *arg, const char id[ID_LEN + 1])
{
	(void)arg;
	(void)id;
	return FAULT_OUT_OF_MEMORY;
}

/* An erasure that cannot be written is not half done: the caller goes back to its savepoint. */
static void
a_fault_of_who_is_told_ends_it(void **state)
{
	struct world *world = *state;
	static struct crowd crowd;
	make_crowd(world, &crowd);
	for (unsigned round = 0; round < 60; round++)
		act(&crowd);
	assert_int_equal(db_savepoint(world->db), FAULT_NONE);
	assert_int_equal(player_erase(world->db, world->now_ms, &crowd.players[0], refuse, NULL), FAULT_OUT_OF_MEMORY);
	assert_int_equal(db_rollback_to(world->db), FAULT_NONE);
	check_crowd(&crowd);
}

/* Between the deadline and the sweep that comes to it nobody resigns: it must not keep him from being erased. */
static void
a_deadline_that_has_passed_keeps_nobody(void **state)
{
	struct world *world = *state;
	for (unsigned erased = 0; erased < 2; erased++) {
		struct player_row players[2];
		struct game game;
		unsigned changed = 0;
		make_player(world, "Ada", &players[0]);
		make_player(world, "Bo", &players[1]);
		struct game_plan plan = {.variant = VARIANT_IUVO_2,
		    .owners = {{players[0].player, players[0].id, false}, {players[1].player, players[1].id, false}},
		    .clock = {.type = "per_move", .per_move_seconds = 60}};
		world_plan(world, &plan, &game);
		int64_t late_ms = game.row.deadline_ms;
		assert_int_equal(
		    player_erase(world->db, late_ms, &players[erased], count_changed, &changed), FAULT_NONE);
		assert_int_equal(changed, 1);
		assert_int_equal(game_load(world->db, world->arena, game.row.id, &game), FAULT_NONE);
		assert_string_equal(game.row.status, "finished");
		assert_int_equal(game.row.winner, 2);
		assert_string_equal(game.seats[0].out_reason, "timeout");
		assert_int_equal(game.seats[erased].player, 0);
	}
}

static void
tokens_are_his_alone(void **state)
{
	struct world *world = *state;
	struct player_row ada, bo;
	struct holder holder;
	struct game game;
	make_player(world, "Ada", &ada);
	make_player(world, "Bo", &bo);
	char first[TOKEN_LEN + 1], second[TOKEN_LEN + 1];
	snprintf(first, sizeof first, "%s", new_token());
	snprintf(second, sizeof second, "%s", new_token());
	assert_int_equal(player_rekey(world->db, ada.player, first), FAULT_NONE);
	assert_int_equal(holder_find(world->db, first, TOKEN_LEN, &holder), FAULT_NONE);
	assert_int_equal(holder.player, ada.player);
	assert_int_equal(player_rekey(world->db, ada.player, second), FAULT_NONE);
	assert_int_equal(holder_find(world->db, first, TOKEN_LEN, &holder), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(holder_find(world->db, second, TOKEN_LEN - 1, &holder), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(holder_find(world->db, second, TOKEN_LEN, &holder), FAULT_NONE);

	struct game_plan plan = {.variant = VARIANT_IUVO_4,
	    .owners = {{ada.player, ada.id, false}, {bo.player, bo.id, false}, {ada.player, ada.id, false}},
	    .creator = bo.player};
	world_plan(world, &plan, &game);
	assert_int_equal(holder_resolve(world->db, &game, &holder), FAULT_NONE);
	assert_int_equal(holder.seats, 5);
	assert_false(holder.creator);
	unsigned seat = 77;
	assert_int_equal(holder_seat(&holder, 0, &seat), FAULT_WHICH_SEAT);
	assert_int_equal(holder_seat(&holder, 2, &seat), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(seat, 77);
	assert_int_equal(holder_seat(&holder, 3, &seat), FAULT_NONE);
	assert_int_equal(seat, 3);
	holder.player = bo.player;
	assert_int_equal(holder_resolve(world->db, &game, &holder), FAULT_NONE);
	assert_int_equal(holder.seats, 2);
	assert_true(holder.creator);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_game_waits_for_whom_it_must),
	    TEST(who_is_erased_leaves_games_that_replay),
	    TEST(a_fault_of_who_is_told_ends_it),
	    TEST(a_deadline_that_has_passed_keeps_nobody),
	    TEST(tokens_are_his_alone),
	};
	return cmocka_run_group_tests_name("play player", tests, NULL, NULL);
}

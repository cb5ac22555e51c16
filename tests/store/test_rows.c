#include "place.h"

#include <stdio.h>
#include <string.h>

#include "store/alive.h"
#include "store/events.h"
#include "store/moves.h"
#include "store/offers.h"
#include "store/seats.h"
#include "store/walk.h"

static void
assert_same_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void
assert_same_game(const struct game_row *a, const struct game_row *b)
{
	assert_int_equal(a->game, b->game);
	assert_string_equal(a->id, b->id);
	assert_string_equal(a->variant, b->variant);
	assert_string_equal(a->status, b->status);
	assert_int_equal(a->listed, b->listed);
	assert_int_equal(a->imported, b->imported);
	assert_string_equal(a->start, b->start);
	assert_string_equal(a->position, b->position);
	assert_int_equal(a->turn, b->turn);
	assert_int_equal(a->ply, b->ply);
	assert_int_equal(a->seq, b->seq);
	assert_same_text(a->reason, b->reason);
	assert_int_equal(a->winner, b->winner);
	assert_int_equal(a->twice_len, b->twice_len);
	assert_memory_equal(a->twice, b->twice, a->twice_len);
	assert_same_text(a->tags, b->tags);
	assert_string_equal(a->clock_type, b->clock_type);
	assert_string_equal(a->on_timeout, b->on_timeout);
	assert_int_equal(a->per_move_seconds, b->per_move_seconds);
	assert_int_equal(a->initial_seconds, b->initial_seconds);
	assert_int_equal(a->increment_seconds, b->increment_seconds);
	assert_int_equal(a->deadline_ms, b->deadline_ms);
	assert_int_equal(a->created_ms, b->created_ms);
	assert_int_equal(a->updated_ms, b->updated_ms);
	assert_int_equal(a->thinks, b->thinks);
}

static void
fill(struct game_row *row)
{
	row->listed = false;
	row->imported = true;
	row->turn = 2;
	row->thinks = 1;
	row->ply = 41;
	row->seq = 99;
	row->twice = "\0\xFF\1\2\3\4\5\6";
	row->twice_len = 8;
	row->tags = "{\"Event\":\"J\xC3\xB6rg's\"}";
	row->clock_type = "budget";
	row->on_timeout = "claim";
	row->per_move_seconds = 1;
	row->initial_seconds = 2;
	row->increment_seconds = 3;
	row->deadline_ms = INT64_MAX;
}

static void
games_come_back(void **state)
{
	struct place *place = *state;
	struct game_row plain, full, found = {.game = 77};
	place_game(place, 1, NULL, &plain);
	place_game(place, 2, fill, &full);
	assert_true(full.game > plain.game);
	PLACE_OK(games_by_id(place->db, place->arena, plain.id, &found));
	assert_same_game(&found, &plain);
	PLACE_OK(games_by_id(place->db, place->arena, full.id, &found));
	assert_same_game(&found, &full);
	assert_int_equal(
	    games_by_id(place->db, place->arena, "game0000000000000000000003", &found), FAULT_NO_SUCH_GAME);
	assert_same_game(&found, &full);
	/* A walk over all of them. */
	bool more = false;
	PLACE_OK(games_next(place->db, place->arena, 0, &found, &more));
	assert_true(more);
	assert_same_game(&found, &plain);
	PLACE_OK(games_next(place->db, place->arena, plain.game, &found, &more));
	assert_same_game(&found, &full);
	PLACE_OK(games_next(place->db, place->arena, full.game, &found, &more));
	assert_false(more);
}

static void
games_are_updated(void **state)
{
	struct place *place = *state;
	struct game_row row, other, found;
	place_game(place, 1, NULL, &row);
	place_game(place, 2, NULL, &other);
	row.position = "somewhere";
	row.turn = 2;
	row.ply = 1;
	row.seq = 5;
	row.twice = "12345678";
	row.twice_len = 8;
	row.updated_ms = 5000;
	row.deadline_ms = 6000;
	PLACE_OK(games_update(place->db, &row));
	PLACE_OK(games_by_id(place->db, place->arena, row.id, &found));
	assert_same_game(&found, &row);
	row.status = "finished";
	row.turn = 0;
	row.reason = "target";
	row.winner = 2;
	row.deadline_ms = 0;
	PLACE_OK(games_update(place->db, &row));
	PLACE_OK(games_by_id(place->db, place->arena, row.id, &found));
	assert_same_game(&found, &row);
	PLACE_OK(games_by_id(place->db, place->arena, other.id, &found));
	assert_same_game(&found, &other);
	row.game = 4711;
	assert_int_equal(games_update(place->db, &row), FAULT_NO_SUCH_GAME);
	row.status = "asleep";
	row.game = other.game;
	assert_int_equal(games_update(place->db, &row), FAULT_INTERNAL);
}

static void
seats_come_back(void **state)
{
	struct place *place = *state;
	struct game_row row;
	struct seat_row seats[4];
	unsigned count = 77;
	place_game(place, 1, NULL, &row);
	PLACE_OK(seats_of(place->db, place->arena, row.game, seats, 4, &count));
	assert_int_equal(count, 0);
	const struct seat_row second = {
	    .seat = 2, .name = "J\xC3\xB6rg \"]", .kind = "player", .own = true, .remaining_ms = 5};
	const struct seat_row first = {
	    .seat = 1, .kind = "engine", .level = 3, .out_reason = "resigned", .remaining_ms = -1};
	PLACE_OK(seats_insert(place->db, row.game, true, &second));
	PLACE_OK(seats_insert(place->db, row.game, true, &first));
	PLACE_OK(seats_out(place->db, row.game, 2, "blocked"));
	PLACE_OK(seats_of(place->db, place->arena, row.game, seats, 4, &count));
	assert_int_equal(count, 2);
	assert_int_equal(seats[0].seat, 1);
	assert_null(seats[0].name);
	assert_string_equal(seats[0].kind, "engine");
	assert_int_equal(seats[0].level, 3);
	assert_false(seats[0].own);
	assert_string_equal(seats[0].out_reason, "resigned");
	assert_int_equal(seats[0].remaining_ms, -1);
	assert_int_equal(seats[1].seat, 2);
	assert_string_equal(seats[1].name, second.name);
	assert_string_equal(seats[1].kind, "player");
	assert_true(seats[1].own);
	assert_string_equal(seats[1].out_reason, "blocked");
	assert_int_equal(seats[1].remaining_ms, 5);
	PLACE_OK(seats_of(place->db, place->arena, row.game, seats, 1, &count));
	assert_int_equal(count, 1);
	assert_int_equal(seats_insert(place->db, row.game, true, &first), FAULT_INTERNAL);
	assert_int_equal(seats_insert(place->db, 4711, true, &first), FAULT_INTERNAL);
}

static void
seats_change_hands(void **state)
{
	struct place *place = *state;
	struct game_row row;
	struct seat_row seats[4];
	unsigned count;
	place_game(place, 1, NULL, &row);
	PLACE_OK(seats_insert(place->db, row.game, true,
	    &(struct seat_row){.seat = 1, .name = "Ada", .kind = "player", .own = true, .remaining_ms = 7}));
	PLACE_OK(
	    seats_insert(place->db, row.game, true, &(struct seat_row){.seat = 2, .kind = "open", .remaining_ms = -1}));
	PLACE_OK(seats_hold(place->db, row.game, &(struct seat_row){.seat = 1, .kind = "open"}));
	PLACE_OK(seats_hold(place->db, row.game, &(struct seat_row){.seat = 2, .name = "Bo", .kind = "player"}));
	PLACE_OK(seats_of(place->db, place->arena, row.game, seats, 4, &count));
	assert_null(seats[0].name);
	assert_string_equal(seats[0].kind, "open");
	assert_false(seats[0].own);
	assert_int_equal(seats[0].remaining_ms, 7);
	PLACE_OK(seats_remaining(place->db, row.game, &(struct seat_row){.seat = 1, .remaining_ms = 0}));
	PLACE_OK(seats_remaining(place->db, row.game, &(struct seat_row){.seat = 2, .remaining_ms = -1}));
	PLACE_OK(seats_of(place->db, place->arena, row.game, seats, 4, &count));
	assert_int_equal(seats[0].remaining_ms, 0);
	assert_int_equal(seats[1].remaining_ms, -1);
	assert_string_equal(seats[1].name, "Bo");
	assert_string_equal(seats[1].kind, "player");
	assert_int_equal(
	    seats_hold(place->db, row.game, &(struct seat_row){.seat = 1, .kind = "lodger"}), FAULT_INTERNAL);
}

static void
a_seat_has_one_token(void **state)
{
	struct place *place = *state;
	struct game_row row, other;
	unsigned char first[TOKEN_HASH_LEN], second[TOKEN_HASH_LEN], third[TOKEN_HASH_LEN];
	struct token_row found;
	place_game(place, 1, NULL, &row);
	place_game(place, 2, NULL, &other);
	token_hash("first", 5, first);
	token_hash("second", 6, second);
	token_hash("third", 5, third);
	PLACE_OK(tokens_insert(place->db, first, &(struct token_row){row.game, 1}));
	PLACE_OK(tokens_insert(place->db, second, &(struct token_row){other.game, 1}));
	assert_int_equal(tokens_insert(place->db, third, &(struct token_row){row.game, 1}), FAULT_INTERNAL);
	PLACE_OK(tokens_delete(place->db, &(struct token_row){row.game, 1}));
	assert_int_equal(tokens_find(place->db, first, &found), FAULT_TOKEN_UNKNOWN);
	PLACE_OK(tokens_find(place->db, second, &found));
	PLACE_OK(tokens_insert(place->db, third, &(struct token_row){row.game, 1}));
	PLACE_OK(tokens_find(place->db, third, &found));
	assert_int_equal(found.game, row.game);
	/* Where there is none, none is needed. */
	PLACE_OK(tokens_delete(place->db, &(struct token_row){row.game, 2}));
}

static void
tokens_are_found(void **state)
{
	struct place *place = *state;
	struct game_row row;
	unsigned char hash[TOKEN_HASH_LEN], near[TOKEN_HASH_LEN];
	struct token_row found = {77, 77};
	place_game(place, 1, NULL, &row);
	token_hash("secret", 6, hash);
	PLACE_OK(tokens_insert(place->db, hash, &(struct token_row){row.game, 3}));
	/* Two that have the part in common by which they are looked up. */
	memcpy(near, hash, sizeof near);
	near[TOKEN_HASH_LEN - 1] ^= 1;
	assert_int_equal(tokens_find(place->db, near, &found), FAULT_TOKEN_UNKNOWN);
	assert_int_equal(found.game, 77);
	PLACE_OK(tokens_insert(place->db, near, &(struct token_row){row.game, 0}));
	PLACE_OK(tokens_find(place->db, near, &found));
	assert_int_equal(found.seat, 0);
	PLACE_OK(tokens_find(place->db, hash, &found));
	assert_int_equal(found.game, row.game);
	assert_int_equal(found.seat, 3);
	for (unsigned i = 0; i < TOKEN_HASH_LEN - 1; i++) {
		memcpy(near, hash, sizeof near);
		near[i] ^= 0x80;
		assert_int_equal(tokens_find(place->db, near, &found), FAULT_TOKEN_UNKNOWN);
	}
	/* One for several seats. */
	unsigned seats;
	bool creator;
	struct game_row other;
	place_game(place, 2, NULL, &other);
	PLACE_OK(tokens_insert(place->db, hash, &(struct token_row){row.game, 1}));
	PLACE_OK(tokens_insert(place->db, hash, &(struct token_row){other.game, 0}));
	assert_int_equal(tokens_insert(place->db, hash, &(struct token_row){row.game, 1}), FAULT_INTERNAL);
	PLACE_OK(tokens_in(place->db, hash, row.game, &seats, &creator));
	assert_int_equal(seats, 5);
	assert_false(creator);
	PLACE_OK(tokens_in(place->db, hash, other.game, &seats, &creator));
	assert_int_equal(seats, 0);
	assert_true(creator);
}

static struct move_row
move(unsigned ply, uint64_t left)
{
	return (struct move_row){ply, 1 + (ply & 1), "c1-d3", NULL, "own", left, "there", NULL, 1000 + ply, -1, ply,
	    "{\"position\":\"there\"}", true};
}

static void
moves_come_back(void **state)
{
	struct place *place = *state;
	struct game_row game;
	struct move_row rows[8], row = {0};
	unsigned count;
	place_game(place, 1, NULL, &game);
	const struct move_row full = {
	    2, 4, "m3-i5", "m3-k5-i5", "shared", UINT64_MAX, "halma-2 x", "2 captured,3 blocked", 7, 55, 2, "{}", true};
	for (unsigned ply = 1; ply <= 5; ply++) {
		struct move_row plain = move(ply, ply);
		PLACE_OK(moves_insert(place->db, game.game, ply == 2 ? &full : &plain));
	}
	PLACE_OK(moves_at(place->db, place->arena, game.game, 2, &row));
	assert_int_equal(row.ply, 2);
	assert_int_equal(row.seat, 4);
	assert_string_equal(row.move, full.move);
	assert_string_equal(row.path, full.path);
	assert_string_equal(row.kind, full.kind);
	assert_true(row.left == UINT64_MAX);
	assert_string_equal(row.position, full.position);
	assert_false(row.agrees); /* its event tells of no position */
	assert_string_equal(row.out, full.out);
	assert_int_equal(row.at_ms, 7);
	assert_int_equal(row.remaining_ms, 55);
	PLACE_OK(moves_of(place->db, place->arena, game.game, 3, rows, 2, &count));
	assert_int_equal(count, 2);
	assert_int_equal(rows[0].ply, 3);
	assert_int_equal(rows[0].remaining_ms, -1);
	assert_null(rows[0].path);
	assert_null(rows[0].out);
	assert_int_equal(rows[1].ply, 4);
	PLACE_OK(moves_of(place->db, place->arena, game.game, 6, rows, 8, &count));
	assert_int_equal(count, 0);
	assert_int_equal(moves_at(place->db, place->arena, game.game, 6, &row), FAULT_NO_SUCH_PLY);
	assert_int_equal(moves_at(place->db, place->arena, game.game + 1, 1, &row), FAULT_NO_SUCH_PLY);
	assert_int_equal(row.ply, 2);
	/* The key itself forbids two moves for one ply. */
	assert_int_equal(moves_insert(place->db, game.game, &full), FAULT_INTERNAL);
}

/* Keys that share the four bytes by which they are first looked for, at every place of them. */
static void
keys_left_are_counted(void **state)
{
	struct place *place = *state;
	struct game_row game, other;
	unsigned count;
	static const uint64_t keys[] = {
	    0, 0x100, 0xFF000000, 0x1FF000000, 0x00FF00FF00FF00FF, 0x8000000000000000, UINT64_MAX};
	enum { KEYS = sizeof keys / sizeof *keys };
	place_game(place, 1, NULL, &game);
	place_game(place, 2, NULL, &other);
	unsigned ply = 0;
	for (unsigned times = 1; times <= 3; times++)
		for (unsigned i = 0; i < KEYS; i++) {
			struct move_row row = move(++ply, keys[i]);
			unsigned char mark[MOVES_MARK_LEN];
			moves_mark(keys[i], mark);
			game.marks = mark;
			game.marks_len = sizeof mark;
			PLACE_OK(moves_insert(place->db, game.game, &row));
			PLACE_OK(games_update(place->db, &game));
			for (unsigned k = 0; k < KEYS; k++) {
				PLACE_OK(moves_left_count(place->db, game.game, ply + 1, keys[k], &count));
				assert_int_equal(count, k <= i ? times : times - 1);
			}
			PLACE_OK(moves_left_count(place->db, game.game, ply, keys[i], &count));
			assert_int_equal(count, times - 1);
			PLACE_OK(moves_left_count(place->db, other.game, ply + 1, keys[i], &count));
			assert_int_equal(count, 0);
		}
	/* Bytes that only straddle two keys are none. */
	PLACE_OK(moves_left_count(place->db, game.game, ply + 1, 0x00010000, &count));
	assert_int_equal(count, 0);
}

static void
endings_come_back(void **state)
{
	struct place *place = *state;
	struct game_row game;
	struct ending_row rows[4];
	unsigned count;
	place_game(place, 1, NULL, &game);
	PLACE_OK(endings_insert(place->db, game.game, 1, &(struct ending_row){9, 0, "agreement", "p1", 2}));
	PLACE_OK(endings_insert(place->db, game.game, 0, &(struct ending_row){8, 3, "resigned", "p0", 1}));
	PLACE_OK(endings_of(place->db, place->arena, game.game, rows, 4, &count));
	assert_int_equal(count, 2);
	assert_int_equal(rows[0].ply, 8);
	assert_int_equal(rows[0].seat, 3);
	assert_string_equal(rows[0].reason, "resigned");
	assert_string_equal(rows[0].position, "p0");
	assert_int_equal(rows[0].at_ms, 1);
	assert_int_equal(rows[1].ply, 9);
	assert_string_equal(rows[1].reason, "agreement");
}

static void
add_event(struct place *place, int64_t game, unsigned seq, const char *type, unsigned ply, int64_t at)
{
	char data[32];
	snprintf(data, sizeof data, "{\"n\":%u}", seq);
	struct event_row row = {.seq = seq, .type = type, .at_ms = at, .ply = ply, .seat = 1 + (ply & 1), .data = data};
	PLACE_OK(events_insert(place->db, game, &row));
}

/* A move with its event. */
static void
add_move(struct place *place, int64_t game, unsigned seq, unsigned ply)
{
	char data[32];
	snprintf(data, sizeof data, "{\"n\":%u}", seq);
	struct move_row row = move(ply, seq);
	row.seq = seq;
	row.event = data;
	PLACE_OK(moves_insert(place->db, game, &row));
}

/* A log of moves and other events comes back the same from every place and in pages of every size. */
static void
the_log_has_no_gaps(void **state)
{
	struct place *place = *state;
	enum { EVENTS = 60 };
	struct game_row game;
	struct event_row rows[EVENTS];
	unsigned count, ply = 0, plies[EVENTS + 1];
	const char *types[EVENTS + 1];
	place_game(place, 1, NULL, &game);
	for (unsigned seq = 1; seq <= EVENTS; seq++) {
		bool played = seq > 2 && seq % 7 != 0;
		types[seq] = played ? "move_played" : seq == 1 ? "game_created" : "offer_made";
		ply += played;
		plies[seq] = ply;
		if (played)
			add_move(place, game.game, seq, ply);
		else
			add_event(place, game.game, seq, types[seq], ply, 1000 + ply);
	}
	for (unsigned after = 0; after <= EVENTS; after++)
		for (unsigned max = 1; max <= EVENTS; max += 1 + max / 3) {
			PLACE_OK(events_of(place->db, place->arena, game.game, after, rows, max, &count));
			assert_int_equal(count, EVENTS - after < max ? EVENTS - after : max);
			for (unsigned i = 0; i < count; i++) {
				char data[32];
				unsigned seq = after + 1 + i;
				snprintf(data, sizeof data, "{\"n\":%u}", seq);
				assert_int_equal(rows[i].seq, seq);
				assert_string_equal(rows[i].type, types[seq]);
				assert_int_equal(rows[i].ply, plies[seq]);
				assert_int_equal(rows[i].seat, 1 + (plies[seq] & 1));
				assert_int_equal(rows[i].at_ms, 1000 + plies[seq]);
				assert_string_equal(rows[i].data, data);
			}
		}
}

static void
a_full_arena_is_a_fault(void **state)
{
	struct place *place = *state;
	struct game_row game, found = {.game = 77};
	place_game(place, 1, NULL, &game);
	for (size_t cap = 0; cap < 200; cap += 8) {
		struct arena *small = arena_open(cap);
		assert_int_equal(games_by_id(place->db, small, game.id, &found), FAULT_OUT_OF_MEMORY);
		assert_int_equal(found.game, 77);
		arena_close(small);
	}
	PLACE_OK(games_by_id(place->db, place->arena, game.id, &found));
}

static int
enter(void **state)
{
	if (place_enter(state) != 0)
		return -1;
	place_open(*state);
	return 0;
}

/* Games of a clock that are due at 1000 plus their number, with a deadline at twice that. */
static void
fill_clock(struct game_row *row)
{
	static int64_t number;
	number++;
	row->clock_type = "per_move";
	row->per_move_seconds = 60;
	row->due_ms = number == 4 ? 0 : 1000 + number;
	row->deadline_ms = 2 * (1000 + number);
	row->paused_ms = -1;
}

static void
what_is_due_is_found(void **state)
{
	struct place *place = *state;
	struct game_row rows[5];
	struct game_key keys[8];
	struct walk_row walked[8];
	char id[ID_LEN + 1];
	unsigned count;
	int64_t games[8], due = 77;
	bool any = true;
	place_game(place, 1, NULL, &rows[0]);
	PLACE_OK(games_next_due(place->db, &due));
	PLACE_OK(games_any_clock(place->db, &any));
	assert_int_equal(due, 0);
	assert_false(any);
	for (unsigned i = 1; i < 5; i++)
		place_game(place, 1 + i, fill_clock, &rows[i]);
	PLACE_OK(games_next_due(place->db, &due));
	PLACE_OK(games_any_clock(place->db, &any));
	assert_int_equal(due, 1001);
	assert_true(any);
	PLACE_OK(games_overdue(place->db, 1000, games, 8, &count));
	assert_int_equal(count, 0);
	PLACE_OK(games_overdue(place->db, 1002, games, 8, &count));
	assert_int_equal(count, 2);
	assert_int_equal(games[0], rows[1].game);
	PLACE_OK(games_id(place->db, games[1], id));
	assert_string_equal(id, rows[2].id);
	assert_int_equal(games_id(place->db, 77, id), FAULT_NO_SUCH_GAME);
	PLACE_OK(games_overdue(place->db, 5000, games, 1, &count));
	assert_int_equal(count, 1);
	PLACE_OK(games_leave_alone(place->db, rows[1].game));
	PLACE_OK(games_overdue(place->db, 5000, games, 8, &count));
	assert_int_equal(count, 2);

	/* A walk sees all of them, and what is to be known of each. */
	PLACE_OK(walk_games(place->db, 0, walked, 8, &count));
	assert_int_equal(count, 5);
	assert_true(!walked[0].clock && walked[0].due_ms == 0 && walked[2].clock && walked[2].due_ms == 1002);
	assert_true(
	    walked[2].game == rows[2].game && walked[2].deadline_ms == 2004 && !walked[2].open && !walked[2].offers);
	PLACE_OK(walk_games(place->db, rows[2].game, walked, 1, &count));
	assert_true(count == 1 && walked[0].game == rows[3].game);

	/* Clocks run whether they are due or not. */
	PLACE_OK(games_running(place->db, 0, 0, keys, 8, &count));
	assert_int_equal(count, 4);
	PLACE_OK(games_running(place->db, 2004, 0, keys, 8, &count));
	assert_int_equal(count, 2);
	assert_int_equal(keys[0].game, rows[3].game);
	PLACE_OK(games_running(place->db, 0, rows[2].game, keys, 8, &count));
	assert_int_equal(count, 2);
	PLACE_OK(games_running(place->db, 0, rows[2].game, keys, 1, &count));
	assert_int_equal(count, 1);
	assert_int_equal(keys[0].game, rows[3].game);
	rows[3].status = "finished";
	PLACE_OK(games_update(place->db, &rows[3]));
	PLACE_OK(games_running(place->db, 0, rows[2].game, keys, 8, &count));
	assert_int_equal(count, 1);
}

static void
the_service_is_seen(void **state)
{
	struct place *place = *state;
	struct alive_row row = {7, 7, 7};
	PLACE_OK(alive_read(place->db, &row));
	assert_int_equal(row.at_ms, 0);
	assert_int_equal(row.owed_ms, 0);
	assert_int_equal(row.given, 0);
	PLACE_OK(alive_write(place->db, &(struct alive_row){1700000000000, 3600000, 5}));
	PLACE_OK(alive_read(place->db, &row));
	assert_int_equal(row.at_ms, 1700000000000);
	assert_int_equal(row.owed_ms, 3600000);
	assert_int_equal(row.given, 5);
}

/* Moves that are taken out leave their events; the plies are free again, and repetitions are uncounted. */
static void
moves_are_taken_back(void **state)
{
	struct place *place = *state;
	struct game_row game;
	struct move_row row;
	struct event_row rows[8];
	uint64_t keys[8];
	unsigned count;
	int64_t left_ms;
	place_game(place, 1, NULL, &game);
	for (unsigned ply = 1; ply <= 5; ply++) {
		unsigned char mark[MOVES_MARK_LEN];
		row = move(ply, 7);
		row.seat = 1 + ply % 2;
		row.seq = ply;
		row.event = "{}";
		row.left = ply == 4 ? 102 : 100 + ply;
		row.remaining_ms = ply == 1 ? -1 : 1000 * (int64_t)ply;
		PLACE_OK(moves_insert(place->db, game.game, &row));
		moves_mark(row.left, mark);
		game.marks = mark;
		game.marks_len = sizeof mark;
		PLACE_OK(games_update(place->db, &game));
	}
	game.marks_len = 0;
	PLACE_OK(moves_left_count(place->db, game.game, 6, 102, &count));
	assert_int_equal(count, 2);
	PLACE_OK(moves_remaining(place->db, game.game, 3, 2, &left_ms));
	assert_int_equal(left_ms, 3000);
	PLACE_OK(moves_remaining(place->db, game.game, 1, 2, &left_ms));
	assert_int_equal(left_ms, -1);
	PLACE_OK(moves_remaining(place->db, game.game, 5, 3, &left_ms));
	assert_int_equal(left_ms, -1);
	PLACE_OK(moves_left(place->db, game.game, 3, keys));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(keys[i], 101 + i);
	assert_int_equal(moves_left(place->db, game.game, 6, keys), FAULT_DAMAGED_GAME);

	PLACE_OK(moves_take_back(place->db, place->arena, game.game, 3, keys));
	assert_int_equal(moves_at(place->db, place->arena, game.game, 4, &row), FAULT_NO_SUCH_PLY);
	PLACE_OK(moves_left_count(place->db, game.game, 6, 102, &count));
	assert_int_equal(count, 1);
	PLACE_OK(moves_left_count(place->db, game.game, 6, 105, &count));
	assert_int_equal(count, 0);
	PLACE_OK(events_of(place->db, place->arena, game.game, 0, rows, 8, &count));
	assert_int_equal(count, 5);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(rows[i].seq, i + 1);
		assert_int_equal(rows[i].ply, i + 1);
		assert_string_equal(rows[i].type, "move_played");
		assert_int_equal(rows[i].taken_back, i >= 3);
	}
	row = move(4, 9);
	row.seq = 6;
	row.event = "{}";
	PLACE_OK(moves_insert(place->db, game.game, &row));
	PLACE_OK(events_of(place->db, place->arena, game.game, 4, rows, 8, &count));
	assert_int_equal(count, 2);
	assert_true(rows[0].taken_back);
	assert_false(rows[1].taken_back);
	PLACE_OK(moves_take_back(place->db, place->arena, game.game, 0, keys));
	PLACE_OK(events_of(place->db, place->arena, game.game, 0, rows, 8, &count));
	assert_int_equal(count, 6);
}

static void
offers_are_kept_while_they_are_open(void **state)
{
	struct place *place = *state;
	struct game_row game, other;
	struct offer_row rows[OFFERS_MAX];
	unsigned count;
	struct offer_row draw = {.id = "abcdefghijklmnopqrstuvwxyz", .kind = "draw", .seat = 2, .asked = 5, .at_ms = 7};
	struct offer_row over = {.id = "bbcdefghijklmnopqrstuvwxyz",
	    .kind = "handover",
	    .seat = 1,
	    .subject = 3,
	    .asked = 10,
	    .accepted = 8,
	    .declined = 2,
	    .at_ms = 6,
	    .due_ms = 99};
	place_game(place, 1, NULL, &game);
	place_game(place, 2, NULL, &other);
	PLACE_OK(offers_insert(place->db, game.game, &draw));
	PLACE_OK(offers_insert(place->db, game.game, &over));
	PLACE_OK(offers_insert(place->db, other.game, &draw));
	PLACE_OK(offers_of(place->db, place->arena, game.game, rows, OFFERS_MAX, &count));
	assert_int_equal(count, 2);
	assert_string_equal(rows[0].id, over.id);
	assert_string_equal(rows[0].kind, "handover");
	assert_int_equal(rows[0].seat, 1);
	assert_int_equal(rows[0].subject, 3);
	assert_int_equal(rows[0].asked, 10);
	assert_int_equal(rows[0].accepted, 8);
	assert_int_equal(rows[0].declined, 2);
	assert_int_equal(rows[0].at_ms, 6);
	assert_int_equal(rows[0].due_ms, 99);
	assert_int_equal(rows[1].due_ms, 0);
	draw.asked = 4;
	draw.accepted = 4;
	draw.due_ms = 12;
	PLACE_OK(offers_update(place->db, game.game, &draw));
	PLACE_OK(offers_delete(place->db, game.game, over.id));
	PLACE_OK(offers_of(place->db, place->arena, game.game, rows, OFFERS_MAX, &count));
	assert_int_equal(count, 1);
	assert_int_equal(rows[0].asked, 4);
	assert_int_equal(rows[0].accepted, 4);
	assert_int_equal(rows[0].due_ms, 12);
	PLACE_OK(offers_of(place->db, place->arena, other.game, rows, OFFERS_MAX, &count));
	assert_int_equal(rows[0].asked, 5);
	/* One of a kind. */
	draw.id[0] = 'z';
	assert_int_equal(offers_insert(place->db, game.game, &draw), FAULT_INTERNAL);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(games_come_back),
	    TEST(games_are_updated),
	    TEST(seats_come_back),
	    TEST(seats_change_hands),
	    TEST(a_seat_has_one_token),
	    TEST(tokens_are_found),
	    TEST(moves_come_back),
	    TEST(keys_left_are_counted),
	    TEST(endings_come_back),
	    TEST(the_log_has_no_gaps),
	    TEST(moves_are_taken_back),
	    TEST(offers_are_kept_while_they_are_open),
	    TEST(what_is_due_is_found),
	    TEST(the_service_is_seen),
	    TEST(a_full_arena_is_a_fault),
	};
	return cmocka_run_group_tests_name("store rows", tests, NULL, NULL);
}

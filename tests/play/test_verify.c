/* `iuvod verify`: silent about sound games, and a line for each difference. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 16 };

/* The lines of one verification. */
struct report {
	unsigned count;
	char ids[LINES_MAX][ID_LEN + 1];
	char lines[LINES_MAX][512];
};

static void
note(void *arg, const char *id, const char *line)
{
	struct report *report = arg;
	if (report->count < LINES_MAX) {
		snprintf(report->ids[report->count], sizeof report->ids[0], "%s", id);
		snprintf(report->lines[report->count], sizeof report->lines[0], "%s", line);
	}
	report->count++;
}

static void
verify(struct world *world, struct report *report, struct verify_count *count)
{
	*report = (struct report){0};
	world_reopen(world, DB_INSPECT);
	assert_int_equal(verify_all(world->db, count, note, report), FAULT_NONE);
	assert_int_equal(count->differences, report->count);
	world_shut(world);
}

static void
expect_sound(struct world *world, unsigned games, unsigned plies)
{
	static struct report report;
	struct verify_count count;
	verify(world, &report, &count);
	if (report.count > 0)
		fail_msg("%s: %s", report.ids[0], report.lines[0]);
	assert_int_equal(count.games, games);
	assert_int_equal(count.plies, plies);
}

static void
nothing_differs_in_no_games(void **state)
{
	expect_sound(*state, 0, 0);
}

static unsigned
import(struct world *world, const char *text)
{
	struct record_draft draft;
	struct record record;
	struct record_fault where;
	struct game_secrets secrets;
	struct game game;
	world_secrets(world->games++, &secrets);
	assert_int_equal(record_read(world->arena, text, strlen(text), &draft, &where), FAULT_NONE);
	assert_int_equal(record_check(world->arena, &draft, &record, &where), FAULT_NONE);
	assert_int_equal(
	    record_import(world->db, world->arena, world->now_ms++, &record, true, NULL, &secrets, &game), FAULT_NONE);
	return game.row.ply;
}

static void
sound_games_are_sound(void **state)
{
	struct world *world = *state;
	unsigned plies = 0;
	for (unsigned round = 0; round < 8 * VARIANT_COUNT; round++) {
		struct game game;
		world_random_game(world, (enum variant)(round % VARIANT_COUNT), 150, round % 2 == 0 ? 0 : 20, &game);
		plies += game.row.ply;
		struct text text = world_record_text(world, &game);
		plies += import(world, text.bytes);
		text_free(&text);
	}
	plies +=
	    import(world, "[Variant \"iuvo-4\"]\n1 c1-d3\n1 seat 2 timeout\n1 seat 3 resigned\n1 draw agreement\n");
	expect_sound(world, world->games, plies);
}

/* Four games in which everything occurs that can be stored. */
static void
make_games(struct world *world)
{
	struct position start;
	struct text_fault why;
	static const char text[] = "iuvo-2 7/7/3oo2/1A1B3/1ooo3/1oAo3/1o5 1 - -";
	struct game_plan plan = {.variant = VARIANT_IUVO_2, .start = &start};
	struct game game;
	assert_true(notation_read_position(text, strlen(text), &start, &why));
	world_plan(world, &plan, &game); /* 1: a capture that ends it */
	world_play(world, &game, "c2-d4");

	world_create(world, VARIANT_IUVO_4, &game); /* 2: a seat resigns, and it goes on */
	world_play(world, &game, "c1-d3");
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, 4), FAULT_NONE);
	world_play_random(world, &game);

	world_create(world, VARIANT_HALMA_2, &game); /* 3: a path */
	world_play(world, &game, "l1-k2 e16-f15 k2-j3 f15-g14 m1-k3-i3");

	world_create(world, VARIANT_HALMA_2, &game); /* 4: a key left twice */
	world_play(world, &game, "l2-k3 e15-f14 k3-l2 f14-e15");
}

struct plant {
	unsigned game;
	const char *sql;
	const char *line; /* how the first difference begins */
};

static const struct plant plants[] = {
    /* The row of a game. */
    {1, "UPDATE games SET variant = 'go' WHERE game = 1", "variant: there is no go"},
    {2, "UPDATE games SET start = 'iuvo-4 x' WHERE game = 2", "start: iuvo-4 x is not a position"},
    {1, "UPDATE games SET start = 'iuvo-2 7/7/7/7/7/7/A5B 1 - -' WHERE game = 1", "start: no game of iuvo-2"},
    {1, "UPDATE games SET variant = 'iuvo-2-loose' WHERE game = 1", "start: no game of iuvo-2-loose"},
    {1, "UPDATE games SET position = 'iuvo-2 nowhere' WHERE game = 1", "position: stored iuvo-2 nowhere, replayed"},
    {1, "UPDATE games SET status = 'active' WHERE game = 1", "status: stored active, replayed finished"},
    {2, "UPDATE games SET status = 'withdrawn' WHERE game = 2", "status: stored withdrawn, replayed active"},
    {1, "UPDATE games SET reason = 'target' WHERE game = 1", "reason: stored target, replayed captured"},
    {2, "UPDATE games SET reason = 'target' WHERE game = 2", "reason: stored target, replayed -"},
    {1, "UPDATE games SET winner = 2 WHERE game = 1", "winner: stored 2, replayed 1"},
    {2, "UPDATE games SET turn = 1 WHERE game = 2", "turn: stored 1, replayed"},
    {3, "UPDATE games SET ply = 4 WHERE game = 3", "ply: stored 4, replayed 5"},
    {3, "UPDATE games SET seq = 9 WHERE game = 3", "seq: stored 9, the log ends with 7"},
    {4, "UPDATE games SET twice = x'' WHERE game = 4", "keys left twice: stored 0, replayed 1"},
    {4, "UPDATE games SET twice = x'0102' WHERE game = 4", "keys left twice: 2 bytes"},
    {4, "UPDATE games SET twice = x'0000000000000000' WHERE game = 4", "keys left twice: stored 1, replayed 1"},
    {3, "UPDATE games SET twice = x'0000000000000000' WHERE game = 3", "keys left twice: stored 1, replayed 0"},
    /* Moves. */
    {3, "DELETE FROM moves WHERE game = 3 AND ply = 5", "position: stored"},
    {3, "DELETE FROM moves WHERE game = 3 AND ply = 2", "events: seq 5 follows 3"},
    {3, "UPDATE moves SET move = 'zz' WHERE game = 3 AND ply = 2", "ply 2: zz is not a move"},
    {3, "UPDATE moves SET move = 'a1-b1' WHERE game = 3 AND ply = 2", "ply 2: a1-b1 is no-stone"},
    {3, "UPDATE moves SET move = 'e16-f16' WHERE game = 3 AND ply = 2", "ply 2 key: stored"},
    {3, "UPDATE moves SET move = 'e16f15' WHERE game = 3 AND ply = 2", "ply 2 move: stored e16f15, replayed e16-f15"},
    {1, "UPDATE moves SET move = 'c2-d4' WHERE game = 1", "ply 1 move: stored c2-d4, replayed c2xd4"},
    {3, "UPDATE moves SET seat = 1 WHERE game = 3 AND ply = 2", "ply 2 seat: stored 1, replayed 2"},
    {3, "UPDATE moves SET left = left + 1 WHERE game = 3 AND ply = 2", "ply 2 key: stored"},
    {3, "UPDATE moves SET path = NULL WHERE game = 3 AND ply = 5", "ply 5 path: stored -, replayed m1-k3-i3"},
    {3, "UPDATE moves SET path = 'l1-k2' WHERE game = 3 AND ply = 1", "ply 1 path: stored l1-k2, replayed -"},
    {3, "UPDATE moves SET kind = 'neutral' WHERE game = 3 AND ply = 1", "ply 1 kind: stored neutral, replayed own"},
    {3, "UPDATE moves SET position = 'x' WHERE game = 3 AND ply = 1", "ply 1 position: stored x, replayed halma-2 "},
    {1, "UPDATE moves SET out = NULL WHERE game = 1", "ply 1 out: stored -, replayed 2 captured"},
    {1, "UPDATE moves SET out = '2 blocked' WHERE game = 1", "ply 1 out: stored 2 blocked, replayed 2 captured"},
    {3, "UPDATE moves SET out = '2 blocked' WHERE game = 3 AND ply = 4", "ply 4 out: stored 2 blocked, replayed -"},
    {1,
	"INSERT INTO moves (game, ply, seat, move, kind, left, position, at) SELECT game, 2, 2, 'd6-e4', kind, left, "
	"position, at FROM moves WHERE game = 1",
	"ply 2: d6-e4 after the end"},
    /* Endings. */
    {2, "UPDATE endings SET position = 'x'", "ending 0 position: stored x, replayed iuvo-4 "},
    {2, "UPDATE endings SET reason = 'boredom'", "ending 0: ply 1, seat 4, boredom cannot be"},
    {2, "UPDATE endings SET reason = 'blocked'", "ending 0: ply 1, seat 4, blocked cannot be"},
    {2, "UPDATE endings SET seat = 9", "ending 0: ply 1, seat 9, resigned cannot be"},
    {2, "UPDATE endings SET seat = 0", "ending 0: ply 1, seat 0, resigned cannot be"},
    {2, "UPDATE endings SET ply = 77", "ply 2 key: stored"},
    {2, "INSERT INTO endings SELECT game, 1, 1, 4, 'timeout', position, at FROM endings",
	"ending 1: ply 1, seat 4, timeout cannot be"},
    {1, "INSERT INTO endings VALUES (1, 0, 1, 1, 'resigned', '', 0)", "ending 0: ply 1, seat 1, resigned cannot be"},
    {2, "UPDATE endings SET reason = 'timeout'", "seat 4 out: stored resigned, replayed timeout"},
    /* Seats. */
    {2, "UPDATE seats SET out_reason = NULL WHERE game = 2 AND seat = 4", "seat 4 out: stored -, replayed resigned"},
    {2, "UPDATE seats SET out_reason = 'blocked' WHERE game = 2 AND seat = 1",
	"seat 1 out: stored blocked, replayed -"},
    {2, "DELETE FROM seats WHERE game = 2 AND seat = 4", "seats: stored 3, the variant has 4"},
    {3, "UPDATE seats SET seat = 4 WHERE game = 3 AND seat = 2", "seats: seat 4 stands where 2 should"},
    /* Events. */
    {3, "UPDATE moves SET seq = NULL WHERE game = 3 AND seq = 4", "events: seq 5 follows 3"},
    {3, "UPDATE moves SET seq = NULL WHERE game = 3 AND seq = 7",
	"events: the log ends with seq 6, replayed move_played of ply 5"},
    {3, "DELETE FROM events WHERE game = 3", "events: seq 3 follows 0"},
    {3, "UPDATE events SET type = 'seat_out' WHERE game = 3 AND seq = 2", "events: seq 2: stored seat_out of ply 0"},
    {3, "UPDATE events SET ply = 9 WHERE game = 3 AND seq = 2", "events: seq 2: stored game_started of ply 9"},
    {3, "UPDATE events SET seat = 1 WHERE game = 3 AND seq = 2", "events: seq 2: stored game_started of ply 0, seat 1"},
    {1, "DELETE FROM events WHERE game = 1 AND seq = 4", "events: seq 5 follows 3"},
    {1, "DELETE FROM events WHERE game = 1 AND seq = 5", "events: the log ends with seq 4, replayed game_finished"},
    {2, "INSERT INTO events VALUES (2, 6, 'move_played', 0, 3, 1, '{}')",
	"events: seq 6: move_played of ply 3, seat 1, replayed of ply 3, seat 3"},
    {2, "INSERT INTO events VALUES (2, 6, 'offer_made', 0, 2, 1, '{}')", "seq: stored 5, the log ends with 6"},
};

static char *
read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*len = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*len);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *len, file), *len);
	assert_int_equal(fclose(file), 0);
	return bytes;
}

static void
write_file(const char *path, const char *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void
expect_difference(struct world *world, const struct plant *plant)
{
	static struct report report;
	struct verify_count count;
	struct game_secrets secrets;
	verify(world, &report, &count);
	if (report.count == 0)
		fail_msg("nothing differs after %s", plant->sql);
	if (strncmp(report.lines[0], plant->line, strlen(plant->line)) != 0)
		fail_msg("%s after %s", report.lines[0], plant->sql);
	/* It is told of that game, and of no other. */
	world_secrets(plant->game - 1, &secrets);
	for (unsigned i = 0; i < report.count && i < LINES_MAX; i++)
		assert_string_equal(report.ids[i], secrets.id);
	assert_int_equal(count.games, 4);
}

static void
every_difference_is_found(void **state)
{
	struct world *world = *state;
	size_t len;
	make_games(world);
	expect_sound(world, 4, 12);
	char *clean = read_file(world->path, &len);
	for (unsigned i = 0; i < sizeof plants / sizeof *plants; i++) {
		write_file(world->path, clean, len);
		world_sql(world, plants[i].sql);
		expect_difference(world, &plants[i]);
	}
	/* And none where nothing was planted. */
	write_file(world->path, clean, len);
	expect_sound(world, 4, 12);
	free(clean);
}

/* Events that a replay knows nothing of may stand between, but must be counted. */
static void
other_events_are_passed_over(void **state)
{
	struct world *world = *state;
	make_games(world);
	world_shut(world);
	world_sql(world, "INSERT INTO events VALUES (2, 6, 'name_erased', 0, 2, 1, '{}')");
	world_sql(world, "UPDATE games SET seq = 6 WHERE game = 2");
	expect_sound(world, 4, 12);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(nothing_differs_in_no_games),
	    TEST(sound_games_are_sound),
	    TEST(every_difference_is_found),
	    TEST(other_events_are_passed_over),
	};
	return cmocka_run_group_tests_name("play verify", tests, NULL, NULL);
}

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

enum { ARENA_CAP = 512 * 1024 * 1024, DIFFERENCE_MAX = 512 };

static void
open_db(struct world *world, enum db_mode mode)
{
	char why[256] = "";
	world->db = db_open(world->path, mode, why, sizeof why);
	if (world->db == NULL)
		fail_msg("%s", why);
	if (mode == DB_WRITE)
		assert_int_equal(db_write_begin(world->db), FAULT_NONE);
}

int
world_open(void **state)
{
	struct world *world = calloc(1, sizeof *world);
	assert_non_null(world);
	assert_true(token_init());
	assert_true(folder_make(NULL, "play", world->directory));
	snprintf(world->path, sizeof world->path, "%s/games", world->directory);
	world->arena = arena_open(ARENA_CAP);
	world->now_ms = 1700000000000;
	world->random = 88172645463325252U;
	open_db(world, DB_WRITE);
	*state = world;
	return 0;
}

int
world_close(void **state)
{
	struct world *world = *state;
	db_close(world->db);
	arena_close(world->arena);
	bool gone = folder_remove(world->directory);
	free(world);
	return gone ? 0 : -1;
}

void
world_commit(struct world *world)
{
	assert_int_equal(db_commit(world->db), FAULT_NONE);
	assert_int_equal(db_write_begin(world->db), FAULT_NONE);
}

void
world_shut(struct world *world)
{
	if (world->db != NULL && db_in_transaction(world->db))
		assert_int_equal(db_commit(world->db), FAULT_NONE);
	db_close(world->db);
	world->db = NULL;
}

void
world_reopen(struct world *world, enum db_mode mode)
{
	world_shut(world);
	open_db(world, mode);
}

static sqlite3 *
open_raw(struct world *world)
{
	sqlite3 *raw;
	assert_null(world->db);
	assert_int_equal(sqlite3_open(world->path, &raw), SQLITE_OK);
	return raw;
}

void
world_sql(struct world *world, const char *sql)
{
	sqlite3 *raw = open_raw(world);
	char *error = NULL;
	if (sqlite3_exec(raw, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
	if (sqlite3_total_changes(raw) == 0)
		fail_msg("%s changes nothing", sql);
	assert_int_equal(sqlite3_close(raw), SQLITE_OK);
}

int64_t
world_ask(struct world *world, const char *sql)
{
	sqlite3 *raw = open_raw(world);
	sqlite3_stmt *statement;
	assert_int_equal(sqlite3_prepare_v2(raw, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	assert_int_equal(sqlite3_close(raw), SQLITE_OK);
	return value;
}

unsigned
world_random(struct world *world, unsigned n)
{
	/* xorshift64*: the same games in every run. */
	world->random ^= world->random >> 12;
	world->random ^= world->random << 25;
	world->random ^= world->random >> 27;
	return (unsigned)((world->random * 2685821657736338717U >> 33) % n);
}

/* A number in letters, before letters that tell what it is. */
static void
letters(char *text, unsigned len, unsigned n, char kind)
{
	memset(text, kind, len);
	text[len] = '\0';
	for (unsigned i = 0; i < 6; i++, n /= 26)
		text[i] = (char)('a' + n % 26);
}

void
world_secrets(unsigned n, struct game_secrets *secrets)
{
	letters(secrets->id, ID_LEN, n, 'g');
	letters(secrets->creator_token, TOKEN_LEN, n, 'c');
	for (unsigned i = 0; i < SEATS_MAX; i++)
		letters(secrets->seat_tokens[i], TOKEN_LEN, n, (char)('s' + i));
}

void
world_plan(struct world *world, const struct game_plan *plan, struct game *game)
{
	struct game_secrets secrets;
	world_secrets(world->games++, &secrets);
	assert_int_equal(game_create(world->db, world->arena, world->now_ms++, plan, &secrets, game), FAULT_NONE);
}

void
world_create(struct world *world, enum variant variant, struct game *game)
{
	struct game_plan plan = {.variant = variant, .names = {"Ada", "Bo"}, .listed = true};
	world_plan(world, &plan, game);
}

struct holder
world_holder(unsigned seat)
{
	return (struct holder){.known = true, .seats = seat == 0 ? 0 : 1U << (seat - 1), .creator = seat == 0};
}

enum fault
world_token(struct world *world, const struct game *game, const char *token, struct holder *holder)
{
	enum fault fault = holder_find(world->db, token, strlen(token), holder);
	return fault != FAULT_NONE ? fault : holder_resolve(world->db, game, holder);
}

enum fault
world_move(struct world *world, struct game *game, unsigned seat, const char *text, struct move_result *result)
{
	struct move_text move;
	struct text_fault why;
	struct holder holder = world_holder(seat);
	struct move_request request = {.text = &move, .expected_ply = -1};
	if (!notation_read_move(text, strlen(text), &move, &why))
		fail_msg("%s: %s", text, why.why);
	return game_move(world->db, world->arena, world->now_ms++, game, &holder, &request, false, result);
}

void
world_play(struct world *world, struct game *game, const char *moves)
{
	char copy[1024], *rest = copy, *move;
	struct move_result result;
	assert_true(strlen(moves) < sizeof copy);
	strcpy(copy, moves);
	while ((move = strsep(&rest, " ")) != NULL) {
		assert_int_equal(world_move(world, game, game->position.turn, move, &result), FAULT_NONE);
		if (result.verdict != VERDICT_LEGAL)
			fail_msg("%s at ply %u: %s", move, game->row.ply, verdict_row(result.verdict)->slug);
	}
}

void
world_play_random(struct world *world, struct game *game)
{
	static struct move moves[MOVES_MAX];
	struct move_result result;
	char text[MOVE_TEXT_MAX];
	unsigned count = position_moves(&game->position, &game->past, moves), before = game->row.ply;
	assert_true(count > 0);
	notation_move(moves[world_random(world, count)], text);
	assert_int_equal(world_move(world, game, game->position.turn, text, &result), FAULT_NONE);
	assert_int_equal(result.verdict, VERDICT_LEGAL);
	assert_false(result.repeated);
	assert_int_equal(game->row.ply, before + 1);
}

/* A random seat that is in resigns. */
static void
resign_random(struct world *world, struct game *game)
{
	unsigned seat;
	do
		seat = 1 + world_random(world, game->seat_count);
	while (position_out(&game->position, seat));
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, game, seat), FAULT_NONE);
}

void
world_random_game(struct world *world, enum variant variant, unsigned plies, unsigned resign, struct game *game)
{
	world_create(world, variant, game);
	while (game->position.turn != 0 && game->row.ply < plies) {
		if (resign > 0 && world_random(world, resign) == 0)
			resign_random(world, game);
		else
			world_play_random(world, game);
	}
}

static void
same_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void
same_rows(const struct game_row *a, const struct game_row *b)
{
	assert_int_equal(a->game, b->game);
	assert_string_equal(a->variant, b->variant);
	assert_string_equal(a->status, b->status);
	assert_string_equal(a->start, b->start);
	assert_string_equal(a->position, b->position);
	same_text(a->reason, b->reason);
	same_text(a->tags, b->tags);
	assert_int_equal(a->listed, b->listed);
	assert_int_equal(a->imported, b->imported);
	assert_int_equal(a->turn, b->turn);
	assert_int_equal(a->ply, b->ply);
	assert_int_equal(a->seq, b->seq);
	assert_int_equal(a->winner, b->winner);
	assert_int_equal(a->twice_len, b->twice_len);
	if (a->twice_len > 0)
		assert_memory_equal(a->twice, b->twice, a->twice_len);
	assert_int_equal(a->created_ms, b->created_ms);
	assert_int_equal(a->updated_ms, b->updated_ms);
	assert_int_equal(a->thinks, b->thinks);
}

void
world_same(struct world *world, const struct game *game)
{
	struct game stored;
	assert_int_equal(game_load(world->db, world->arena, game->row.id, &stored), FAULT_NONE);
	same_rows(&stored.row, &game->row);
	assert_int_equal(stored.variant, game->variant);
	assert_int_equal(stored.position.key, game->position.key);
	assert_int_equal(stored.position.ply, game->position.ply);
	assert_int_equal(stored.position.turn, game->position.turn);
	assert_int_equal(stored.position.resting, game->position.resting);
	assert_int_equal(stored.position.out, game->position.out);
	assert_int_equal(stored.position.winner, game->position.winner);
	assert_int_equal(stored.position.reason, game->position.reason);
	assert_int_equal(stored.past.count, game->past.count);
	for (size_t i = 0; i < stored.past.count; i++)
		assert_int_equal(stored.past.twice[i], game->past.twice[i]);
	assert_int_equal(stored.seat_count, game->seat_count);
	for (unsigned i = 0; i < stored.seat_count; i++) {
		assert_int_equal(stored.seats[i].seat, game->seats[i].seat);
		same_text(stored.seats[i].name, game->seats[i].name);
		same_text(stored.seats[i].kind, game->seats[i].kind);
		assert_int_equal(stored.seats[i].own, game->seats[i].own);
		same_text(stored.seats[i].out_reason, game->seats[i].out_reason);
	}
}

struct text
world_record_text(struct world *world, const struct game *game)
{
	struct text text = TEXT_EMPTY;
	struct record record;
	assert_int_equal(record_of(world->db, world->arena, game, &record), FAULT_NONE);
	record_write(&record, &text);
	assert_false(text_failed(&text));
	return text;
}

unsigned
world_events(struct world *world, const struct game *game, struct event_row *rows, unsigned max)
{
	unsigned count;
	assert_int_equal(events_of(world->db, world->arena, game->row.game, 0, rows, max, &count), FAULT_NONE);
	return count;
}

static void
keep_first(void *arg, const char *id, const char *line)
{
	char *first = arg;
	(void)id;
	if (*first == '\0')
		snprintf(first, DIFFERENCE_MAX, "%s", line);
}

const char *
world_verify(struct world *world, struct verify_count *count)
{
	static char first[DIFFERENCE_MAX];
	first[0] = '\0';
	world_reopen(world, DB_INSPECT);
	assert_int_equal(verify_all(world->db, count, keep_first, first), FAULT_NONE);
	assert_int_equal(count->differences > 0, first[0] != '\0');
	return first;
}

void
world_expect_sound(struct world *world)
{
	struct verify_count count;
	assert_string_equal(world_verify(world, &count), "");
	world_reopen(world, DB_WRITE);
}

void
world_expect_difference(struct world *world, const char *sql, const char *line)
{
	struct verify_count count;
	world_shut(world);
	world_sql(world, sql);
	const char *first = world_verify(world, &count);
	if (strncmp(first, line, strlen(line)) != 0)
		fail_msg("'%s' after %s", first, sql);
}

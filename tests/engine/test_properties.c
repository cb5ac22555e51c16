/*
 * What must be true of every game: thousands of random games of each variant,
 * half of them from positions with few stones, with drop-outs at random, played
 * by the engine and the second opinion at once.  The seeds are fixed.
 * IUVOD_GAMES=N plays N games of each variant instead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "engine/kernel.h"
#include "engine/perft.h"
#include "tests/engine/deal.h"
#include "tests/engine/twin_group.h"

static unsigned
games_of(enum variant variant)
{
	const char *games = getenv("IUVOD_GAMES");
	if (games != NULL && atoi(games) > 0)
		return (unsigned)atoi(games);
#ifdef IUVOD_SANITIZED
	return variant == VARIANT_HALMA_2 ? 50 : 150;
#else
	(void)variant;
	return 2000;
#endif
}

static struct move_text
written(unsigned from, unsigned to)
{
	struct move_text text = {.count = 2};
	text.cells[0].file = (uint16_t)(from >> 4), text.cells[0].rank = (int16_t)(from & 15);
	text.cells[1].file = (uint16_t)(to >> 4), text.cells[1].rank = (int16_t)(to & 15);
	return text;
}

/* The judge of a pair of cells: the second opinion's verdict, and legal where the list has the move, nowhere else. */
static void
check_pair(unsigned from, unsigned to, bool listed)
{
	struct move_text text = written(from, to);
	struct past past = history_past(&twin->history);
	struct move move;
	enum verdict verdict = position_judge(&twin->position, &past, &text, &move, NULL);
	enum verdict expected = mailbox_verdict(&twin->box, &twin->past, (cell_t)from, (cell_t)to);
	if (verdict != expected || (verdict == VERDICT_LEGAL) != listed) {
		char position[POSITION_TEXT_MAX];
		notation_position(&twin->position, position);
		fail_msg("%s: %c%u-%c%u: %s and not %s, %slisted", position, 'a' + (int)(from >> 4), (from & 15) + 1,
		    'a' + (int)(to >> 4), (to & 15) + 1, verdict_row(verdict)->slug, verdict_row(expected)->slug,
		    listed ? "" : "not ");
	}
	if (verdict == VERDICT_LEGAL) {
		assert_int_equal(move.from, from);
		assert_int_equal(move.to, to);
	}
}

/* Every pair of cells whose start is on the board, or only those that start at a stone. */
static void
check_pairs(bool stones_only)
{
	const struct variant_row *row = variant_row((enum variant)twin->position.variant);
	unsigned next = 0;
	for (unsigned from = 0; from < row->files * 16; from++) {
		if ((from & 15) >= row->ranks)
			continue;
		if (stones_only && position_owners(&twin->position, (cell_t)from) < 0)
			continue;
		for (unsigned to = 0; to < row->files * 16; to++) {
			bool listed =
			    next < twin->count && twin->moves[next].from == from && twin->moves[next].to == to;
			if ((to & 15) < row->ranks)
				check_pair(from, to, listed);
			next += listed;
		}
	}
	assert_int_equal(next, twin->count);
}

static void
check_move_text(struct move move)
{
	char text[MOVE_TEXT_MAX], again[MOVE_TEXT_MAX];
	struct move_text read;
	struct text_fault fault;
	struct move back;
	struct past past = history_past(&twin->history);
	size_t len = notation_move(move, text);
	assert_int_equal(len, strlen(text));
	assert_true(notation_read_move(text, len, &read, &fault));
	assert_int_equal(read.capture, move.captures);
	assert_int_equal(position_judge(&twin->position, &past, &read, &back, NULL), VERDICT_LEGAL);
	notation_move(back, again);
	assert_string_equal(again, text);
	assert_int_equal(back.kind, move.kind);
}

/* The path as shown is the second opinion's, and may be played as it is written. */
static void
check_path(struct move move)
{
	char text[PATH_TEXT_MAX], expected[PATH_TEXT_MAX];
	struct path path;
	struct move_text read;
	struct text_fault fault;
	struct move back;
	struct past past = history_past(&twin->history);
	position_path(&twin->position, move, &path);
	mailbox_path(&twin->box, move.from, move.to, expected);
	size_t len = notation_path(&path, text);
	assert_string_equal(text, expected);
	assert_int_equal(len, strlen(expected));
	assert_true(notation_read_move(text, len, &read, &fault));
	assert_int_equal(position_judge(&twin->position, &past, &read, &back, NULL), VERDICT_LEGAL);
	assert_int_equal(back.to, move.to);
}

static void
check_kind(struct move move)
{
	int owners = position_owners(&twin->position, move.from), taken = position_owners(&twin->position, move.to);
	enum move_kind kind = owners == 0 ? MOVE_NEUTRAL : (owners & (owners - 1)) ? MOVE_SHARED : MOVE_OWN;
	assert_int_equal(move.kind, kind);
	assert_int_equal(move.captures, taken > 0);
	assert_true(taken != 0);
}

static void
check_position(void)
{
	char text[POSITION_TEXT_MAX], again[POSITION_TEXT_MAX];
	struct position back;
	struct text_fault fault;
	const struct position *position = &twin->position;
	size_t len = notation_position(position, text);
	assert_int_equal(len, strlen(text));
	if (!notation_read_position(text, len, &back, &fault))
		fail_msg("%s: %s at %zu: %s", text, fault.field, fault.at, fault.why);
	notation_position(&back, again);
	assert_string_equal(again, text);
	assert_int_equal(back.key, position->key);
	assert_int_equal(position_key(position), position->key);
	assert_int_equal(position_is_start(position), mailbox_is_start(&twin->box));
	/* whoever is to move has a move, or the game is over */
	assert_int_equal(position->turn == 0, twin->count == 0);
	assert_int_equal(position->turn == 0, position->reason != REASON_NONE);
	if (position->turn == 0)
		return;
	for (unsigned i = 0; i < twin->count; i++)
		check_kind(twin->moves[i]);
}

/* What a game is played with beside the two engines. */
struct playing {
	struct deal deal;
	struct mailbox_move last[SEATS_MAX + 1];
	unsigned stones;
};

static unsigned
count_stones(void)
{
	cell_t cells[STONES_MAX];
	return position_stones(&twin->position, cells);
}

static bool
drop_one(struct playing *game)
{
	unsigned seats = variant_row((enum variant)twin->position.variant)->seats;
	unsigned seat = 1 + deal_below(&game->deal, seats);
	if (position_out(&twin->position, seat))
		return false;
	twin_drop(twin, seat, deal_below(&game->deal, 2) ? REASON_RESIGNED : REASON_TIMEOUT);
	assert_int_equal(count_stones(), game->stones);
	return true;
}

static void
play_one(struct playing *game)
{
	static struct mailbox_move moves[MOVES_MAX];
	for (unsigned i = 0; i < twin->count; i++)
		moves[i] = (struct mailbox_move){twin->moves[i].from, twin->moves[i].to};
	unsigned turn = twin->position.turn;
	unsigned pick = deal_move(&game->deal, &twin->box, moves, twin->count, game->last[turn]);
	struct move move = twin->moves[pick];
	check_move_text(move);
	check_path(move);
	game->last[turn] = moves[pick];
	twin_play(twin, move);
	/* stones are lost by captures alone */
	game->stones -= move.captures;
	assert_int_equal(count_stones(), game->stones);
}

/* Every listed move is playable: played on a copy, by both. */
static void
check_all_playable(void)
{
	struct past past = history_past(&twin->history);
	for (unsigned i = 0; i < twin->count; i++) {
		char ours[POSITION_TEXT_MAX], theirs[POSITION_TEXT_MAX];
		struct position after;
		struct mailbox box = twin->box;
		unsigned left = twin->past.count;
		check_move_text(twin->moves[i]);
		position_play(&twin->position, &past, twin->moves[i], &after, NULL);
		mailbox_play(&box, &twin->past, twin->moves[i].from, twin->moves[i].to);
		twin->past.count = left;
		notation_position(&after, ours);
		mailbox_write(&box, theirs);
		assert_string_equal(ours, theirs);
		assert_int_equal(after.key, position_key(&after));
	}
}

static void
check_now_and_then(struct playing *game)
{
	bool halma = twin->position.variant == VARIANT_HALMA_2;
	if (twin->position.turn == 0)
		return;
	if (deal_below(&game->deal, halma ? 200 : 32) == 0)
		check_pairs(halma && deal_below(&game->deal, 8) > 0);
	if (deal_below(&game->deal, halma ? 40 : 16) == 0)
		check_all_playable();
	if (halma && deal_below(&game->deal, 40) == 0)
		for (unsigned i = 0; i < twin->count; i++)
			check_path(twin->moves[i]);
}

static void
begin(struct playing *game, enum variant variant, bool small)
{
	struct position start;
	position_start(variant, &start);
	while (small) {
		char text[POSITION_TEXT_MAX];
		struct text_fault fault;
		deal_position(&game->deal, variant, text);
		if (!notation_read_position(text, strlen(text), &start, &fault))
			fail_msg("%s: %s at %zu: %s", text, fault.field, fault.at, fault.why);
		struct mailbox box;
		mailbox_read(&box, text);
		assert_int_equal(position_is_start(&start), mailbox_is_start(&box));
		small = !position_is_start(&start);
	}
	twin_begin_at(twin, &start);
	game->stones = count_stones();
}

static void
play_game(enum variant variant, unsigned number)
{
	struct playing game = {.deal = {(number + 1) * UINT64_C(0x9e3779b97f4a7c15) + variant}};
	bool small = number % 2;
	unsigned plies = variant == VARIANT_HALMA_2 ? 20 + deal_below(&game.deal, 140) : 400;
	begin(&game, variant, small);
	for (unsigned ply = 0; ply < plies && twin->position.turn != 0; ply++) {
		check_position();
		check_now_and_then(&game);
		if (deal_below(&game.deal, small ? 60 : 250) > 0 || !drop_one(&game))
			play_one(&game);
	}
	check_position();
}

static void
test_games(void **state)
{
	enum variant variant = (enum variant)(uintptr_t)*state;
	for (unsigned number = 0; number < games_of(variant); number++)
		play_game(variant, number);
}

/* Each kernel that this machine can run does the same; which one runs is chosen by the machine. */
static void
check_kernels(unsigned depth)
{
	const struct kernel *kernels[] = {&kernel_plain, kernel_here()};
	static struct move moves[MOVES_MAX];
	const struct position *position = &twin->position;
	for (size_t i = 0; i < 2; i++) {
		const struct kernel *kernel = kernels[i];
		bool halma = position->variant == VARIANT_HALMA_2;
		unsigned count = (halma ? kernel->halma_moves : kernel->iuvo_moves)(position, moves);
		assert_int_equal(count, twin->count);
		assert_int_equal((halma ? kernel->halma_count : kernel->iuvo_count)(position), count);
		for (unsigned move = 0; move < count; move++)
			assert_memory_equal(&moves[move], &twin->moves[move], sizeof moves[move]);
		assert_int_equal(
		    (halma ? kernel->halma_perft : kernel->iuvo_perft)(position, depth), perft_count(position, depth));
	}
}

/* Positions that a text may hold and no game may start from: lists, verdicts, one ply and perft agree all the same. */
static void
check_dealt(struct deal *deal, enum variant variant)
{
	char text[POSITION_TEXT_MAX];
	deal_position(deal, variant, text);
	twin_begin(twin, text);
	assert_int_equal(position_is_start(&twin->position), mailbox_is_start(&twin->box));
	assert_int_equal(position_key(&twin->position), twin->position.key);
	if (deal_below(deal, variant == VARIANT_HALMA_2 ? 64 : 8) == 0)
		check_pairs(variant == VARIANT_HALMA_2);
	check_all_playable();
	unsigned depth = 1 + deal_below(deal, variant == VARIANT_HALMA_2 ? 2 : 3);
	uint64_t nodes = perft_count(&twin->position, depth);
	if (nodes != mailbox_perft(&twin->box, depth))
		fail_msg("%s: perft %u", text, depth);
	check_kernels(depth);
}

static void
test_dealt(void **unused)
{
	(void)unused;
	struct deal deal = {UINT64_C(0x1986)};
	for (unsigned number = 0; number < games_of(VARIANT_IUVO_2); number++)
		for (unsigned variant = 0; variant < VARIANT_COUNT; variant++)
			if (variant != VARIANT_HALMA_2 || number % 4 == 0)
				check_dealt(&deal, (enum variant)variant);
}

int
main(void)
{
#define V(name, id, title, family, files, ranks, seats) \
	{"games of " id, test_games, NULL, NULL, (void *)(uintptr_t)name},
	const struct CMUnitTest tests[] = {VARIANT_TABLE(V) cmocka_unit_test(test_dealt)};
#undef V
	return cmocka_run_group_tests_name("properties", tests, twin_group_open, twin_group_close);
}

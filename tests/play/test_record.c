/* Records: the text form, the check, the import. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define START_2 "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -"
#define START_4 "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -"

/* Reads, checks and imports a text that must be a record. */
static void
import_text(struct world *world, const char *text, size_t len, struct game *game)
{
	struct record_draft draft;
	struct record record;
	struct record_fault where;
	struct game_secrets secrets;
	if (record_read(world->arena, text, len, &draft, &where) != FAULT_NONE)
		fail_msg("%u:%u %s\n%s", where.line, where.column, where.why, text);
	if (record_check(world->arena, &draft, &record, &where) != FAULT_NONE)
		fail_msg("%u:%u %s: %s\n%s", where.line, where.column, where.member, where.why, text);
	world_secrets(world->games++, &secrets);
	assert_int_equal(
	    record_import(world->db, world->arena, world->now_ms++, &record, false, NULL, &secrets, game), FAULT_NONE);
	world_same(world, game);
}

/* Imports a text and expects the export of the new game to be the same bytes. */
static void
import_exactly(struct world *world, const char *text, struct game *game)
{
	import_text(world, text, strlen(text), game);
	struct text again = world_record_text(world, game);
	assert_string_equal(again.bytes, text);
	text_free(&again);
}

/* The same text with CRLF, a BOM and empty lines behind it. */
static struct text
disguise(const char *text)
{
	struct text out = TEXT_EMPTY;
	text_puts(&out, "\xef\xbb\xbf");
	for (; *text != '\0'; text++) {
		if (*text == '\n')
			text_char(&out, '\r');
		text_char(&out, *text);
	}
	text_puts(&out, "\r\n\n  \t\r\n\r\n");
	return out;
}

static void
a_record_looks_like_this(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	world_play(world, &game, "c1-d3");
	for (unsigned seat = 4; seat >= 2; seat--) {
		assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, &game, seat), FAULT_NONE);
	}
	struct text text = world_record_text(world, &game);
	assert_string_equal(text.bytes, "[Format \"iuvod-record-1\"]\n"
					"[Variant \"iuvo-4\"]\n"
					"[Start \"" START_4 "\"]\n"
					"[Seat1 \"Ada\"]\n"
					"[Seat2 \"Bo\"]\n"
					"\n"
					"1 c1-d3\n"
					"1 seat 4 resigned\n"
					"1 seat 3 resigned\n"
					"1 seat 2 resigned\n"
					"seat 1 wins, resigned\n");
	text_free(&text);
}

static void
a_game_without_moves_has_a_record(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_plan plan = {.variant = VARIANT_IUVO_2};
	world_plan(world, &plan, &game);
	struct text text = world_record_text(world, &game);
	assert_string_equal(
	    text.bytes, "[Format \"iuvod-record-1\"]\n[Variant \"iuvo-2\"]\n[Start \"" START_2 "\"]\n\nunfinished\n");
	import_exactly(world, text.bytes, &game);
	assert_true(game.row.imported);
	assert_false(game.row.listed);
	text_free(&text);
}

static void
an_import_goes_on(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_secrets secrets;
	struct holder holder;
	struct event_row rows[8];
	import_exactly(world,
	    "[Format \"iuvod-record-1\"]\n[Variant \"iuvo-2\"]\n[Start \"" START_2 "\"]\n[Seat2 \"Bo\"]\n"
	    "[Event \"Spring\"]\n\n1 c1-d3\n2 c7-d5\nunfinished\n",
	    &game);
	assert_string_equal(game.row.tags, "{\"Event\":\"Spring\"}");
	assert_string_equal(game.row.status, "active");
	assert_int_equal(game.row.turn, 1);
	world_secrets(0, &secrets);
	assert_int_equal(world_token(world, &game, secrets.seat_tokens[1], &holder), FAULT_NONE);
	assert_int_equal(holder.seats, 2);
	world_play_random(world, &game);
	world_same(world, &game);
	assert_int_equal(world_events(world, &game, rows, 8), 5);
	assert_non_null(strstr(rows[0].data, "\"imported\":true"));
	assert_string_equal(rows[3].type, "move_played");
	assert_int_equal(rows[3].ply, 2);
}

/* Tags and names that the format's own signs stand in, and that are written in many scripts. */
static const char *const evil[] = {
    "\"",
    "\\",
    "\\n",
    "\\\"",
    "] [Variant \"iuvo-4\"]",
    "[Seat1 \"x\"]",
    "1 c1-d3",
    "seat 1 wins, target",
    "  blanks at both ends  ",
    "{\"seat\":1}",
    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
    "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
    "\xf0\x9f\x98\x80\xf0\x9f\x90\xb4",
    "e\xcc\x81",
    "\xc2\xa0",
    "\xf4\x8f\xbf\xbd",
    "#;%&'()*+,-./:<=>?@^_`|~",
    "Variant",
    "Seat4",
    "Format",
    "0",
};
enum { EVIL = sizeof evil / sizeof *evil };

static const char *
long_text(struct world *world, unsigned code_points)
{
	struct text text = TEXT_EMPTY;
	for (unsigned i = 0; i < code_points; i++)
		text_puts(&text, i % 2 == 0 ? "\xf0\x9f\x90\xb4" : "\"");
	const char *copy = arena_copy(world->arena, text.bytes, text.len);
	text_free(&text);
	return copy;
}

/* Stores a record, exports it, imports that, plain and disguised, and expects the same each time. */
static void
round_trip(struct world *world, const struct record *record)
{
	struct game game, again;
	struct game_secrets secrets;
	world_secrets(world->games++, &secrets);
	assert_int_equal(
	    record_import(world->db, world->arena, world->now_ms++, record, true, NULL, &secrets, &game), FAULT_NONE);
	world_same(world, &game);
	struct text text = world_record_text(world, &game), disguised = disguise(text.bytes);
	import_exactly(world, text.bytes, &again);
	assert_string_equal(again.row.position, game.row.position);
	assert_int_equal(again.row.seq, game.row.seq);
	import_text(world, disguised.bytes, disguised.len, &again);
	text_free(&disguised);
	disguised = world_record_text(world, &again);
	assert_string_equal(disguised.bytes, text.bytes);
	text_free(&disguised);
	text_free(&text);
}

static void
evil_names_and_tags_round_trip(void **state)
{
	struct world *world = *state;
	struct record_tag tags[LIMIT_TAGS];
	for (unsigned round = 0; round < EVIL; round++) {
		struct record record = {.variant = VARIANT_IUVO_4, .tags = tags};
		position_start(record.variant, &record.start);
		for (unsigned i = 0; i < SEATS_MAX; i++)
			record.names[i] = (round + i) % 3 == 0 ? NULL : evil[(round + i) % EVIL];
		for (unsigned i = 0; i < round && i < LIMIT_TAGS; i++)
			tags[record.tag_count++] = (struct record_tag){evil[(2 * round + i) % EVIL], evil[i]};
		round_trip(world, &record);
	}
	struct record record = {.variant = VARIANT_HALMA_2, .tag_count = 4, .tags = tags};
	position_start(record.variant, &record.start);
	record.names[0] = long_text(world, LIMIT_NAME);
	tags[0] = (struct record_tag){long_text(world, LIMIT_TAG_NAME), long_text(world, LIMIT_TAG_VALUE)};
	tags[1] = (struct record_tag){"empty", ""};
	tags[2] = (struct record_tag){"lines", "one\ntwo\n\n\"three\"\n"};
	tags[3] = (struct record_tag){"tab", "\t\\t\\n\n"};
	round_trip(world, &record);
}

/* The draft that api/ makes of a JSON record: texts without places. */
static void
draft_of(struct world *world, const struct record *record, struct record_draft *draft)
{
	char *start = arena_take(world->arena, POSITION_TEXT_MAX);
	*draft = (struct record_draft){.variant = variant_row(record->variant)->id, .start = start};
	notation_position(&record->start, start);
	draft->tag_count = record->tag_count;
	draft->tags = record->tags;
	draft->move_count = record->move_count;
	draft->moves = arena_take(world->arena, (record->move_count + 1) * sizeof *draft->moves);
	for (unsigned i = 0; i < record->move_count; i++) {
		char *move = arena_take(world->arena, MOVE_TEXT_MAX);
		notation_move(record->moves[i], move);
		draft->moves[i] = move;
	}
	draft->ending_count = record->ending_count;
	memcpy(draft->endings, record->endings, sizeof draft->endings);
	draft->outcome_known = true;
	draft->over = record->over;
	draft->winner = record->winner;
	draft->reason = record->reason;
}

/* Ends a record that is unfinished by an ending of its own, and checks it. */
static void
end_record(struct world *world, const struct record *record, unsigned seat, enum reason reason)
{
	struct record_draft draft;
	struct record ended;
	struct record_fault where;
	draft_of(world, record, &draft);
	draft.endings[draft.ending_count++] =
	    (struct record_ending){.ply = draft.move_count, .seat = seat, .reason = reason};
	draft.outcome_known = false;
	if (record_check(world->arena, &draft, &ended, &where) != FAULT_NONE)
		fail_msg("%s: %s", where.member, where.why);
	assert_int_equal(ended.over, seat == 0 || variant_row(record->variant)->seats == 2 || ended.over);
	if (seat == 0)
		assert_int_equal(ended.reason, REASON_AGREEMENT);
	round_trip(world, &ended);
}

static void
random_games_round_trip(void **state)
{
	struct world *world = *state;
	unsigned finished = 0;
	for (unsigned round = 0; round < 8 * VARIANT_COUNT; round++) {
		enum variant variant = (enum variant)(round % VARIANT_COUNT);
		struct game game;
		struct record record, checked;
		struct record_draft draft;
		struct record_fault where;
		unsigned plies = 20 + world_random(world, variant == VARIANT_HALMA_2 ? 60 : 300);
		world_random_game(world, variant, plies, round % 2 == 0 ? 0 : 25, &game);
		finished += game.position.turn == 0;
		struct text text = world_record_text(world, &game);
		struct game imported;
		import_exactly(world, text.bytes, &imported);
		assert_string_equal(imported.row.position, game.row.position);
		assert_string_equal(imported.row.status, game.row.status);
		assert_int_equal(imported.row.seq, game.row.seq);
		assert_int_equal(imported.past.count, game.past.count);
		text_free(&text);

		assert_int_equal(record_of(world->db, world->arena, &game, &record), FAULT_NONE);
		draft_of(world, &record, &draft);
		if (record_check(world->arena, &draft, &checked, &where) != FAULT_NONE)
			fail_msg("%s: %s", where.member, where.why);
		round_trip(world, &checked);
		if (game.position.turn != 0) {
			end_record(world, &record, 0, REASON_AGREEMENT);
			end_record(world, &record, game.position.turn, REASON_TIMEOUT);
		}
	}
	assert_true(finished > 4);
}

/* Games that start in the middle of others, resting stones and seats that are out among them. */
static void
other_starts_round_trip(void **state)
{
	struct world *world = *state;
	unsigned resting = 0, out = 0;
	for (unsigned round = 0; round < 6 * VARIANT_COUNT; round++) {
		struct game game;
		struct record record = {.variant = (enum variant)(round % VARIANT_COUNT)};
		world_random_game(world, record.variant, 10 + world_random(world, 60), 30, &game);
		if (game.position.turn == 0 || !position_is_start(&game.position))
			continue;
		record.start = game.position;
		resting += game.position.resting != CELL_NONE;
		out += game.position.out != 0;
		round_trip(world, &record);
		end_record(world, &record, game.position.turn, REASON_RESIGNED);
	}
	assert_true(resting > 0 && out > 0);
}

/* A random move that does not end the game and leaves what was not left before. */
static void
play_fresh(struct world *world, struct record *record, struct position *position, uint64_t *left)
{
	static struct move moves[MOVES_MAX];
	struct position after;
	struct change change;
	unsigned count = position_moves(position, NULL, moves);
	for (bool fresh = false; !fresh;) {
		struct move move = moves[world_random(world, count)];
		position_play(position, NULL, move, &after, &change);
		record->moves[record->move_count] = move;
		fresh = after.turn != 0 || after.reason == REASON_LENGTH;
		for (unsigned i = 0; i < record->move_count && fresh; i++)
			fresh = left[i] != change.left;
	}
	left[record->move_count++] = change.left;
	*position = after;
}

/* One call has room for the longest record, out and in. */
static void
the_longest_record_fits_a_call(struct world *world, const struct game *game)
{
	struct text text = TEXT_EMPTY;
	struct record record;
	struct record_draft draft;
	struct record_fault where;
	struct game_secrets secrets;
	struct game again;
	struct arena *arena = arena_open(LIMIT_ARENA);
	assert_int_equal(record_of(world->db, arena, game, &record), FAULT_NONE);
	record_write(&record, &text);
	assert_true(text.len <= LIMIT_BODY_RECORD);
	arena_close(arena);
	arena = arena_open(LIMIT_ARENA);
	world_secrets(world->games++, &secrets);
	assert_int_equal(record_read(arena, text.bytes, text.len, &draft, &where), FAULT_NONE);
	assert_int_equal(record_check(arena, &draft, &record, &where), FAULT_NONE);
	assert_int_equal(record_import(world->db, arena, 1, &record, false, NULL, &secrets, &again), FAULT_NONE);
	arena_close(arena);
	text_free(&text);
}

/* A game of 4096 plies is a draw (H12): the longest record there is. */
static void
the_longest_record_round_trips(void **state)
{
	struct world *world = *state;
	static uint64_t left[PLIES_MAX];
	struct record record = {.variant = VARIANT_HALMA_2, .over = true, .reason = REASON_LENGTH};
	struct game_secrets secrets;
	struct game game;
	position_start(record.variant, &record.start);
	struct position position = record.start;
	record.moves = arena_take(world->arena, PLIES_MAX * sizeof *record.moves);
	while (position.turn != 0)
		play_fresh(world, &record, &position, left);
	assert_int_equal(record.move_count, PLIES_MAX);
	round_trip(world, &record);
	/* round_trip made three games, all of them the same. */
	world_secrets(world->games - 1, &secrets);
	assert_int_equal(game_load(world->db, world->arena, secrets.id, &game), FAULT_NONE);
	the_longest_record_fits_a_call(world, &game);
}

/* What a person may type: no format, no start, no outcome, written-out chains, blanks. */
static void
a_loose_hand_is_read(void **state)
{
	struct world *world = *state;
	struct game game;
	static const char loose[] =
	    "\n[Event \"x\"]\n  [Seat2\t\"Bo\"] \t\n[Variant \"halma-2\"]\n1  L1K2 \n\n 2\te16-f15\n"
	    "3 k2-j3\n4 f15-g14\n\n5 m1-k3-i3";
	import_text(world, loose, strlen(loose), &game);
	assert_int_equal(game.row.ply, 5);
	struct text text = world_record_text(world, &game);
	static const char tail[] =
	    "[Seat2 \"Bo\"]\n[Event \"x\"]\n\n1 l1-k2\n2 e16-f15\n3 k2-j3\n4 f15-g14\n5 m1-i3\nunfinished\n";
	assert_string_equal(text.bytes + text.len - strlen(tail), tail);
	text_free(&text);
}

struct bad_record {
	const char *text;
	enum fault fault;
	unsigned line, column;
	int ply, ending, item;
	const char *member;
	enum verdict verdict;
	const char *why; /* a part of it */
};

#define V "[Variant \"iuvo-2\"]\n"
#define V4 "[Variant \"iuvo-4\"]\n"
#define MALFORMED FAULT_MALFORMED_RECORD
#define CONTRADICTED FAULT_RECORD_CONTRADICTED
#define ILLEGAL FAULT_RECORD_ILLEGAL_MOVE

static const struct bad_record bad_records[] = {
    {"", MALFORMED, 1, 1, -1, -1, -1, "variant", 0, "missing"},
    {"\xef\xbb\xbf", MALFORMED, 1, 1, -1, -1, -1, "variant", 0, "missing"},
    {"\n\nunfinished\n", MALFORMED, 1, 1, -1, -1, -1, "variant", 0, "missing"},
    /* Characters. */
    {V "\xff", MALFORMED, 2, 1, -1, -1, -1, "format", 0, "UTF-8"},
    {V "[A \"\xc3\xa4\xc3\"]", MALFORMED, 2, 6, -1, -1, -1, "format", 0, "UTF-8"},
    {"\xef\xbb\xbf" V "[A \"\xc3\xa4\x01\"]", MALFORMED, 2, 6, -1, -1, -1, "format", 0, "control"},
    {V "[A \"\r\"]", MALFORMED, 2, 5, -1, -1, -1, "format", 0, "control"},
    {V "[A \"\x7f\"]", MALFORMED, 2, 5, -1, -1, -1, "format", 0, "control"},
    /* Headers. */
    {"[Variant \"go\"]\n", MALFORMED, 1, 11, -1, -1, -1, "variant", 0, "no such variant"},
    {"[Format \"pgn\"]\n", MALFORMED, 1, 10, -1, -1, -1, "format", 0, "iuvod-record-1"},
    {V V, MALFORMED, 2, 1, -1, -1, -1, "variant", 0, "twice"},
    {V "[Seat1 \"a\"]\n[Seat1 \"b\"]\n", MALFORMED, 3, 1, -1, -1, -1, "seats", 0, "twice"},
    {V "[ \"a\"]\n", MALFORMED, 2, 2, -1, -1, -1, "tags", 0, "key"},
    {V "[a.b \"a\"]\n", MALFORMED, 2, 3, -1, -1, -1, "tags", 0, "quotation mark"},
    {V "[a b]\n", MALFORMED, 2, 4, -1, -1, -1, "tags", 0, "quotation mark"},
    {V "[a \"b]\n", MALFORMED, 2, 7, -1, -1, -1, "tags", 0, "missing"},
    {V "[\"a b]\n", MALFORMED, 2, 7, -1, -1, -1, "tags", 0, "missing"},
    {V "[a \"b\\", MALFORMED, 2, 6, -1, -1, -1, "tags", 0, "backslash"},
    {V "[a \"b\\t\"]\n", MALFORMED, 2, 6, -1, -1, -1, "tags", 0, "backslash"},
    {V "[a \"b\"\n", MALFORMED, 2, 7, -1, -1, -1, "tags", 0, "bracket"},
    {V "[a \"b\"] c\n", MALFORMED, 2, 9, -1, -1, -1, "tags", 0, "behind the bracket"},
    {V "1 c1-d3\n[a \"b\"]\n", MALFORMED, 3, 1, -1, -1, -1, "moves", 0, "before the first ply"},
    {V "[Start \"iuvo-2 x 1 - -\"]\n", MALFORMED, 2, 16, -1, -1, -1, "start", 0, "board"},
    {V "[Start \"" START_4 "\"]\n", MALFORMED, 2, 9, -1, -1, -1, "start", 0, "another variant"},
    {V "[Start \"iuvo-2 7/7/7/7/7/7/A5B 1 - -\"]\n", FAULT_NOT_A_START, 2, 9, -1, -1, -1, "start", 0, "cannot start"},
    {V "[Seat3 \"Cy\"]\n", MALFORMED, 2, 9, -1, -1, 2, "seats", 0, "2 seats"},
    {V "[Seat2 \"\"]\n", MALFORMED, 2, 9, -1, -1, 1, "seats", 0, "1 to 64"},
    {V "[Seat1 \"a\\nb\"]\n", MALFORMED, 2, 9, -1, -1, 0, "seats", 0, "1 to 64"},
    {V "[Seat1 \"\xe2\x80\xae\"]\n", MALFORMED, 2, 9, -1, -1, 0, "seats", 0, "text-direction"},
    {V "[\"\" \"\"]\n", MALFORMED, 2, 6, -1, -1, 0, "tags", 0, "name of a tag"},
    {V "[a \"1\"]\n[\"a\" \"2\"]\n", MALFORMED, 3, 7, -1, -1, 1, "tags", 0, "twice"},
    {V "[a \"\xe2\x80\xae\"]\n", MALFORMED, 2, 5, -1, -1, 0, "tags", 0, "value of a tag"},
    /* Plies. */
    {V "2 c1-d3\n", MALFORMED, 2, 1, -1, -1, -1, "moves", 0, "without gaps"},
    {V "1 c1-d3\n1 c7-d5\n", MALFORMED, 3, 1, -1, -1, -1, "moves", 0, "without gaps"},
    {V "01 c1-d3\n", MALFORMED, 2, 1, -1, -1, -1, "moves", 0, "number"},
    {V "1. c1-d3\n", MALFORMED, 2, 1, -1, -1, -1, "moves", 0, "number"},
    {V "99999999999999999999 c1-d3\n", MALFORMED, 2, 1, -1, -1, -1, "moves", 0, "number"},
    {V "1 \n", MALFORMED, 2, 3, -1, -1, -1, "moves", 0, "expected here"},
    {V "1 c1-\n", MALFORMED, 2, 6, 1, -1, -1, "moves", 0, "not a move"},
    {V "1   ??\n", MALFORMED, 2, 5, 1, -1, -1, "moves", 0, "not a move"},
    {V "1 c1-d3 c7-d5\n", MALFORMED, 2, 8, 1, -1, -1, "moves", 0, "not a move"},
    {V "\n1 c1-d3\n2 c1-d3\n", ILLEGAL, 4, 3, 2, -1, -1, "moves", VERDICT_NO_STONE,
	"c1-d3: There is no stone to move (I6)."},
    {V "1 c1xd3\n", ILLEGAL, 2, 3, 1, -1, -1, "moves", VERDICT_NO_CAPTURE, "(T1)"},
    {"[Variant \"iuvo-2-loose\"]\n1 a1-b3\n2 c7-e7\n", ILLEGAL, 3, 3, 2, -1, -1, "moves", VERDICT_NOT_A_JUMP, "(I7)"},
    /* Endings. */
    {V "0 seat 0 resigned\n", MALFORMED, 2, 8, -1, -1, -1, "endings", 0, "seat"},
    {V "0 seat 5 resigned\n", MALFORMED, 2, 8, -1, -1, -1, "endings", 0, "seat"},
    {V "0 seat 3 resigned\n", MALFORMED, 2, 1, -1, 0, -1, "endings", 0, "a seat of the variant"},
    {V "0 seat 1 captured\n", MALFORMED, 2, 10, -1, -1, -1, "endings", 0, "resigned or timeout"},
    {V "0 seat 1 agreement\n", MALFORMED, 2, 10, -1, -1, -1, "endings", 0, "resigned or timeout"},
    {V "0 draw timeout\n", MALFORMED, 2, 8, -1, -1, -1, "endings", 0, "agreement"},
    {V "0 draw\n", MALFORMED, 2, 7, -1, -1, -1, "endings", 0, "agreement"},
    {V "0 seat 1 resigned now\n", MALFORMED, 2, 10, -1, -1, -1, "endings", 0, "resigned or timeout"},
    {V "1 seat 1 resigned\n", MALFORMED, 2, 1, -1, -1, -1, "endings", 0, "the ply above"},
    {V "1 c1-d3\n0 seat 1 resigned\n", MALFORMED, 3, 1, -1, -1, -1, "endings", 0, "the ply above"},
    {V4 "0 seat 1 resigned\n0 seat 2 resigned\n0 seat 3 resigned\n0 draw agreement\n0 draw agreement\n", MALFORMED, 6,
	1, -1, -1, -1, "endings", 0, "more endings"},
    {V4 "0 seat 2 resigned\n0 seat 2 timeout\n", CONTRADICTED, 3, 1, -1, 1, -1, "endings", 0, "out already"},
    {V "0 seat 2 resigned\n0 seat 1 timeout\n", CONTRADICTED, 3, 1, -1, 1, -1, "endings", 0, "over already"},
    {V "0 draw agreement\n1 c1-d3\n", CONTRADICTED, 3, 3, 1, -1, -1, "moves", 0, "over after ply 0"},
    /* The outcome. */
    {V "nonsense\n", MALFORMED, 2, 1, -1, -1, -1, "outcome", 0, "outcome"},
    {V "seat 1 wins\n", MALFORMED, 2, 8, -1, -1, -1, "outcome", 0, "outcome"},
    {V "seat 1 wins, none\n", MALFORMED, 2, 14, -1, -1, -1, "outcome", 0, "outcome"},
    {V "seat 0 wins, target\n", MALFORMED, 2, 6, -1, -1, -1, "outcome", 0, "outcome"},
    {V "draw, boredom\n", MALFORMED, 2, 7, -1, -1, -1, "outcome", 0, "outcome"},
    {V "unfinished business\n", MALFORMED, 2, 12, -1, -1, -1, "outcome", 0, "outcome"},
    {V "unfinished\n1 c1-d3\n", MALFORMED, 3, 1, -1, -1, -1, "outcome", 0, "behind the outcome"},
    {V "unfinished\n[a \"b\"]\n", MALFORMED, 3, 1, -1, -1, -1, "outcome", 0, "behind the outcome"},
    {V "\nseat 1 wins, target\n", CONTRADICTED, 3, 1, -1, -1, -1, "outcome", 0, "goes on"},
    {V "0 seat 2 resigned\nunfinished\n", CONTRADICTED, 3, 1, -1, -1, -1, "outcome", 0, "seat 1 wins, resigned"},
    {V "0 seat 2 resigned\nseat 2 wins, resigned\n", CONTRADICTED, 3, 1, -1, -1, -1, "outcome", 0, "seat 1 wins"},
    {V "0 seat 2 resigned\nseat 1 wins, timeout\n", CONTRADICTED, 3, 1, -1, -1, -1, "outcome", 0, "resigned"},
    {V "0 draw agreement\nseat 1 wins, target\n", CONTRADICTED, 3, 1, -1, -1, -1, "outcome", 0, "draw, agreement"},
};

static void
expect_bad(struct world *world, const struct bad_record *bad)
{
	struct record_draft draft;
	struct record record = {.move_count = 77};
	struct record_fault where = {0};
	enum fault fault = record_read(world->arena, bad->text, strlen(bad->text), &draft, &where);
	if (fault == FAULT_NONE)
		fault = record_check(world->arena, &draft, &record, &where);
	if (fault == FAULT_NONE)
		fail_msg("not refused:\n%s", bad->text);
	if (fault != bad->fault || where.line != bad->line || where.column != bad->column || where.ply != bad->ply ||
	    where.ending != bad->ending || where.item != bad->item || where.verdict != bad->verdict ||
	    strcmp(where.member, bad->member) != 0 || strstr(where.why, bad->why) == NULL)
		fail_msg("%s %u:%u ply %d ending %d item %d %s %s: %s\n%s", fault_row(fault)->slug, where.line,
		    where.column, where.ply, where.ending, where.item, where.member, verdict_row(where.verdict)->slug,
		    where.why, bad->text);
	assert_int_equal(record.move_count, 77);
}

static void
every_error_has_its_place(void **state)
{
	for (unsigned i = 0; i < sizeof bad_records / sizeof *bad_records; i++)
		expect_bad(*state, &bad_records[i]);
}

static void
too_much_of_anything_is_refused(void **state)
{
	struct world *world = *state;
	struct text text = TEXT_EMPTY;
	text_puts(&text, V);
	for (unsigned i = 0; i <= LIMIT_TAGS; i++)
		text_printf(&text, "[tag%u \"\"]\n", i);
	expect_bad(world, &(struct bad_record){
			      text.bytes, MALFORMED, LIMIT_TAGS + 2, 1, -1, -1, -1, "tags", VERDICT_LEGAL, "too many"});
	text_free(&text);

	text_puts(&text, V);
	for (unsigned i = 1; i <= PLIES_MAX + 1; i++)
		text_printf(&text, "%u c1-d3\n", i);
	expect_bad(world, &(struct bad_record){text.bytes, MALFORMED, PLIES_MAX + 2, 1, -1, -1, -1, "moves",
			      VERDICT_LEGAL, "at most 4096"});
	text_free(&text);

	text_puts(&text, V "[Seat1 \"");
	text_puts(&text, "0123456789012345678901234567890123456789012345678901234567890123x\"]\n");
	expect_bad(
	    world, &(struct bad_record){text.bytes, MALFORMED, 2, 9, -1, -1, 0, "seats", VERDICT_LEGAL, "1 to 64"});
	text_free(&text);

	text_puts(&text, V "[t \"");
	for (unsigned i = 0; i <= LIMIT_TAG_VALUE; i++)
		text_char(&text, 'x');
	text_puts(&text, "\"]\n");
	expect_bad(
	    world, &(struct bad_record){text.bytes, MALFORMED, 2, 5, -1, -1, 0, "tags", VERDICT_LEGAL, "too long"});
	text_free(&text);
}

/* What only a JSON record can get wrong; it has no lines. */
static void
drafts_without_lines_are_refused(void **state)
{
	struct world *world = *state;
	struct record record;
	struct record_fault where;
	static const char *few[] = {"c1-d3"}, *many[PLIES_MAX + 1];
	struct record_tag tags[LIMIT_TAGS + 1];

	struct record_draft draft = {.variant = "iuvo-4", .ending_count = 1, .endings = {{.ply = 1, .seat = 1}}};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_string_equal(where.member, "endings");
	assert_int_equal(where.line, 0);
	assert_int_equal(where.ending, 0);
	draft.endings[0] = (struct record_ending){.ply = 0, .seat = 1, .reason = REASON_BLOCKED};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	draft.endings[0] = (struct record_ending){.ply = 0, .seat = 1, .reason = REASON_AGREEMENT};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	draft.endings[0] = (struct record_ending){.ply = 0, .seat = 0, .reason = REASON_TIMEOUT};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);

	draft = (struct record_draft){.variant = "iuvo-4", .move_count = 1, .moves = few, .ending_count = 2};
	draft.endings[0] = (struct record_ending){.ply = 1, .seat = 1, .reason = REASON_RESIGNED};
	draft.endings[1] = (struct record_ending){.ply = 0, .seat = 2, .reason = REASON_RESIGNED};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_int_equal(where.ending, 1);

	for (unsigned i = 0; i <= PLIES_MAX; i++)
		many[i] = "c1-d3";
	draft = (struct record_draft){.variant = "iuvo-2", .move_count = PLIES_MAX + 1, .moves = many};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_non_null(strstr(where.why, "4096"));

	for (unsigned i = 0; i <= LIMIT_TAGS; i++)
		tags[i] = (struct record_tag){evil[i % EVIL], ""};
	draft = (struct record_draft){.variant = "iuvo-2", .tag_count = 3, .tags = tags};
	tags[2] = tags[0];
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_int_equal(where.item, 2);
	draft.tag_count = 2;
	tags[1].value = "\r";
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_int_equal(where.item, 1);
	tags[1] = (struct record_tag){"\n", ""};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);

	draft = (struct record_draft){0};
	assert_int_equal(record_check(world->arena, &draft, &record, &where), MALFORMED);
	assert_string_equal(where.member, "variant");
}

/* Any bytes are read or refused, and what is read and right is written the same for ever after. */
static void
mangled_records_do_no_harm(void **state)
{
	struct world *world = *state;
	struct game game;
	world_random_game(world, VARIANT_IUVO_4, 30, 12, &game);
	struct text text = world_record_text(world, &game);
	static const char signs[] = "\n\r\t \"\\[]0123abcdefg-x";
	unsigned right = 0;
	for (unsigned round = 0; round < 3000; round++) {
		struct arena *arena = arena_open(LIMIT_ARENA);
		struct record_draft draft;
		struct record record;
		struct record_fault where;
		char *bytes = malloc(text.len);
		assert_non_null(bytes);
		memcpy(bytes, text.bytes, text.len);
		for (unsigned i = 0; i < 1 + round % 3; i++)
			bytes[world_random(world, (unsigned)text.len)] =
			    round % 2 == 0 ? signs[world_random(world, sizeof signs - 1)]
					   : (char)world_random(world, 256);
		size_t len = round % 5 == 0 ? world_random(world, (unsigned)text.len) : text.len;
		enum fault fault = record_read(arena, bytes, len, &draft, &where);
		if (fault == FAULT_NONE)
			fault = record_check(arena, &draft, &record, &where);
		if (fault == FAULT_NONE) {
			right++;
			round_trip(world, &record);
		} else {
			assert_true(where.line > 0 && where.column > 0 && *where.why != '\0');
		}
		free(bytes);
		arena_close(arena);
	}
	assert_true(right > 0);
	text_free(&text);
}

/* An arena that is too small is told as such, and leaves nothing behind. */
static void
too_little_memory_is_a_fault(void **state)
{
	struct world *world = *state;
	struct game game;
	world_random_game(world, VARIANT_IUVO_2, 40, 0, &game);
	struct text text = world_record_text(world, &game);
	struct record_draft draft;
	struct record record;
	struct record_fault where;
	bool read = false, checked = false;
	for (size_t cap = 0; !checked && cap < 1 << 20; cap += 1024) {
		struct arena *arena = arena_open(cap);
		enum fault fault = record_read(arena, text.bytes, text.len, &draft, &where);
		read = fault == FAULT_NONE;
		if (read)
			fault = record_check(arena, &draft, &record, &where);
		checked = fault == FAULT_NONE;
		if (!checked)
			assert_int_equal(fault, FAULT_OUT_OF_MEMORY);
		arena_close(arena);
	}
	assert_true(read && checked);
	text_free(&text);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(a_record_looks_like_this),
	    TEST(a_game_without_moves_has_a_record),
	    TEST(an_import_goes_on),
	    TEST(evil_names_and_tags_round_trip),
	    TEST(random_games_round_trip),
	    TEST(other_starts_round_trip),
	    TEST(the_longest_record_round_trips),
	    TEST(a_loose_hand_is_read),
	    TEST(every_error_has_its_place),
	    TEST(too_much_of_anything_is_refused),
	    TEST(drafts_without_lines_are_refused),
	    TEST(mangled_records_do_no_harm),
	    TEST(too_little_memory_is_a_fault),
	};
	return cmocka_run_group_tests_name("play record", tests, NULL, NULL);
}

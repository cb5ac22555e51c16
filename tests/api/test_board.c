/* Boards as pictures and as text: of thousands of positions from random games of every variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/board.h"
#include "api/board_plan.h"
#include "api/board_words.h"
#include "engine/history.h"
#include "engine/notation.h"
#include "xml.h"

static unsigned
random_below(uint64_t *seed, unsigned limit)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*seed >> 33) % limit);
}

static unsigned
occurrences(const char *haystack, const char *needle)
{
	unsigned count = 0;
	for (const char *at = haystack; (at = strstr(at, needle)) != NULL; at += strlen(needle))
		count++;
	return count;
}

/* A view that owns what it shows. */
struct scene {
	struct position position;
	struct board_view view;
	struct move legal[MOVES_MAX];
};

static void
scene_start(struct scene *scene, enum variant variant)
{
	position_start(variant, &scene->position);
	scene->view = (struct board_view){
	    .position = &scene->position, .bottom_seat = 1, .seat_count = variant_row(variant)->seats};
}

/* Shows the legal moves of the stone that a random legal move moves. */
static void
scene_choose(struct scene *scene, const struct past *past, uint64_t *seed)
{
	static struct move moves[MOVES_MAX];
	unsigned count = position_moves(&scene->position, past, moves);
	scene->view.has_legal = count > 0;
	if (count == 0)
		return;
	scene->view.legal_from = moves[random_below(seed, count)].from;
	scene->view.legal_count = 0;
	scene->view.legal = scene->legal;
	for (unsigned i = 0; i < count; i++) {
		if (moves[i].from == scene->view.legal_from)
			scene->legal[scene->view.legal_count++] = moves[i];
	}
}

/* How many stones have exactly these owners. */
static unsigned
stones_of(const struct position *position, int owners)
{
	cell_t cells[STONES_MAX];
	unsigned all = position_stones(position, cells), count = 0;
	for (unsigned i = 0; i < all; i++)
		count += position_owners(position, cells[i]) == owners;
	return count;
}

static const struct {
	int owners;
	char letter;
	const char *shape;
} kinds[] = {{0, 'o', "0"}, {1, 'A', "1"}, {2, 'B', "2"}, {4, 'C', "3"}, {8, 'D', "4"}, {3, 'p', "12"}, {6, 'q', "23"},
    {12, 'r', "34"}, {9, 's', "14"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Stones that are drawn with a shape: <g class="iv-stone" …><use href="#iv-12"/>. */
static unsigned
stones_drawn(const char *svg, const char *shape)
{
	char use[32];
	unsigned count = 0;
	snprintf(use, sizeof use, "><use href=\"#iv-%s\"/>", shape);
	for (const char *at = svg; (at = strstr(at, "<g class=\"iv-stone\"")) != NULL; at++)
		count += strncmp(strchr(at, '>'), use, strlen(use)) == 0;
	return count;
}

static int
number_behind(const char *text, const char *before)
{
	const char *at = strstr(text, before);
	assert_non_null(at);
	return atoi(at + strlen(before));
}

/* The tip of the arrow lies on no stone: neither on the one that moved, nor in Halma on one that it jumped over. */
static void
check_tip(const struct scene *scene, const char *svg)
{
	const char *marker = strstr(svg, "<marker id=\"iv-tip-");
	assert_int_equal(marker != NULL, scene->view.has_last);
	if (marker == NULL)
		return;
	bool halma = variant_row((enum variant)scene->position.variant)->family == FAMILY_HALMA;
	const struct path *last = &scene->view.last;
	int base = number_behind(marker, "refX=\""), point = base - number_behind(marker, "markerWidth=\"");
	int radius = position_owners(&scene->position, last->cells[last->count - 1]) == 0 ? 30 : halma ? 17 : 36;
	assert_in_range(point, radius, radius + 4);
	/* A cell of Halma is 44 wide, and the stone next to the landing has the radius 17. */
	if (halma)
		assert_in_range(base, point + 8, 44 - 17);
}

/* The key shows the target of every seat, and in Iuvo the bar of each. */
static void
check_key(const struct scene *scene, const char *svg)
{
	const struct variant_row *variant = variant_row((enum variant)scene->position.variant);
	bool iuvo = variant->family != FAMILY_HALMA;
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
		char target[64], bar[64];
		snprintf(target, sizeof target, "class=\"iv-slot iv-c%u\" transform=", seat);
		snprintf(bar, sizeof bar, "<rect class=\"iv-c%u\"", seat);
		const char *key = strstr(svg, ">targets</text>");
		assert_non_null(key);
		while (key > svg && strncmp(key, "</svg></g><", 11) != 0)
			key--;
		assert_int_equal(occurrences(key, target), seat <= variant->seats);
		assert_int_equal(occurrences(key, bar), iuvo && seat <= variant->seats);
	}
	assert_int_equal(occurrences(svg, ">home sides</text>"), iuvo);
}

static void
check_picture(const struct scene *scene)
{
	const struct board_view *view = &scene->view;
	struct text svg = TEXT_EMPTY;
	board_svg(view, &svg);
	assert_false(text_failed(&svg));
	xml_check(svg.bytes, svg.len);
	cell_t cells[STONES_MAX];
	assert_int_equal(occurrences(svg.bytes, "class=\"iv-stone\""), position_stones(&scene->position, cells));
	for (unsigned i = 0; i < KINDS; i++)
		assert_int_equal(stones_drawn(svg.bytes, kinds[i].shape), stones_of(&scene->position, kinds[i].owners));
	unsigned captures = 0;
	for (unsigned i = 0; view->has_legal && i < view->legal_count; i++)
		captures += view->legal[i].captures;
	assert_int_equal(occurrences(svg.bytes, "class=\"iv-chosen iv-ring\""), view->has_legal);
	assert_int_equal(occurrences(svg.bytes, "class=\"iv-legal iv-ring\""), captures);
	assert_int_equal(
	    occurrences(svg.bytes, "class=\"iv-legal iv-dot\""), view->has_legal ? view->legal_count - captures : 0);
	assert_int_equal(occurrences(svg.bytes, "class=\"iv-way"), view->has_last);
	assert_int_equal(occurrences(svg.bytes, "class=\"iv-no\""), view->has_last ? view->last.count - 2 : 0);
	check_tip(scene, svg.bytes);
	check_key(scene, svg.bytes);
	/* The badge stands on the board and in the key. */
	assert_int_equal(occurrences(svg.bytes, "href=\"#iv-hit\""), view->has_last && view->last_captures ? 2 : 0);
	assert_int_equal(occurrences(svg.bytes, "href=\"#iv-rest\""), scene->position.resting != CELL_NONE ? 2 : 0);
	assert_null(strstr(svg.bytes, "<script"));
	text_free(&svg);
}

/* Cuts the next line off *rest; NULL at the end. */
static char *
next_line(char **rest)
{
	return strsep(rest, "\n");
}

static void
check_line(const char *line)
{
	size_t len = strlen(line);
	unsigned columns = 0;
	assert_int_equal(text_utf8_prefix(line, len), len);
	for (size_t at = 0; at < len;) {
		uint32_t c = text_utf8_next(line, len, &at);
		assert_true(c >= 0x20);
		columns += board_words_columns(c);
	}
	assert_in_range(columns, 0, 80);
	if (len > 0)
		assert_int_not_equal(line[len - 1], ' ');
}

/* The text of the rows alone: between the two lines of labels. */
static void
check_text(const struct scene *scene)
{
	struct text text = TEXT_EMPTY;
	board_text(&scene->view, &text);
	assert_false(text_failed(&text));
	assert_int_equal(text.bytes[text.len - 1], '\n');
	assert_int_not_equal(text.bytes[text.len - 2], '\n');
	unsigned letters[128] = {0}, side = variant_row((enum variant)scene->position.variant)->files, number = 0;
	char *rest = text.bytes;
	for (char *line; (line = next_line(&rest)) != NULL; number++) {
		check_line(line);
		/* A title, an empty line, the labels, then the rows, three columns behind the label. */
		for (unsigned i = 0; number >= 3 && number < 3 + side && i < side; i++)
			letters[(unsigned char)line[3 + 3 * i + 1]]++;
	}
	unsigned rests = scene->position.resting != CELL_NONE;
	assert_int_equal(letters['z'], rests);
	assert_int_equal(letters['o'], stones_of(&scene->position, 0) - rests);
	for (unsigned i = 1; i < KINDS; i++)
		assert_int_equal(letters[(unsigned char)kinds[i].letter], stones_of(&scene->position, kinds[i].owners));
	text_free(&text);
}

/* Plays a random game and looks at one position in eight, from any seat. */
static void
check_game(enum variant variant, uint64_t seed)
{
	static struct move moves[MOVES_MAX];
	static struct history history;
	static struct scene scene;
	scene_start(&scene, variant);
	history_begin(&history, &scene.position);
	for (unsigned ply = 0; ply < 160; ply++) {
		struct past past = history_past(&history);
		unsigned count = position_moves(&scene.position, &past, moves);
		if (ply % 8 == 0 || count == 0) {
			scene.view.bottom_seat = 1 + random_below(&seed, scene.view.seat_count);
			scene_choose(&scene, &past, &seed);
			check_picture(&scene);
			check_text(&scene);
		}
		if (count == 0)
			return;
		struct move move = moves[random_below(&seed, count)];
		scene.view.has_last = true;
		scene.view.last_captures = move.captures;
		scene.view.last_seat = scene.position.turn;
		position_path(&scene.position, move, &scene.view.last);
		struct change change;
		position_play(&scene.position, &past, move, &scene.position, &change);
		history_add(&history, change.left);
	}
}

static void
random_games(void **data)
{
	(void)data;
	for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
		for (uint64_t seed = 1; seed <= 20; seed++)
			check_game(variant, seed);
	}
}

static void
read_scene(struct scene *scene, const char *text)
{
	struct text_fault fault;
	struct position position;
	assert_true(notation_read_position(text, strlen(text), &position, &fault));
	scene_start(scene, (enum variant)position.variant);
	scene->position = position;
}

static char *
picture_of(const struct scene *scene)
{
	struct text svg = TEXT_EMPTY;
	board_svg(&scene->view, &svg);
	assert_false(text_failed(&svg));
	xml_check(svg.bytes, svg.len);
	return svg.bytes;
}

static void
names_are_escaped(void **data)
{
	(void)data;
	static struct scene scene;
	scene_start(&scene, VARIANT_IUVO_2);
	scene.view.names[0] = "<b>&amp;\"'";
	scene.view.names[1] = "]]>";
	char *svg = picture_of(&scene);
	assert_non_null(strstr(svg, ">&lt;b&gt;&amp;amp;&quot;'</text>"));
	assert_non_null(strstr(svg, ">]]&gt;</text>"));
	assert_null(strstr(svg, "<b>"));
	free(svg);
}

/* What no name may hold does not break the document all the same. */
static void
controls_are_replaced(void **data)
{
	(void)data;
	static struct scene scene;
	scene_start(&scene, VARIANT_IUVO_2);
	scene.view.names[0] = "a\001b\xef\xbf\xbf";
	char *svg = picture_of(&scene);
	assert_non_null(strstr(svg, ">a\xef\xbf\xbd"
				    "b\xef\xbf\xbd</text>"));
	free(svg);
}

/* Sixty-four code points of every width: all of it is told, some of it is drawn, and no line breaks. */
static void
long_names_are_cut(void **data)
{
	(void)data;
	static const char *const letters[] = {"W", "\xe6\xbc\xa2", "\xc3\xa9", "\xf0\x9f\x98\x80", "a\xcc\x81", "i"};
	static struct scene scene;
	for (unsigned i = 0; i < sizeof letters / sizeof *letters; i++) {
		char name[64 * 4 + 1] = "";
		for (unsigned n = 0; n < 64 / text_utf8_count(letters[i], strlen(letters[i])); n++)
			strcat(name, letters[i]);
		scene_start(&scene, VARIANT_IUVO_4);
		for (unsigned seat = 0; seat < 4; seat++)
			scene.view.names[seat] = name;
		check_text(&scene);
		char *svg = picture_of(&scene);
		assert_int_equal(occurrences(strstr(svg, "<desc"), name) >= 4, true);
		if (*letters[i] == 'W')
			assert_non_null(strstr(svg, "W\xe2\x80\xa6</text>"));
		free(svg);
	}
}

static void
assert_text(const struct scene *scene, const char *expected)
{
	struct text text = TEXT_EMPTY;
	board_text(&scene->view, &text);
	assert_string_equal(text.bytes, expected);
	text_free(&text);
}

static void
text_from_the_west(void **data)
{
	(void)data;
	static struct scene scene;
	scene_start(&scene, VARIANT_IUVO_4);
	scene.view.bottom_seat = 2;
	scene.view.names[0] = "Ada";
	assert_text(&scene, "Iuvo for four, ply 0, gathering\n"
			    "\n"
			    "    7  6  5  4  3  2  1\n"
			    " g  r  .  D  .  D  .  s  g\n"
			    " f  .  .  .  .  .  .  .  f\n"
			    " e  C  .  o  .  o  .  A  e\n"
			    " d  .  .  .  .  .  .  .  d\n"
			    " c  C  .  o  .  o  .  A  c\n"
			    " b  .  .  .  .  .  .  .  b\n"
			    " a  q  .  B  .  B  .  p  a\n"
			    "    7  6  5  4  3  2  1\n"
			    "\n"
			    "To move: Ada\n"
			    "\n"
			    "> A  Ada: 4 stones, 0 on target, to move\n"
			    "  B  Seat 2: 4 stones, 0 on target\n"
			    "  C  Seat 3: 4 stones, 0 on target\n"
			    "  D  Seat 4: 4 stones, 0 on target\n"
			    "\n"
			    "o neutral, p of A and B, q of B and C, r of C and D, s of D and A\n");
}

/* Rest, capture, last move and legal moves together. */
static void
text_with_marks(void **data)
{
	(void)data;
	static struct scene scene;
	read_scene(&scene, "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -");
	scene.view.has_last = true;
	scene.view.last = (struct path){2, {cell_at(2, 3), cell_at(4, 4)}};
	scene.view.has_legal = true;
	scene.view.legal_from = cell_at(2, 1);
	scene.view.legal = scene.legal;
	scene.view.legal_count = 2;
	scene.legal[0] = (struct move){cell_at(2, 1), cell_at(0, 2), MOVE_OWN, false};
	scene.legal[1] = (struct move){cell_at(2, 1), cell_at(3, 3), MOVE_OWN, true};
	assert_text(&scene, "Iuvo for two, ply 0, chain\n"
			    "\n"
			    "    a  b  c  d  e  f  g\n"
			    " 7  :  .  :  .  :  .  :  7\n"
			    " 6  .  .  .  .  .  .  .  6\n"
			    " 5  .  .  .  o [z] .  .  5\n"
			    " 4  .  B (.)*A* .  .  .  4\n"
			    " 3  *  o  o  o  .  .  .  3\n"
			    " 2  .  o <B> o  .  .  .  2\n"
			    " 1  :  o  :  .  :  .  :  1\n"
			    "    a  b  c  d  e  f  g\n"
			    "\n"
			    "Last move: c4-e5\n"
			    "To move: Seat 2\n"
			    "\n"
			    "  A  Seat 1: 1 stone, 0 on target\n"
			    "> B  Seat 2: 2 stones, 0 on target, to move\n"
			    "\n"
			    "o neutral, z neutral and resting, : target, () last move from, [] to, <> chosen\n"
			    "* may go here, ** may capture\n");
}

/* For every variant and seat: the stones a seat starts with are nearest to it when it sits at the bottom. */
static void
bottom_seat_is_at_the_bottom(void **data)
{
	(void)data;
	static struct scene scene;
	static struct board_plan plan;
	for (enum variant variant = 0; variant < VARIANT_COUNT; variant++) {
		scene_start(&scene, variant);
		for (unsigned seat = 1; seat <= scene.view.seat_count; seat++) {
			scene.view.bottom_seat = seat;
			board_plan_make(&scene.view, &plan);
			unsigned own = 0, last = plan.side - 1;
			for (unsigned column = 0; column < plan.side; column++) {
				int owners = plan.cells[last][column].owners;
				own += owners > 0 && (owners >> (seat - 1) & 1);
			}
			/* Iuvo: the four of its edge; Halma: the five of its camp's longest row, at the right. */
			assert_int_equal(own, variant_row(variant)->family == FAMILY_HALMA ? 5 : 4);
			assert_int_equal(plan.cells[last][last].owners >> (seat - 1) & 1, 1);
			if (variant_row(variant)->family != FAMILY_HALMA)
				assert_int_equal(board_plan_edge(&plan, seat), EDGE_SOUTH);
		}
	}
}

static void
endings_are_told(void **data)
{
	(void)data;
	static const struct {
		unsigned winner;
		enum reason reason;
		const char *words;
	} cases[] = {{1, REASON_TARGET, "Won, all stones on target: Ada"},
	    {2, REASON_RESIGNED, "Won, by resignation: Seat 2"}, {1, REASON_NONE, "Won: Ada"},
	    {0, REASON_REPETITION, "A draw: the position stood for the third time"},
	    {0, REASON_BLOCKED, "A draw: no move left"}, {0, REASON_NONE, "The game is over"}};
	static struct scene scene;
	static struct board_plan plan;
	scene_start(&scene, VARIANT_HALMA_2);
	scene.view.names[0] = "Ada";
	scene.position.turn = 0;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		scene.position.winner = (uint8_t)cases[i].winner;
		scene.position.reason = (uint8_t)cases[i].reason;
		board_plan_make(&scene.view, &plan);
		struct text words = TEXT_EMPTY;
		board_words_status(&plan, NULL, &words);
		assert_string_equal(words.bytes, cases[i].words);
		text_free(&words);
		check_text(&scene);
		check_picture(&scene);
	}
}

/* Of four seats three go out: their common reason is told, but several are not passed for the last one. */
static void
last_seats_are_told(void **data)
{
	(void)data;
	static const struct {
		enum reason reason, out[3];
		const char *words;
	} cases[] = {{REASON_RESIGNED, {REASON_RESIGNED, REASON_RESIGNED, REASON_RESIGNED}, "Won, by resignation: Ada"},
	    {REASON_RESIGNED, {REASON_CAPTURED, REASON_RESIGNED, REASON_RESIGNED},
		"Won, the last seat in the game: Ada"},
	    {REASON_CAPTURED, {REASON_CAPTURED, REASON_BLOCKED, REASON_CAPTURED},
		"Won, the last seat in the game: Ada"},
	    {REASON_BLOCKED, {REASON_BLOCKED, REASON_BLOCKED, REASON_TIMEOUT}, "Won, the last seat in the game: Ada"},
	    {REASON_TIMEOUT, {REASON_NONE, REASON_TIMEOUT, REASON_TIMEOUT}, "Won, the last seat in the game: Ada"},
	    {REASON_TARGET, {REASON_RESIGNED, REASON_NONE, REASON_NONE}, "Won, all stones on target: Ada"},
	    {REASON_NONE, {REASON_RESIGNED, REASON_NONE, REASON_NONE}, "Won: Ada"}};
	static struct scene scene;
	static struct board_plan plan;
	scene_start(&scene, VARIANT_IUVO_4);
	scene.view.names[0] = "Ada";
	scene.position.turn = 0;
	scene.position.winner = 1;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		scene.position.reason = (uint8_t)cases[i].reason;
		memcpy(scene.view.out_reason + 1, cases[i].out, sizeof cases[i].out);
		board_plan_make(&scene.view, &plan);
		struct text words = TEXT_EMPTY;
		board_words_status(&plan, NULL, &words);
		assert_string_equal(words.bytes, cases[i].words);
		text_free(&words);
	}
}

/* Its key is empty, and nothing stands where it would. */
static void
text_without_a_key(void **data)
{
	(void)data;
	static struct scene scene;
	struct text text = TEXT_EMPTY;
	scene_start(&scene, VARIANT_HALMA_2);
	board_text(&scene.view, &text);
	assert_non_null(strstr(text.bytes, "\n\n> A  Seat 1: 19 stones, 0 on target, to move\n"));
	const char *end = "\n  B  Seat 2: 19 stones, 0 on target\n";
	assert_string_equal(text.bytes + text.len - strlen(end), end);
	text_free(&text);
}

static void
position_is_told(void **data)
{
	(void)data;
	static struct scene scene;
	static struct board_plan plan;
	read_scene(&scene, "iuvo-4 7/2A4/2qoA2/2oBo2/2Co3/3p3/7 3 e4 4");
	scene.view.names[2] = "Cleo";
	scene.view.has_last = true;
	scene.view.last = (struct path){2, {cell_at(2, 4), cell_at(4, 3)}};
	scene.view.last_seat = 2;
	board_plan_make(&scene.view, &plan);
	struct text words = TEXT_EMPTY;
	board_words_describe(&plan, &words);
	assert_string_equal(words.bytes,
	    "Iuvo for four, ply 0, chain. To move: Cleo. The last move was c5-e4, by seat 2."
	    " Seat 1 has 3 stones on c6, e5. Seat 2 has 3 stones on d4. Seat 3, Cleo, has 2 stones on c3."
	    " Seat 4 is out."
	    " Seats 1 and 2 share 1 on d2. Seats 2 and 3 share 1 on c5."
	    " 4 neutral on c4, d3, d5, e4. The neutral stone on e4 rests.");
	text_free(&words);
}

/* A text that has failed stays failed and is not touched. */
static void
failure_sticks(void **data)
{
	(void)data;
	static struct scene scene;
	scene_start(&scene, VARIANT_HALMA_2);
	struct text out = {.failed = true};
	board_svg(&scene.view, &out);
	board_text(&scene.view, &out);
	assert_true(text_failed(&out));
	assert_null(out.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_games),
	    cmocka_unit_test(names_are_escaped),
	    cmocka_unit_test(controls_are_replaced),
	    cmocka_unit_test(long_names_are_cut),
	    cmocka_unit_test(text_from_the_west),
	    cmocka_unit_test(text_with_marks),
	    cmocka_unit_test(bottom_seat_is_at_the_bottom),
	    cmocka_unit_test(endings_are_told),
	    cmocka_unit_test(last_seats_are_told),
	    cmocka_unit_test(text_without_a_key),
	    cmocka_unit_test(position_is_told),
	    cmocka_unit_test(failure_sticks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

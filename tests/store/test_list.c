#include "place.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "store/seats.h"

static const struct games_filter ALL = {.updated_since_ms = -1, .limit = LIMIT_PAGE};

enum { GAMES = 60 };

static const char *const variants[] = {"iuvo-2", "halma-2", "iuvo-4"};
static const char *const statuses[] = {"active", "finished", "open", "withdrawn"};
static const char *const names[] = {"Ada", "Grace", "Ada ", "ada"};

static unsigned next;
static struct game_row games[GAMES];

static void
vary(struct game_row *row)
{
	row->variant = variants[next % 3];
	row->status = statuses[next / 3 % 4];
	row->turn = next / 3 % 4 == 0 ? 1 + next % 2 : 0;
	row->listed = next % 5 != 4;
	row->updated_ms = 10000 - (int64_t)(next / 2) * 10; /* pairs changed at the same time; the oldest game last */
}

/* Games of every kind, each with two seats, one name for both of some. */
static int
enter(void **state)
{
	if (place_enter(state) != 0)
		return -1;
	struct place *place = *state;
	place_open(place);
	for (next = 0; next < GAMES; next++) {
		place_game(place, next, vary, &games[next]);
		for (unsigned seat = 1; seat <= 2; seat++) {
			const char *name = seat == 1 || next % 4 == 0 ? names[next % 4] : NULL;
			struct seat_row row = {
			    .seat = seat, .name = name, .kind = "player", .own = true, .remaining_ms = -1};
			PLACE_OK(seats_insert(place->db, games[next].game, games[next].listed, &row));
		}
	}
	return 0;
}

static bool
fits(unsigned i, const struct games_filter *filter)
{
	const struct game_row *row = &games[i];
	return row->listed && (filter->variant == NULL || strcmp(row->variant, filter->variant) == 0) &&
	       (filter->status == NULL || strcmp(row->status, filter->status) == 0) &&
	       (filter->turn == 0 || (row->turn == filter->turn && strcmp(row->status, "active") == 0)) &&
	       (filter->name == NULL || strcmp(names[i % 4], filter->name) == 0) &&
	       row->updated_ms >= filter->updated_since_ms;
}

/* Reads the whole list in pages; the indexes of the games into order[]. */
static unsigned
read_list(struct place *place, struct games_filter filter, unsigned order[GAMES])
{
	struct game_row rows[LIMIT_PAGE];
	unsigned count, total = 0;
	bool more = true;
	while (more) {
		PLACE_OK(games_list(place->db, place->arena, &filter, rows, &count, &more));
		assert_true(count == filter.limit || !more);
		for (unsigned i = 0; i < count; i++) {
			assert_true(total < GAMES);
			order[total++] = (unsigned)(rows[i].game - games[0].game);
			assert_string_equal(rows[i].id, games[order[total - 1]].id);
		}
		if (count > 0) {
			filter.after_game = rows[count - 1].game;
			filter.after_updated_ms = rows[count - 1].updated_ms;
		}
	}
	return total;
}

static void
assert_list(struct place *place, struct games_filter filter)
{
	unsigned order[GAMES], total, expected = 0;
	static const unsigned limits[] = {1, 2, 7, LIMIT_PAGE};
	for (unsigned l = 0; l < sizeof limits / sizeof *limits; l++) {
		filter.limit = limits[l];
		total = read_list(place, filter, order);
		expected = 0;
		for (unsigned i = 0; i < GAMES; i++)
			expected += fits(i, &filter);
		assert_int_equal(total, expected);
		for (unsigned i = 0; i < total; i++) {
			assert_true(fits(order[i], &filter));
			if (i > 0 && filter.updated_since_ms < 0)
				assert_true(order[i] < order[i - 1]);
			if (i > 0 && filter.updated_since_ms >= 0)
				assert_true(games[order[i]].updated_ms > games[order[i - 1]].updated_ms ||
					    (games[order[i]].updated_ms == games[order[i - 1]].updated_ms &&
						order[i] > order[i - 1]));
		}
	}
}

static void
every_filter_fits(void **state)
{
	struct place *place = *state;
	assert_list(place, ALL);
	for (unsigned v = 0; v < 3; v++)
		for (unsigned s = 0; s < 5; s++) {
			struct games_filter filter = ALL;
			filter.variant = variants[v];
			filter.status = s < 4 ? statuses[s] : NULL;
			assert_list(place, filter);
		}
	for (unsigned s = 0; s < 4; s++) {
		struct games_filter filter = ALL;
		filter.status = statuses[s];
		assert_list(place, filter);
		filter.turn = 1 + s % 2;
		assert_list(place, filter);
		filter.status = NULL;
		assert_list(place, filter);
		filter = ALL;
		filter.name = names[s];
		assert_list(place, filter);
	}
	static const int64_t since[] = {0, 9705, 9900, 9990, 10000, 10001};
	for (unsigned i = 0; i < sizeof since / sizeof *since; i++) {
		struct games_filter filter = ALL;
		filter.updated_since_ms = since[i];
		assert_list(place, filter);
	}
}

/* Exactly the combinations that games_filters names are served. */
static void
other_combinations_are_refused(void **state)
{
	struct place *place = *state;
	struct game_row rows[4];
	unsigned served = 0, listed = 0;
	for (unsigned mask = 1; mask < 32; mask++) {
		struct games_filter filter = ALL;
		char text[64] = "";
		filter.limit = 4;
		if (mask & 1)
			filter.variant = "iuvo-2", strcat(text, ", variant");
		if (mask & 2)
			filter.status = "active", strcat(text, ", status");
		if (mask & 4)
			filter.turn = 1, strcat(text, ", turn");
		if (mask & 8)
			filter.name = "Ada", strcat(text, ", name");
		if (mask & 16)
			filter.updated_since_ms = 0, strcat(text, ", updated_since");
		bool named = false, more = true;
		for (unsigned i = 0; games_filters[i] != NULL; i++)
			named |= strcmp(games_filters[i], text + 2) == 0;
		unsigned count = 77;
		enum fault fault = games_list(place->db, place->arena, &filter, rows, &count, &more);
		assert_int_equal(fault, named ? FAULT_NONE : FAULT_UNSUPPORTED_FILTERS);
		if (fault != FAULT_NONE)
			assert_int_equal(count, 77);
		served += named;
	}
	while (games_filters[listed] != NULL)
		listed++;
	assert_int_equal(served, listed);
}

/* Games that come and change while the list is read are neither skipped nor shown twice. */
static void
paging_is_stable(void **state)
{
	struct place *place = *state;
	struct game_row rows[LIMIT_PAGE], added;
	struct games_filter filter = ALL;
	unsigned count, seen[GAMES] = {0}, rounds = 0;
	bool more = true;
	filter.limit = 5;
	while (more) {
		PLACE_OK(games_list(place->db, place->arena, &filter, rows, &count, &more));
		for (unsigned i = 0; i < count; i++) {
			assert_in_range(rows[i].game - games[0].game, 0, GAMES - 1);
			seen[rows[i].game - games[0].game]++;
			rows[i].updated_ms = 99999;
			rows[i].status = "finished";
			PLACE_OK(games_update(place->db, &rows[i]));
		}
		filter.after_game = rows[count - 1].game;
		place_game(place, 1000 + rounds++, NULL, &added);
	}
	for (unsigned i = 0; i < GAMES; i++)
		assert_int_equal(seen[i], games[i].listed);
}

/* By time of change nothing is missed: what changes meanwhile comes again, at the end. */
static void
changes_come_again(void **state)
{
	struct place *place = *state;
	struct game_row rows[LIMIT_PAGE];
	struct games_filter filter = ALL;
	unsigned count, seen[GAMES] = {0};
	bool more = true;
	filter.limit = 5;
	filter.updated_since_ms = 0;
	for (int64_t now = 20000; more; now++) {
		PLACE_OK(games_list(place->db, place->arena, &filter, rows, &count, &more));
		for (unsigned i = 0; i < count; i++)
			seen[rows[i].game - games[0].game]++;
		filter.after_game = rows[count - 1].game;
		filter.after_updated_ms = rows[count - 1].updated_ms;
		if (now < 20003) {
			rows[0].updated_ms = now;
			PLACE_OK(games_update(place->db, &rows[0]));
		}
	}
	unsigned again = 0;
	for (unsigned i = 0; i < GAMES; i++) {
		assert_true(seen[i] == games[i].listed || seen[i] == 2);
		again += seen[i] == 2;
	}
	assert_int_equal(again, 3);
}

static void
note_scan(void *arg, const char *name, uint64_t runs, uint64_t scanned)
{
	unsigned *lists = arg;
	if (scanned != 0)
		fail_msg("%s scans", name);
	*lists += strncmp(name, "list", 4) == 0 && runs > 0;
}

static void
no_list_scans(void **state)
{
	struct place *place = *state;
	unsigned lists = 0;
	every_filter_fits(state);
	db_statistics(place->db, note_scan, &lists);
	assert_int_equal(lists, 7);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(every_filter_fits),
	    TEST(other_combinations_are_refused),
	    TEST(paging_is_stable),
	    TEST(changes_come_again),
	    TEST(no_list_scans),
	};
	return cmocka_run_group_tests_name("store list", tests, NULL, NULL);
}

/* Answers that were kept, and how they go. */
#include "place.h"

#include <string.h>

#include "store/retries.h"

enum { DAY = 24 * 60 * 60 * 1000 };

static const unsigned char *
hash_of(unsigned number)
{
	static unsigned char hash[SEAL_KEY_LEN];
	memset(hash, 0, sizeof hash);
	memcpy(hash + SEAL_KEY_LEN - sizeof number, &number, sizeof number);
	return hash;
}

static bool
is_kept(struct place *place, unsigned number)
{
	const unsigned char *sealed = NULL;
	size_t len;
	PLACE_OK(retries_find(place->db, place->arena, hash_of(number), &sealed, &len));
	return sealed != NULL;
}

static unsigned
count_kept(struct place *place, unsigned most)
{
	unsigned count = 0;
	for (unsigned i = 0; i < most; i++)
		count += is_kept(place, i);
	return count;
}

static void
answers_come_back(void **state)
{
	struct place *place = *state;
	const unsigned char *sealed = (const unsigned char *)"untouched";
	unsigned char large[20000];
	size_t len = 77;
	memset(large, 0xA5, sizeof large);
	PLACE_OK(retries_insert(place->db, hash_of(1), 1, NULL, "a\0b", 3));
	PLACE_OK(retries_insert(place->db, hash_of(2), 1, NULL, large, sizeof large));
	PLACE_OK(retries_find(place->db, place->arena, hash_of(1), &sealed, &len));
	assert_int_equal(len, 3);
	assert_memory_equal(sealed, "a\0b", 3);
	PLACE_OK(retries_find(place->db, place->arena, hash_of(2), &sealed, &len));
	assert_int_equal(len, sizeof large);
	assert_memory_equal(sealed, large, sizeof large);
	PLACE_OK(retries_find(place->db, place->arena, hash_of(3), &sealed, &len));
	assert_null(sealed);
	/* One hash has one answer, the first. */
	assert_int_equal(retries_insert(place->db, hash_of(1), 1, NULL, "c", 1), FAULT_INTERNAL);
	PLACE_OK(retries_find(place->db, place->arena, hash_of(1), &sealed, &len));
	assert_int_equal(len, 3);
	place_close(place);
	place_open(place);
	assert_true(is_kept(place, 1));
}

static void
a_full_arena_is_a_fault(void **state)
{
	struct place *place = *state;
	struct arena *small = arena_open(64);
	const unsigned char *sealed = (const unsigned char *)"untouched";
	unsigned char large[200] = {0};
	size_t len = 77;
	PLACE_OK(retries_insert(place->db, hash_of(1), 1, NULL, large, sizeof large));
	assert_int_equal(retries_find(place->db, small, hash_of(1), &sealed, &len), FAULT_OUT_OF_MEMORY);
	assert_string_equal((const char *)sealed, "untouched");
	assert_int_equal(len, 77);
	arena_close(small);
}

/* To the millisecond, whatever order they came in. */
static void
they_expire_at_their_time(void **state)
{
	struct place *place = *state;
	unsigned dropped;
	static const int64_t expires[] = {DAY + 5, DAY + 1, DAY + 3, DAY + 2, DAY + 4};
	for (unsigned i = 0; i < 5; i++)
		PLACE_OK(retries_insert(place->db, hash_of(i), expires[i], NULL, "x", 1));
	PLACE_OK(retries_expire(place->db, DAY, 100, &dropped));
	assert_int_equal(dropped, 0);
	assert_int_equal(count_kept(place, 5), 5);
	for (int64_t now = DAY + 1; now <= DAY + 5; now++) {
		PLACE_OK(retries_expire(place->db, now, 100, &dropped));
		assert_int_equal(dropped, 1);
		for (unsigned i = 0; i < 5; i++)
			assert_int_equal(is_kept(place, i), expires[i] > now);
	}
	/* Its hash is free again. */
	PLACE_OK(retries_insert(place->db, hash_of(3), DAY, NULL, "y", 1));
	assert_true(is_kept(place, 3));
}

/* However many have expired, each time no more are dropped than was said, the oldest first. */
static void
work_is_bounded(void **state)
{
	struct place *place = *state;
	enum { COUNT = 100, AT_ONCE = 16 };
	unsigned dropped;
	for (unsigned i = 0; i < COUNT; i++)
		PLACE_OK(retries_insert(place->db, hash_of(i), 1000 - i, NULL, "x", 1));
	for (unsigned left = COUNT; left > 0;) {
		PLACE_OK(retries_expire(place->db, 5000, AT_ONCE, &dropped));
		assert_int_equal(dropped, left > AT_ONCE ? AT_ONCE : left);
		left -= dropped;
		assert_int_equal(count_kept(place, COUNT), left);
		for (unsigned i = 0; i < left; i++)
			assert_true(is_kept(place, i));
	}
	PLACE_OK(retries_expire(place->db, 5000, AT_ONCE, &dropped));
	assert_int_equal(dropped, 0);
}

static void
find_scan(void *arg, const char *name, uint64_t runs, uint64_t scanned)
{
	unsigned *ran = arg;
	if (strncmp(name, "retries_", 8) != 0)
		return;
	*ran += runs > 0;
	assert_int_equal(scanned, 0);
}

static void
no_table_is_scanned(void **state)
{
	struct place *place = *state;
	unsigned ran = 0, dropped;
	for (unsigned i = 0; i < 50; i++)
		PLACE_OK(retries_insert(place->db, hash_of(i), i, NULL, "x", 1));
	assert_true(is_kept(place, 49));
	PLACE_OK(retries_expire(place->db, 30, 10, &dropped));
	db_statistics(place->db, find_scan, &ran);
	assert_int_equal(ran, 3);
}

static int
enter(void **state)
{
	if (place_enter(state) != 0)
		return -1;
	place_open(*state);
	return 0;
}

/* What told of somebody is empty from then on; that the call was done stays known until it expires. */
static void
what_is_erased_is_still_found(void **state)
{
	struct place *place = *state;
	const unsigned char *sealed;
	size_t len;
	unsigned count;
	PLACE_OK(retries_insert(place->db, hash_of(1), 5, &(struct retry_about){.game = 7}, "game", 4));
	PLACE_OK(retries_insert(place->db, hash_of(2), 5, &(struct retry_about){.player = 7}, "player", 6));
	PLACE_OK(retries_insert(place->db, hash_of(3), 5, &(struct retry_about){.game = 8, .player = 9}, "both", 4));
	PLACE_OK(retries_erase_game(place->db, 7));
	PLACE_OK(retries_find(place->db, place->arena, hash_of(1), &sealed, &len));
	assert_non_null(sealed);
	assert_int_equal(len, 0);
	PLACE_OK(retries_find(place->db, place->arena, hash_of(2), &sealed, &len));
	assert_int_equal(len, 6);
	PLACE_OK(retries_erase_player(place->db, 9));
	PLACE_OK(retries_find(place->db, place->arena, hash_of(3), &sealed, &len));
	assert_non_null(sealed);
	assert_int_equal(len, 0);
	PLACE_OK(retries_find(place->db, place->arena, hash_of(2), &sealed, &len));
	assert_memory_equal(sealed, "player", 6);
	PLACE_OK(retries_expire(place->db, 5, 10, &count));
	assert_int_equal(count, 3);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, place_leave)
	const struct CMUnitTest tests[] = {
	    TEST(answers_come_back),
	    TEST(a_full_arena_is_a_fault),
	    TEST(they_expire_at_their_time),
	    TEST(work_is_bounded),
	    TEST(no_table_is_scanned),
	    TEST(what_is_erased_is_still_found),
	};
	return cmocka_run_group_tests_name("store retries", tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static void
memory_is_aligned_and_apart(void **state)
{
	(void)state;
	struct arena *arena = arena_open(1 << 20);
	unsigned char *pieces[300];
	assert_non_null(arena);
	for (unsigned i = 0; i < 300; i++) {
		pieces[i] = arena_take(arena, i);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		memset(pieces[i], (int)(i & 0xFF), i);
	}
	for (unsigned i = 0; i < 300; i++)
		for (unsigned k = 0; k < i; k++)
			assert_int_equal(pieces[i][k], i & 0xFF);
	arena_close(arena);
}

static void
zeroed_and_copied(void **state)
{
	(void)state;
	struct arena *arena = arena_open(1 << 20);
	unsigned char *dirty = arena_take(arena, 100000);
	memset(dirty, 0xFF, 100000);
	unsigned char *zero = arena_zero(arena, 100000);
	for (unsigned i = 0; i < 100000; i++)
		assert_int_equal(zero[i], 0);
	char *copy = arena_copy(arena, "a\0b", 3);
	assert_memory_equal(copy, "a\0b\0", 4);
	assert_string_equal(arena_copy(arena, NULL, 0), "");
	arena_close(arena);
}

static void
the_cap_holds(void **state)
{
	(void)state;
	struct arena *arena = arena_open(1000);
	assert_non_null(arena_take(arena, 992));
	assert_false(arena_capped(arena));
	assert_null(arena_take(arena, 17));
	assert_true(arena_capped(arena));
	/* What is left can still be had. */
	assert_null(arena_copy(arena, "0123456789abcdef", 16));
	arena_close(arena);
}

static void
a_reset_makes_it_new(void **state)
{
	(void)state;
	struct arena *arena = arena_open(200000);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++)
			memset(arena_take(arena, 9999), round, 9999);
		assert_null(arena_take(arena, 9999));
		assert_true(arena_capped(arena));
		arena_reset(arena);
		assert_false(arena_capped(arena));
		memset(arena_take(arena, 100), round, 100);
		arena_reset(arena);
	}
	arena_close(arena);
}

static void
no_size_wraps_around(void **state)
{
	(void)state;
	struct arena *arena = arena_open(SIZE_MAX / 2);
	assert_null(arena_take(arena, SIZE_MAX));
	assert_null(arena_take(arena, SIZE_MAX - 15));
	assert_null(arena_zero(arena, SIZE_MAX - 7));
	assert_null(arena_copy(arena, "", SIZE_MAX));
	assert_true(arena_capped(arena));
	assert_non_null(arena_take(arena, 1));
	arena_close(arena);
}

static void
no_memory_is_not_a_cap(void **state)
{
	(void)state;
	memory_fail_after(0);
	assert_null(arena_open(1 << 20));
	memory_fail_after(1);
	struct arena *arena = arena_open(1 << 20);
	assert_non_null(arena);
	assert_null(arena_take(arena, 100000));
	assert_false(arena_capped(arena));
	memory_fail_after(-1);
	assert_non_null(arena_take(arena, 100000));
	arena_close(arena);
	arena_close(NULL);
}

static void
a_table_is_aligned(void **state)
{
	static const size_t sizes[] = {1, 64, 100, (2 << 20) - 1, 2 << 20, (5 << 20) + 1};
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		unsigned char *table = memory_take_table(sizes[i]);
		assert_non_null(table);
		assert_int_equal((uintptr_t)table % 64, 0);
		memset(table, 1, sizes[i]);
		free(table);
	}
	assert_null(memory_take_table(SIZE_MAX));
	memory_fail_after(0);
	assert_null(memory_take_table(64));
	memory_fail_after(-1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_is_aligned_and_apart),
	    cmocka_unit_test(zeroed_and_copied),
	    cmocka_unit_test(the_cap_holds),
	    cmocka_unit_test(a_reset_makes_it_new),
	    cmocka_unit_test(no_size_wraps_around),
	    cmocka_unit_test(no_memory_is_not_a_cap),
	    cmocka_unit_test(a_table_is_aligned),
	};
	return cmocka_run_group_tests_name("base arena", tests, NULL, NULL);
}

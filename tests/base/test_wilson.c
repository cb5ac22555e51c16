/* The interval of a share beside figures that were printed elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/wilson.h"

/* Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I. */
static void
as_printed_by_newcombe(void **state)
{
	static const struct {
		unsigned of, count;
		double least, most;
	} rows[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		double least, most;
		wilson_interval((double)rows[i].of / rows[i].count, rows[i].count, &least, &most);
		assert_float_equal(least, rows[i].least, 0.00005);
		assert_float_equal(most, rows[i].most, 0.00005);
	}
}

/* What all of n says, none of n says of the others. */
static void
the_same_from_both_ends(void **state)
{
	(void)state;
	for (unsigned count = 1; count <= 40; count++)
		for (unsigned won = 0; won <= count; won++) {
			double least, most, left, right;
			wilson_interval((double)won / count, count, &least, &most);
			wilson_interval((double)(count - won) / count, count, &left, &right);
			assert_float_equal(least, 1 - right, 1e-12);
			assert_true(least >= 0 && most <= 1 && least < most);
			assert_true((least == 0) == (won == 0));
			assert_true((most == 1) == (won == count));
		}
}

static void
nothing_is_known_of_nothing(void **state)
{
	double least, most;
	(void)state;
	wilson_interval(0, 0, &least, &most);
	assert_true(least == 0 && most == 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_printed_by_newcombe),
	    cmocka_unit_test(the_same_from_both_ends),
	    cmocka_unit_test(nothing_is_known_of_nothing),
	};
	return cmocka_run_group_tests_name("wilson", tests, NULL, NULL);
}

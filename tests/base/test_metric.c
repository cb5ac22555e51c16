/* The text of metrics: families, labels of any text, histograms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/metric.h"

static void
expect(struct text *out, const char *expected)
{
	assert_false(text_failed(out));
	assert_string_equal(out->bytes, expected);
	text_free(out);
}

static void
a_family_begins_with_what_it_is(void **state)
{
	struct text out = TEXT_EMPTY;
	(void)state;
	metric_begin(&out, METRIC_PROCESS_CPU);
	metric_us(&out, METRIC_PROCESS_CPU, NULL, 12000034);
	metric_begin(&out, METRIC_PROCESS_FDS);
	metric_count(&out, METRIC_PROCESS_FDS, NULL, UINT64_MAX);
	metric_end(&out);
	expect(&out, "# TYPE process_cpu_seconds counter\n"
		     "# UNIT process_cpu_seconds seconds\n"
		     "# HELP process_cpu_seconds Processor time, of the user and the system.\n"
		     "process_cpu_seconds_total 12.000034\n"
		     "# TYPE process_open_fds gauge\n"
		     "# HELP process_open_fds Open file descriptors.\n"
		     "process_open_fds 18446744073709551615\n"
		     "# EOF\n");
}

static void
labels_hold_any_text(void **state)
{
	struct text out = TEXT_EMPTY;
	(void)state;
	metric_count(&out, METRIC_REQUESTS, (const char *[]){"/a\\b\"c\nd{x=\"1\"}", "", "ä, 2"}, 7);
	metric_count(&out, METRIC_BUILD, (const char *[]){"1.0", "3"}, 1);
	expect(&out, "iuvod_requests_total{route=\"/a\\\\b\\\"c\\nd{x=\\\"1\\\"}\",method=\"\",status=\"ä, 2\"} 7\n"
		     "iuvod_build_info{version=\"1.0\",schema=\"3\"} 1\n");
}

/* What is observed lies in the first bucket whose bound it does not pass. */
static void
buckets_hold_their_bounds(void **state)
{
	static struct metric_histogram first, second;
	struct metric_total total = {0};
	struct text out = TEXT_EMPTY;
	(void)state;
	metric_observe(METRIC_BATCH_CALLS, &first, 1);
	metric_observe(METRIC_BATCH_CALLS, &first, 2);
	metric_observe(METRIC_BATCH_CALLS, &second, 3);
	metric_observe(METRIC_BATCH_CALLS, &second, 512);
	metric_observe(METRIC_BATCH_CALLS, &second, 513);
	metric_gather(&first, &total);
	metric_gather(&second, &total);
	metric_total(&out, METRIC_BATCH_CALLS, NULL, &total);
	expect(&out, "iuvod_writer_batch_calls_bucket{le=\"1.0\"} 1\n"
		     "iuvod_writer_batch_calls_bucket{le=\"2.0\"} 2\n"
		     "iuvod_writer_batch_calls_bucket{le=\"4.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"8.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"16.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"32.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"64.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"128.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"256.0\"} 3\n"
		     "iuvod_writer_batch_calls_bucket{le=\"512.0\"} 4\n"
		     "iuvod_writer_batch_calls_bucket{le=\"+Inf\"} 5\n"
		     "iuvod_writer_batch_calls_count 5\n"
		     "iuvod_writer_batch_calls_sum 1031\n");
}

static void
times_are_told_in_seconds(void **state)
{
	static struct metric_histogram histogram;
	struct metric_total total = {0};
	struct text out = TEXT_EMPTY;
	(void)state;
	metric_observe(METRIC_REQUEST_SECONDS, &histogram, 100);
	metric_observe(METRIC_REQUEST_SECONDS, &histogram, 10000001);
	metric_gather(&histogram, &total);
	metric_total(&out, METRIC_REQUEST_SECONDS, (const char *[]){"/", "GET"}, &total);
	assert_non_null(strstr(out.bytes, "_bucket{route=\"/\",method=\"GET\",le=\"0.0001\"} 1\n"));
	assert_non_null(strstr(out.bytes, "le=\"10.0\"} 1\n"));
	assert_non_null(strstr(out.bytes, "le=\"+Inf\"} 2\n"));
	assert_non_null(strstr(out.bytes, "_sum{route=\"/\",method=\"GET\"} 10.000101\n"));
	text_free(&out);
}

/* Names end with their unit, and none begins with another and a suffix: then samples of two would be one. */
static void
the_table_is_sound(void **state)
{
	static const struct {
		const char *name, *unit, *labels, *help;
	} rows[] = {
#define M(metric, kind, name_, unit_, bounds, labels_, help_) {name_, unit_, labels_, help_},
	    METRIC_TABLE(M)
#undef M
	};
	(void)state;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		size_t name = strlen(rows[i].name), unit = strlen(rows[i].unit), labels = *rows[i].labels != '\0';
		if (unit > 0)
			assert_true(name > unit && rows[i].name[name - unit - 1] == '_' &&
				    strcmp(rows[i].name + name - unit, rows[i].unit) == 0);
		for (const char *c = rows[i].labels; *c != '\0'; c++)
			labels += *c == ' ';
		assert_true(labels <= METRIC_LABELS_MAX);
		assert_int_equal(rows[i].help[strlen(rows[i].help) - 1], '.');
		for (size_t j = 0; j < METRIC_COUNT; j++)
			assert_true(i == j || strcmp(rows[i].name, rows[j].name) != 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_family_begins_with_what_it_is),
	    cmocka_unit_test(labels_hold_any_text),
	    cmocka_unit_test(buckets_hold_their_bounds),
	    cmocka_unit_test(times_are_told_in_seconds),
	    cmocka_unit_test(the_table_is_sound),
	};
	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}

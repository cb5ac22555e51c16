#include "base/metric.h"

#include <inttypes.h>
#include <string.h>

enum kind { METRIC_KIND_COUNTER, METRIC_KIND_GAUGE, METRIC_KIND_HISTOGRAM, METRIC_KIND_INFO };

static const char *const kinds[] = {
    [METRIC_KIND_COUNTER] = "counter",
    [METRIC_KIND_GAUGE] = "gauge",
    [METRIC_KIND_HISTOGRAM] = "histogram",
    [METRIC_KIND_INFO] = "info",
};

enum bounds_kind { METRIC_BOUNDS_NONE, METRIC_BOUNDS_TIME, METRIC_BOUNDS_CALLS };

/* Bounds as they are compared with, and as OpenMetrics wants to see them. */
struct bounds {
	unsigned count;
	uint64_t most[METRIC_BOUNDS_MAX];
	const char *shown[METRIC_BOUNDS_MAX];
};

static const struct bounds all_bounds[] = {
    [METRIC_BOUNDS_TIME] = {11, {100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000, 3000000, 10000000},
	{"0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1.0", "3.0", "10.0"}},
    [METRIC_BOUNDS_CALLS] = {10, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
	{"1.0", "2.0", "4.0", "8.0", "16.0", "32.0", "64.0", "128.0", "256.0", "512.0"}},
};

static const struct row {
	enum kind kind;
	enum bounds_kind bounds;
	const char *name, *unit, *labels, *help;
} rows[] = {
#define M(metric, kind_, name_, unit_, bounds_, labels_, help_) \
	[METRIC_##metric] = {METRIC_KIND_##kind_, METRIC_BOUNDS_##bounds_, name_, unit_, labels_, help_},
    METRIC_TABLE(M)
#undef M
};

void
metric_observe(enum metric metric, struct metric_histogram *histogram, uint64_t value)
{
	const struct bounds *bounds = &all_bounds[rows[metric].bounds];
	unsigned bucket = 0;
	while (bucket < bounds->count && value > bounds->most[bucket])
		bucket++;
	metric_bump(&histogram->counts[bucket], 1);
	metric_bump(&histogram->sum, value);
}

void
metric_gather(const struct metric_histogram *histogram, struct metric_total *total)
{
	for (unsigned i = 0; i <= METRIC_BOUNDS_MAX; i++)
		total->counts[i] += atomic_load_explicit(&histogram->counts[i], memory_order_relaxed);
	total->sum += atomic_load_explicit(&histogram->sum, memory_order_relaxed);
}

/* ---- text ---- */

static void
put_escaped(struct text *out, const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value == '\\' || *value == '"')
			text_char(out, '\\');
		if (*value == '\n')
			text_puts(out, "\\n");
		else
			text_char(out, *value);
	}
}

static void
put_label(struct text *out, bool first, const char *name, size_t name_len, const char *value)
{
	text_char(out, first ? '{' : ',');
	text_put(out, name, name_len);
	text_puts(out, "=\"");
	put_escaped(out, value);
	text_char(out, '"');
}

/* The name of a sample with its labels; of a bucket with its bound, too. */
static void
put_name(struct text *out, const struct row *row, const char *suffix, const char *const *values, const char *bound)
{
	bool first = true;
	text_puts(out, row->name);
	text_puts(out, suffix);
	for (const char *label = row->labels; *label != '\0'; label += strspn(label, " ")) {
		size_t len = strcspn(label, " ");
		put_label(out, first, label, len, *values++);
		first = false;
		label += len;
	}
	if (bound != NULL)
		put_label(out, first, "le", 2, bound);
	if (!first || bound != NULL)
		text_char(out, '}');
	text_char(out, ' ');
}

static void
put_seconds(struct text *out, uint64_t us)
{
	text_printf(out, "%" PRIu64 ".%06" PRIu64 "\n", us / 1000000, us % 1000000);
}

static void
put_count(struct text *out, uint64_t count)
{
	text_printf(out, "%" PRIu64 "\n", count);
}

static const char *
suffix_of(const struct row *row)
{
	static const char *const suffixes[] = {
	    [METRIC_KIND_COUNTER] = "_total", [METRIC_KIND_GAUGE] = "", [METRIC_KIND_INFO] = "_info"};
	return suffixes[row->kind];
}

void
metric_begin(struct text *out, enum metric metric)
{
	const struct row *row = &rows[metric];
	text_printf(out, "# TYPE %s %s\n", row->name, kinds[row->kind]);
	if (*row->unit != '\0')
		text_printf(out, "# UNIT %s %s\n", row->name, row->unit);
	text_printf(out, "# HELP %s ", row->name);
	put_escaped(out, row->help);
	text_char(out, '\n');
}

void
metric_count(struct text *out, enum metric metric, const char *const *values, uint64_t value)
{
	put_name(out, &rows[metric], suffix_of(&rows[metric]), values, NULL);
	put_count(out, value);
}

void
metric_us(struct text *out, enum metric metric, const char *const *values, uint64_t us)
{
	put_name(out, &rows[metric], suffix_of(&rows[metric]), values, NULL);
	put_seconds(out, us);
}

void
metric_total(struct text *out, enum metric metric, const char *const *values, const struct metric_total *total)
{
	const struct row *row = &rows[metric];
	const struct bounds *bounds = &all_bounds[row->bounds];
	uint64_t count = 0;
	for (unsigned i = 0; i <= bounds->count; i++) {
		count += total->counts[i];
		put_name(out, row, "_bucket", values, i < bounds->count ? bounds->shown[i] : "+Inf");
		put_count(out, count);
	}
	put_name(out, row, "_count", values, NULL);
	put_count(out, count);
	put_name(out, row, "_sum", values, NULL);
	if (row->bounds == METRIC_BOUNDS_TIME)
		put_seconds(out, total->sum);
	else
		put_count(out, total->sum);
}

void
metric_end(struct text *out)
{
	text_puts(out, "# EOF\n");
}

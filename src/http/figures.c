#include "http/figures.h"

static struct {
	_Atomic uint64_t refused[FIGURES_LIMIT_COUNT];
	struct metric_histogram batch, commit, search;
	_Atomic uint64_t commit_failures;
	_Atomic uint64_t handshakes[FIGURES_HANDSHAKE_COUNT];
} figures;

void
figures_refused(enum figures_limit limit)
{
	metric_add(&figures.refused[limit], 1);
}

void
figures_batch(uint64_t calls)
{
	metric_observe(METRIC_BATCH_CALLS, &figures.batch, calls);
}

void
figures_commit(uint64_t us, bool good)
{
	metric_observe(METRIC_COMMIT_SECONDS, &figures.commit, us);
	if (!good)
		metric_bump(&figures.commit_failures, 1);
}

void
figures_search(uint64_t us)
{
	metric_observe(METRIC_ENGINE_SECONDS, &figures.search, us);
}

void
figures_handshake(enum figures_handshake handshake)
{
	metric_bump(&figures.handshakes[handshake], 1);
}

static uint64_t
load(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void
tell(struct text *out, enum metric metric, const struct metric_histogram *histogram)
{
	struct metric_total total = {0};
	metric_gather(histogram, &total);
	metric_begin(out, metric);
	metric_total(out, metric, NULL, &total);
}

void
figures_tell_refusals(struct text *out)
{
	static const char *const names[] = {
#define L(limit, name) [FIGURES_##limit] = name,
	    FIGURES_LIMITS(L)
#undef L
	};
	metric_begin(out, METRIC_REFUSALS);
	for (unsigned i = 0; i < FIGURES_LIMIT_COUNT; i++)
		metric_count(out, METRIC_REFUSALS, &names[i], load(&figures.refused[i]));
}

void
figures_tell_writer(struct text *out)
{
	tell(out, METRIC_BATCH_CALLS, &figures.batch);
	tell(out, METRIC_COMMIT_SECONDS, &figures.commit);
	metric_begin(out, METRIC_COMMIT_FAILURES);
	metric_count(out, METRIC_COMMIT_FAILURES, NULL, load(&figures.commit_failures));
}

void
figures_tell_engine(struct text *out)
{
	tell(out, METRIC_ENGINE_SECONDS, &figures.search);
}

void
figures_tell_handshakes(struct text *out)
{
	static const char *const labels[][2] = {
#define H(handshake, outcome, version) [FIGURES_HANDSHAKE_##handshake] = {outcome, version},
	    FIGURES_HANDSHAKES(H)
#undef H
	};
	for (unsigned i = 0; i < FIGURES_HANDSHAKE_COUNT; i++)
		metric_count(out, METRIC_TLS_HANDSHAKES, labels[i], load(&figures.handshakes[i]));
}

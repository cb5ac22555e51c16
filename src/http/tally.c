#include "http/tally.h"

#include <stdlib.h>

#include "api/call.h"
#include "engine/verdict.h"

/* Every status that is ever answered with: a test holds it against the faults and the contract. */
/* clang-format off */
#define STATUSES(S) \
	S(200) S(201) S(204) S(304) S(400) S(401) S(403) S(404) S(405) S(406) S(409) S(410) S(412) S(413) S(414) S(415) \
	S(422) S(429) S(500) S(503)
/* clang-format on */

enum slot {
	SLOT_NONE, /* it was left */
	SLOT_OTHER,
#define S(status) SLOT_##status,
	STATUSES(S)
#undef S
	    SLOTS
};

enum { STATUS_MOST = 599, METHODS = METHOD_OTHER + 1 };

struct cell {
	_Atomic uint64_t requests[SLOTS];
	struct metric_histogram seconds;
};

struct tally {
	_Atomic uint64_t cached;
	_Atomic uint64_t problems[REPLY_PROBLEMS];
	struct cell cells[]; /* METHODS for each resource, and for none */
};

static struct cell *
cell_of(const struct tally *tally, unsigned resource, unsigned method)
{
	return (struct cell *)&tally->cells[(size_t)resource * METHODS + method];
}

struct tally *
tally_open(void)
{
	return calloc(1, sizeof(struct tally) + (size_t)route_resources() * METHODS * sizeof(struct cell));
}

void
tally_close(struct tally *tally)
{
	free(tally);
}

static enum slot
slot_of(unsigned status)
{
	static const unsigned char slots[STATUS_MOST + 1] = {
#define S(status) [status] = SLOT_##status,
	    STATUSES(S)
#undef S
	};
	if (status == 0)
		return SLOT_NONE;
	return status > STATUS_MOST || slots[status] == 0 ? SLOT_OTHER : (enum slot)slots[status];
}

void
tally_count(struct tally *tally, const struct tally_request *request)
{
	struct cell *cell = cell_of(tally, route_index(request->resource), request->method);
	metric_bump(&cell->requests[slot_of(request->status)], 1);
	if (request->problem > 0)
		metric_bump(&tally->problems[request->problem], 1);
	if (request->timed)
		metric_observe(METRIC_REQUEST_SECONDS, &cell->seconds, request->us);
}

void
tally_cached(struct tally *tally)
{
	metric_bump(&tally->cached, 1);
}

/* ---- telling ---- */

static uint64_t
load(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static const char *
slot_text(enum slot slot)
{
	static const char *const texts[SLOTS] = {
	    [SLOT_NONE] = "none",
	    [SLOT_OTHER] = "other",
#define S(status) [SLOT_##status] = #status,
	    STATUSES(S)
#undef S
	};
	return texts[slot];
}

static void
tell_requests(struct tally *const *tallies, unsigned count, const char *labels[3], unsigned resource, unsigned method,
    struct text *out)
{
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		uint64_t requests = 0;
		for (unsigned i = 0; i < count; i++)
			requests += load(&cell_of(tallies[i], resource, method)->requests[slot]);
		labels[2] = slot_text((enum slot)slot);
		if (requests > 0)
			metric_count(out, METRIC_REQUESTS, labels, requests);
	}
}

static void
tell_seconds(struct tally *const *tallies, unsigned count, const char *labels[3], unsigned resource, unsigned method,
    struct text *out)
{
	struct metric_total total = {0};
	uint64_t seen = 0;
	for (unsigned i = 0; i < count; i++)
		metric_gather(&cell_of(tallies[i], resource, method)->seconds, &total);
	for (unsigned i = 0; i <= METRIC_BOUNDS_MAX; i++)
		seen += total.counts[i];
	if (seen > 0)
		metric_total(out, METRIC_REQUEST_SECONDS, labels, &total);
}

/* Calls back for every resource, the first of which is none, and every method. */
static void
tell_each(struct tally *const *tallies, unsigned count, struct text *out,
    void (*tell)(struct tally *const *tallies, unsigned count, const char *labels[3], unsigned resource,
	unsigned method, struct text *out))
{
	for (unsigned resource = 0; resource < route_resources(); resource++)
		for (unsigned method = 0; method < METHODS; method++) {
			const char *labels[3] = {route_label(resource), route_method_label((enum method)method)};
			tell(tallies, count, labels, resource, method, out);
		}
}

static const char *
problem_code(unsigned problem)
{
	return problem < FAULT_COUNT ? fault_row((enum fault)problem)->slug
				     : verdict_row((enum verdict)(problem - FAULT_COUNT))->slug;
}

static void
tell_problems(struct tally *const *tallies, unsigned count, struct text *out)
{
	for (unsigned problem = 1; problem < REPLY_PROBLEMS; problem++) {
		uint64_t times = 0;
		for (unsigned i = 0; i < count; i++)
			times += load(&tallies[i]->problems[problem]);
		if (times > 0)
			metric_count(out, METRIC_PROBLEMS, (const char *[]){problem_code(problem)}, times);
	}
}

void
tally_tell(struct tally *const *tallies, unsigned count, struct text *out)
{
	uint64_t cached = 0;
	metric_begin(out, METRIC_REQUESTS);
	tell_each(tallies, count, out, tell_requests);
	metric_begin(out, METRIC_REQUEST_SECONDS);
	tell_each(tallies, count, out, tell_seconds);
	metric_begin(out, METRIC_PROBLEMS);
	tell_problems(tallies, count, out);
	for (unsigned i = 0; i < count; i++)
		cached += load(&tallies[i]->cached);
	metric_begin(out, METRIC_CACHED);
	metric_count(out, METRIC_CACHED, NULL, cached);
}

/*
 * The figures that the service tells of itself (GET /metrics, OpenMetrics 1.0), in
 * one table: from it come the lines TYPE, UNIT and HELP, the labels, and
 * docs/METRICS.md (tools/metrics).
 *
 * Counters are atomics without order.  One that a single thread adds to is bumped,
 * which costs no more than an ordinary addition; readers see whole values.
 */
#ifndef IUVOD_BASE_METRIC_H
#define IUVOD_BASE_METRIC_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/text.h"

/* M: enum, kind, name, unit, bounds, labels, help.  A name ends with its unit; counters get _total, infos _info. */
/* clang-format off */
#define METRIC_TABLE(M) \
	M(GAMES, GAUGE, "iuvod_games", "", NONE, "status", \
	    "Games by status, the unlisted ones too.") \
	M(REQUESTS, COUNTER, "iuvod_requests", "", NONE, "route method status", \
	    "Requests that were answered, or left by their client (status none).") \
	M(REQUEST_SECONDS, HISTOGRAM, "iuvod_request_seconds", "seconds", TIME, "route method", \
	    "From the first line of a request until its answer was ready. Without what has no such route and method, and what waited for news (Prefer: wait).") \
	M(PROBLEMS, COUNTER, "iuvod_problems", "", NONE, "code", \
	    "Answers of 400 and above, by the code that /problems explains.") \
	M(REFUSALS, COUNTER, "iuvod_refusals", "", NONE, "limit", \
	    "Requests and connections that met a limit, by the option that sets it or the thing that was full.") \
	M(CACHED, COUNTER, "iuvod_cached_answers", "", NONE, "", \
	    "Requests that were answered with a document that was ready.") \
	M(CONNECTIONS, GAUGE, "iuvod_connections", "", NONE, "", \
	    "Open connections, without streams.") \
	M(STREAMS, GAUGE, "iuvod_streams", "", NONE, "", \
	    "Open streams of events, and answers that wait for news.") \
	M(WRITER_QUEUE, GAUGE, "iuvod_writer_queue", "", NONE, "", \
	    "Calls that wait for the writer.") \
	M(BATCH_CALLS, HISTOGRAM, "iuvod_writer_batch_calls", "calls", CALLS, "", \
	    "Calls that the writer took in one transaction.") \
	M(COMMIT_SECONDS, HISTOGRAM, "iuvod_commit_seconds", "seconds", TIME, "", \
	    "How long a COMMIT took, the sync of the disk included.") \
	M(COMMIT_FAILURES, COUNTER, "iuvod_commit_failures", "", NONE, "", \
	    "Transactions that the disk did not take.") \
	M(DATABASE_BYTES, GAUGE, "iuvod_database_bytes", "bytes", NONE, "file", \
	    "Size of the data file, and of the log of what is not in it yet.") \
	M(ENGINE_QUEUE, GAUGE, "iuvod_engine_queue", "", NONE, "class", \
	    "What waits for the engine: quick questions, other questions, moves in games with people, moves in games of engines alone.") \
	M(ENGINE_RUNNING, GAUGE, "iuvod_engine_running", "", NONE, "", \
	    "Searches under way.") \
	M(ENGINE_SECONDS, HISTOGRAM, "iuvod_engine_search_seconds", "seconds", TIME, "", \
	    "How long a search took.") \
	M(CERTIFICATE_END, GAUGE, "iuvod_certificate_end_seconds", "seconds", NONE, "", \
	    "When the certificate that is shown is no longer valid, since 1970; without TLS there is no sample.") \
	M(TLS_HANDSHAKES, COUNTER, "iuvod_tls_handshakes", "", NONE, "outcome version", \
	    "Handshakes of TLS that are over, by what came of them; without TLS there is no sample.") \
	M(TLS_CONNECTIONS, GAUGE, "iuvod_tls_connections", "", NONE, "state", \
	    "Connections by TLS, those that are closed and still take their last bytes included; without TLS there is no sample.") \
	M(BUILD, INFO, "iuvod_build", "", NONE, "version schema", \
	    "The version of the program, and the schema of its data file.") \
	M(PROCESS_CPU, COUNTER, "process_cpu_seconds", "seconds", NONE, "", \
	    "Processor time, of the user and the system.") \
	M(PROCESS_RESIDENT, GAUGE, "process_resident_memory_bytes", "bytes", NONE, "", \
	    "Resident memory.") \
	M(PROCESS_FDS, GAUGE, "process_open_fds", "", NONE, "", \
	    "Open file descriptors.") \
	M(PROCESS_FDS_MOST, GAUGE, "process_max_fds", "", NONE, "", \
	    "How many of them there may be.") \
	M(PROCESS_START, GAUGE, "process_start_time_seconds", "seconds", NONE, "", \
	    "When the process was started, since 1970.")

enum metric {
#define M(metric, kind, name, unit, bounds, labels, help) METRIC_##metric,
	METRIC_TABLE(M)
#undef M
	METRIC_COUNT
};
/* clang-format on */

enum { METRIC_BOUNDS_MAX = 12, METRIC_LABELS_MAX = 3 };

/* ---- counting ---- */

/* What was observed: a count for each bucket, the last one without a bound, and the sum.  Zero at first. */
struct metric_histogram {
	_Atomic uint64_t counts[METRIC_BOUNDS_MAX + 1];
	_Atomic uint64_t sum;
};

/* By the one thread that adds to it, or under a lock that all of them take. */
static inline void
metric_bump(_Atomic uint64_t *counter, uint64_t by)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + by, memory_order_relaxed);
}

/* By any thread. */
static inline void
metric_add(_Atomic uint64_t *counter, uint64_t by)
{
	atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

/* A value in microseconds, where the bounds are of time; by one thread, as metric_bump. */
void metric_observe(enum metric metric, struct metric_histogram *histogram, uint64_t value);

/* ---- telling ---- */

/* The lines that begin a family; its samples follow, of which there may be none. */
void metric_begin(struct text *out, enum metric metric);

/* One sample.  values: of the labels in the order of the table, any text; NULL where there are none. */
void metric_count(struct text *out, enum metric metric, const char *const *values, uint64_t value);
void metric_us(struct text *out, enum metric metric, const char *const *values, uint64_t us); /* told in seconds */

/* Histograms of several threads are gathered into one, which nobody else uses, and told then. */
struct metric_total {
	uint64_t counts[METRIC_BOUNDS_MAX + 1], sum;
};

void metric_gather(const struct metric_histogram *histogram, struct metric_total *total);
void metric_total(struct text *out, enum metric metric, const char *const *values, const struct metric_total *total);

/* The line that ends the whole. */
void metric_end(struct text *out);

#endif

/*
 * What is counted for the metrics beside requests, for the whole process: by the
 * writer, the engine's threads, and wherever a limit is met.  Any thread.
 */
#ifndef IUVOD_HTTP_FIGURES_H
#define IUVOD_HTTP_FIGURES_H

#include "api/quota.h"
#include "base/metric.h"

/* L: enum, as an option sets it or as a thing is called that was full */
/* clang-format off */
#define FIGURES_LIMITS(L) \
	L(GAMES_MINUTE, "games-per-minute") \
	L(MOVES_MINUTE, "moves-per-minute") \
	L(CHANGES_MINUTE, "changes-per-minute") \
	L(QUESTIONS_MINUTE, "questions-per-minute") \
	L(REFUSALS_MINUTE, "refusals-per-minute") \
	L(CONNECTIONS, "connections") \
	L(CONNECTIONS_ADDRESS, "connections-per-address") \
	L(STREAMS, "streams") \
	L(STREAMS_GAME, "streams-per-game") \
	L(STREAMS_ADDRESS, "streams-per-address") \
	L(WRITER_QUEUE, "writer-queue") \
	L(ENGINE_QUEUE, "engine-queue") \
	L(BODIES, "bodies")
/* clang-format on */

enum figures_limit {
#define L(limit, name) FIGURES_##limit,
	FIGURES_LIMITS(L)
#undef L
	    FIGURES_LIMIT_COUNT
};

/* The first are the quotas, in their order. */
_Static_assert((unsigned)FIGURES_REFUSALS_MINUTE == (unsigned)QUOTA_REFUSALS, "a quota and its limit have one number");

/* H: enum, what came of a handshake, the version that was agreed on */
/* clang-format off */
#define FIGURES_HANDSHAKES(H) \
	H(TLS13, "done", "1.3") \
	H(TLS12, "done", "1.2") \
	H(REFUSED, "refused", "none") \
	H(LEFT, "left", "none") \
	H(LATE, "late", "none") \
	H(DROPPED, "dropped", "none")
/* clang-format on */

enum figures_handshake {
#define H(handshake, outcome, version) FIGURES_HANDSHAKE_##handshake,
	FIGURES_HANDSHAKES(H)
#undef H
	    FIGURES_HANDSHAKE_COUNT
};

/* Something met a limit. */
void figures_refused(enum figures_limit limit);

/* The writer: so many calls in a transaction; a COMMIT, and how long it took, or whether it failed. */
void figures_batch(uint64_t calls);
void figures_commit(uint64_t us, bool good);

/* The engine: how long a search took.  Under the lock of its threads. */
void figures_search(uint64_t us);

/* The TLS thread: a handshake is over. */
void figures_handshake(enum figures_handshake handshake);

/* Tells of these families. */
void figures_tell_refusals(struct text *out);
void figures_tell_writer(struct text *out);
void figures_tell_engine(struct text *out);
void figures_tell_handshakes(struct text *out);

#endif

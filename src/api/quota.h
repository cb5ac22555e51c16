/*
 * Quotas: how often a thing may be done in a minute from one address, each with
 * its name, its default and what it counts.  http/ counts (meter.h); here is what
 * a reply says of it, in the words of draft-ietf-httpapi-ratelimit-headers-10:
 *
 *     RateLimit-Policy: "moves";q=600;w=60     600 in 60 seconds
 *     RateLimit: "moves";r=17;t=59             17 more now, all of them again in 59 seconds
 */
#ifndef IUVOD_API_QUOTA_H
#define IUVOD_API_QUOTA_H

#include "base/limits.h"

struct call;

/* Q: enum, name, default */
#define QUOTA_TABLE(Q) \
	Q(QUOTA_GAMES, "games", LIMIT_GAMES_MINUTE) \
	Q(QUOTA_MOVES, "moves", LIMIT_MOVES_MINUTE) \
	Q(QUOTA_CHANGES, "changes", LIMIT_CHANGES_MINUTE) \
	Q(QUOTA_QUESTIONS, "questions", LIMIT_QUESTIONS_MINUTE) \
	Q(QUOTA_REFUSALS, "refusals", LIMIT_REFUSALS_MINUTE)

enum quota {
#define Q(quota, name, most) quota,
	QUOTA_TABLE(Q)
#undef Q
	    QUOTA_COUNT,
	QUOTA_NONE = QUOTA_COUNT /* nobody counts it */
};

/* How an address stands with a quota after a call was counted, or was not since there is nothing left. */
struct quota_mark {
	enum quota quota;
	unsigned most;      /* in a minute; 0: there is no limit, and nothing is said */
	unsigned left;      /* that may be done at once */
	unsigned whole_s;   /* until all of them may be again */
	unsigned refused_s; /* until one may be; 0: this one was counted */
};

/* FAULT_TOO_MANY_REQUESTS as the reply, for a mark that refuses. */
void quota_refuse(struct call *call, const struct quota_mark *mark);

/* Adds both headers to a reply that is complete. */
void quota_headers(struct call *call, const struct quota_mark *mark);

#endif

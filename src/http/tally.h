/*
 * What a loop counts of its requests.  Its own thread alone adds to it; whoever
 * tells of it reads at any time.  Its size is fixed by the tables of routes,
 * methods and statuses: nothing that a client sends makes it grow.
 */
#ifndef IUVOD_HTTP_TALLY_H
#define IUVOD_HTTP_TALLY_H

#include <stdbool.h>

#include "api/route.h"
#include "base/metric.h"

struct tally;

/* One request at its end. */
struct tally_request {
	const struct resource *resource; /* NULL: of none */
	enum method method;
	unsigned status;  /* 0: it was left */
	unsigned problem; /* of the reply (reply.problem); 0: none */
	uint64_t us;      /* until its answer was ready */
	bool timed;       /* false: that is no measure of the service */
};

/* NULL if there is no memory. */
struct tally *tally_open(void);
void tally_close(struct tally *tally);

void tally_count(struct tally *tally, const struct tally_request *request);

/* An answer came from the cache. */
void tally_cached(struct tally *tally);

/* Tells of several tallies together: the families that are counted here. */
void tally_tell(struct tally *const *tallies, unsigned count, struct text *out);

#endif

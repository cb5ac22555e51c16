/*
 * The meter: who has done how much of what there is a quota of (api/quota.h).
 * Each address has a minute's worth at once and wins it back evenly (the generic
 * cell rate algorithm).  Its memory is fixed: of more addresses than it
 * remembers, it forgets those that have used least.  Any thread.
 */
#ifndef IUVOD_HTTP_METER_H
#define IUVOD_HTTP_METER_H

#include <stdint.h>

#include "api/quota.h"

struct meter;

/* So many of each in a minute, 0: without a limit; NULL if there is no memory.  token_init comes first. */
struct meter *meter_open(const unsigned most[QUOTA_COUNT]);
void meter_close(struct meter *meter);

/* Counts one for an address (ip_key) at a time that only goes forward, unless it is one too many; the mark tells. */
void meter_take(struct meter *meter, enum quota quota, uint64_t address, int64_t now_us, struct quota_mark *mark);

/* The same without counting: whether one more may be. */
void meter_look(struct meter *meter, enum quota quota, uint64_t address, int64_t now_us, struct quota_mark *mark);

#endif

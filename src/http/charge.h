/* What a call counts against its client's quotas (meter.h).  The loop's thread. */
#ifndef IUVOD_HTTP_CHARGE_H
#define IUVOD_HTTP_CHARGE_H

#include "http/exchange.h"

/* Counts it; false if it was one too many, and the call is refused.  Calls from this machine are not counted unless
 * told so. */
bool charge_take(struct exchange *exchange, enum quota quota);

/* Adds to the reply how its client stands. */
void charge_tell(struct exchange *exchange);

#endif

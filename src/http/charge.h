/* What a call counts against its client's quotas (meter.h).  The loop's thread. */
#ifndef IUVOD_HTTP_CHARGE_H
#define IUVOD_HTTP_CHARGE_H

#include "http/exchange.h"

/* Counts it; false if it was one too many, and the call is refused.  Calls from this machine are not counted unless
 * told so. */
bool charge_take(struct exchange *exchange, enum quota quota);

/* Whether its client may be refused once more: if not, the call is refused now, before token and body are looked at. */
bool charge_look(struct exchange *exchange);

/*
 * Counts a reply that refuses the call (4xx), once; true if it is one too many, or says so: then it is
 * to be held back, so that nobody is refused as fast as he can ask.
 */
bool charge_refusal(struct exchange *exchange);

/* Adds to the reply how its client stands. */
void charge_tell(struct exchange *exchange);

#endif

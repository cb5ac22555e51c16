/*
 * Safe retries (HTTP.md rule 5).  A call of the write lane with an
 * Idempotency-Key leaves its answer, if it is a success, in the transaction of
 * its effect; the same call gets that answer again instead of being run.
 *
 * The same call: the same key, token, method and path.  With another body or
 * query it is refused.  While the first is still in work a second waits in the
 * queue behind it, and finds what it left.
 *
 * What is stored can be read by nobody but who sends key and token again: both
 * go into the hash by which an answer is found, and into the key that seals it.
 */
#ifndef IUVOD_API_RETRY_H
#define IUVOD_API_RETRY_H

#include "api/call.h"

/* Checks the key that was sent; replies with a refusal if it is none, or too weak.  Without a database. */
enum fault retry_check(struct call *call);

/*
 * For an operation of which the token dies with which it was asked for: whoever
 * has the dead one could guess a short key, and read the answer.
 */
enum fault retry_check_alone(struct call *call);

/* Makes call->retry of a key that was sent, and of body and path.  Without a database. */
enum fault retry_prepare(struct call *call);

/*
 * Replies with the answer that was kept for call->retry, or with a refusal of
 * another request; else does nothing.  FAULT_ANSWER_ERASED if it told of a player
 * who was erased since: the call was done, and is not done again.
 */
enum fault retry_replay(struct call *call);

/*
 * The same where the token is dead: it may be so by this very call.  What was
 * kept for just this request is the reply, if the key alone could guard it;
 * else FAULT_TOKEN_UNKNOWN, whatever there is.
 */
enum fault retry_replay_dead(struct call *call);

/* Keeps the reply, which is a success, for call->retry; call->about says whom it tells of. */
enum fault retry_keep(struct call *call);

#endif

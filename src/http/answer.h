/* Replies on their way out: a call's reply or a document of the cache becomes a response of the library. */
#ifndef IUVOD_HTTP_ANSWER_H
#define IUVOD_HTTP_ANSWER_H

#include "http/exchange.h"

/* Queues the reply of the exchange's call, or its document, and keeps the document if it may be sent again. */
enum MHD_Result answer_queue(struct exchange *exchange);

/*
 * Writes the reply to the socket past the library, which takes no response while
 * a body arrives.  The caller must make the library close the connection then.
 */
void answer_raw(struct exchange *exchange);

#endif

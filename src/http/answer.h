/* Replies on their way out: a call's reply or a document of the cache becomes a response of the library. */
#ifndef IUVOD_HTTP_ANSWER_H
#define IUVOD_HTTP_ANSWER_H

#include "http/exchange.h"

/* Queues the reply of the exchange's call, or its document, and keeps the document if it may be sent again. */
enum MHD_Result answer_queue(struct exchange *exchange);

/*
 * The reply for when there is no memory to write one, made while there is; NULL if
 * there is none even now.  The caller destroys it; *len is the length of its body.
 */
struct MHD_Response *answer_last_resort(const struct service *service, size_t *len);

/* Appends the first line and the headers of a reply that is sent past the library, which closes the connection. */
void answer_head(const struct reply *reply, struct text *head);

/*
 * Writes the reply to the socket past the library, which takes no response while
 * a body arrives.  The caller must make the library close the connection then.
 */
void answer_raw(struct exchange *exchange);

#endif

/* Inside the exchange only: its parts, all on its loop's thread. */
#ifndef IUVOD_HTTP_EXCHANGE_PRIVATE_H
#define IUVOD_HTTP_EXCHANGE_PRIVATE_H

#include "http/connection.h"
#include "http/exchange.h"

static inline struct loop *
exchange_loop(const struct exchange *exchange)
{
	return exchange->connection->loop;
}

/* Fills in the call and lets it begin; it may be refused here. */
void exchange_begin_call(struct exchange *exchange);

/* Frees the call, if there is one. */
void exchange_free_call(struct exchange *exchange);

/* Whether a document of the cache may answer, as far as the head tells. */
bool exchange_is_cacheable(const struct exchange *exchange);

/* Takes a piece of the body; MHD_NO: so much is drained that the connection is closed, and told why. */
enum MHD_Result exchange_take_body(struct exchange *exchange, const char *bytes, size_t len);

/* The line of the log. */
void exchange_log(const struct exchange *exchange, enum MHD_RequestTerminationCode code);

#endif

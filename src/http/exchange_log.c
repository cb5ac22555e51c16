/* What is told of a request: in the log, and in the loop's tally. */
#include "api/route.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/exchange_private.h"

const char *
exchange_address(const struct exchange *exchange, char text[EXCHANGE_ADDRESS_MAX])
{
	const struct connection *connection = exchange->connection;
	if (ip_equal(exchange->client, connection->peer))
		return connection->address;
	return ip_text(exchange->client, text);
}

void
exchange_count(struct exchange *exchange)
{
	exchange->counted_us = clock_mono_us();
	bool cached = exchange->document != NULL, of_call = !cached && exchange->status >= MHD_HTTP_BAD_REQUEST;
	const struct tally_request request = {
	    .resource = exchange->resource,
	    .method = exchange->method,
	    .status = exchange->status,
	    .problem = of_call ? exchange->call.reply.problem : 0,
	    .us = (uint64_t)(exchange->counted_us - exchange->began_us),
	    .timed = exchange->status != 0 && !exchange->waited && (cached || exchange->call.route != NULL),
	};
	tally_count(exchange_loop(exchange)->tally, &request);
}

/* Now; most are sent in the turn in which they were counted, and the clock need not be read again. */
static int64_t
ended_us(const struct exchange *exchange)
{
	return exchange->counted_us >= exchange_loop(exchange)->now_us ? exchange->counted_us : clock_mono_us();
}

void
exchange_log(const struct exchange *exchange, enum MHD_RequestTerminationCode code)
{
	char address[EXCHANGE_ADDRESS_MAX];
	if (!log_begin(LOG_INFO, "request"))
		return;
	bool has_body = exchange->method != METHOD_HEAD && exchange->status != MHD_HTTP_NOT_MODIFIED;
	log_text("method", exchange->method_text);
	log_text("route", exchange->resource == NULL ? NULL : route_template(exchange->resource));
	log_uint("status", exchange->status);
	log_us_as_ms("ms", (uint64_t)(ended_us(exchange) - exchange->began_us));
	log_uint("bytes", has_body ? exchange->bytes : 0);
	log_hex("request_id", exchange_loop(exchange)->id_prefix, exchange->id);
	log_text("address", exchange_address(exchange, address));
	if (!ip_equal(exchange->client, exchange->connection->peer))
		log_text("via", exchange->connection->address);
	if (exchange->connection->taken)
		log_text("end", "stream");
	else if (code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
		log_text("end", "aborted");
	log_end();
}

#include "http/takeover.h"

#include <stddef.h>
#include <time.h>

#include "http/answer.h"
#include "http/connection.h"

static void
put_date(struct text *head)
{
	static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct tm tm;
	time_t now = time(NULL);
	gmtime_r(&now, &tm);
	text_printf(head, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + tm.tm_wday * 3, tm.tm_mday,
	    months + tm.tm_mon * 3, tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* The stream ends with the connection, so that nothing can follow it there. */
static void
write_head(const struct exchange *exchange, struct text *head)
{
	answer_head(&exchange->call.reply, head);
	put_date(head);
	if (exchange->head.host_wanted)
		text_puts(head, "Transfer-Encoding: chunked\r\n");
	text_puts(head, "\r\n");
}

static bool
hand_over(struct exchange *exchange, const struct text *head, enum fault *fault, const char **why)
{
	struct connection *connection = exchange->connection;
	char address[EXCHANGE_ADDRESS_MAX];
	const struct watch_order order = {
	    .fd = connection->fd,
	    .client = exchange->client,
	    .stream = exchange->call.reply.stream,
	    .head = head->bytes,
	    .head_len = head->len,
	    .chunked = exchange->head.host_wanted,
	    .template = call_template(&exchange->call),
	    .address = exchange_address(exchange, address),
	};
	*why = NULL;
	*fault = FAULT_OUT_OF_MEMORY;
	return !text_failed(head) && watch_stream(connection->loop->shared->watch, &order, fault, why);
}

enum MHD_Result
takeover_stream(struct exchange *exchange)
{
	struct text head = TEXT_EMPTY;
	enum fault fault;
	const char *why;
	write_head(exchange, &head);
	bool taken = hand_over(exchange, &head, &fault, &why);
	text_free(&head);
	if (!taken) {
		call_fail(&exchange->call, fault, why);
		return answer_queue(exchange);
	}
	exchange->status = exchange->call.reply.status;
	exchange->resource = exchange->call.resource;
	exchange_count(exchange);
	exchange->stage = STAGE_ANSWERED;
	exchange->connection->taken = true;
	return MHD_NO;
}

/* ---- answers that wait ---- */

bool
takeover_wait(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	enum fault fault;
	const char *why;
	exchange->wait = (struct watch_wait){.kind = WATCH_WAIT,
	    .client = exchange->client,
	    .fd = exchange->connection->fd,
	    .seconds = call->reply.wait_seconds};
	exchange->stage = STAGE_WAIT;
	exchange->resource = call->resource;
	if (!watch_wait(exchange->connection->loop->shared->watch, &exchange->wait, call->reply.stream, &fault, &why)) {
		/* While the service stops what there is will do. */
		if (fault != FAULT_STOPPING)
			call_fail(call, fault, why);
		return false;
	}
	/* The watch may be done already; but it is this thread that resumes, and it does so later. */
	MHD_suspend_connection(exchange->connection->mhd);
	exchange_forget(exchange);
	return true;
}

void
takeover_woken(struct watch_wait *wait)
{
	struct exchange *exchange = (struct exchange *)(void *)((char *)wait - offsetof(struct exchange, wait));
	loop_woken(exchange->connection->loop, wait);
}

#include "http/charge.h"

#include "api/route.h"
#include "base/clock.h"
#include "http/connection.h"
#include "http/figures.h"

/* What a proxy has passed on is not of this machine, whether the proxy is trusted or not.  The operator's listeners
 * have no meter. */
static bool
is_counted(const struct exchange *exchange)
{
	const struct loop_shared *shared = exchange->connection->loop->shared;
	bool local = ip_is_local(exchange->client) && !exchange->head.passed_on;
	return shared->meter != NULL && (!local || shared->limit_loopback);
}

/* What asks for no game and no token is no more work than to refuse it; and whoever looks whether the service lives
 * must not be told that it does not, since others of his address were refused. */
static bool
is_about_service(const struct route *route)
{
	return route->who == WHO_NOBODY && route->method == METHOD_GET;
}

/* The call is refused, and its reply tells of this quota. */
static bool
refuse(struct exchange *exchange, const struct quota_mark *mark)
{
	exchange->mark = *mark;
	figures_refused((enum figures_limit)mark->quota);
	quota_refuse(&exchange->call, mark);
	return false;
}

bool
charge_take(struct exchange *exchange, enum quota quota)
{
	struct quota_mark mark;
	if (quota == QUOTA_NONE || !is_counted(exchange))
		return true;
	meter_take(exchange->connection->loop->shared->meter, quota, ip_key(exchange->client), clock_mono_us(), &mark);
	if (mark.refused_s > 0)
		return refuse(exchange, &mark);
	exchange->mark = mark;
	return true;
}

bool
charge_look(struct exchange *exchange)
{
	struct quota_mark mark;
	if (is_about_service(exchange->call.route) || !is_counted(exchange))
		return true;
	meter_look(exchange->connection->loop->shared->meter, QUOTA_REFUSALS, ip_key(exchange->client), clock_mono_us(),
	    &mark);
	return mark.refused_s == 0 || refuse(exchange, &mark);
}

bool
charge_refusal(struct exchange *exchange)
{
	struct quota_mark mark;
	const struct call *call = &exchange->call;
	unsigned status = call->reply.status;
	if (status < MHD_HTTP_BAD_REQUEST || status >= MHD_HTTP_INTERNAL_SERVER_ERROR || exchange->charged)
		return false;
	exchange->charged = true;
	if (status == MHD_HTTP_TOO_MANY_REQUESTS)
		return exchange->mark.quota == QUOTA_REFUSALS && exchange->mark.most > 0;
	if (!is_counted(exchange))
		return false;
	meter_take(exchange->connection->loop->shared->meter, QUOTA_REFUSALS, ip_key(exchange->client), clock_mono_us(),
	    &mark);
	if (mark.refused_s > 0)
		figures_refused(FIGURES_REFUSALS_MINUTE);
	if (exchange->mark.most == 0 && call->route != NULL && !is_about_service(call->route))
		exchange->mark = mark;
	return mark.refused_s > 0;
}

/* Only now: a reply that is kept for retries, and sent again later, shall not hold it. */
void
charge_tell(struct exchange *exchange)
{
	charge_refusal(exchange);
	if (exchange->mark.most > 0)
		quota_headers(&exchange->call, &exchange->mark);
}

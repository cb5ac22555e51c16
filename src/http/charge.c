#include "http/charge.h"

#include "base/clock.h"
#include "http/connection.h"
#include "http/figures.h"

bool
charge_take(struct exchange *exchange, enum quota quota)
{
	const struct loop_shared *shared = exchange->connection->loop->shared;
	struct ip client = exchange->client;
	/* What a proxy has passed on is not of this machine, whether the proxy is trusted or not. */
	bool local = ip_is_local(client) && !exchange->head.passed_on;
	if (quota == QUOTA_NONE || (local && !shared->limit_loopback))
		return true;
	meter_take(shared->meter, quota, ip_key(client), clock_mono_us(), &exchange->mark);
	if (exchange->mark.refused_s == 0)
		return true;
	figures_refused((enum figures_limit)quota);
	quota_refuse(&exchange->call, &exchange->mark);
	return false;
}

/* Only now: a reply that is kept for retries, and sent again later, shall not hold it. */
void
charge_tell(struct exchange *exchange)
{
	if (exchange->mark.most > 0)
		quota_headers(&exchange->call, &exchange->mark);
}

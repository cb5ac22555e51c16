/* The call of an exchange: begun from its head, with an arena of its own, and freed. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/charge.h"
#include "http/exchange_private.h"

/*
 * Nearly every call ends before the next of its loop begins, so one arena does
 * for most.  Under a sanitizer each gets its own, so that a use after the end is seen.
 */
static struct arena *
take_arena(struct loop *loop)
{
	struct arena *arena = loop->spare;
	loop->spare = NULL;
	return arena != NULL ? arena : arena_open(LIMIT_ARENA);
}

static void
give_arena(struct loop *loop, struct arena *arena)
{
#ifdef IUVOD_SANITIZED
	(void)loop;
#else
	if (loop->spare == NULL) {
		arena_reset(arena);
		loop->spare = arena;
		return;
	}
#endif
	arena_close(arena);
}

void
exchange_free_call(struct exchange *exchange)
{
	if (exchange->arena == NULL)
		return;
	text_free(&exchange->call.reply.body);
	atomic_fetch_sub_explicit(&exchange_loop(exchange)->shared->bodies, exchange->held, memory_order_relaxed);
	exchange->held = 0;
	give_arena(exchange_loop(exchange), exchange->arena);
	exchange->arena = NULL;
}

static const char *
request_id(struct exchange *exchange)
{
	static const char hex[] = "0123456789abcdef";
	char digits[16], *end = stpcpy(exchange->request_id, exchange_loop(exchange)->id_prefix);
	size_t at = sizeof digits;
	uint64_t rest = exchange->id;
	do
		digits[--at] = hex[rest & 15];
	while ((rest >>= 4) != 0);
	*end++ = '-';
	memcpy(end, digits + at, sizeof digits - at);
	end[sizeof digits - at] = '\0';
	return exchange->request_id;
}

/* One header as a call wants it: all of its values, without the blanks behind them; NULL if memory fails. */
static const char *
take_header(struct exchange *exchange, enum header header)
{
	const char *value = exchange->head.value[header];
	if (exchange->head.times[header] > 1)
		value = head_join(exchange->connection->mhd, header, exchange->arena);
	if (value == NULL)
		return NULL;
	size_t len = head_trimmed(value);
	return value[len] == '\0' ? value : arena_copy(exchange->arena, value, len);
}

/* The headers as a call wants them; false if memory fails. */
static bool
take_headers(struct exchange *exchange)
{
	const struct head *head = &exchange->head;
	struct call *call = &exchange->call;
	for (unsigned i = 0; i < HEADER_COUNT; i++) {
		call->header_times[i] = head->times[i];
		if (head->times[i] == 0)
			continue;
		call->header[i] = take_header(exchange, (enum header)i);
		if (call->header[i] == NULL)
			return false;
	}
	const char *length = head->value[HEADER_CONTENT_LENGTH];
	/* The library has refused what is no number. */
	call->content_length = length == NULL ? 0 : strtoull(length, NULL, 10);
	return true;
}

/* Refusals that need no route. */
static enum fault
fault_of_head(const struct exchange *exchange)
{
	if (!exchange->connection->served)
		return FAULT_OVERLOADED;
	if (atomic_load_explicit(&exchange_loop(exchange)->shared->stopping, memory_order_relaxed) && !exchange->waited)
		return FAULT_STOPPING;
	if (head_ambiguity(&exchange->head) != NULL)
		return FAULT_AMBIGUOUS_REQUEST;
	return FAULT_NONE;
}

void
exchange_begin_call(struct exchange *exchange)
{
	struct call *call = &exchange->call;
	exchange->arena = take_arena(exchange_loop(exchange));
	*call = (struct call){
	    .arena = exchange->arena,
	    .service = exchange_loop(exchange)->shared->service,
	    .request_id = request_id(exchange),
	    .method = exchange->method,
	    .method_text = exchange->method_text,
	    .target = exchange->target,
	    .now_ms = clock_now_ms(),
	};
	if (exchange->arena == NULL || !take_headers(exchange)) {
		call->replied = call->reply.body.failed = true; /* answered by the last resort */
		return;
	}
	enum fault fault = fault_of_head(exchange);
	if (fault == FAULT_NONE) {
		call_begin(call);
		if (!call->replied && call->content_length > call->body_limit + LIMIT_BODY_DRAIN)
			call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
		if (!call->replied && charge_look(exchange))
			charge_take(exchange, call->route->quota);
		return;
	}
	call_fail(call, fault, fault == FAULT_AMBIGUOUS_REQUEST ? head_ambiguity(&exchange->head) : NULL);
	/* Where such a request ends must not be guessed. */
	call->reply.close |= fault == FAULT_AMBIGUOUS_REQUEST;
}

bool
exchange_is_cacheable(const struct exchange *exchange)
{
	static const enum header none[] = {
	    HEADER_AUTHORIZATION, HEADER_IF_NONE_MATCH, HEADER_IF_MATCH, HEADER_PREFER, HEADER_LAST_EVENT_ID};
	const struct loop *loop = exchange_loop(exchange);
	const struct head *head = &exchange->head;
	if (loop->cache == NULL || exchange->has_body || !exchange->connection->served ||
	    (exchange->method != METHOD_GET && exchange->method != METHOD_HEAD) ||
	    atomic_load_explicit(&loop->shared->stopping, memory_order_relaxed))
		return false;
	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		if (head->times[none[i]] > 0)
			return false;
	/* The key holds one Accept. */
	return head->times[HEADER_ACCEPT] < 2 && head_ambiguity(head) == NULL;
}

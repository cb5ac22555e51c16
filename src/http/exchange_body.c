/* The body of a request: into the call's arena, as far as it is wanted. */
#include <string.h>

#include "http/answer.h"
#include "http/exchange_private.h"
#include "http/figures.h"

enum { BODY_ROOM_FIRST = 4 * 1024, BODY_ROOM_UNCOUNTED = 32 * 1024 };

/* A body that grows takes less than three times its limit in all; what is read of it fits beside that. */
_Static_assert(LIMIT_BODY_MOST * 6 <= LIMIT_ARENA, "a call has room for the largest body");

/*
 * Counts a large body; false if all of them together are as large as they may be.
 * Those of moves are not counted, so that nobody who sends records slowly keeps
 * others from playing: there are never more of them than connections.
 */
static bool
hold_body(struct exchange *exchange, size_t room)
{
	_Atomic size_t *bodies = &exchange_loop(exchange)->shared->bodies;
	if (room <= BODY_ROOM_UNCOUNTED)
		return true;
	if (atomic_fetch_add_explicit(bodies, room, memory_order_relaxed) + room > LIMIT_BODIES) {
		figures_refused(FIGURES_BODIES);
		atomic_fetch_sub_explicit(bodies, room, memory_order_relaxed);
		return false;
	}
	exchange->held += room;
	return true;
}

/* Room for len more bytes and a NUL; FAULT_OVERLOADED, FAULT_OUT_OF_MEMORY. */
static enum fault
grow_body(struct exchange *exchange, size_t len)
{
	struct call *call = &exchange->call;
	size_t room = exchange->body_room == 0 ? BODY_ROOM_FIRST : exchange->body_room;
	/* What is announced is believed: it is no more than the route takes, and of large ones there are not many. */
	if (exchange->body_room == 0 && call->content_length > 0)
		room = (size_t)call->content_length + 1;
	while (room < call->body_len + len + 1)
		room *= 2;
	if (room > call->body_limit + 1)
		room = call->body_limit + 1;
	if (!hold_body(exchange, room))
		return FAULT_OVERLOADED;
	char *larger = arena_take(exchange->arena, room);
	if (larger == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (call->body_len > 0)
		memcpy(larger, call->body, call->body_len);
	call->body = larger;
	exchange->body_room = room;
	return FAULT_NONE;
}

static void
keep_body(struct exchange *exchange, const char *bytes, size_t len)
{
	struct call *call = &exchange->call;
	enum fault fault = FAULT_NONE;
	if (exchange->body_room < call->body_len + len + 1)
		fault = grow_body(exchange, len);
	if (fault != FAULT_NONE) {
		call_fail(call, fault, NULL);
		return;
	}
	char *body = (char *)call->body; /* of the arena: nobody else has it yet */
	memcpy(body + call->body_len, bytes, len);
	call->body_len += len;
	body[call->body_len] = '\0';
}

enum MHD_Result
exchange_take_body(struct exchange *exchange, const char *bytes, size_t len)
{
	struct call *call = &exchange->call;
	exchange->received += len;
	if (!call->replied && exchange->received <= call->body_limit) {
		keep_body(exchange, bytes, len);
		return MHD_YES;
	}
	if (!call->replied && call->body_limit > 0)
		call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
	if (exchange->received <= call->body_limit + LIMIT_BODY_DRAIN)
		return MHD_YES;
	/* Only a chunked body comes here: the length of another is known, and was refused at its head. */
	if (!call->replied)
		call_fail(call, FAULT_BODY_TOO_LARGE, NULL);
	answer_raw(exchange);
	return MHD_NO;
}

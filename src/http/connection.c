#include "http/connection.h"

#include <errno.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/limits.h"
#include "base/log.h"
#include "http/thought.h"

enum {
	LOOK_AFTER_MS = 2000,  /* how long a connection waits before it is looked at for a request that has begun */
	REFUSED_MS = 3000,     /* how long one too many has for its request */
	EARLIER_US = 20 * 1000 /* the last bytes of a request may have come that much earlier than its reply was sent */
};

static void
begin(struct loop *loop, struct MHD_Connection *mhd, void **context)
{
	struct arrival *arrival = loop->arriving;
	struct connection *connection = calloc(1, sizeof *connection);
	*context = connection;
	if (connection == NULL)
		return; /* its first request is refused by closing it; the arrival's owner keeps the place */
	connection->loop = loop;
	connection->mhd = mhd;
	connection->fd = arrival->fd;
	connection->served = arrival->served;
	connection->place = arrival->place;
	connection->inflow = arrival->inflow;
	connection->peer = ip_of_socket((const void *)&arrival->address);
	connection->fresh = true;
	connection->since_us = loop->now_us;
	ip_write_peer(&arrival->address, connection->address);
	arrival->place = NULL;
	arrival->inflow = NULL;
	connection->at = &loop->connections;
	connection->next = loop->connections;
	if (connection->next != NULL)
		connection->next->at = &connection->next;
	loop->connections = connection;
	exchange_attach(&connection->exchange, connection);
}

/* Whether the other side has written what nobody has read: then closing would reset the connection. */
static bool
has_unread(int fd)
{
	int bytes = 0;
	return ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

static void
end(struct loop *loop, struct connection *connection)
{
	if (!connection->taken && (connection->linger || has_unread(connection->fd)))
		linger_add(&loop->lingering, connection->fd, loop->now_us);
	*connection->at = connection->next;
	if (connection->next != NULL)
		connection->next->at = connection->at;
	guard_leave(loop->shared->guard, connection->place);
	atomic_fetch_sub_explicit(&loop->load, 1, memory_order_relaxed);
	exchange_detach(&connection->exchange);
	inflow_release(connection->inflow);
	free(connection);
}

void
connection_notify(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_ConnectionNotificationCode code)
{
	struct loop *loop = cls;
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		begin(loop, mhd, context);
	else if (*context != NULL)
		end(loop, *context);
}

struct connection *
connection_of(struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info == NULL ? NULL : info->socket_context;
}

void
connection_enter(struct connection *connection, enum connection_phase phase)
{
	connection->phase = phase;
	connection->since_us = connection->loop->now_us;
}

/* As below, of what came by TLS. */
static bool
inflow_has_begun(const struct connection *connection)
{
	const struct inflow *inflow = connection->inflow;
	if (connection->fresh)
		return atomic_load_explicit(&inflow->bytes, memory_order_relaxed) > 0;
	return atomic_load_explicit(&inflow->last_us, memory_order_relaxed) > connection->since_us + EARLIER_US;
}

/*
 * Whether bytes of a request have arrived on a connection that waits for one.
 * The library does not tell before the request line is whole; the kernel does.
 */
static bool
request_has_begun(const struct connection *connection, int64_t now_us)
{
	struct tcp_info info;
	socklen_t len = sizeof info;
	if (connection->inflow != NULL)
		return inflow_has_begun(connection);
	if (getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0)
		return false;
	if (connection->fresh)
		return info.tcpi_bytes_received > 0;
	return now_us - info.tcpi_last_data_recv * INT64_C(1000) > connection->since_us + EARLIER_US;
}

/*
 * Whether the other side will send no more, or is gone (by a reset): then a request that is not whole
 * will never be.  The library overlooks an end that comes together with bytes.
 */
static bool
has_ended(const struct connection *connection)
{
	char byte;
	ssize_t got = recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

static bool
is_late(struct connection *connection, int64_t now_us)
{
	int64_t ms = (now_us - connection->since_us) / 1000;
	switch (connection->phase) {
	case PHASE_WAIT:
		if (!connection->served)
			return ms > REFUSED_MS;
		if (ms > LOOK_AFTER_MS && request_has_begun(connection, now_us)) {
			/* Looked at twice a second from then on, so its first byte is not older than this. */
			connection->phase = PHASE_HEAD;
			connection->since_us = now_us - LOOK_AFTER_MS * INT64_C(1000);
		}
		return ms > LOOK_AFTER_MS && has_ended(connection);
	case PHASE_HEAD:
		return ms > LIMIT_HEAD_MS || has_ended(connection);
	case PHASE_BODY:
		return ms > LIMIT_BODY_MS || has_ended(connection);
	case PHASE_THINK:
		return has_ended(connection);
	case PHASE_CALL:
	case PHASE_HELD:
	case PHASE_CUT:
		return false;
	case PHASE_SEND:
		return ms > connection->loop->shared->send_ms;
	}
	return false;
}

/* Sends what was held back for long enough.  The loop is woken, since the library is to run again. */
static void
release(struct loop *loop, struct connection *connection)
{
	bool stopping = atomic_load_explicit(&loop->shared->stopping, memory_order_relaxed);
	if (!stopping && loop->now_us - connection->since_us < loop->shared->held_ms * INT64_C(1000))
		return;
	exchange_resume(&connection->exchange, false);
	connection_enter(connection, PHASE_CALL);
	loop_wake(loop);
}

void
connection_sweep(struct loop *loop)
{
	static const char *const names[] = {"wait", "head", "body", "call", "think", "held", "send", "cut"};
	for (struct connection *connection = loop->connections; connection != NULL; connection = connection->next) {
		if (connection->phase == PHASE_HELD)
			release(loop, connection);
		if (!is_late(connection, loop->now_us))
			continue;
		log_line(LOG_INFO, "cut_off", "phase=%s address=%s", names[connection->phase], connection->address);
		/* The library finds the end of the stream and closes. */
		shutdown(connection->fd, SHUT_RDWR);
		if (connection->phase == PHASE_THINK)
			thought_cancel(&connection->exchange);
		connection_enter(connection, PHASE_CUT);
	}
}

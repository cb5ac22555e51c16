#include "http/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

/* The kernel doubles it.  What it holds for a reader that takes nothing must not grow with the log. */
enum { SEND_BUFFER = 32 * 1024 };

bool
sink_open(struct sink *sink, int fd)
{
	*sink = (struct sink){.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0)};
	return sink->fd >= 0;
}

void
sink_begin(struct sink *sink, unsigned silence_ms)
{
	int on = 1, room = SEND_BUFFER, given;
	socklen_t len = sizeof given;
	/* An event is sent when it happens, and bytes that nobody confirms are given up.  Neither is worth failing for.
	 */
	(void)setsockopt(sink->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	(void)setsockopt(sink->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms);
	if (getsockopt(sink->fd, SOL_SOCKET, SO_SNDBUF, &given, &len) != 0 || given > 2 * room)
		(void)setsockopt(sink->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

ssize_t
sink_send(struct sink *sink, const char *bytes, size_t len)
{
	ssize_t sent;
	do
		sent = send(sink->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : sent;
}

enum sink_side
sink_drain(struct sink *sink)
{
	char waste[4096];
	while (sink->unread <= LIMIT_BODY_DRAIN) {
		ssize_t got = recv(sink->fd, waste, sizeof waste, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? SINK_OPEN : SINK_GONE;
		if (got == 0)
			return SINK_ENDED;
		sink->unread += (size_t)got;
	}
	return SINK_GONE;
}

void
sink_close(struct sink *sink)
{
	/* Closing with bytes unread would reset the connection. */
	sink_drain(sink);
	shutdown(sink->fd, SHUT_WR);
	close(sink->fd);
}

void
sink_cut(struct sink *sink)
{
	struct linger now = {.l_onoff = 1, .l_linger = 0};
	(void)setsockopt(sink->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
	close(sink->fd);
}

void
sink_release(struct sink *sink)
{
	close(sink->fd);
}

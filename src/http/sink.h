/*
 * Where a stream goes: what takes its bytes, as many as it will.  That is the socket
 * of a connection that the library has let go of, or the plain end of one that comes by
 * TLS (tls.h).  One thread's own.
 */
#ifndef IUVOD_HTTP_SINK_H
#define IUVOD_HTTP_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sink {
	int fd;        /* waits for EPOLLOUT when it takes no more, and for EPOLLIN, EPOLLRDHUP */
	size_t unread; /* bytes that the reader has sent, and nobody wanted */
};

/* A sink on a duplicate of a connected socket, which is left as it is; false if there is none. */
bool sink_open(struct sink *sink, int fd);

/* Makes it the socket of a stream: a reader who confirms nothing for so long is given up. */
void sink_begin(struct sink *sink, unsigned silence_ms);

/* How many of the bytes were taken, 0 if none now; -1 if nobody is there any more. */
ssize_t sink_send(struct sink *sink, const char *bytes, size_t len);

/* Reads what the other side has sent, and throws it away; tells how it stands with it. */
enum sink_side {
	SINK_OPEN,
	SINK_ENDED, /* it sends no more, and may still read */
	SINK_GONE   /* it has left, or sends without end */
};

enum sink_side sink_drain(struct sink *sink);

/* After the last byte: all that was taken is still delivered. */
void sink_close(struct sink *sink);

/* At once, and what was not delivered is dropped. */
void sink_cut(struct sink *sink);

/* Lets go of a connection that nothing was sent to: it goes on without the sink. */
void sink_release(struct sink *sink);

#endif

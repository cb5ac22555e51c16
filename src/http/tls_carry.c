#include "http/tls_carry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/memory.h"

enum {
	RECORD = 16 * 1024, /* the most that one holds */
	RECORDS_A_TURN = 8  /* of one link, one way: then others have their turn */
};

/* Between a receive and the send of the same bytes: one thread has all links. */
static _Thread_local char scratch[RECORD];

static bool
keep(struct tls_rest *rest, const char *bytes, size_t len)
{
	rest->bytes = memory_take(len);
	if (rest->bytes == NULL)
		return false;
	memcpy(rest->bytes, bytes, len);
	rest->from = 0;
	rest->to = len;
	return true;
}

static void
forget(struct tls_rest *rest)
{
	free(rest->bytes);
	*rest = (struct tls_rest){0};
}

static bool
is_for_later(ssize_t code)
{
	return code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED;
}

/* ---- to the client ---- */

/*
 * As much as one record may hold.  A client may ask for less than usual (max_fragment_length, RFC 6066), which
 * GnuTLS 3.7 agrees to with TLS 1.2 and does not keep by itself.
 */
static size_t
record_of(const struct tls_link *link, size_t len)
{
	size_t most = gnutls_record_get_max_size(link->session);
	return len < most ? len : most;
}

/*
 * False if not all was taken, or it failed.  A record that was taken in part is
 * GnuTLS's; how much of the bytes it was is told when the rest of it has gone.
 */
static bool
send_all(struct tls_link *link, const char *bytes, size_t len, int64_t now_us)
{
	for (size_t sent = 0; sent < len;) {
		ssize_t took = gnutls_record_send(link->session, bytes + sent, record_of(link, len - sent));
		if (took < 0 && !is_for_later(took)) {
			tls_link_refuse(link, (int)took, now_us);
			return false;
		}
		if (took < 0) {
			link->sending = true;
			if (!keep(&link->out, bytes + sent, len - sent))
				tls_link_refuse(link, GNUTLS_E_MEMORY_ERROR, now_us);
			return false;
		}
		sent += (size_t)took;
	}
	return true;
}

/* What was left; false if some still is. */
static bool
send_rest(struct tls_link *link, int64_t now_us)
{
	if (!link->sending)
		return true;
	ssize_t took = gnutls_record_send(link->session, NULL, 0);
	if (is_for_later(took))
		return false;
	if (took < 0) {
		tls_link_refuse(link, (int)took, now_us);
		return false;
	}
	struct tls_rest rest = link->out;
	link->out = (struct tls_rest){0};
	link->sending = false;
	bool done = send_all(link, rest.bytes + took, rest.to - (size_t)took, now_us);
	free(rest.bytes);
	return done;
}

void
tls_carry_out(struct tls_link *link, int64_t now_us)
{
	for (unsigned i = 0; link->state == TLS_OPEN && i < RECORDS_A_TURN && send_rest(link, now_us); i++) {
		ssize_t got = recv(link->plain.fd, scratch, sizeof scratch, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (got > 0) {
			send_all(link, scratch, (size_t)got, now_us);
			if ((size_t)got < sizeof scratch)
				return; /* that was all, most likely; else epoll tells */
			continue;
		}
		/* Its end, also where it has left bytes unread (ECONNRESET): those before it have come. */
		tls_link_close_end(link, &link->plain);
		tls_link_enter(link, TLS_FLUSH, now_us);
	}
}

bool
tls_drain(struct tls_link *link)
{
	while (link->drained < LIMIT_BODY_DRAIN) {
		ssize_t got = recv(link->wire.fd, scratch, sizeof scratch, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return true;
		if (got <= 0) {
			link->state = TLS_OVER;
			return true;
		}
		link->drained += (size_t)got;
	}
	return false;
}

/* The last bytes, and that they are the last: without it they could be cut off by anybody. */
void
tls_flush(struct tls_link *link, int64_t now_us)
{
	if (!send_rest(link, now_us))
		return;
	int told = gnutls_bye(link->session, GNUTLS_SHUT_WR);
	if (is_for_later(told))
		return;
	shutdown(link->wire.fd, SHUT_WR);
	tls_link_enter(link, told < 0 ? TLS_OVER : TLS_DRAIN, now_us);
}

/* ---- from the client ---- */

/* To plain, as much as it takes; false if not all. */
static bool
put(struct tls_link *link, const char *bytes, size_t len, int64_t now_us)
{
	size_t sent = 0;
	while (sent < len) {
		ssize_t took = send(link->plain.fd, bytes + sent, len - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (took < 0 && errno == EINTR)
			continue;
		if (took < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			if (link->in.bytes != NULL)
				link->in.from += sent;
			else if (!keep(&link->in, bytes + sent, len - sent))
				tls_link_refuse(link, GNUTLS_E_MEMORY_ERROR, now_us);
			return false;
		}
		if (took < 0) { /* the server has closed, which tls_carry_out will find */
			link->heard_all = true;
			break;
		}
		sent += (size_t)took;
	}
	return true;
}

static bool
put_rest(struct tls_link *link, int64_t now_us)
{
	if (link->in.bytes == NULL)
		return true;
	if (!put(link, link->in.bytes + link->in.from, link->in.to - link->in.from, now_us))
		return false;
	forget(&link->in);
	return true;
}

/* An end without close_notify is one, too: HTTP knows by itself whether a request is whole. */
static void
hear_end(struct tls_link *link)
{
	link->heard_all = true;
	shutdown(link->plain.fd, SHUT_WR);
}

void
tls_carry_in(struct tls_link *link, int64_t now_us)
{
	/*
	 * A client may ask for new keys (RFC 8446, 4.6.3), which GnuTLS answers as it reads: in the middle
	 * of a record that the wire has not taken yet there is no place for the answer.
	 */
	if (link->state != TLS_OPEN || link->sending || !put_rest(link, now_us))
		return;
	/* Of what GnuTLS has already the kernel would not tell again. */
	for (unsigned i = 0; link->state == TLS_OPEN && !link->heard_all && link->in.bytes == NULL &&
			     (i < RECORDS_A_TURN || gnutls_record_check_pending(link->session) > 0);
	     i++) {
		ssize_t got = gnutls_record_recv(link->session, scratch, sizeof scratch);
		if (got == GNUTLS_E_AGAIN && link->wire_ended) {
			hear_end(link);
			return;
		}
		if (got == GNUTLS_E_AGAIN)
			return;
		if (got == GNUTLS_E_INTERRUPTED || got == GNUTLS_E_WARNING_ALERT_RECEIVED)
			continue;
		if (got == 0) {
			hear_end(link);
			return;
		}
		if (got < 0) { /* a new handshake (GNUTLS_E_REHANDSHAKE) included */
			tls_link_refuse(link, (int)got, now_us);
			return;
		}
		inflow_add(link->inflow, (size_t)got, now_us);
		put(link, scratch, (size_t)got, now_us);
		if ((size_t)got < sizeof scratch && gnutls_record_check_pending(link->session) == 0)
			return; /* likewise */
	}
}

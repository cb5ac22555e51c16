#include "http/tls_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memory.h"
#include "http/linger.h"

enum {
	RECORD = 16 * 1024, /* the most that one holds */
	RECORDS_A_TURN = 8  /* of one link, one way: then others have their turn */
};

/* Between a receive and the send of the same bytes: one thread has all links. */
static _Thread_local char scratch[RECORD];

/* ---- what is waited for ---- */

/* An end that wants nothing leaves the set, since epoll would tell of its hang-up again and again. */
static bool
want(struct tls_link *link, struct tls_end *end, uint32_t wants)
{
	struct epoll_event event = {.events = wants, .data.ptr = end};
	if (wants == end->wants || end->fd < 0)
		return true;
	int how = wants == 0 ? EPOLL_CTL_DEL : end->wants == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
	end->wants = wants;
	return epoll_ctl(link->epoll, how, end->fd, &event) == 0;
}

static bool
want_again(struct tls_link *link)
{
	uint32_t wire = 0, plain = 0;
	switch (link->state) {
	case TLS_HANDSHAKE:
		wire = gnutls_record_get_direction(link->session) == 0 ? EPOLLIN : EPOLLOUT;
		plain = EPOLLRDHUP;
		break;
	case TLS_OPEN:
		wire = (link->heard_all || link->in.bytes != NULL ? 0 : EPOLLIN) | (link->sending ? EPOLLOUT : 0);
		plain = (link->sending ? 0 : EPOLLIN) | (link->in.bytes != NULL ? EPOLLOUT : 0);
		break;
	case TLS_FLUSH:
		wire = EPOLLOUT;
		break;
	case TLS_DRAIN:
		wire = link->drained < LIMIT_BODY_DRAIN ? EPOLLIN : EPOLLRDHUP;
		break;
	case TLS_OVER:
		break;
	}
	return want(link, &link->wire, wire) && want(link, &link->plain, plain);
}

/* ---- states ---- */

static void
enter(struct tls_link *link, enum tls_state state, int64_t now_us)
{
	link->state = state;
	link->since_us = now_us;
}

static void
fail(struct tls_link *link, const char *why)
{
	if (link->state == TLS_HANDSHAKE)
		link->why = why;
	link->state = TLS_OVER;
}

static void
close_end(struct tls_link *link, struct tls_end *end)
{
	if (end->fd < 0)
		return;
	want(link, end, 0);
	close(end->fd);
	end->fd = -1;
}

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
 * False if not all was taken, or it failed.  A record that was taken in part is
 * GnuTLS's; how much of the bytes it was is told when the rest of it has gone.
 */
static bool
send_all(struct tls_link *link, const char *bytes, size_t len)
{
	for (size_t sent = 0; sent < len;) {
		ssize_t took = gnutls_record_send(link->session, bytes + sent, len - sent);
		if (took < 0 && !is_for_later(took)) {
			fail(link, gnutls_strerror((int)took));
			return false;
		}
		if (took < 0) {
			link->sending = true;
			if (!keep(&link->out, bytes + sent, len - sent))
				fail(link, "no memory");
			return false;
		}
		sent += (size_t)took;
	}
	return true;
}

/* What was left; false if some still is. */
static bool
send_rest(struct tls_link *link)
{
	if (!link->sending)
		return true;
	ssize_t took = gnutls_record_send(link->session, NULL, 0);
	if (is_for_later(took))
		return false;
	if (took < 0) {
		fail(link, gnutls_strerror((int)took));
		return false;
	}
	struct tls_rest rest = link->out;
	link->out = (struct tls_rest){0};
	link->sending = false;
	bool done = send_all(link, rest.bytes + took, rest.to - (size_t)took);
	free(rest.bytes);
	return done;
}

static void
carry_out(struct tls_link *link, int64_t now_us)
{
	for (unsigned i = 0; link->state == TLS_OPEN && i < RECORDS_A_TURN && send_rest(link); i++) {
		ssize_t got = recv(link->plain.fd, scratch, sizeof scratch, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (got > 0) {
			send_all(link, scratch, (size_t)got);
			continue;
		}
		/* Its end, also where it has left bytes unread (ECONNRESET): those before it have come. */
		close_end(link, &link->plain);
		enter(link, TLS_FLUSH, now_us);
	}
}

static void
drain(struct tls_link *link)
{
	while (link->drained < LIMIT_BODY_DRAIN) {
		ssize_t got = recv(link->wire.fd, scratch, sizeof scratch, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (got <= 0) {
			link->state = TLS_OVER;
			return;
		}
		link->drained += (size_t)got;
	}
}

/* The last bytes, and that they are the last: without it they could be cut off by anybody. */
static void
flush(struct tls_link *link, int64_t now_us)
{
	if (!send_rest(link))
		return;
	int told = gnutls_bye(link->session, GNUTLS_SHUT_WR);
	if (is_for_later(told))
		return;
	shutdown(link->wire.fd, SHUT_WR);
	enter(link, told < 0 ? TLS_OVER : TLS_DRAIN, now_us);
}

/* ---- from the client ---- */

/* To plain, as much as it takes; false if not all. */
static bool
put(struct tls_link *link, const char *bytes, size_t len)
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
				fail(link, "no memory");
			return false;
		}
		if (took < 0) { /* the server has closed, which carry_out will find */
			link->heard_all = true;
			break;
		}
		sent += (size_t)took;
	}
	return true;
}

static bool
put_rest(struct tls_link *link)
{
	if (link->in.bytes == NULL)
		return true;
	if (!put(link, link->in.bytes + link->in.from, link->in.to - link->in.from))
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

static void
carry_in(struct tls_link *link, int64_t now_us)
{
	if (link->state != TLS_OPEN || !put_rest(link))
		return;
	/* Of what GnuTLS has already the kernel would not tell again. */
	for (unsigned i = 0; link->state == TLS_OPEN && !link->heard_all && link->in.bytes == NULL &&
			     (i < RECORDS_A_TURN || gnutls_record_check_pending(link->session) > 0);
	     i++) {
		ssize_t got = gnutls_record_recv(link->session, scratch, sizeof scratch);
		if (got == GNUTLS_E_AGAIN)
			return;
		if (got == GNUTLS_E_INTERRUPTED || got == GNUTLS_E_WARNING_ALERT_RECEIVED)
			continue;
		if (got == 0 || got == GNUTLS_E_PREMATURE_TERMINATION) {
			hear_end(link);
			return;
		}
		if (got < 0) { /* a new handshake (GNUTLS_E_REHANDSHAKE) included, which TLS 1.3 has no more */
			fail(link, gnutls_strerror((int)got));
			return;
		}
		inflow_add(link->inflow, (size_t)got, now_us);
		put(link, scratch, (size_t)got);
	}
}

/* ---- the handshake ---- */

/* Says why, unless nobody is there, and gives him time to read it. */
static void
refuse(struct tls_link *link, int error, int64_t now_us)
{
	link->why = gnutls_strerror(error);
	gnutls_alert_send_appropriate(link->session, error);
	shutdown(link->wire.fd, SHUT_WR);
	close_end(link, &link->plain);
	bool gone =
	    error == GNUTLS_E_PREMATURE_TERMINATION || error == GNUTLS_E_PULL_ERROR || error == GNUTLS_E_PUSH_ERROR;
	enter(link, gone ? TLS_OVER : TLS_DRAIN, now_us);
}

static void
shake(struct tls_link *link, int64_t now_us)
{
	int error;
	do
		error = gnutls_handshake(link->session);
	while (error == GNUTLS_E_INTERRUPTED || error == GNUTLS_E_WARNING_ALERT_RECEIVED);
	if (error == GNUTLS_E_AGAIN)
		return;
	if (error < 0)
		refuse(link, error, now_us);
	else
		enter(link, TLS_OPEN, now_us);
}

/* ---- all of it ---- */

static bool
open_session(struct tls_link *link, gnutls_priority_t priority)
{
	static const gnutls_datum_t http = {.data = (unsigned char *)"http/1.1", .size = 8};
	/* Without tickets nothing of a session outlives it, and no key of theirs has to be changed. */
	const unsigned flags = GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS;
	if (gnutls_init(&link->session, flags) < 0) {
		link->session = NULL;
		return false;
	}
	gnutls_transport_set_int(link->session, link->wire.fd);
	return gnutls_priority_set(link->session, priority) >= 0 &&
	       gnutls_credentials_set(link->session, GNUTLS_CRD_CERTIFICATE, certificate_credentials(link->reading)) >=
		   0 &&
	       gnutls_alpn_set_protocols(link->session, &http, 1, GNUTLS_ALPN_MANDATORY) >= 0;
}

struct tls_link *
tls_link_open(const struct tls_parts *parts, int epoll, int64_t now_us)
{
	struct tls_link *link = calloc(1, sizeof *link);
	if (link == NULL) {
		close(parts->wire);
		close(parts->plain);
		inflow_release(parts->inflow);
		certificate_release(parts->reading);
		return NULL;
	}
	link->epoll = epoll;
	link->wire = (struct tls_end){.link = link, .fd = parts->wire};
	link->plain = (struct tls_end){.link = link, .fd = parts->plain};
	link->inflow = parts->inflow;
	link->reading = parts->reading;
	snprintf(link->address, sizeof link->address, "%s", parts->address);
	enter(link, TLS_HANDSHAKE, now_us);
	if (open_session(link, parts->priority) && want_again(link))
		return link;
	tls_link_close(link);
	return NULL;
}

void
tls_link_ready(struct tls_link *link, const struct tls_end *end, uint32_t events, int64_t now_us)
{
	bool wire = end == &link->wire;
	if (link->state == TLS_HANDSHAKE && !wire)
		fail(link, "given up"); /* it was one too many, or has waited too long */
	if (link->state == TLS_HANDSHAKE) {
		shake(link, now_us);
		wire = true; /* the first request may have come with the last flight */
		events = EPOLLIN;
	}
	if (link->state == TLS_OPEN && (events & (wire ? (uint32_t)~EPOLLOUT : EPOLLOUT)) != 0)
		carry_in(link, now_us);
	if (link->state == TLS_OPEN && (events & (wire ? EPOLLOUT : (uint32_t)~EPOLLOUT)) != 0)
		carry_out(link, now_us);
	if (link->state == TLS_FLUSH)
		flush(link, now_us);
	if (link->state == TLS_DRAIN)
		drain(link);
	if (!want_again(link))
		link->state = TLS_OVER;
}

void
tls_link_look(struct tls_link *link, int64_t now_us, bool ending)
{
	int64_t ms = (now_us - link->since_us) / 1000;
	if (link->state == TLS_HANDSHAKE && ms > LIMIT_HANDSHAKE_MS)
		fail(link, "it took too long");
	else if (link->state == TLS_FLUSH && ms > LIMIT_FLUSH_MS)
		link->state = TLS_OVER;
	else if (link->state == TLS_DRAIN && (ending || ms > LINGER_MS))
		link->state = TLS_OVER;
}

void
tls_link_close(struct tls_link *link)
{
	close_end(link, &link->plain);
	close_end(link, &link->wire);
	if (link->session != NULL)
		gnutls_deinit(link->session);
	forget(&link->in);
	forget(&link->out);
	inflow_release(link->inflow);
	certificate_release(link->reading);
	free(link);
}

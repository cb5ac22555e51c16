#include "http/tls_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "http/linger.h"
#include "http/tls_carry.h"

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
		wire = link->sending ? EPOLLOUT : link->heard_all || link->in.bytes != NULL ? 0 : EPOLLIN;
		plain = (link->sending ? 0 : EPOLLIN) | (link->in.bytes != NULL ? EPOLLOUT : 0);
		break;
	case TLS_FLUSH:
		wire = EPOLLOUT;
		break;
	case TLS_DRAIN:
		wire = link->drained < LIMIT_BODY_DRAIN ? EPOLLIN : EPOLLRDHUP;
		break;
	case TLS_OVER:
	case TLS_STATES:
		break;
	}
	return want(link, &link->wire, wire) && want(link, &link->plain, plain);
}

/* ---- states ---- */

void
tls_link_enter(struct tls_link *link, enum tls_state state, int64_t now_us)
{
	link->state = state;
	link->since_us = now_us;
}

void
tls_link_fail(struct tls_link *link, enum figures_handshake outcome, const char *why)
{
	if (link->state == TLS_HANDSHAKE) {
		link->why = why;
		link->outcome = outcome;
	}
	link->state = TLS_OVER;
}

void
tls_link_refuse(struct tls_link *link, int error, int64_t now_us)
{
	bool gone =
	    error == GNUTLS_E_PREMATURE_TERMINATION || error == GNUTLS_E_PULL_ERROR || error == GNUTLS_E_PUSH_ERROR;
	bool told = gone || error == GNUTLS_E_FATAL_ALERT_RECEIVED; /* it is he who has refused */
	tls_link_fail(link, told ? FIGURES_HANDSHAKE_LEFT : FIGURES_HANDSHAKE_REFUSED, gnutls_strerror(error));
	/* Of a new handshake, which TLS 1.3 has no more and here nobody needs. */
	if (error == GNUTLS_E_REHANDSHAKE)
		gnutls_alert_send(link->session, GNUTLS_AL_FATAL, GNUTLS_A_NO_RENEGOTIATION);
	else if (!told)
		gnutls_alert_send_appropriate(link->session, error);
	shutdown(link->wire.fd, SHUT_WR);
	tls_link_close_end(link, &link->plain);
	tls_link_enter(link, gone ? TLS_OVER : TLS_DRAIN, now_us);
}

void
tls_link_close_end(struct tls_link *link, struct tls_end *end)
{
	if (end->fd < 0)
		return;
	want(link, end, 0);
	close(end->fd);
	end->fd = -1;
}

/* ---- the handshake ---- */

static void
shake(struct tls_link *link, int64_t now_us)
{
	int error;
	do
		error = gnutls_handshake(link->session);
	while (error == GNUTLS_E_INTERRUPTED || error == GNUTLS_E_WARNING_ALERT_RECEIVED);
	if (error == GNUTLS_E_AGAIN && link->wire_ended)
		error = GNUTLS_E_PREMATURE_TERMINATION;
	if (error == GNUTLS_E_AGAIN)
		return;
	if (error < 0) {
		tls_link_refuse(link, error, now_us);
		return;
	}
	bool older = gnutls_protocol_get_version(link->session) == GNUTLS_TLS1_2;
	link->outcome = older ? FIGURES_HANDSHAKE_TLS12 : FIGURES_HANDSHAKE_TLS13;
	tls_link_enter(link, TLS_OPEN, now_us);
}

/* ---- all of it ---- */

/*
 * What GnuTLS reads by.  An end of the wire without close_notify would make it
 * give up the session, and what the client has asked could not be answered: so it
 * is told that there is nothing yet, and the end is noted here.
 */
static ssize_t
pull(gnutls_transport_ptr_t wire, void *bytes, size_t room)
{
	struct tls_link *link = wire;
	ssize_t got = recv(link->wire.fd, bytes, room, MSG_DONTWAIT);
	link->wire_ended |= got == 0 && room > 0;
	if (got == 0)
		errno = EAGAIN;
	if (got <= 0)
		gnutls_transport_set_errno(link->session, errno);
	return got > 0 ? got : -1;
}

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
	gnutls_transport_set_ptr2(link->session, link, (gnutls_transport_ptr_t)(intptr_t)link->wire.fd);
	gnutls_transport_set_pull_function(link->session, pull);
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
	tls_link_enter(link, TLS_HANDSHAKE, now_us);
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
		tls_link_fail(
		    link, FIGURES_HANDSHAKE_DROPPED, "given up"); /* it was one too many, or has waited too long */
	if (link->state == TLS_HANDSHAKE) {
		shake(link, now_us);
		wire = true; /* the first request may have come with the last flight */
		events = EPOLLIN;
	}
	const uint32_t gone = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
	bool sending = link->sending;
	if (link->state == TLS_OPEN && (events & ((wire ? EPOLLIN : EPOLLOUT) | gone)) != 0)
		tls_carry_in(link, now_us);
	if (link->state == TLS_OPEN && (events & ((wire ? EPOLLOUT : EPOLLIN) | gone)) != 0)
		tls_carry_out(link, now_us);
	if (link->state == TLS_OPEN && sending && !link->sending)
		tls_carry_in(link, now_us); /* of what GnuTLS has already the kernel would not tell again */
	if (link->state == TLS_FLUSH)
		tls_flush(link, now_us);
	if (link->state == TLS_DRAIN && !tls_drain(link) && (events & gone) != 0)
		link->state = TLS_OVER; /* enough was thrown away, and this was waited for */
	if (!want_again(link))
		link->state = TLS_OVER;
}

void
tls_link_look(struct tls_link *link, int64_t now_us, bool ending)
{
	int64_t ms = (now_us - link->since_us) / 1000;
	if (link->state == TLS_HANDSHAKE && ms > LIMIT_HANDSHAKE_MS)
		tls_link_fail(link, FIGURES_HANDSHAKE_LATE, "it took too long");
	else if (link->state == TLS_FLUSH && ms > LIMIT_FLUSH_MS)
		link->state = TLS_OVER;
	else if (link->state == TLS_DRAIN && (ending || ms > LINGER_MS))
		link->state = TLS_OVER;
}

void
tls_link_close(struct tls_link *link)
{
	tls_link_close_end(link, &link->plain);
	tls_link_close_end(link, &link->wire);
	if (link->session != NULL)
		gnutls_deinit(link->session);
	free(link->in.bytes);
	free(link->out.bytes);
	inflow_release(link->inflow);
	certificate_release(link->reading);
	free(link);
}

/*
 * The bytes of a connection by TLS, on their way from one of its ends to the other
 * (tls_link.h).  Each does what can be done now, and may bring the link into another state.
 */
#ifndef IUVOD_HTTP_TLS_CARRY_H
#define IUVOD_HTTP_TLS_CARRY_H

#include "http/tls_link.h"

/* From the client, while the link is open. */
void tls_carry_in(struct tls_link *link, int64_t now_us);

/* To the client, likewise; when the server has closed, the link is to be flushed. */
void tls_carry_out(struct tls_link *link, int64_t now_us);

/* The last bytes, and that they are the last. */
void tls_flush(struct tls_link *link, int64_t now_us);

/* Throws away what still comes, whose end is the link's; false once that is LIMIT_BODY_DRAIN bytes. */
bool tls_drain(struct tls_link *link);

#endif

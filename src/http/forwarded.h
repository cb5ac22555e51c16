/*
 * Where a request came from before it reached us, as proxies tell: the header
 * X-Forwarded-For, or Forwarded (RFC 7239).  Of the hops named there the last
 * one that is no trusted proxy is the client: whatever stands before it was
 * written by nobody who is trusted.
 */
#ifndef IUVOD_HTTP_FORWARDED_H
#define IUVOD_HTTP_FORWARDED_H

#include "http/trust.h"

enum forwarded_header { FORWARDED_X_FOR, FORWARDED_RFC };

/* The lines of one request's header are read one after the other, as they come. */
struct forwarded {
	const struct trust *trust;
	enum forwarded_header header;
	bool begun;
	bool broken;  /* a line is not as its grammar has it: nothing of it is believed */
	bool known;   /* the hop below has an address */
	struct ip ip; /* of the last hop that is not trusted; if all are, of the first */
};

/* The name of a header, as it is shown. */
extern const char *const forwarded_names[];

void forwarded_line(struct forwarded *forwarded, const char *text, size_t len);

/* The client; the one whom the request came from, peer, if the header does not tell. */
struct ip forwarded_client(const struct forwarded *forwarded, struct ip peer);

#endif

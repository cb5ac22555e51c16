/*
 * The proxies whose word on where a request came from is taken: addresses and
 * networks, and Unix-domain sockets.  A plain value.
 */
#ifndef IUVOD_HTTP_TRUST_H
#define IUVOD_HTTP_TRUST_H

#include "http/ip.h"

enum { TRUST_MAX = 32 };

struct trust {
	unsigned count;
	struct trust_range {
		struct ip first;
		unsigned bits; /* of 128 that are those of the first */
	} ranges[TRUST_MAX];
};

/*
 * Reads a list as 127.0.0.1,10.0.0.0/8,2001:db8::/32,unix.  False with a line in
 * why[room], and the trust as it was.
 */
bool trust_read(const char *list, struct trust *trust, char *why, size_t room);

bool trust_has(const struct trust *trust, struct ip ip);

#endif

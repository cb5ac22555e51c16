/* The head of a request: the headers that are read, each counted. */
#ifndef IUVOD_HTTP_HEAD_H
#define IUVOD_HTTP_HEAD_H

#include <microhttpd.h>

#include "api/call.h"
#include "http/forwarded.h"

struct head {
	const char *value[HEADER_COUNT]; /* the first of each name; the library's, while the request lasts */
	unsigned char times[HEADER_COUNT];
	bool expects_continue;
	bool host_wanted; /* HTTP/1.1 and later */
	bool malformed;   /* a name or value has bytes that it must not have */
	bool passed_on;   /* a proxy says that it has it from somebody else */
};

/* The version is that of the request line. */
void head_read(struct MHD_Connection *mhd, const char *version, struct head *head);

/*
 * What makes the request one that others may read in another way
 * (FAULT_AMBIGUOUS_REQUEST): a header that stands twice and may not, contradicts
 * another, is missing, or is not written as RFC 9112 wants it.  NULL if nothing does.
 */
const char *head_ambiguity(const struct head *head);

/* All values of a header that may be repeated, joined by ", " in the arena; NULL if memory fails. */
const char *head_join(struct MHD_Connection *mhd, enum header header, struct arena *arena);

/* The length of a header's value: blanks that stand behind it are not part of it (RFC 9110, 5.5), and the library
 * leaves them. */
size_t head_trimmed(const char *value);

/* Who sent it: whom the peer, if it is a trusted proxy, says in that header that it has it from. */
struct ip head_client(
    struct MHD_Connection *mhd, const struct trust *trust, enum forwarded_header header, struct ip peer);

enum method head_method(const char *text);

#endif

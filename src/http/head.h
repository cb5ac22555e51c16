/* The head of a request: the headers that are read, each counted. */
#ifndef IUVOD_HTTP_HEAD_H
#define IUVOD_HTTP_HEAD_H

#include <microhttpd.h>

#include "api/call.h"

struct head {
	const char *value[HEADER_COUNT]; /* the first of each name; the library's, while the request lasts */
	unsigned char times[HEADER_COUNT];
	bool expects_continue;
};

void head_read(struct MHD_Connection *mhd, struct head *head);

/* The name of a header that stands twice and may not, or contradicts another (FAULT_AMBIGUOUS_REQUEST); else NULL. */
const char *head_ambiguity(const struct head *head);

/* All values of a header that may be repeated, joined by ", " in the arena; NULL if memory fails. */
const char *head_join(struct MHD_Connection *mhd, enum header header, struct arena *arena);

enum method head_method(const char *text);

#endif

/* The Prefer header (RFC 7240): what a client would like of an answer, and a server may pass over. */
#ifndef IUVOD_API_PREFER_H
#define IUVOD_API_PREFER_H

#include <stdbool.h>

/*
 * Each takes the header as it was sent, several joined by commas; NULL: not sent.
 * Of preferences of one name the first alone counts, whatever its value.  An
 * element that is not as the RFC writes it counts for nothing, and neither do
 * parameters.
 */

/* Whether `return=minimal` is asked for, and `return=representation` is not as well. */
bool prefer_minimal(const char *header);

/* The seconds of `wait`, at most `most`; 0 if it is not asked for, or with something else than a number. */
unsigned prefer_wait(const char *header, unsigned most);

#endif

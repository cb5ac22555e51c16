/* Media types: what a client accepts (RFC 9110, 12.5.1) and what a body is. */
#ifndef IUVOD_API_ACCEPT_H
#define IUVOD_API_ACCEPT_H

#include <stdbool.h>

/*
 * The type that the Accept header likes best of a list that ends with NULL,
 * the first of equals; NULL if it takes none.  No header, or an empty one,
 * takes all.  Parts of the header that cannot be read count for nothing.
 */
const char *accept_pick(const char *header, const char *const *types);

/* Whether a Content-Type is the media type (lower case), in any letter case, with no parameter but a charset of UTF-8.
 */
bool accept_is_type(const char *header, const char *type);

#endif

/* Words of the interface that several schemas share. */
#ifndef IUVOD_API_WORDS_H
#define IUVOD_API_WORDS_H

/* Each ends with NULL; an index into words_variants is an enum variant. */
extern const char *const words_variants[];
extern const char *const words_visibility[]; /* public, unlisted */
extern const char *const words_status[];
extern const char *const words_boolean[]; /* false, true */

#endif

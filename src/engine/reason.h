/* Reasons: why a seat is out, and why a game is won or drawn.  One table. */
#ifndef IUVOD_ENGINE_REASON_H
#define IUVOD_ENGINE_REASON_H

#include <stdbool.h>
#include <stddef.h>

/* Why a seat is out (I12), a game is won (I13, I14, H7) or is drawn (I17, I18, H8, H9, H12). */
/* clang-format off */
#define REASON_TABLE(R) \
	R(REASON_NONE,       "none") \
	R(REASON_TARGET,     "target") \
	R(REASON_CAPTURED,   "captured") \
	R(REASON_BLOCKED,    "blocked") \
	R(REASON_RESIGNED,   "resigned") \
	R(REASON_TIMEOUT,    "timeout") \
	R(REASON_AGREEMENT,  "agreement") \
	R(REASON_REPETITION, "repetition") \
	R(REASON_LENGTH,     "length")

enum reason {
#define R(name, word) name,
	REASON_TABLE(R)
#undef R
	REASON_COUNT
};
/* clang-format on */

/* The word of a reason as JSON, SQL and records write it; static.
 * And back: false leaves *reason untouched.  Any thread. */
const char *reason_word(enum reason reason);
bool reason_find(const char *word, size_t len, enum reason *reason);

#endif

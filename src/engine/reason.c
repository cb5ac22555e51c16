#include "engine/reason.h"

#include <string.h>

static const char *const words[REASON_COUNT] = {
#define R(name, word) [name] = word,
    REASON_TABLE(R)
#undef R
};

const char *
reason_word(enum reason reason)
{
	return words[reason];
}

bool
reason_find(const char *word, size_t len, enum reason *reason)
{
	for (unsigned i = 0; i < REASON_COUNT; i++) {
		if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0) {
			*reason = (enum reason)i;
			return true;
		}
	}
	return false;
}

#include "api/words.h"

#include "engine/variant.h"

#define V(name, id, title, family, files, ranks, seats) [name] = id,
const char *const words_variants[] = {VARIANT_TABLE(V)[VARIANT_COUNT] = 0};
#undef V
const char *const words_visibility[] = {"public", "unlisted", 0};
const char *const words_status[] = {"open", "active", "finished", "withdrawn", 0};
const char *const words_boolean[] = {"false", "true", 0};

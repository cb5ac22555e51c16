#include "engine/variant.h"

#include <string.h>

const struct variant_row variant_rows[VARIANT_COUNT] = {
#define V(name, id, title, family, files, ranks, seats) [name] = {id, title, family, files, ranks, seats},
    VARIANT_TABLE(V)
#undef V
};

bool
variant_find(const char *id, size_t len, enum variant *variant)
{
	for (unsigned i = 0; i < VARIANT_COUNT; i++) {
		if (strlen(variant_rows[i].id) == len && memcmp(variant_rows[i].id, id, len) == 0) {
			*variant = (enum variant)i;
			return true;
		}
	}
	return false;
}

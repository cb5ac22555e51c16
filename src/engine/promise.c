#include "engine/promise.h"

#include <string.h>

void
promise_draw(struct promises *promises, enum variant variant, const int *weights)
{
	const struct rules *rules = rules_of(variant);
	cell_t home[STONES_MAX];

	memset(promises, 0, sizeof *promises);
	promises->waits = rules->waits;
	for (unsigned i = 0; i < variant_row(variant)->seats; i++) {
		rules->costs(variant, i, weights, promises->cost[i]);
		for (unsigned at = 0, count = rules->targets(variant, i + 1, home); at < count; at++)
			promises->home[i][home[at] / 64] |= UINT64_C(1) << home[at] % 64;
	}
}

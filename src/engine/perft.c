#include "engine/perft.h"

#include "engine/rules.h"

uint64_t
perft_count(const struct position *position, unsigned depth)
{
	if (depth == 0)
		return 1;
	if (position->turn == 0 || position->ply + (uint64_t)depth > PLIES_MAX) /* I18, H12 */
		return 0;
	return rules_of((enum variant)position->variant)->perft(position, depth);
}

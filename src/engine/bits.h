/* What every board of bits needs.  Inlined by force, so that each kernel gets it for its own machine. */
#ifndef IUVOD_ENGINE_BITS_H
#define IUVOD_ENGINE_BITS_H

#include <stdint.h>

#define BITS_INLINE static inline __attribute__((always_inline))

BITS_INLINE unsigned
bits_count(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

/* The index of the lowest bit of a set that is not empty. */
BITS_INLINE unsigned
bits_first(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* The lowest bit of a set as a set, empty for an empty one. */
BITS_INLINE uint64_t
bits_lowest(uint64_t set)
{
	return set & -set;
}

/* One bit or none. */
BITS_INLINE int
bits_few(uint64_t set)
{
	return (set & (set - 1)) == 0;
}

#endif

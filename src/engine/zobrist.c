#include "engine/zobrist.h"

/* zobrist_mix as a constant expression, and then of many indices. */
#define FIRST(i) (((i) + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15))
#define SECOND(z) (((z) ^ (z) >> 30) * UINT64_C(0xbf58476d1ce4e5b9))
#define THIRD(z) (((z) ^ (z) >> 27) * UINT64_C(0x94d049bb133111eb))
#define LAST(z) ((z) ^ (z) >> 31)
#define ONE(i) LAST(THIRD(SECOND(FIRST(i)))),
#define FOUR(i) ONE(i) ONE((i) + 1) ONE((i) + 2) ONE((i) + 3)
#define SIXTEEN(i) FOUR(i) FOUR((i) + 4) FOUR((i) + 8) FOUR((i) + 12)
#define SIXTY_FOUR(i) SIXTEEN(i) SIXTEEN((i) + 16) SIXTEEN((i) + 32) SIXTEEN((i) + 48)
#define FIVE_TIMES(i) \
	SIXTY_FOUR(i) SIXTY_FOUR((i) + 64) SIXTY_FOUR((i) + 128) SIXTY_FOUR((i) + 192) SIXTY_FOUR((i) + 256)

const uint64_t zobrist_numbers[ZOBRIST_COUNT] = {
    FIVE_TIMES(0) FIVE_TIMES(320) FIVE_TIMES(640) FIVE_TIMES(960) FIVE_TIMES(1280)};

_Static_assert(ZOBRIST_COUNT == 5 * 320, "every index has its number");

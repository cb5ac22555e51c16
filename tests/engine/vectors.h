/* The vectors of tests/vectors as tables; tests/engine/vectors.py writes the C file that holds them. */
#ifndef IUVOD_TESTS_VECTORS_H
#define IUVOD_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>

struct vector_ply {
	unsigned seat;
	unsigned legal; /* how many legal moves there were */
	const char *move;
	const char *position; /* after it */
	const char *out[4];   /* by seat - 1: why it goes out with this move, or NULL */
};

/* A reason of NULL stands for a game that goes on, a winner of 0 for a draw. */
struct vector_game {
	const char *variant;
	const char *start;
	unsigned count;
	const struct vector_ply *plies;
	unsigned winner;
	const char *reason;
};

struct vector_position {
	const char *text;
	unsigned count;
	const char *const *moves; /* all that are legal, in the order of T4; NULL if they are not listed */
	unsigned depth;
	const uint64_t *perft; /* for the depths 1 to depth */
};

struct vector_case {
	const char *start;
	unsigned count;
	const char *const *steps; /* moves and resign:SEAT */
	const char *position;     /* after them */
	unsigned legal_count;
	const char *const *legal;
	unsigned winner;
	const char *reason;
};

extern const struct vector_game vector_games[];
extern const unsigned vector_games_count;
extern const struct vector_position vector_positions[];
extern const unsigned vector_positions_count;
extern const struct vector_case vector_cases[];
extern const unsigned vector_cases_count;

#endif

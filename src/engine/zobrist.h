/*
 * The numbers of which keys are made: splitmix64 of an index, in a table that
 * the compiler fills, since the search wants several for every node.  A key is the exclusive or of its parts, so it
 * follows a move by a few of them.  Keys are never stored: changing a formula here is free.
 */
#ifndef IUVOD_ENGINE_ZOBRIST_H
#define IUVOD_ENGINE_ZOBRIST_H

#include "engine/bits.h"
#include "engine/cell.h"

enum {
	ZOBRIST_OWNER = 0, /* and 256 for each seat */
	ZOBRIST_STONE = 1024,
	ZOBRIST_RESTING = 1280,
	ZOBRIST_TURN = 1536,
	ZOBRIST_OUT = 1552,
	ZOBRIST_COUNT = 1600
};

/* By index; zobrist.c makes it. */
extern const uint64_t zobrist_numbers[ZOBRIST_COUNT];

/* splitmix64: a number that looks like chance, of any other. */
static inline uint64_t
zobrist_mix(uint64_t number)
{
	uint64_t z = (number + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t
zobrist_number(unsigned index)
{
	return zobrist_numbers[index];
}

/* Seat, from 1, owns the stone on a cell. */
static inline uint64_t
zobrist_owner(unsigned seat, cell_t cell)
{
	return zobrist_number(ZOBRIST_OWNER + 256 * (seat - 1) + cell);
}

/* A stone stands on a cell, whoever owns it. */
static inline uint64_t
zobrist_stone(cell_t cell)
{
	return zobrist_number(ZOBRIST_STONE + cell);
}

static inline uint64_t
zobrist_resting(cell_or_none_t cell)
{
	return cell == CELL_NONE ? 0 : zobrist_number(ZOBRIST_RESTING + cell);
}

/* The seat to move (or, for I16, that moved); 0 for none. */
static inline uint64_t
zobrist_turn(unsigned seat)
{
	return seat == 0 ? 0 : zobrist_number(ZOBRIST_TURN + seat);
}

/* The seats that are out, as bits. */
static inline uint64_t
zobrist_out(unsigned out)
{
	uint64_t key = 0;
	for (uint64_t rest = out; rest; rest &= rest - 1)
		key ^= zobrist_number(ZOBRIST_OUT + bits_first(rest));
	return key;
}

#endif

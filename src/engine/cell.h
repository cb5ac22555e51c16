/*
 * Cells of a board.  One numbering serves every variant: file * 16 + rank,
 * both counted from 0, so that comparing two cells as numbers compares them by
 * file first and then by rank, which is the canonical order (RULES.md T4).
 */
#ifndef IUVOD_ENGINE_CELL_H
#define IUVOD_ENGINE_CELL_H

#include <stdint.h>

typedef uint8_t cell_t;

/* Where "no cell" must be said, a wider type is used: any cell_t is a cell. */
typedef uint16_t cell_or_none_t;
enum { CELL_NONE = 0xffff };

static inline cell_t
cell_at(unsigned file, unsigned rank)
{
	return (cell_t)(file * 16 + rank);
}

static inline unsigned
cell_file(cell_t cell)
{
	return cell >> 4;
}

static inline unsigned
cell_rank(cell_t cell)
{
	return cell & 15;
}

#endif

/*
 * What a position of Halma is worth, in hundredths of a ply of the race.
 *
 * Nothing is captured, so a game is a race, and all that counts is how many
 * plies each seat still needs: the score is the cost of the other seat's stones
 * less that of one's own.  A cost is a sum of terms, each a number of the board
 * times a weight; the weights are in sixteenths of a hundredth of a ply.
 *
 * The weights were found by games (tests/tune/tune_games halma-2), 60 for each
 * trial with 3,000 to 8,000 nodes a ply, of which a share is right to 12 %:
 * straggler 3 for 5 had 33 %; ladder 0 for 60 34 %, 140 for 100 41 %; aside 0 for
 * 30 43 %; way from 106 to 214 made no difference.
 */
#ifndef IUVOD_ENGINE_HALMA_EVALUATE_H
#define IUVOD_ENGINE_HALMA_EVALUATE_H

#include "engine/promise.h"

/*
 * The terms of a seat's cost.  `Way` is the number of files and ranks between
 * a stone and the far corner of the opposing camp: 0 to 30, 60 for a seat that
 * is home and 510 for one that has not begun.
 */
/* clang-format off */
#define HALMA_WEIGHT_TABLE(W) \
	/* The way of all stones.  Jumps are what makes a ply long: with good ladders, a ply of six or seven. */ \
	W(HALMA_WAY,       "way",         160) \
	/* Its squares.  A stone that is left behind finds no stones to jump over and walks home alone, */ \
	/* one or two cells a ply, so the last part of the field costs more than its first. */ \
	W(HALMA_STRAGGLER, "straggler",   5) \
	/* Cells off the diagonal between the corners: the difference of the files and the ranks to go. */ \
	/* A diagonal ply shortens both, and on the diagonal there are more stones to jump over. */ \
	W(HALMA_ASIDE,     "aside",       50) \
	/* Stones in the own camp.  They hinder each other, and until the last is out there is no end (H7). */ \
	W(HALMA_HOME,      "home",        160) \
	/* Stones in the opposing camp times stones of the other seat that are still at home, which they hinder. */ \
	/* With 300 both wait for each other, and half of the games are drawn. */ \
	W(HALMA_CROWD,     "crowd",        60) \
	/* Stones of the other seat that have no way out of their camp as own stones stand, in it and before it. */ \
	/* Who waits for them to leave does so where he is not in their way. */ \
	W(HALMA_BARRED,    "barred",     4800) \
	/* Those that have none any more, since stones that never leave the camp (H6) stand around them: as long */ \
	/* as that is so nobody wins (H7), however far ahead.  It is for the seat that arrives to leave a way, and */ \
	/* to make one again: all it gains by coming in is less than this. */ \
	W(HALMA_SEALED,    "sealed",    16000) \
	/* Steps that the last stones are nearer to the end than nine, while the other seat has stones at home: who */ \
	/* loses as soon as he leaves does not leave, and so denies the win (H7).  Whoever waits waits at a distance. */ \
	W(HALMA_HASTE,     "haste",      3000) \
	/* Ladders: cells that the stones reach by one, two or three jumps forward, taken from the cost. */ \
	W(HALMA_LADDER,    "ladder",      100) \
	/* The last six stones: steps that they have further to gaps of their own in the camp than to the camp. */ \
	/* The way alone does not say on which side of the camp the gaps are.  Counted to the nearest gap for */ \
	/* each, or for the last few alone, a stone that goes home would make it worse, and it would not go. */ \
	W(HALMA_GAP,       "gap",         320)
/* clang-format on */

enum halma_weight {
#define W(name, word, value) name,
	HALMA_WEIGHT_TABLE(W)
#undef W
	    HALMA_WEIGHT_COUNT
};

/* The weights of the game, and their names; static. */
extern const int halma_evaluate_weights[HALMA_WEIGHT_COUNT];
extern const char *const halma_evaluate_names[HALMA_WEIGHT_COUNT];

/* The terms as numbers of a seat, from 1, to be multiplied with the weights; ladders count below 0. */
void halma_evaluate_terms(const struct position *position, unsigned seat, int terms[HALMA_WEIGHT_COUNT]);

/*
 * doubt of struct rules: ladders that a ply makes and breaks, less the turn that it gives away, which is two halves
 * of a ply.  Found by games: 50 lost to it by 12 to 28, with 5,000 nodes a ply; -100 was as good.
 */
enum { HALMA_DOUBT = -30 };

/*
 * least of struct rules.  A stone in the opposing camp never leaves it (H6), so
 * it moves to make room further in, or to wait.  Two seats whose last stones
 * stand in each other's way in the open would wait for ever, each for the other to
 * step aside: neither may, so that games have an end.
 */
enum { HALMA_LEAST = 1 - PROMISE_MAX };

/* evaluate and costs of struct rules.  A promise is by how much a move lowers the mover's cost in the terms that
 * are sums over the stones. */
enum forecast halma_evaluate(
    const struct position *position, const int *weights, struct memo *memo, int worth[SEATS_MAX]);
void halma_evaluate_costs(enum variant variant, unsigned index, const int *weights, int cost[256]);

#endif

/*
 * Matches: two players, each a level or a budget of nodes, play each other from
 * many openings, with sides changed.  A match is the same whatever number of threads plays
 * it.
 */
#ifndef IUVOD_MATCH_H
#define IUVOD_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/position.h"

/* A player as it is written: level:7 or nodes:20000. */
struct match_player {
	unsigned level; /* 0: nodes */
	uint64_t nodes;
	const int *weights; /* with nodes: of the evaluation (rules.h); NULL, as of any that is read: the game's own */
};

struct match_plan {
	enum variant variant;
	struct match_player first, second;
	unsigned first_seats;   /* seats of the first player, 1 to all but one; the second has the others */
	unsigned skipped;       /* openings of the seed that are left out at the beginning */
	unsigned openings;      /* after those: each is played once in every seating */
	unsigned opening_plies; /* at random, so many or one more, two more, three more */
	unsigned plies;         /* a longer game counts as drawn */
	uint64_t seed;
	unsigned threads;
	uint64_t memory; /* bytes of each search */
};

/*
 * What came out, seen by the first player.  Who has no seat left in a game has
 * lost it to the other, whichever of the other's seats would win: it is not
 * played on.
 */
struct match_score {
	unsigned games, won, drawn, lost;
	double draw; /* what one is worth to the first player: its part of the seats */
	unsigned by_seat[SEATS_MAX + 1]; /* games that were played to their end, by who won; [0]: nobody */
	unsigned by_reason[REASON_COUNT];
	unsigned cut;     /* games that were too long */
	unsigned settled; /* games that went on between seats of one player */
	uint64_t plies;
	uint64_t moves[2], nodes[2], depths[2]; /* of each player: searches, and what they came to */
};

/* In how many ways the first player can be given its seats. */
unsigned match_seatings(const struct match_plan *plan);

/* Reads a player; false if it is none. */
bool match_read_player(const char *text, struct match_player *player);

/* Plays; false if there is no memory or no thread. */
bool match_play(const struct match_plan *plan, struct match_score *score);

/* The share of points of the first player; at equal strength it is score->draw. */
double match_share(const struct match_score *score);

/* Its interval of 95 % (base/wilson.h). */
void match_interval(const struct match_score *score, double *least, double *most);

/* What a share means as a difference in Elo; infinite for all or nothing. */
double match_elo(double share);

#endif

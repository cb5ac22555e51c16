/* A player for the load generator: plays random legal games by both (all) seats, one request at a time. */
#ifndef IUVOD_TESTS_BENCH_LOAD_PLAYER_H
#define IUVOD_TESTS_BENCH_LOAD_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/variant.h"

struct player;

/* A player with random moves of its own; aborts if there is no memory. */
struct player *player_new(enum variant variant, uint64_t seed);

/* Writes the next request (a creation, or a move) into request[room] and returns its length. */
size_t player_request(struct player *player, char *request, size_t room);

/* Takes its reply; false if it is not what the rules and the contract promise.  *move tells whether it was a move. */
bool player_reply(struct player *player, int status, const char *body, bool *move);

#endif

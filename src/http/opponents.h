/*
 * The seats that engines have: whenever one of them must do something, it is
 * thought about by the engine's threads (think.h) and done by the writer (lane.h).
 *
 * The writer tells of every change that is durable and leaves something for an
 * engine to do.  A game is in hand at most once: read, thought about, done.
 * What is in hand is not stored anywhere; that something is to be done stands in
 * the store (games.thinks), where a thread of its own looks for it at the start,
 * when the engine had no room, and after a failure.  So nothing is lost by a crash.
 * While there is no room games take turns in the order of their creation, and one
 * that has moved goes to the end.
 */
#ifndef IUVOD_HTTP_OPPONENTS_H
#define IUVOD_HTTP_OPPONENTS_H

#include "http/lane.h"
#include "http/think.h"

struct opponents;

struct opponents_options {
	const char *database; /* the data file, for a read connection of its own */
	const struct service *service;
	struct lane_writer *lane;
	struct think *think;
};

/* Takes up all that is to be done.  On failure NULL with a line in why[room].  All that is passed outlives it. */
struct opponents *opponents_open(const struct opponents_options *options, char *why, size_t room);

/* Begins nothing more.  What is in hand comes back by think_end and lane_join.  NULL is allowed. */
void opponents_end(struct opponents *opponents);

/* Frees it, after opponents_end, think_end and lane_join.  NULL is allowed. */
void opponents_close(struct opponents *opponents);

#endif

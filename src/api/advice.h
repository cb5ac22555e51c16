/*
 * Advice: what the engine would play in a position, and why (hints and analyses).
 * It is asked for by a level or by a budget of nodes, with a number of lines and a
 * seed; by the query, or by the member `engine` of a body.  The same position, past,
 * wish and memory of the engine give the same advice.
 */
#ifndef IUVOD_API_ADVICE_H
#define IUVOD_API_ADVICE_H

#include "api/call.h"
#include "api/question.h"
#include "api/schema.h"
#include "api/writer.h"
#include "engine/history.h"

struct advice {
	struct question question; /* its step is set by advice_ask, its answer by the caller */
	struct position position;
	struct history history;
	uint64_t level; /* 0: by nodes */
	uint64_t nodes;
	uint64_t lines;
	uint64_t seed;
	struct search_result result;
};

/* The highest level whose budget may be asked for in a service that has an engine. */
unsigned advice_highest_level(const struct service *service);

/* Members of `engine` in a body, with the one without a name behind them. */
enum { ADVICE_MEMBERS = 5 };

/* What they may be in this service. */
void advice_schema(const struct call *call, struct schema_member members[ADVICE_MEMBERS]);

/* What is wished for, from the query (level, nodes, lines, seed) or from the member (NULL: not sent).  Replies with a
 * refusal if it cannot be. */
enum fault advice_read_query(struct call *call, struct advice *advice);
enum fault advice_read_body(struct call *call, const cJSON *engine, struct advice *advice);

/* Asks for it, in position and history: FAULT_GAME_OVER if there is nothing to play. */
enum fault advice_ask(struct call *call, struct advice *advice);

/* Members `level`, `budget`, `move`, `lines`, `nodes`, `depth`. */
void advice_write(struct writer *writer, const struct advice *advice);

/* A move as text. */
void advice_write_move(struct writer *writer, struct move move);

/* Member `decided` of a line: null, or `result`, `plies` and `shortest`. */
void advice_write_decided(struct writer *writer, const struct search_line *line);

#endif

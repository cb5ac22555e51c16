#include "api/advice.h"

#include <stdlib.h>
#include <string.h>

#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "engine/level.h"
#include "engine/notation.h"

/* Seeds are numbers that every JSON reader keeps as they are. */
#define SEED_MAX ((INT64_C(1) << 53) - 1)

_Static_assert((int)LIMIT_ENGINE_LEVELS == (int)LEVEL_MOST && LEVEL_LEAST == 1, "limits.h tells of all levels");
_Static_assert((int)LIMIT_ENGINE_LINES == (int)SEARCH_LINES_MAX, "limits.h tells how many lines there are");

/* The budget of each level, in whatever variant it is greatest: a service that has a level has it in all of them. */
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define L(level, nodes, weaker, many_nodes, many_weaker, loose_nodes, loose_weaker) \
	NODES_OF_##level = GREATER(GREATER(nodes, many_nodes), loose_nodes),
enum { LEVEL_TABLE(L) };
#undef L
#undef GREATER

_Static_assert((int)NODES_OF_8 <= (int)LIMIT_ENGINE_NODES_DEFAULT && LIMIT_ENGINE_NODES_DEFAULT <= LIMIT_ENGINE_NODES_LEAST,
    "levels up to 8, and who asks for nothing, are answered in every service, and quickly");
_Static_assert(LIMIT_REPORT_NODES <= LIMIT_ENGINE_NODES_LEAST, "reports are the same in every service");

/* ---- what is asked for ---- */

unsigned
advice_highest_level(const struct service *service)
{
#define L(level, ...) [level] = NODES_OF_##level,
	static const unsigned nodes_of[] = {LEVEL_TABLE(L)};
#undef L
	unsigned level = LIMIT_ENGINE_LEVELS;
	while (level > LEVEL_LEAST && nodes_of[level] > service->limits.nodes)
		level--;
	return level;
}

void
advice_schema(const struct call *call, struct schema_member members[ADVICE_MEMBERS])
{
	const struct schema_member all[ADVICE_MEMBERS] = {
	    {.name = "level",
		.value = {.type = SCHEMA_INTEGER, .min = LEVEL_LEAST, .max = advice_highest_level(call->service)}},
	    {.name = "nodes", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = (int64_t)call->service->limits.nodes}},
	    {.name = "lines", .value = {.type = SCHEMA_INTEGER, .min = 1, .max = LIMIT_ENGINE_LINES}},
	    {.name = "seed", .value = {.type = SCHEMA_INTEGER, .min = 0, .max = SEED_MAX}},
	    {.name = NULL},
	};
	memcpy(members, all, sizeof all);
}

static void
settle(struct advice *advice)
{
	if (advice->level == 0 && advice->nodes == 0)
		advice->nodes = LIMIT_ENGINE_NODES_DEFAULT;
	if (advice->lines == 0)
		advice->lines = 1;
}

enum fault
advice_read_query(struct call *call, struct advice *advice)
{
	enum fault fault = body_number(call, "level", LEVEL_LEAST, advice_highest_level(call->service), &advice->level);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "nodes", 1, call->service->limits.nodes, &advice->nodes);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "lines", 1, LIMIT_ENGINE_LINES, &advice->lines);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "seed", 0, SEED_MAX, &advice->seed);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	if (advice->level != 0 && advice->nodes != 0)
		return body_refuse_parameter(call, "nodes", "none beside level, which has a budget of its own");
	settle(advice);
	return FAULT_NONE;
}

enum fault
advice_read_body(struct call *call, const cJSON *engine, struct advice *advice)
{
	advice->level = (uint64_t)json_int(engine, "level", 0);
	advice->nodes = (uint64_t)json_int(engine, "nodes", 0);
	advice->lines = (uint64_t)json_int(engine, "lines", 0);
	advice->seed = (uint64_t)json_int(engine, "seed", 0);
	if (advice->level != 0 && advice->nodes != 0)
		return body_refuse(call, "/engine/nodes", "expected none beside level, which has a budget of its own");
	settle(advice);
	return FAULT_NONE;
}

/* ---- thinking ---- */

static void
think_by_level(struct advice *advice, struct search *search, const _Atomic bool *stop)
{
	level_run(search, &advice->position, &advice->history, (unsigned)advice->level,
	    level_seed(&advice->position, advice->seed), stop, &advice->result);
}

static void
think_by_nodes(
    const struct advice *advice, struct search *search, const _Atomic bool *stop, struct search_result *result)
{
	struct search_limits limits = {
	    .nodes = advice->nodes, .seed = advice->seed, .lines = (unsigned)advice->lines, .stop = stop};
	search_run(search, &advice->position, &advice->history, &limits, result);
}

/* Behind what a level plays, the best of the other moves. */
static void
add_others(struct advice *advice, const struct search_result *others)
{
	struct search_result *result = &advice->result;
	for (unsigned i = 0; i < others->count && result->count < advice->lines; i++)
		if (!move_same(others->lines[i].moves[0], result->lines[0].moves[0]))
			result->lines[result->count++] = others->lines[i];
	result->nodes += others->nodes;
}

/*
 * A level plays the same whether others are asked for or not, so they are looked
 * for in a search of their own.  A weaker move of it (it has no nodes) stands alone.
 */
static bool
think(struct question *question, struct search *search, const _Atomic bool *stop)
{
	struct advice *advice = (struct advice *)(void *)question;
	if (advice->level == 0) {
		think_by_nodes(advice, search, stop, &advice->result);
		return false;
	}
	think_by_level(advice, search, stop);
	if (advice->lines > 1 && advice->result.nodes > 0) {
		struct search_result others;
		think_by_nodes(advice, search, stop, &others);
		add_others(advice, &others);
	}
	return false;
}

_Static_assert(offsetof(struct advice, question) == 0, "think finds the advice of a question");

/* The nodes of all its searches, at most: think says how many there are. */
static uint64_t
budget(const struct advice *advice)
{
	return advice->level != 0 && advice->lines > 1 ? 2 * advice->nodes : advice->nodes;
}

static enum fault
refuse_over(struct call *call, const struct position *position)
{
	const char *detail = NULL; /* the outcome says it, where it is known: a position's text may not tell */
	if (position->turn != 0)
		detail = problem_text(call, "seat %u has no legal move in this position", position->turn);
	else if (position->reason == REASON_NONE)
		detail = "nobody is to move in this position; it does not tell how the game ended";
	struct writer writer = problem_begin(call, FAULT_GAME_OVER, detail);
	document_outcome(&writer, position->reason, position->winner);
	return problem_end(call, &writer);
}

enum fault
advice_ask(struct call *call, struct advice *advice)
{
	struct past past = history_past(&advice->history);
	if (advice->position.turn == 0 || position_count(&advice->position, &past) == 0)
		return refuse_over(call, &advice->position);
	if (advice->level != 0)
		advice->nodes = level_row((enum variant)advice->position.variant, (unsigned)advice->level)->nodes;
	advice->question.step = think;
	advice->question.quick = budget(advice) <= LIMIT_ENGINE_NODES_DEFAULT;
	call->question = &advice->question;
	return FAULT_NONE;
}

/* ---- what it says ---- */

void
advice_write_move(struct writer *writer, struct move move)
{
	char text[MOVE_TEXT_MAX];
	writer_plain(writer, text, notation_move(move, text));
}

void
advice_write_decided(struct writer *writer, const struct search_line *line)
{
	writer_key(writer, "decided");
	if (line->plies == 0) {
		writer_null(writer);
		return;
	}
	writer_open(writer, '{');
	writer_key(writer, "result");
	writer_string(writer, line->plies > 0 ? "win" : "loss");
	writer_key(writer, "plies");
	writer_int(writer, abs(line->plies));
	writer_key(writer, "shortest");
	writer_bool(writer, line->shortest);
	writer_close(writer, '}');
}

static void
write_line(struct writer *writer, const struct search_line *line)
{
	writer_open(writer, '{');
	writer_key(writer, "score");
	writer_int(writer, line->score);
	advice_write_decided(writer, line);
	writer_key(writer, "moves");
	writer_open(writer, '[');
	for (unsigned i = 0; i < line->count; i++)
		advice_write_move(writer, line->moves[i]);
	writer_close(writer, ']');
	writer_close(writer, '}');
}

void
advice_write(struct writer *writer, const struct advice *advice)
{
	const struct search_result *result = &advice->result;
	writer_key(writer, "level");
	writer_int_or_null(writer, (int64_t)advice->level);
	writer_key(writer, "budget");
	writer_int(writer, (int64_t)advice->nodes);
	writer_key(writer, "move");
	advice_write_move(writer, result->lines[0].moves[0]);
	writer_key(writer, "lines");
	writer_open(writer, '[');
	for (unsigned i = 0; i < result->count; i++)
		write_line(writer, &result->lines[i]);
	writer_close(writer, ']');
	writer_key(writer, "nodes");
	writer_int(writer, (int64_t)result->nodes);
	writer_key(writer, "depth");
	writer_int(writer, result->depth);
}

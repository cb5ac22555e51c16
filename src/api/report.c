/*
 * GET /v1/games/{game}/analysis: what each ply of a game was worth.
 *
 * The engine searches the position that a seat found, and then, as deep, what it
 * played, if that is another move: the difference is what the move lost.  Scores
 * of two positions, one before and one after, would differ by the one ply that
 * the second is looked at deeper.  Where that deep all others together could bring
 * the seat down, which with more than two in says little of a move, both are taken
 * as the deepest iteration had them that did not see so far.  An answer holds so
 * many plies at most, and each of them is a step of its own for the engine's threads.
 */
#include "api/advice.h"
#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "play/review.h"

enum {
	WORST = 5,   /* moves that are named */
	SEARCHES = 2 /* of a ply, at most */
};

/* What was found out about a ply. */
struct judged {
	struct search_line best, played;
	unsigned depth; /* 0: the budget was too small to find out anything */
};

struct report {
	struct question question;
	uint64_t nodes, after, limit;
	struct game game;
	unsigned count, at; /* plies in all, and judged so far */
	struct review_ply *plies;
	struct judged *judged;
	struct history history; /* up to the ply that is judged next */
	struct search_result result;
};

_Static_assert(offsetof(struct report, question) == 0, "step and answer find the report of a question");

enum fault
report_prepare(struct call *call)
{
	struct report *report = arena_zero(call->arena, sizeof *report);
	if (report == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = report;
	report->nodes = LIMIT_REPORT_NODES_DEFAULT;
	report->limit = LIMIT_REPORT_PLIES;
	enum fault fault = body_number(call, "nodes", LIMIT_REPORT_NODES_LEAST, LIMIT_REPORT_NODES, &report->nodes);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "after", 0, PLIES_MAX, &report->after);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "limit", 1, LIMIT_REPORT_PLIES, &report->limit);
	return fault;
}

/* ---- thinking ---- */

/* The line of each iteration of a search, by its depth; count 0: none. */
struct by_depth {
	struct search_line lines[SEARCH_DEPTH_MAX + 1];
};

static void
keep(void *reader, const struct search_result *result)
{
	struct by_depth *by_depth = reader;
	by_depth->lines[result->depth] = result->lines[0];
}

static bool
lost_to_all(const struct search_line *line)
{
	return line->plies == 0 && line->score == SEARCH_LOST_TO_ALL;
}

/* As deep as neither is lost to all others together, if there is such a depth. */
static void
judge_less_deep(const struct by_depth *bests, const struct by_depth *plays, struct judged *judged)
{
	for (unsigned depth = judged->depth; depth > 0; depth--) {
		const struct search_line *best = &bests->lines[depth], *played = &plays->lines[depth];
		if (best->count == 0 || played->count == 0 || lost_to_all(best) || lost_to_all(played))
			continue;
		bool same = move_same(best->moves[0], played->moves[0]);
		*judged = (struct judged){*best, same ? *best : *played, depth};
		return;
	}
}

static void
judge(struct report *report, struct search *search, const _Atomic bool *stop)
{
	const struct review_ply *ply = &report->plies[report->at];
	struct judged *judged = &report->judged[report->at];
	struct by_depth bests = {0}, plays = {0};
	struct search_limits limits = {.nodes = report->nodes, .stop = stop, .report = keep, .reader = &bests};
	search_run(search, &ply->before, &report->history, &limits, &report->result);
	judged->best = judged->played = report->result.lines[0];
	judged->depth = report->result.depth;
	bool same = move_same(judged->best.moves[0], ply->move);
	if (judged->depth == 0 || (same && !lost_to_all(&judged->best)))
		return;
	limits.only = &ply->move;
	limits.depth = judged->depth;
	limits.reader = &plays;
	search_run(search, &ply->before, &report->history, &limits, &report->result);
	if (!same)
		judged->played = report->result.lines[0];
	if (lost_to_all(&judged->best) || lost_to_all(&judged->played))
		judge_less_deep(&bests, &plays, judged);
}

static bool
step(struct question *question, struct search *search, const _Atomic bool *stop)
{
	struct report *report = (struct report *)(void *)question;
	judge(report, search, stop);
	history_add(&report->history, report->plies[report->at].left);
	return ++report->at < report->count;
}

/* ---- the answer ---- */

/* What a move lost; a search of it that happens to find more than the first did lost nothing. */
static int
loss(const struct judged *judged)
{
	int lost = judged->best.score - judged->played.score;
	return lost > 0 ? lost : 0;
}

static void
write_ply(struct writer *writer, const struct report *report, unsigned at)
{
	const struct review_ply *ply = &report->plies[at];
	const struct judged *judged = &report->judged[at];
	writer_open(writer, '{');
	writer_key(writer, "ply");
	writer_int(writer, (int64_t)report->after + at + 1);
	writer_key(writer, "seat");
	writer_int(writer, ply->before.turn);
	writer_key(writer, "move");
	advice_write_move(writer, ply->move);
	writer_key(writer, "score");
	writer_int(writer, judged->played.score);
	advice_write_decided(writer, &judged->played);
	writer_key(writer, "best");
	advice_write_move(writer, judged->best.moves[0]);
	writer_key(writer, "best_score");
	writer_int(writer, judged->best.score);
	writer_key(writer, "loss");
	writer_int(writer, loss(judged));
	writer_key(writer, "depth");
	writer_int(writer, judged->depth);
	writer_close(writer, '}');
}

/* The plies that lost most, the worst first, of equal ones the earlier; how many there are. */
static unsigned
find_worst(const struct report *report, unsigned worst[WORST + 1])
{
	unsigned count = 0;
	for (unsigned at = 0; at < report->count; at++) {
		int lost = loss(&report->judged[at]);
		if (lost == 0)
			continue;
		unsigned place = count;
		for (; place > 0 && loss(&report->judged[worst[place - 1]]) < lost; place--)
			worst[place] = worst[place - 1];
		worst[place] = at;
		count += count < WORST;
	}
	return count;
}

static void
write_worst(struct writer *writer, const struct report *report)
{
	unsigned worst[WORST + 1], count = find_worst(report, worst);
	writer_key(writer, "worst");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count; i++)
		writer_int(writer, (int64_t)report->after + worst[i] + 1);
	writer_close(writer, ']');
}

/* Where the rest of the game is; it stands in the body and in Link. */
static enum fault
write_next(struct call *call, struct writer *writer, const struct report *report)
{
	unsigned last = (unsigned)report->after + report->count;
	writer_key(writer, "next");
	if (report->count == 0 || last >= report->game.row.ply) {
		writer_null(writer);
		return FAULT_NONE;
	}
	const char *path = reply_path(call, "/v1/games/%s/analysis?nodes=%u&after=%u&limit=%u", report->game.row.id,
	    (unsigned)report->nodes, last, (unsigned)report->limit);
	if (path == NULL)
		return FAULT_OUT_OF_MEMORY;
	writer_plain(writer, path, strlen(path));
	reply_header(call, "Link", problem_text(call, "<%s>; rel=\"next\"", path));
	return FAULT_NONE;
}

static enum fault
answer(struct question *question, struct call *call)
{
	const struct report *report = (const struct report *)(const void *)question;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "game");
	writer_plain(&writer, report->game.row.id, ID_LEN);
	writer_key(&writer, "ply");
	writer_int(&writer, report->game.row.ply);
	writer_key(&writer, "budget");
	writer_int(&writer, (int64_t)report->nodes);
	writer_key(&writer, "plies");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < report->count; i++)
		write_ply(&writer, report, i);
	writer_close(&writer, ']');
	write_worst(&writer, report);
	enum fault fault = write_next(call, &writer, report);
	writer_close(&writer, '}');
	if (fault == FAULT_NONE)
		fault = subject_headers(call, &report->game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

/* ---- the game ---- */

static enum fault
read_plies(struct call *call, struct report *report)
{
	const struct game *game = &report->game;
	unsigned rest = game->row.ply > report->after ? game->row.ply - (unsigned)report->after : 0;
	report->count = rest < report->limit ? rest : (unsigned)report->limit;
	if (report->count == 0)
		return FAULT_NONE;
	report->plies = arena_zero(call->arena, report->count * sizeof *report->plies);
	report->judged = arena_zero(call->arena, report->count * sizeof *report->judged);
	if (report->plies == NULL || report->judged == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault =
	    review_plies(call->db, call->arena, game, (unsigned)report->after + 1, report->count, report->plies);
	if (fault == FAULT_NONE)
		fault = review_past(call->db, call->arena, game, (unsigned)report->after, &report->history);
	return fault;
}

enum fault
report_run(struct call *call)
{
	struct report *report = call->prepared;
	enum fault fault = subject_load(call, &report->game);
	call->of_engine = true;
	if (fault == FAULT_NONE)
		fault = subject_unchanged(call, &report->game);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	if (!call->service->engine)
		return FAULT_NO_ENGINE; /* also where there is no ply to look at */
	fault = read_plies(call, report);
	if (fault != FAULT_NONE)
		return fault;
	if (report->count == 0)
		return answer(&report->question, call);
	report->question.step = step;
	report->question.answer = answer;
	report->question.quick = SEARCHES * report->nodes * report->count <= LIMIT_ENGINE_NODES_DEFAULT;
	call->question = &report->question;
	return FAULT_NONE;
}

/* The board of a game as a picture or as text. */
#include "api/board.h"
#include "api/body.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "engine/history.h"

struct wish {
	uint64_t ply; /* PLIES_MAX + 1: the present one */
	uint64_t seat;
	const char *legal_from;
};

/* What a view points to. */
struct scene {
	struct game game;
	struct position position;
	struct board_view view;
	unsigned ply;
	struct history history;
	struct move moves[MOVES_MAX];
};

enum fault
picture_prepare(struct call *call)
{
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	*wish = (struct wish){.ply = PLIES_MAX + 1, .seat = 1, .legal_from = body_parameter(call, "legal_from")};
	enum fault fault = body_number(call, "ply", 0, PLIES_MAX, &wish->ply);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "seat", 1, SEATS_MAX, &wish->seat);
	return fault;
}

/* The present position has resignations that a ply's own has not. */
static enum fault
find_position(struct call *call, const struct wish *wish, struct scene *scene)
{
	const struct game *game = &scene->game;
	scene->view.position = &scene->position;
	if (wish->ply > PLIES_MAX) {
		scene->ply = game->row.ply;
		scene->position = game->position;
		return FAULT_NONE;
	}
	scene->ply = (unsigned)wish->ply;
	return game_position_at(call->db, call->arena, game, scene->ply, &scene->position);
}

static void
read_path(enum variant variant, const char *text, struct path *path)
{
	path->count = 0;
	while (*text != '\0' && path->count < PATH_MAX) {
		size_t len = strcspn(text, "-x");
		if (!notation_read_cell(variant, text, len, &path->cells[path->count]))
			return;
		path->count++;
		text += len;
		text += *text != '\0';
	}
}

static enum fault
find_last(struct call *call, struct scene *scene)
{
	struct move_row row;
	if (scene->ply == 0)
		return FAULT_NONE;
	enum fault fault = game_move_at(call->db, call->arena, &scene->game, scene->ply, &row);
	if (fault != FAULT_NONE)
		return fault;
	read_path(scene->game.variant, row.path != NULL ? row.path : row.move, &scene->view.last);
	scene->view.has_last = scene->view.last.count >= 2;
	scene->view.last_captures = strchr(row.move, 'x') != NULL;
	scene->view.last_seat = row.seat;
	return FAULT_NONE;
}

/* What the game had behind it at the ply (I16). */
static enum fault
find_past(struct call *call, struct scene *scene, struct past *past)
{
	struct position start;
	enum fault fault = game_position_at(call->db, call->arena, &scene->game, 0, &start);
	struct move_row *rows = arena_take(call->arena, (scene->ply + 1) * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	if (fault == FAULT_NONE && scene->ply > 0)
		fault = subject_moves(call, &scene->game, 0, rows, scene->ply);
	if (fault != FAULT_NONE)
		return fault;
	history_begin(&scene->history, &start);
	for (unsigned i = 0; i < scene->ply; i++)
		history_add(&scene->history, rows[i].left);
	*past = history_past(&scene->history);
	return FAULT_NONE;
}

static enum fault
find_legal(struct call *call, struct scene *scene, cell_t from)
{
	struct past past = scene->game.past;
	enum fault fault = scene->ply == scene->game.row.ply ? FAULT_NONE : find_past(call, scene, &past);
	if (fault != FAULT_NONE)
		return fault;
	unsigned count = position_moves(&scene->position, &past, scene->moves), first = 0;
	while (first < count && scene->moves[first].from != from)
		first++;
	scene->view.has_legal = true;
	scene->view.legal_from = from;
	scene->view.legal = scene->moves + first;
	while (first + scene->view.legal_count < count && scene->moves[first + scene->view.legal_count].from == from)
		scene->view.legal_count++;
	return FAULT_NONE;
}

static void
find_seats(struct scene *scene)
{
	const struct game *game = &scene->game;
	scene->view.seat_count = game->seat_count;
	for (unsigned i = 0; i < game->seat_count; i++) {
		const char *reason = game->seats[i].out_reason;
		scene->view.names[i] = game->seats[i].name;
		if (reason != NULL && position_out(&scene->position, i + 1))
			reason_find(reason, strlen(reason), &scene->view.out_reason[i]);
	}
}

static enum fault
find_scene(struct call *call, const struct wish *wish, struct scene *scene)
{
	cell_t from;
	enum fault fault = find_position(call, wish, scene);
	if (fault == FAULT_NONE)
		fault = find_last(call, scene);
	if (fault != FAULT_NONE)
		return fault;
	if (wish->seat > scene->game.seat_count)
		return body_refuse_parameter(call, "seat", "a seat of the game");
	scene->view.bottom_seat = (unsigned)wish->seat;
	find_seats(scene);
	if (wish->legal_from == NULL)
		return FAULT_NONE;
	if (!notation_read_cell(scene->game.variant, wish->legal_from, strlen(wish->legal_from), &from))
		return body_refuse_parameter(call, "legal_from", "a cell of the board, as c1");
	return find_legal(call, scene, from);
}

enum fault
picture_run(struct call *call)
{
	bool svg = strcmp(call->media, "image/svg+xml") == 0;
	struct scene *scene = arena_zero(call->arena, sizeof *scene);
	if (scene == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = subject_load(call, &scene->game);
	if (fault == FAULT_NONE)
		fault = find_scene(call, call->prepared, scene);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	reply_begin(call, 200);
	(svg ? board_svg : board_text)(&scene->view, &call->reply.body);
	fault = subject_headers(call, &scene->game, false);
	if (svg)
		reply_header(call, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
	return fault != FAULT_NONE
		   ? fault
		   : reply_end(call, svg ? "image/svg+xml; charset=utf-8" : "text/plain; charset=utf-8");
}

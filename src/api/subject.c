#include "api/subject.h"

#include <stdio.h>
#include <string.h>

#include "api/document.h"
#include "api/etag.h"
#include "api/prefer.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"

enum fault
subject_load(struct call *call, struct game *game)
{
	const char *id = call->param[0];
	if (!token_is_id(id, strlen(id)))
		return FAULT_NO_SUCH_GAME;
	enum fault fault = game_load(call->db, call->arena, id, game);
	if (fault != FAULT_NONE)
		return fault;
	call->about.game = game->row.game;
	return holder_resolve(call->db, game, &call->holder);
}

enum fault
subject_last(struct call *call, const struct game *game, struct move_row *row, const struct move_row **last)
{
	*last = NULL;
	if (game->row.ply == 0)
		return FAULT_NONE;
	enum fault fault = game_move_at(call->db, call->arena, game, game->row.ply, row);
	if (fault == FAULT_NONE)
		*last = row;
	return fault;
}

enum fault
subject_moves(struct call *call, const struct game *game, unsigned after, struct move_row *rows, unsigned count)
{
	unsigned got = 0;
	enum fault fault = moves_of(call->db, call->arena, game->row.game, after + 1, rows, count, &got);
	for (unsigned i = 0; i < got && fault == FAULT_NONE; i++)
		if (rows[i].ply != after + 1 + i || !rows[i].agrees)
			fault = FAULT_DAMAGED_GAME;
	return fault == FAULT_NONE && got != count ? FAULT_DAMAGED_GAME : fault;
}

enum fault
subject_ply(const struct call *call, unsigned *ply)
{
	uint64_t number;
	if (!text_read_uint(call->param[1], strlen(call->param[1]), PLIES_MAX, &number))
		return FAULT_NO_SUCH_PLY;
	*ply = (unsigned)number;
	return FAULT_NONE;
}

enum fault
subject_ask(struct call *call, const cJSON *body)
{
	unsigned *seat = arena_take(call->arena, sizeof *seat);
	if (seat == NULL)
		return FAULT_OUT_OF_MEMORY;
	*seat = (unsigned)json_int(body, "seat", 0);
	call->prepared = seat;
	return FAULT_NONE;
}

unsigned
subject_asked(const struct call *call)
{
	return *(const unsigned *)call->prepared;
}

unsigned
subject_seat(const struct call *call)
{
	uint64_t number;
	return text_read_uint(call->param[1], strlen(call->param[1]), SEATS_MAX, &number) ? (unsigned)number : 0;
}

static const char *
format_of(const char *media)
{
	if (strcmp(media, "application/json") == 0)
		return "json";
	return strcmp(media, "text/plain") == 0 ? "text" : "svg";
}

/* The game's tag, which is a header of the reply from now on; NULL without memory. */
static const char *
add_etag(struct call *call, const struct game *game)
{
	char *tag = arena_take(call->arena, ETAG_MAX);
	const char *mind = call->of_engine ? call->service->mind : NULL;
	char format[ETAG_MAX];
	snprintf(format, sizeof format, "%s%s%s", format_of(call->media), mind ? "-" : "", mind ? mind : "");
	if (tag != NULL) {
		etag_write(&game->row, &call->holder, format, tag);
		reply_header(call, "ETag", tag);
	}
	return tag;
}

enum fault
subject_headers(struct call *call, const struct game *game, bool immutable)
{
	bool private = call->header[HEADER_AUTHORIZATION] != NULL;
	const char *seen = call->header[HEADER_IF_NONE_MATCH];
	const char *tag = add_etag(call, game);
	if (tag == NULL)
		return FAULT_OUT_OF_MEMORY;
	reply_header(call, "Vary", route_media(call->route)[1] == NULL ? "Authorization" : "Authorization, Accept");
	if (immutable)
		reply_header(call, "Cache-Control",
		    private ? "private, max-age=31536000, immutable" : "public, max-age=31536000, immutable");
	else
		reply_header(call, "Cache-Control", private ? "private, no-cache" : "no-cache");
	if (seen != NULL && etag_none_match(seen, tag))
		call->reply.status = 304;
	else if (!private)
		memcpy(call->reply.cache_game, game->row.id, sizeof call->reply.cache_game);
	return FAULT_NONE;
}

enum fault
subject_unchanged(struct call *call, const struct game *game)
{
	if (call->header[HEADER_IF_NONE_MATCH] == NULL)
		return FAULT_NONE;
	reply_begin(call, 200);
	enum fault fault = subject_headers(call, game, false);
	if (fault == FAULT_NONE && call->reply.status == 304) {
		/* A 304 tells how long the document is, or must end with its connection. */
		call->reply.close = true;
		return reply_end(call, call->media);
	}
	reply_reset(call);
	return fault;
}

enum fault
subject_changed(struct call *call, const struct game *game)
{
	const char *tag = add_etag(call, game);
	reply_no_store(call);
	return tag == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
}

void
subject_write(struct call *call, struct writer *writer, const struct game *game, const struct move_row *last,
    const struct game_secrets *secrets)
{
	if (!prefer_minimal(call->header[HEADER_PREFER])) {
		document_game(writer, call, game, last, secrets);
		return;
	}
	document_minimal(writer, game, secrets);
	reply_header(call, "Preference-Applied", "return=minimal");
}

/* A game as the reply; with_place: and where it is. */
static enum fault
reply_game(
    struct call *call, const struct game *game, unsigned status, const struct game_secrets *secrets, bool with_place)
{
	struct move_row row;
	const struct move_row *last;
	enum fault fault = subject_last(call, game, &row, &last);
	const char *place = with_place ? reply_path(call, "/v1/games/%s", game->row.id) : NULL;
	if (fault != FAULT_NONE || (with_place && place == NULL))
		return fault != FAULT_NONE ? fault : FAULT_OUT_OF_MEMORY;
	call->about.game = game->row.game;
	struct writer writer = reply_begin(call, status);
	subject_write(call, &writer, game, last, secrets);
	reply_header(call, "Location", place);
	fault = subject_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_end(call, "application/json");
}

enum fault
subject_reply(struct call *call, const struct game *game)
{
	enum fault fault = call_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_game(call, game, 200, NULL, false);
}

enum fault
subject_created(struct call *call, const struct game *game, const struct game_secrets *secrets)
{
	enum fault fault = call_changed(call, game);
	return fault != FAULT_NONE ? fault : reply_game(call, game, 201, secrets, true);
}

enum fault
subject_found(struct call *call, const struct game *game)
{
	return reply_game(call, game, 200, NULL, true);
}

bool
subject_stale(const struct call *call, const struct game *game)
{
	const char *match = call->header[HEADER_IF_MATCH];
	return match != NULL && etag_match(match, game->row.seq) != ETAG_GOOD;
}

enum fault
subject_refuse(struct call *call, enum fault fault, const struct game *game)
{
	const char *detail = NULL;
	struct move_row row;
	const struct move_row *last = NULL;
	bool whole = fault == FAULT_STALE_PLY || fault == FAULT_PRECONDITION_FAILED;
	bool seats = fault == FAULT_GAME_NOT_STARTED || fault == FAULT_SEAT_TAKEN;
	bool clock = fault == FAULT_TIME_IS_UP || fault == FAULT_NOTHING_TO_CLAIM;
	if (!whole && !seats && !clock && fault != FAULT_NOT_YOUR_TURN && fault != FAULT_GAME_OVER)
		return fault;
	if (whole) {
		enum fault second = subject_last(call, game, &row, &last);
		if (second != FAULT_NONE)
			return second;
		detail = problem_text(call, "the game stands at ply %u, seq %u", game->row.ply, game->row.seq);
	}
	if (fault == FAULT_NOT_YOUR_TURN)
		detail = problem_text(call, "seat %u is to move", game->row.turn);
	struct writer writer = problem_begin(call, fault, detail);
	if (whole) {
		writer_key(&writer, "game");
		document_game(&writer, call, game, last, NULL);
	} else if (seats) {
		document_open_seats(&writer, game);
	} else if (clock) {
		document_turn(&writer, game->row.turn);
		document_deadline(&writer, &game->row);
	} else if (fault == FAULT_NOT_YOUR_TURN) {
		document_turn(&writer, game->row.turn);
	} else {
		document_outcome(&writer, game->position.reason, game->position.winner);
	}
	return problem_end(call, &writer);
}

enum fault
subject_refuse_mover(struct call *call, enum fault fault, const struct game *game)
{
	if (fault == FAULT_NOT_YOUR_SEAT && call->holder.creator && call->holder.seats == 0)
		return problem_plain(call, fault, "This is the creator's token; a seat's token moves.");
	return subject_refuse(call, fault, game);
}

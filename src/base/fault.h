/*
 * Faults: every failure that a caller may be told of, with its HTTP status,
 * its slug (the last part of the problem's type, and its code), its title and
 * what to do about it.  This table makes the enum, /problems and the errors of
 * the contract.  Reasons why a move is illegal are verdicts (engine/verdict.h)
 * and are added to the list where problems are served, each a 409.
 *
 * Functions return a fault; FAULT_NONE is success, and on any other value their
 * outputs are untouched.
 */
#ifndef IUVOD_BASE_FAULT_H
#define IUVOD_BASE_FAULT_H

/* clang-format off */
#define FAULT_TABLE(F) \
	/* 400: the request itself */ \
	F(FAULT_AMBIGUOUS_REQUEST, 400, "ambiguous-request", "The request can be read in two ways", \
	    "A header that may stand once stands twice or contradicts another (Content-Length, Transfer-Encoding, Host, Authorization), Host is missing, " \
	    "the transfer coding is another than chunked, or a header line is not as HTTP writes it. Send each once, and as RFC 9112 says.") \
	F(FAULT_MALFORMED_TARGET, 400, "malformed-target", "The path or query is malformed", \
	    "The path or query has a bad percent escape, an escaped NUL or slash, or invalid UTF-8. Encode each byte once.") \
	F(FAULT_UNKNOWN_PARAMETER, 400, "unknown-parameter", "A query parameter is unknown here", \
	    "`parameter` names it, `allowed` lists what this resource takes.") \
	F(FAULT_REPEATED_PARAMETER, 400, "repeated-parameter", "A query parameter stands twice", \
	    "`parameter` names it. Give each parameter once.") \
	F(FAULT_INVALID_PARAMETER, 400, "invalid-parameter", "A parameter has a value that is not allowed", \
	    "`parameter` names it, `detail` says what is allowed.") \
	F(FAULT_UNSUPPORTED_FILTERS, 400, "unsupported-filters", "These filters cannot be combined", \
	    "No index serves this combination. `combinations` lists those that work.") \
	F(FAULT_INVALID_CURSOR, 400, "invalid-cursor", "The cursor was not issued by this list", \
	    "Follow `next` as it was given, with the same filters, or begin without a cursor.") \
	F(FAULT_INVALID_HEADER, 400, "invalid-header", "A header has a value that cannot be read", \
	    "`header` names it, `detail` says what is allowed.") \
	F(FAULT_MALFORMED_JSON, 400, "malformed-json", "The body is not JSON", \
	    "`line` and `column` tell where. The body must be one JSON value in UTF-8, without duplicate keys, \\u0000 or anything behind it.") \
	F(FAULT_INVALID_BODY, 400, "invalid-body", "The body does not fit the schema", \
	    "`errors` lists every fault, each with a JSON pointer and what is expected there.") \
	F(FAULT_MALFORMED_MOVE, 400, "malformed-move", "The text is not a move", \
	    "A move is two cells, as c1-d3; a capture may be written c1xd3; a chain of jumps may be written out. `at` is the byte where it goes wrong.") \
	F(FAULT_MALFORMED_POSITION, 400, "malformed-position", "The text is not a position of the variant", \
	    "`field` and `at` tell where it goes wrong. A position is one line: variant, board, seat to move, resting cell, seats out.") \
	F(FAULT_NOT_A_START, 400, "not-a-start", "A game cannot start from this position", \
	    "A start is not over, has two seats or more in, each with a stone, none with all its stones on targets, and a seat to move that has a legal move.") \
	F(FAULT_MALFORMED_RECORD, 400, "malformed-record", "The record cannot be read", \
	    "`line` and `column`, or `pointer`, tell where. Nothing was stored.") \
	F(FAULT_RECORD_ILLEGAL_MOVE, 400, "record-illegal-move", "A move of the record is not legal", \
	    "`ply`, `verdict` and the place in the record tell which and why. Nothing was stored.") \
	F(FAULT_RECORD_CONTRADICTED, 400, "record-contradicted", "The replay contradicts the record", \
	    "The outcome or an ending in the record is not what its moves lead to. Nothing was stored.") \
	F(FAULT_WHICH_SEAT, 400, "which-seat", "The token has several seats in this game", \
	    "Name the one that is meant as `seat` in the body.") \
	F(FAULT_WEAK_IDEMPOTENCY_KEY, 400, "weak-idempotency-key", "The Idempotency-Key could be guessed", \
	    "Without a token, or with one that dies of the call, the key alone leads to the answer: it must have 22 characters or more, at random. A UUID will do. Nothing was changed.") \
	/* 401, 403: who asks */ \
	F(FAULT_TOKEN_REQUIRED, 401, "token-required", "A token is required", \
	    "Send the token that you were given as `Authorization: Bearer TOKEN`.") \
	F(FAULT_TOKEN_UNKNOWN, 401, "token-unknown", "The token is not known", \
	    "It was never issued, or is dead: it was replaced, or its seat left or handed over, or its player erased. Send no Authorization header where none is needed.") \
	F(FAULT_NOT_YOUR_SEAT, 403, "not-your-seat", "The token is not for this seat or game", \
	    "The token is alive, but belongs to another seat, another game or to nobody who may do this.") \
	F(FAULT_NOT_A_PLAYER, 403, "not-a-player", "The token is not a player's", \
	    "It is alive, but of a seat or of a game's creator, who has no lasting name. POST /v1/players gives a player's token.") \
	F(FAULT_NO_TEST_CLOCK, 403, "no-test-clock", "Time cannot be moved here", \
	    "It goes its way, unless the service was started with --test-clock, for tests.") \
	/* 404, 405, 406 */ \
	F(FAULT_NO_SUCH_PATH, 404, "no-such-path", "There is nothing at this path", \
	    "GET / links to everything there is.") \
	F(FAULT_NO_SUCH_GAME, 404, "no-such-game", "There is no such game", \
	    "Ids are 26 lower-case letters and digits, as given when the game was created.") \
	F(FAULT_NO_SUCH_VARIANT, 404, "no-such-variant", "There is no such variant", \
	    "GET /v1/variants lists them.") \
	F(FAULT_NO_SUCH_SEAT, 404, "no-such-seat", "The game has no such seat", \
	    "Seats are numbered from 1, as many as the variant has.") \
	F(FAULT_NO_SUCH_PLY, 404, "no-such-ply", "The game has no such ply", \
	    "Plies are numbered from 1 (moves) or 0 (positions) up to the game's `ply`.") \
	F(FAULT_NO_SUCH_PLAYER, 404, "no-such-player", "There is no such player", \
	    "Ids are 26 lower-case letters and digits, as they stand beside a seat. A player who was erased is not there any more.") \
	F(FAULT_NO_SUCH_OFFER, 404, "no-such-offer", "The game has no such open offer", \
	    "It was answered or withdrawn, what happened in the game has settled it, or it was never made. `offers` of the game has those that are open; its events tell what became of the others.") \
	F(FAULT_NO_SUCH_PROBLEM, 404, "no-such-problem", "There is no such problem", \
	    "GET /problems lists them.") \
	F(FAULT_METHOD_NOT_ALLOWED, 405, "method-not-allowed", "The method is not allowed here", \
	    "The Allow header lists the methods of this resource.") \
	F(FAULT_NOT_ACCEPTABLE, 406, "not-acceptable", "No representation fits the Accept header", \
	    "`available` lists the media types of this resource.") \
	/* 409: well-formed, but not possible now (illegal moves have slugs of their own) */ \
	F(FAULT_NOT_YOUR_TURN, 409, "not-your-turn", "It is not your turn", \
	    "`turn` is the seat to move.") \
	F(FAULT_GAME_NOT_STARTED, 409, "game-not-started", "The game has not started yet", \
	    "It starts when its last open seat is taken. `open_seats` lists those that are still free.") \
	F(FAULT_GAME_STARTED, 409, "game-started", "The game has started already", \
	    "A seat can be left before the start alone. Resign instead.") \
	F(FAULT_GAME_MOVED, 409, "game-moved", "Somebody has moved already", \
	    "A game can be withdrawn only before its first move. A player may resign; engines alone play theirs to the end.") \
	F(FAULT_GAME_WITHDRAWN, 409, "game-withdrawn", "The game was withdrawn", \
	    "Its creator has withdrawn it before anybody moved, or nobody took its last seat in time. Nothing can be done in it any more.") \
	F(FAULT_SEAT_TAKEN, 409, "seat-taken", "The seat is taken", \
	    "Somebody sits in it. `open_seats` lists those that are still free.") \
	F(FAULT_GAME_OVER, 409, "game-over", "The game is over", \
	    "`outcome` says how it ended.") \
	F(FAULT_GAME_NOT_OVER, 409, "game-not-over", "The game is not over", \
	    "A rematch is of a game that was played to its end.") \
	F(FAULT_SEAT_OUT, 409, "seat-out", "The seat is out of the game already", \
	    "A seat that is out cannot move or resign, and nobody can take it.") \
	F(FAULT_TIME_IS_UP, 409, "time-is-up", "The time for this move is up", \
	    "`deadline` has come, and with it the end of this seat's part in the game.") \
	F(FAULT_NOTHING_TO_CLAIM, 409, "nothing-to-claim", "There is no time to claim", \
	    "A claim is for another seat, when the seat to move has let `deadline` pass. It has not, or no clock runs, or the claimant is to move himself.") \
	F(FAULT_TIME_GOES_BACK, 409, "time-goes-back", "Time does not go back", \
	    "`now` is the time as it stands; it can only be moved on.") \
	F(FAULT_OFFER_OPEN, 409, "offer-open", "There is an open offer of this kind", \
	    "A game has one of a kind at a time. `offer` is that one: answer it, or wait until it is settled.") \
	F(FAULT_NOT_ASKED, 409, "not-asked", "This seat is not asked", \
	    "`offer` lists those who are. Whoever made an offer withdraws it with DELETE, and cannot accept it.") \
	F(FAULT_NO_TAKEBACK, 409, "no-takeback", "The game cannot be taken back to this ply", \
	    "It can go back to any ply from `lowest_ply` on that is below its own, `ply`: behind no resignation and no timeout.") \
	F(FAULT_NO_CLOCK, 409, "no-clock", "The game has no clock", \
	    "There is nothing to pause or to resume.") \
	F(FAULT_CLOCK_PAUSED, 409, "clock-paused", "The clock is paused already", \
	    "Offer to resume it.") \
	F(FAULT_CLOCK_NOT_PAUSED, 409, "clock-not-paused", "The clock is not paused", \
	    "There is nothing to resume.") \
	F(FAULT_SEAT_OPEN, 409, "seat-open", "Nobody sits in this seat", \
	    "It is handed over already, and waits for somebody to take it.") \
	F(FAULT_ENGINE_SEAT, 409, "engine-seat", "An engine sits in this seat", \
	    "It plays to the end: its seat is not handed over, and nobody else can have it.") \
	F(FAULT_NO_ENGINE, 409, "no-engine", "There is no engine here", \
	    "The service was started without one (`--engine-threads 0`). Everything else works as ever.") \
	/* 410 and on */ \
	F(FAULT_ANSWER_ERASED, 410, "answer-erased", "The answer was erased", \
	    "The call was done when it first came. Its answer told of a player who has been erased since, and was not kept. Nothing was done again.") \
	F(FAULT_PRECONDITION_FAILED, 412, "precondition-failed", "The game has changed since", \
	    "If-Match names an older state. `game` is the current one.") \
	F(FAULT_STALE_PLY, 412, "stale-ply", "The game stands at another ply", \
	    "expected_ply is not the game's ply. `game` is the current one.") \
	F(FAULT_BODY_TOO_LARGE, 413, "body-too-large", "The body is too large", \
	    "`limit` is the largest body in bytes that this resource takes.") \
	F(FAULT_TARGET_TOO_LONG, 414, "target-too-long", "The path and query are too long", \
	    "`limit` is the largest number of bytes.") \
	F(FAULT_UNSUPPORTED_MEDIA_TYPE, 415, "unsupported-media-type", "The body has a media type that is not read here", \
	    "`accepted` lists the media types that are.") \
	F(FAULT_IDEMPOTENCY_KEY_REUSED, 422, "idempotency-key-reused", "The Idempotency-Key was used with another request", \
	    "A call with this key, token and path was answered already, and it had another body or query. Nothing was changed. Use a new key for each thing that you want done.") \
	F(FAULT_TOO_MANY_REQUESTS, 429, "too-many-requests", "Too many requests from this address", \
	    "So many of this kind may come from one address in a minute: `policy` names the kind, `limit` the number. Nothing was changed. Try again after Retry-After seconds.") \
	/* 500, 503: us */ \
	F(FAULT_INTERNAL, 500, "internal", "Something went wrong inside the service", \
	    "It was logged under `request_id`. The game is as it was.") \
	F(FAULT_DAMAGED_GAME, 500, "damaged-game", "The stored game does not agree with the rules", \
	    "What is stored of this game is damaged. Other games are not affected.") \
	F(FAULT_DAMAGED_DATA, 500, "damaged-data", "The data file is damaged here", \
	    "What was asked for lies in a part of the file that cannot be read. Nothing was changed. What lies elsewhere is not affected.") \
	F(FAULT_STOPPING, 503, "stopping", "The service is stopping", \
	    "Nothing was changed. Try again after Retry-After seconds.") \
	F(FAULT_OVERLOADED, 503, "overloaded", "The service has too much to do", \
	    "A limit on connections or queued work was reached. Nothing was changed. Try again after Retry-After seconds.") \
	F(FAULT_TOO_MANY_STREAMS, 503, "too-many-streams", "Too many streams are open", \
	    "A limit on open streams was reached: of this game, from this address, or in all; `detail` says which. Ask without a stream, or try again after Retry-After seconds.") \
	F(FAULT_ENGINE_BUSY, 503, "engine-busy", "The engine has too much to do", \
	    "As many questions as there may be wait for it. Try again after Retry-After seconds.") \
	F(FAULT_OUT_OF_MEMORY, 503, "out-of-memory", "The service has no memory for this", \
	    "Nothing was changed. Try again after Retry-After seconds.") \
	F(FAULT_STORAGE, 503, "storage", "The storage did not take it", \
	    "The disk is full or failing. Nothing was changed. Try again after Retry-After seconds.")

enum fault {
	FAULT_NONE,
#define F(name, status, slug, title, advice) name,
	FAULT_TABLE(F)
#undef F
	FAULT_COUNT
};
/* clang-format on */

struct fault_row {
	unsigned status;
	const char *slug;
	const char *title;
	const char *advice;
};

/* The row of a fault other than FAULT_NONE; static, never NULL.  Any thread. */
const struct fault_row *fault_row(enum fault fault);

#endif

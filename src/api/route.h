/*
 * The routes, in one table: from it come routing, 404, 405 and Allow, 406, 413
 * and 415, the lane, the quota, who may call, the parameters, and the template in the log.
 */
#ifndef IUVOD_API_ROUTE_H
#define IUVOD_API_ROUTE_H

#include "api/accept.h"
#include "api/call.h"
#include "api/quota.h"
#include "api/target.h"

enum who {
	WHO_NOBODY, /* a token is not looked at */
	WHO_ANYONE, /* none is needed; one that is sent must be alive */
	WHO_HOLDER  /* one is needed */
};

enum route_body {
	BODY_NONE,     /* none is read */
	BODY_OPTIONAL, /* JSON, or nothing */
	BODY_JSON,
	BODY_RECORD /* JSON or text */
};

enum route_media { MEDIA_METRICS, MEDIA_JSON, MEDIA_PICTURE, MEDIA_TEXT, MEDIA_BOARD, MEDIA_RECORD, MEDIA_EVENTS, MEDIA_COUNT };

/*
 * R: what there is.  method, template, lane, quota, who, body, size, parameters, media, handler
 *    The handler is two functions, NAME_prepare and NAME_run.
 * A: what is for the operator, on listeners of his own: there alone, or there too.
 *    template, where, media, handler.  None of it needs the database.
 */
#define ROUTE_TABLE(R, A) \
	R(GET, "/", READ, NONE, NOBODY, NONE, NONE, "", JSON, root) \
	R(GET, "/openapi.json", READ, NONE, NOBODY, NONE, NONE, "", JSON, root_contract) \
	R(GET, "/problems", READ, NONE, NOBODY, NONE, NONE, "", JSON, problems) \
	R(GET, "/problems/{slug}", READ, NONE, NOBODY, NONE, NONE, "", JSON, problems_one) \
	A("/healthz", ROUTE_TO_ALL, JSON, root_health) \
	A("/readyz", ROUTE_TO_ALL, JSON, root_ready) \
	A("/metrics", ROUTE_TO_ADMIN, METRICS, metrics) \
	R(GET, "/version", READ, NONE, NOBODY, NONE, NONE, "", JSON, root_version) \
	R(PUT, "/test-clock", WRITE, NONE, NOBODY, JSON, BODY, "", JSON, test_clock) \
	R(GET, "/v1/variants", READ, NONE, NOBODY, NONE, NONE, "", JSON, variants) \
	R(GET, "/v1/variants/{variant}", READ, NONE, NOBODY, NONE, NONE, "", JSON, variants_one) \
	R(GET, "/v1/games", READ, NONE, ANYONE, NONE, NONE, "variant status turn name updated_since limit cursor", JSON, games) \
	R(POST, "/v1/games", WRITE, GAMES, ANYONE, JSON, BODY, "", JSON, create) \
	R(GET, "/v1/games/{game}", READ, NONE, ANYONE, NONE, NONE, "", JSON, game) \
	R(DELETE, "/v1/games/{game}", WRITE, CHANGES, HOLDER, NONE, NONE, "", JSON, withdrawal) \
	R(GET, "/v1/games/{game}/legal-moves", READ, NONE, ANYONE, NONE, NONE, "from", JSON, game_legal_moves) \
	R(GET, "/v1/games/{game}/moves", READ, NONE, ANYONE, NONE, NONE, "after", JSON, moves) \
	R(POST, "/v1/games/{game}/moves", WRITE, MOVES, HOLDER, JSON, BODY, "dry_run", JSON, play) \
	R(GET, "/v1/games/{game}/moves/{ply}", READ, NONE, ANYONE, NONE, NONE, "", JSON, moves_one) \
	R(GET, "/v1/games/{game}/positions/{ply}", READ, NONE, ANYONE, NONE, NONE, "", JSON, position) \
	R(GET, "/v1/games/{game}/board", READ, NONE, ANYONE, NONE, NONE, "ply seat legal_from", BOARD, picture) \
	R(GET, "/v1/games/{game}/board.svg", READ, NONE, ANYONE, NONE, NONE, "ply seat legal_from", PICTURE, picture) \
	R(GET, "/v1/games/{game}/board.txt", READ, NONE, ANYONE, NONE, NONE, "ply seat legal_from", TEXT, picture) \
	R(GET, "/v1/games/{game}/record", READ, NONE, ANYONE, NONE, NONE, "", RECORD, record) \
	R(POST, "/v1/records", WRITE, GAMES, ANYONE, RECORD, RECORD, "visibility", JSON, import) \
	R(POST, "/v1/games/{game}/resignation", WRITE, CHANGES, HOLDER, OPTIONAL, BODY, "", JSON, resignation) \
	R(POST, "/v1/analysis", READ, NONE, NOBODY, JSON, RECORD, "", JSON, analysis) \
	R(GET, "/v1/games/{game}/events", READ, NONE, ANYONE, NONE, NONE, "after limit format", EVENTS, events) \
	R(POST, "/v1/games/{game}/seats/{seat}", WRITE, CHANGES, ANYONE, OPTIONAL, BODY, "", JSON, seat_take) \
	R(DELETE, "/v1/games/{game}/seats/{seat}", WRITE, CHANGES, HOLDER, NONE, NONE, "", JSON, seat_leave) \
	R(POST, "/v1/games/{game}/seats/{seat}/token", WRITE, CHANGES, HOLDER, OPTIONAL, BODY, "", JSON, seat_rekey) \
	R(POST, "/v1/games/{game}/offers", WRITE, CHANGES, HOLDER, JSON, BODY, "", JSON, offers) \
	R(GET, "/v1/games/{game}/offers/{offer}", READ, NONE, HOLDER, NONE, NONE, "", JSON, offers_one) \
	R(PUT, "/v1/games/{game}/offers/{offer}", WRITE, CHANGES, HOLDER, JSON, BODY, "", JSON, offers_answer) \
	R(DELETE, "/v1/games/{game}/offers/{offer}", WRITE, CHANGES, HOLDER, NONE, NONE, "", JSON, offers_withdraw) \
	R(POST, "/v1/games/{game}/claims", WRITE, CHANGES, HOLDER, OPTIONAL, BODY, "", JSON, claim) \
	R(POST, "/v1/games/{game}/rematch", WRITE, GAMES, HOLDER, OPTIONAL, BODY, "", JSON, rematch) \
	R(GET, "/v1/games/{game}/hint", READ, NONE, ANYONE, NONE, NONE, "level nodes lines seed", JSON, hint) \
	R(GET, "/v1/games/{game}/analysis", READ, NONE, ANYONE, NONE, NONE, "nodes after limit", JSON, report) \
	R(POST, "/v1/players", WRITE, CHANGES, ANYONE, JSON, BODY, "", JSON, players) \
	R(GET, "/v1/players/{player}", READ, NONE, ANYONE, NONE, NONE, "", JSON, players_one) \
	R(GET, "/v1/players/{player}/games", READ, NONE, ANYONE, NONE, NONE, "limit cursor", JSON, players_games) \
	R(GET, "/v1/me", READ, NONE, HOLDER, NONE, NONE, "", JSON, me) \
	R(PATCH, "/v1/me", WRITE, CHANGES, HOLDER, JSON, BODY, "", JSON, me_change) \
	R(DELETE, "/v1/me", WRITE, CHANGES, HOLDER, NONE, NONE, "", JSON, me_erase) \
	R(POST, "/v1/me/token", WRITE, CHANGES, HOLDER, OPTIONAL, BODY, "", JSON, me_rekey) \
	R(GET, "/v1/me/games", READ, NONE, HOLDER, NONE, NONE, "needs_action limit cursor", JSON, me_games) \
	R(GET, "/v1/me/events", READ, NONE, HOLDER, NONE, NONE, "after limit format", EVENTS, me_events)

/* On which listeners a route is: a bit for each site (call.h). */
enum route_to {
	ROUTE_TO_PUBLIC = 1 << SITE_PUBLIC,
	ROUTE_TO_ADMIN = 1 << SITE_ADMIN,
	ROUTE_TO_ALL = ROUTE_TO_PUBLIC | ROUTE_TO_ADMIN
};

struct route {
	enum method method;
	const char *template;
	enum lane lane;
	enum quota quota; /* that a call counts against */
	enum who who;
	enum route_body body;
	enum body_size size;    /* of the body at most */
	const char *parameters; /* of the query, between spaces */
	enum route_media media;
	enum route_to to;
	/*
	 * prepare has no database: it reads body and parameters into call->prepared
	 * and may reply with a refusal.  run replies; in the write lane an error
	 * undoes what it did.  Both return FAULT_NONE if they replied, or have
	 * nothing to say (prepare), or the fault to reply with.
	 */
	enum fault (*prepare)(struct call *call);
	enum fault (*run)(struct call *call);
};

extern const struct route route_table[];
extern const unsigned route_count;

/* The media types of a route, the preferred one first; ends with NULL. */
const char *const *route_media(const struct route *route);

/* A resource: the routes that share a template. */
struct resource;

/* The resource at a path of a site, its variables put to params; NULL if there is none.  skip: segments of a base path.
 */
const struct resource *route_find(
    enum site site, const struct target_path *path, unsigned skip, const char *params[CALL_PARAMS_MAX]);

/* Its route for a method (that of GET for HEAD); NULL if it has none. */
const struct route *route_method(const struct resource *resource, enum method method);

/* The value of Allow; static once made. */
const char *route_allow(const struct resource *resource);

/* The template of the resource, for the log. */
const char *route_template(const struct resource *resource);

/*
 * For those who count by resource: how many there are, with the first that stands
 * for none; the number of one, NULL: none; and its template, "none" of none.
 */
unsigned route_resources(void);
unsigned route_index(const struct resource *resource);
const char *route_label(unsigned index);

/* The name of a method, "other" where it is none of those that are known. */
const char *route_method_label(enum method method);

/* Whether the route takes a parameter of this name. */
bool route_takes(const struct route *route, const char *parameter);

#endif

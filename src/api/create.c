/* POST /v1/games: a new game, with the tokens of those of its seats that are not open. */
#include "api/body.h"
#include "api/document.h"
#include "api/player.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"
#include "api/terms.h"
#include "api/words.h"

static const struct schema_member engine_members[] = {
    {.name = "level", .required = true, .value = {.type = SCHEMA_INTEGER, .min = 1, .max = LIMIT_ENGINE_LEVELS}},
    {.name = NULL},
};
static const struct schema_member seat_members[] = {
    {.name = "name", .value = {.type = SCHEMA_NAME, .min = 1, .max = LIMIT_NAME}},
    {.name = "open", .value = {.type = SCHEMA_TRUE}},
    {.name = "engine", .value = {.type = SCHEMA_OBJECT, .members = engine_members}},
    {.name = NULL},
};
static const struct schema seat_schema = {.type = SCHEMA_OBJECT, .max = 1, .members = seat_members};
static const struct schema_member game_members[] = {
    {.name = "variant", .required = true, .value = {.type = SCHEMA_STRING, .words = words_variants}},
    /* How many there must be, the variant tells. */
    {.name = "seats", .value = {.type = SCHEMA_ARRAY, .min = 0, .max = LIMIT_JSON_VALUES, .each = &seat_schema}},
    {.name = "position", .value = {.type = SCHEMA_STRING, .min = 1, .max = LIMIT_POSITION_TEXT}},
    {.name = "visibility", .value = {.type = SCHEMA_STRING, .words = words_visibility}},
    {.name = "clock", .value = {.type = SCHEMA_OBJECT, .words = terms_words, .members = terms_members}},
    {.name = NULL},
};
static const struct schema game_schema = {.type = SCHEMA_OBJECT, .members = game_members};

/* What prepare leaves to run. */
struct plan {
	struct game_plan plan;
	struct position start;
};

static enum fault
read_start(struct call *call, const char *text, struct plan *plan)
{
	struct text_fault where;
	if (!notation_read_position(text, strlen(text), &plan->start, &where))
		return problem_position(call, "/position", &where);
	if (plan->start.variant != plan->plan.variant)
		return body_refuse(call, "/position", "expected a position of the variant that is asked for");
	if (!position_is_start(&plan->start))
		return problem_with(call, FAULT_NOT_A_START, NULL, "pointer", "/position");
	plan->plan.start = &plan->start;
	return FAULT_NONE;
}

/* The level of an engine; 0 if the seat is none's. */
static unsigned
read_level(const cJSON *engine)
{
	return engine == NULL ? 0 : (unsigned)json_member(engine, "level")->valuedouble;
}

static bool
has_engine(const struct game_plan *plan)
{
	bool any = false;
	for (unsigned i = 0; i < SEATS_MAX; i++)
		any |= plan->levels[i] != 0;
	return any;
}

static enum fault
read_seats(struct call *call, const cJSON *seats, struct game_plan *plan)
{
	unsigned count = 0, wanted = variant_row(plan->variant)->seats;
	const cJSON *seat;
	cJSON_ArrayForEach(seat, seats)
	{
		if (count < SEATS_MAX) {
			plan->names[count] = json_text(seat, "name");
			plan->open[count] = json_member(seat, "open") != NULL;
			plan->levels[count] = read_level(json_member(seat, "engine"));
		}
		count++;
	}
	if (seats != NULL && count != wanted)
		return body_refuse_seats(call, wanted);
	return FAULT_NONE;
}

enum fault
create_prepare(struct call *call)
{
	const cJSON *body;
	struct plan *plan = arena_zero(call->arena, sizeof *plan);
	if (plan == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = body_json(call, &game_schema, &body);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	const char *variant = json_text(body, "variant"), *position = json_text(body, "position");
	const char *visibility = json_text(body, "visibility");
	variant_find(variant, strlen(variant), &plan->plan.variant);
	plan->plan.listed = visibility == NULL || strcmp(visibility, "public") == 0;
	call->prepared = plan;
	fault = read_seats(call, json_member(body, "seats"), &plan->plan);
	if (fault == FAULT_NONE && !call->replied)
		fault = terms_read(call, json_member(body, "clock"), &plan->plan.clock);
	if (fault != FAULT_NONE || call->replied || position == NULL)
		return fault;
	return read_start(call, position, plan);
}

/* What a player creates is his.  His seats have the names that he asks for, or else his own as it is now. */
static void
give_to(const struct player_row *player, struct game_plan *plan)
{
	plan->creator = player->player;
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		bool namesake = plan->names[i] == NULL;
		plan->owners[i] = (struct seat_owner){player->player, player->id, namesake};
		if (namesake)
			plan->names[i] = player->name;
	}
}

enum fault
create_run(struct call *call)
{
	struct plan *plan = call->prepared;
	struct player_row row;
	const struct player_row *player;
	struct game_secrets secrets;
	struct game game;
	if (has_engine(&plan->plan) && !call->service->engine)
		return FAULT_NO_ENGINE;
	game_secrets_new(&secrets);
	enum fault fault = player_asking(call, &row, &player);
	if (fault != FAULT_NONE)
		return fault;
	if (player != NULL)
		give_to(player, &plan->plan);
	fault = game_create(call->db, call->arena, call->now_ms, &plan->plan, &secrets, &game);
	return fault != FAULT_NONE ? fault : subject_created(call, &game, &secrets);
}

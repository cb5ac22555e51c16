/* Targets, the route table, and whether it is the one that the contract tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/contract.h"
#include "api/problem.h"
#include "api/route.h"

static const char *const method_words[] = {"get", "head", "post", "put", "patch", "delete", "options"};

static int
open_arena(void **state)
{
	*state = arena_open(LIMIT_ARENA);
	return *state == NULL;
}

static int
close_arena(void **state)
{
	arena_close(*state);
	return 0;
}

/* The template at a target; "-" if there is none, "!" if the target is malformed. */
static const char *
template_at(struct arena *arena, const char *target, const char *params[CALL_PARAMS_MAX])
{
	struct target_path path;
	const char *why = NULL;
	enum fault fault = target_path(arena, target, &path, &why);
	assert_int_equal(fault == FAULT_NONE, why == NULL);
	if (fault != FAULT_NONE)
		return "!";
	const struct resource *resource = route_find(SITE_PUBLIC, &path, 0, params);
	return resource == NULL ? "-" : route_template(resource);
}

static void
paths_lead_to_resources(void **state)
{
	static const struct {
		const char *target, *template;
	} cases[] = {
	    {"/", "/"},
	    {"/?a=b", "/"},
	    {"http://example.org", "/"},
	    {"HTTP://example.org:80/v1/games?x", "/v1/games"},
	    {"/v1/games", "/v1/games"},
	    {"/v1/games/x", "/v1/games/{game}"},
	    {"/v1/games/x/moves/12", "/v1/games/{game}/moves/{ply}"},
	    {"/v1/games/x/board.svg", "/v1/games/{game}/board.svg"},
	    {"/%76%31/g%61mes", "/v1/games"},
	    {"/v1/me/games", "/v1/me/games"},
	    {"/v1/games/", "-"},
	    {"/v1/games//moves", "-"},
	    {"//v1/games", "-"},
	    {"/v1/games/x/", "-"},
	    {"/V1/games", "-"},
	    {"/v1/games/x/moves/12/y", "-"},
	    {"/v1/../v1/games", "-"},
	    {"/v1", "-"},
	    {"/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p", "-"},
	    {"", "!"},
	    {"v1/games", "!"},
	    {"*", "!"},
	    {"?a", "!"},
	    {"/v1/games/abc%00x", "!"},
	    {"/v1/games%2Fabc", "!"},
	    {"/v1/games%2fabc", "!"},
	    {"/v1/games/%", "!"},
	    {"/v1/games/%4", "!"},
	    {"/v1/games/%4?x", "!"},
	    {"/v1/games/%zz", "!"},
	    {"/v1/games/%+4", "!"},
	    {"/v1/games/%ff", "!"},
	    {"/v1/games/%c3%a4", "/v1/games/{game}"},
	    {"/v1/games/a b", "!"},
	    {"/v1/games/\x01", "!"},
	    {"/v1/games#x", "!"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *params[CALL_PARAMS_MAX];
		const char *found = template_at(*state, cases[i].target, params);
		if (strcmp(found, cases[i].template) != 0)
			fail_msg("%s: %s", cases[i].target, found);
	}
}

static void
variables_are_decoded(void **state)
{
	const char *params[CALL_PARAMS_MAX];
	assert_string_equal(
	    template_at(*state, "/v1/games/a%2Db/seats/%31/token?x", params), "/v1/games/{game}/seats/{seat}/token");
	assert_string_equal(params[0], "a-b");
	assert_string_equal(params[1], "1");
	/* A plus is a plus in a path. */
	template_at(*state, "/v1/games/a+b", params);
	assert_string_equal(params[0], "a+b");
}

static void
queries_are_read(void **state)
{
	const char *query = "&&a=1&b&=c&d=%2F%20+&a=%3D%26", *why = NULL, *name, *value;
	static const char *const expected[][2] = {{"a", "1"}, {"b", ""}, {"", "c"}, {"d", "/  "}, {"a", "=&"}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_int_equal(target_parameter(*state, &query, &name, &value, &why), FAULT_NONE);
		assert_string_equal(name, expected[i][0]);
		assert_string_equal(value, expected[i][1]);
	}
	assert_int_equal(target_parameter(*state, &query, &name, &value, &why), FAULT_NONE);
	assert_null(name);
	static const char *const bad[] = {"a=%00", "%00=1", "a=%", "a=%4", "a=%4&b=41", "a=%ff", "a=b c"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		query = bad[i];
		if (target_parameter(*state, &query, &name, &value, &why) != FAULT_MALFORMED_TARGET)
			fail_msg("%s", bad[i]);
	}
}

static void
allow_lists_what_is_there(void **state)
{
	const char *params[CALL_PARAMS_MAX], *why;
	struct target_path path;
	assert_int_equal(target_path(*state, "/v1/games/x", &path, &why), FAULT_NONE);
	const struct resource *game = route_find(SITE_PUBLIC, &path, 0, params);
	assert_string_equal(route_allow(game), "GET, HEAD, DELETE, OPTIONS");
	assert_ptr_equal(route_method(game, METHOD_HEAD), route_method(game, METHOD_GET));
	assert_null(route_method(game, METHOD_POST));
	assert_null(route_method(game, METHOD_OTHER));
	assert_int_equal(target_path(*state, "/v1/records", &path, &why), FAULT_NONE);
	assert_string_equal(route_allow(route_find(SITE_PUBLIC, &path, 0, params)), "POST, OPTIONS");
}

static void
parameters_are_whole_words(void **state)
{
	(void)state;
	const struct route route = {.parameters = "ply seat legal_from"};
	assert_true(route_takes(&route, "ply"));
	assert_true(route_takes(&route, "legal_from"));
	assert_false(route_takes(&route, "legal"));
	assert_false(route_takes(&route, "ply seat"));
	assert_false(route_takes(&route, ""));
	assert_false(route_takes(&(struct route){.parameters = ""}, "ply"));
}

/* No two routes have the same method and template, and none is shadowed by another. */
static void
every_route_is_reached(void **state)
{
	for (unsigned i = 0; i < route_count; i++) {
		const char *params[CALL_PARAMS_MAX], *why;
		struct target_path path;
		assert_int_equal(target_path(*state, route_table[i].template, &path, &why), FAULT_NONE);
		const struct route *route = &route_table[i];
		for (unsigned site = SITE_PUBLIC; site <= SITE_ADMIN; site++)
			assert_int_equal(
			    route_find((enum site)site, &path, 0, params) != NULL, (route->to & 1u << site) != 0);
		enum site site = (route->to & ROUTE_TO_PUBLIC) != 0 ? SITE_PUBLIC : SITE_ADMIN;
		const struct resource *resource = route_find(site, &path, 0, params);
		assert_non_null(resource);
		assert_string_equal(route_label(route_index(resource)), route->template);
		assert_true(route_index(resource) > 0 && route_index(resource) < route_resources());
		assert_string_equal(route_template(resource), route_table[i].template);
		assert_ptr_equal(route_method(resource, route_table[i].method), &route_table[i]);
		assert_true(route_table[i].prepare != NULL && route_table[i].run != NULL);
	}
}

/* The contract, both ways.  Read by cJSON alone: it is larger than any body that is taken. */

static cJSON *
contract(void)
{
	cJSON *json = cJSON_ParseWithLength((const char *)contract_json, contract_json_len);
	assert_non_null(json);
	return json;
}

static void
the_table_is_that_of_the_contract(void **state)
{
	(void)state;
	cJSON *json = contract();
	const cJSON *paths = cJSON_GetObjectItemCaseSensitive(json, "paths"), *path, *operation;
	unsigned count = 0;
	for (unsigned i = 0; i < route_count; i++) {
		const struct route *route = &route_table[i];
		path = cJSON_GetObjectItemCaseSensitive(paths, route->template);
		operation = cJSON_GetObjectItemCaseSensitive(path, method_words[route->method]);
		if (operation == NULL)
			fail_msg("not in the contract: %s %s", method_words[route->method], route->template);
		/* What the operator's listeners alone serve has a server of its own. */
		bool elsewhere = cJSON_GetObjectItemCaseSensitive(operation, "servers") != NULL;
		if (elsewhere != (route->to == ROUTE_TO_ADMIN))
			fail_msg("one says that it is elsewhere: %s %s", method_words[route->method], route->template);
	}
	cJSON_ArrayForEach(path, paths)
	{
		for (size_t i = 0; i < sizeof method_words / sizeof *method_words; i++)
			count += cJSON_HasObjectItem(path, method_words[i]) != 0;
	}
	assert_int_equal(count, route_count);
	cJSON_Delete(json);
}

/* The names of the query parameters of an operation, resolved, must be those of the route. */
static void
the_parameters_are_those_of_the_contract(void **state)
{
	(void)state;
	cJSON *json = contract();
	const cJSON *paths = cJSON_GetObjectItemCaseSensitive(json, "paths");
	const cJSON *shared =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "components"), "parameters");
	for (unsigned i = 0; i < route_count; i++) {
		const struct route *route = &route_table[i];
		const cJSON *path = cJSON_GetObjectItemCaseSensitive(paths, route->template);
		const cJSON *operation = cJSON_GetObjectItemCaseSensitive(path, method_words[route->method]),
			    *parameter;
		unsigned count = 0, words = route->parameters[0] != '\0';
		cJSON_ArrayForEach(parameter, cJSON_GetObjectItemCaseSensitive(operation, "parameters"))
		{
			const char *reference =
			    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parameter, "$ref"));
			const cJSON *whole =
			    reference == NULL ? parameter
					      : cJSON_GetObjectItemCaseSensitive(shared, strrchr(reference, '/') + 1);
			const char *in = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(whole, "in"));
			const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(whole, "name"));
			if (strcmp(in, "query") != 0)
				continue;
			count++;
			if (!route_takes(route, name))
				fail_msg("%s does not take %s", route->template, name);
		}
		for (const char *c = route->parameters; *c != '\0'; c++)
			words += *c == ' ';
		if (count != words)
			fail_msg("%s takes %s, the contract knows %u", route->template, route->parameters, count);
	}
	cJSON_Delete(json);
}

static bool
lists(const cJSON *array, const char *word)
{
	const cJSON *entry;
	cJSON_ArrayForEach(entry, array)
	{
		if (strcmp(entry->valuestring, word) == 0)
			return true;
	}
	return false;
}

static void
the_problems_are_those_of_the_contract(void **state)
{
	(void)state;
	cJSON *json = contract();
	const cJSON *schemas =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "components"), "schemas");
	const cJSON *codes =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(schemas, "ProblemCode"), "enum");
	for (unsigned i = FAULT_NONE + 1; i < FAULT_COUNT; i++) {
		if (!lists(codes, fault_row((enum fault)i)->slug))
			fail_msg("%s", fault_row((enum fault)i)->slug);
	}
	for (unsigned i = VERDICT_LEGAL + 1; i < VERDICT_COUNT; i++) {
		if (!lists(codes, verdict_row((enum verdict)i)->slug))
			fail_msg("%s", verdict_row((enum verdict)i)->slug);
	}
	assert_int_equal(cJSON_GetArraySize(codes), FAULT_COUNT - 1 + VERDICT_COUNT - 1);
	cJSON_Delete(json);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(paths_lead_to_resources),
	    cmocka_unit_test(variables_are_decoded),
	    cmocka_unit_test(queries_are_read),
	    cmocka_unit_test(allow_lists_what_is_there),
	    cmocka_unit_test(parameters_are_whole_words),
	    cmocka_unit_test(every_route_is_reached),
	    cmocka_unit_test(the_table_is_that_of_the_contract),
	    cmocka_unit_test(the_parameters_are_those_of_the_contract),
	    cmocka_unit_test(the_problems_are_those_of_the_contract),
	};
	return cmocka_run_group_tests_name("route", tests, open_arena, close_arena);
}

/* The cache of documents, the table of changes that it goes by, and the counts of connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/token.h"
#include "http/cache.h"
#include "http/guard.h"

enum { ROOM = 256 * 1024, BODY = 2000 };

/* Whatever a document is of, the cache does not look at it. */
#define OF ((const struct resource *)(const void *)&changes)

static struct changes changes;

static int
set_up(void **state)
{
	memset(&changes, 0, sizeof changes);
	*state = token_init() ? cache_open(ROOM, &changes) : NULL;
	return *state == NULL;
}

static int
tear_down(void **state)
{
	cache_close(*state);
	return 0;
}

static struct MHD_Response *
response_new(void)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(BODY, calloc(1, BODY), MHD_RESPMEM_MUST_FREE);
	assert_non_null(response);
	return response;
}

/* Keeps a document of its own for a key, and returns its response to be recognized. */
static struct MHD_Response *
keep(struct cache *cache, const char *target, const char *accept, const char *game, uint64_t epoch)
{
	struct cache_document document = {.response = response_new(), .resource = OF, .bytes = BODY};
	assert_true(cache_keep(cache, target, accept, game, epoch, &document));
	return document.response;
}

/* What the writer does around a COMMIT that changes one game. */
static void
change(const char *game)
{
	changes_hold(&changes, changes_slot(game));
	changes_publish(&changes, changes_slot(game), changes_next(&changes));
}

static void
finds_what_it_keeps_by_target_and_accept(void **state)
{
	struct cache *cache = *state;
	assert_null(cache_find(cache, "/a", NULL));
	struct MHD_Response *plain = keep(cache, "/a", NULL, "g", 0);
	struct MHD_Response *empty = keep(cache, "/a", "", "g", 0);
	struct MHD_Response *json = keep(cache, "/a", "application/json", "g", 0);
	struct MHD_Response *other = keep(cache, "/aapplication", "/json", "g", 0);
	assert_ptr_equal(cache_find(cache, "/a", NULL)->response, plain);
	assert_ptr_equal(cache_find(cache, "/a", "")->response, empty);
	assert_ptr_equal(cache_find(cache, "/a", "application/json")->response, json);
	assert_ptr_equal(cache_find(cache, "/aapplication", "/json")->response, other);
	assert_null(cache_find(cache, "/a", "text/plain"));
	assert_null(cache_find(cache, "/A", NULL));
	assert_int_equal(cache_find(cache, "/a", NULL)->bytes, BODY);
	assert_ptr_equal(cache_find(cache, "/a", NULL)->resource, OF);
}

static void
a_second_document_takes_the_place_of_the_first(void **state)
{
	keep(*state, "/a", NULL, "g", 0);
	struct MHD_Response *second = keep(*state, "/a", NULL, "g", 0);
	assert_ptr_equal(cache_find(*state, "/a", NULL)->response, second);
}

static void
a_change_ends_the_documents_of_its_game(void **state)
{
	assert_int_not_equal(changes_slot("g"), changes_slot("h"));
	keep(*state, "/g", NULL, "g", changes_now(&changes));
	keep(*state, "/h", NULL, "h", changes_now(&changes));
	change("g");
	assert_null(cache_find(*state, "/g", NULL));
	assert_non_null(cache_find(*state, "/h", NULL));
	keep(*state, "/g", NULL, "g", changes_now(&changes));
	assert_non_null(cache_find(*state, "/g", NULL));
}

/* A reader whose transaction began before a COMMIT keeps its document after it: it must not be believed. */
static void
a_document_read_before_a_change_is_not_fresh_after_it(void **state)
{
	uint64_t before = changes_now(&changes);
	change("g");
	keep(*state, "/g", NULL, "g", before);
	assert_null(cache_find(*state, "/g", NULL));
}

static void
nothing_is_fresh_while_its_game_is_held(void **state)
{
	keep(*state, "/g", NULL, "g", changes_now(&changes));
	changes_hold(&changes, changes_slot("g"));
	keep(*state, "/g?x", NULL, "g", changes_now(&changes));
	assert_null(cache_find(*state, "/g", NULL));
	assert_null(cache_find(*state, "/g?x", NULL));
	uint64_t epoch = changes_next(&changes);
	/* Begun after COMMIT, before the slot is published: it saw the new state. */
	uint64_t between = changes_now(&changes);
	changes_publish(&changes, changes_slot("g"), epoch);
	keep(*state, "/g", NULL, "g", between);
	assert_non_null(cache_find(*state, "/g", NULL));
}

static void
it_stays_within_its_room_and_drops_what_was_used_longest_ago(void **state)
{
	char target[32];
	for (int i = 0; i < 1000; i++) {
		snprintf(target, sizeof target, "/%d", i);
		keep(*state, target, NULL, "g", 0);
		assert_non_null(cache_find(*state, "/0", NULL));
		assert_non_null(cache_find(*state, target, NULL));
	}
	unsigned kept = 0;
	for (int i = 0; i < 1000; i++) {
		snprintf(target, sizeof target, "/%d", i);
		kept += cache_find(*state, target, NULL) != NULL;
	}
	assert_in_range(kept, 2, ROOM / BODY);
	assert_null(cache_find(*state, "/1", NULL));
}

static void
a_document_that_would_push_out_the_others_is_not_kept(void **state)
{
	struct cache_document document = {.response = response_new(), .resource = OF, .bytes = ROOM / 2};
	keep(*state, "/a", NULL, "g", 0);
	assert_false(cache_keep(*state, "/b", NULL, "g", 0, &document));
	assert_false(cache_keep(*state, "/a", NULL, "g", 0, &document));
	MHD_destroy_response(document.response);
	assert_null(cache_find(*state, "/b", NULL));
}

static struct sockaddr_storage
address(const char *text)
{
	struct sockaddr_storage storage = {0};
	struct sockaddr_in *v4 = (void *)&storage;
	struct sockaddr_in6 *v6 = (void *)&storage;
	bool is_v6 = strchr(text, ':') != NULL;
	storage.ss_family = is_v6 ? AF_INET6 : AF_INET;
	assert_int_equal(inet_pton(storage.ss_family, text, is_v6 ? (void *)&v6->sin6_addr : (void *)&v4->sin_addr), 1);
	return storage;
}

/* Why an address may have no more streams; NULL if it has one more now. */
static const char *
enter_stream(struct guard *guard, const char *text, struct guard_place *expected)
{
	struct sockaddr_storage storage = address(text);
	struct guard_place *place = NULL;
	const char *why;
	bool entered = guard_enter_stream(guard, ip_of_socket((const void *)&storage), &place, &why);
	assert_int_equal(entered, why == NULL);
	if (why == NULL && expected != NULL)
		assert_ptr_equal(place, expected);
	return why;
}

static struct guard_place *
enter(struct guard *guard, const char *text, bool expected)
{
	struct sockaddr_storage storage = address(text);
	bool served = !expected;
	struct guard_place *place = guard_enter(guard, ip_of_socket((const void *)&storage), &served);
	assert_non_null(place);
	assert_int_equal(served, expected);
	return place;
}

static void
connections_of_one_address_are_counted(void **state)
{
	(void)state;
	struct guard *guard = guard_open(&(struct guard_limits){.connections = 100, .connections_address = 2});
	struct guard_place *places[] = {enter(guard, "10.0.0.1", true), enter(guard, "::ffff:10.0.0.1", true),
	    enter(guard, "10.0.0.1", false), enter(guard, "10.0.0.2", true),
	    /* Who has one address of a network of 64 bits has all of them. */
	    enter(guard, "2001:db8:1:2::1", true), enter(guard, "2001:db8:1:2:ffff::1", true),
	    enter(guard, "2001:db8:1:2::3", false), enter(guard, "2001:db8:1:3::1", true)};
	guard_leave(guard, places[0]);
	guard_leave(guard, places[2]);
	places[0] = enter(guard, "10.0.0.1", true);
	places[2] = enter(guard, "10.0.0.1", false);
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
		guard_leave(guard, places[i]);
	guard_close(guard);
}

static void
streams_are_counted_apart_and_hold_their_place(void **state)
{
	(void)state;
	struct guard *guard = guard_open(
	    &(struct guard_limits){.connections = 9, .connections_address = 9, .streams = 3, .streams_address = 2});
	struct guard_place *one = enter(guard, "10.0.0.1", true), *two = enter(guard, "10.0.0.2", true);
	assert_null(enter_stream(guard, "10.0.0.1", one));
	assert_null(enter_stream(guard, "10.0.0.1", one));
	assert_non_null(strstr(enter_stream(guard, "10.0.0.1", one), "address"));
	assert_null(enter_stream(guard, "10.0.0.2", two));
	assert_non_null(strstr(enter_stream(guard, "10.0.0.2", two), "in all"));
	/* The connection goes, its streams stay. */
	guard_leave(guard, one);
	assert_ptr_equal(enter(guard, "10.0.0.1", true), one);
	assert_non_null(enter_stream(guard, "10.0.0.1", one));
	guard_leave_stream(guard, one);
	assert_null(enter_stream(guard, "10.0.0.1", one));
	guard_leave(guard, one);
	guard_leave_stream(guard, one);
	guard_leave_stream(guard, one);
	guard_leave(guard, two);
	guard_leave_stream(guard, two);
	/* A proxy's client has no connection of his own. */
	assert_null(enter_stream(guard, "10.0.0.3", NULL));
	assert_null(enter_stream(guard, "10.0.0.3", NULL));
	assert_non_null(strstr(enter_stream(guard, "10.0.0.3", NULL), "address"));
	struct guard_place *three = enter(guard, "10.0.0.3", true);
	guard_leave_stream(guard, three);
	guard_leave_stream(guard, three);
	guard_leave(guard, three);
	guard_close(guard);
}

static void
connections_in_all_are_counted_and_the_reserve_ends(void **state)
{
	(void)state;
	struct guard_place *places[5 + GUARD_RESERVE];
	struct guard *guard = guard_open(&(struct guard_limits){.connections = 5, .connections_address = 1000});
	for (unsigned i = 0; i < 5 + GUARD_RESERVE; i++) {
		char text[32];
		snprintf(text, sizeof text, "10.0.%u.1", i);
		assert_true(guard_has_room(guard));
		places[i] = enter(guard, text, i < 5);
	}
	assert_false(guard_has_room(guard));
	guard_leave(guard, places[0]);
	assert_true(guard_has_room(guard));
	for (unsigned i = 1; i < 5 + GUARD_RESERVE; i++)
		guard_leave(guard, places[i]);
	guard_close(guard);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(finds_what_it_keeps_by_target_and_accept, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_second_document_takes_the_place_of_the_first, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_change_ends_the_documents_of_its_game, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_document_read_before_a_change_is_not_fresh_after_it, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(nothing_is_fresh_while_its_game_is_held, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		it_stays_within_its_room_and_drops_what_was_used_longest_ago, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_document_that_would_push_out_the_others_is_not_kept, set_up, tear_down),
	    cmocka_unit_test(connections_of_one_address_are_counted),
	    cmocka_unit_test(streams_are_counted_apart_and_hold_their_place),
	    cmocka_unit_test(connections_in_all_are_counted_and_the_reserve_ends),
	};
	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}

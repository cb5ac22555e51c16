/* Quotas by address, in time and over many addresses; and what an address is. */
#include "http/meter.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/token.h"
#include "http/ip.h"
#include <cmocka.h>

enum { SECOND = 1000 * 1000, START = 77 * SECOND };

static const unsigned most[QUOTA_COUNT] = {
    [QUOTA_GAMES] = 6, [QUOTA_MOVES] = 7, [QUOTA_CHANGES] = 60, [QUOTA_QUESTIONS] = 0, [QUOTA_REFUSALS] = 2};

static int
open_meter(void **state)
{
	*state = token_init() ? meter_open(most) : NULL;
	return *state == NULL;
}

static int
close_meter(void **state)
{
	meter_close(*state);
	return 0;
}

static struct quota_mark
take(struct meter *meter, enum quota quota, uint64_t address, int64_t now_us)
{
	struct quota_mark mark;
	meter_take(meter, quota, address, now_us, &mark);
	assert_int_equal(mark.quota, quota);
	assert_int_equal(mark.most, most[quota]);
	return mark;
}

static void
a_minute_is_there_at_once(void **state)
{
	for (unsigned i = 1; i <= 6; i++) {
		struct quota_mark mark = take(*state, QUOTA_GAMES, 1, START);
		assert_int_equal(mark.refused_s, 0);
		assert_int_equal(mark.left, 6 - i);
		assert_int_equal(mark.whole_s, 10 * i);
	}
	struct quota_mark mark = take(*state, QUOTA_GAMES, 1, START);
	assert_int_equal(mark.refused_s, 10);
	assert_int_equal(mark.left, 0);
	assert_int_equal(mark.whole_s, 60);
}

static void
to_look_counts_nothing(void **state)
{
	struct quota_mark mark;
	for (unsigned i = 0; i < 9; i++) {
		meter_look(*state, QUOTA_REFUSALS, 1, START, &mark);
		assert_int_equal(mark.quota, QUOTA_REFUSALS);
		assert_int_equal(mark.most, 2);
		assert_int_equal(mark.refused_s, 0);
	}
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(take(*state, QUOTA_REFUSALS, 1, START).refused_s, 0);
	meter_look(*state, QUOTA_REFUSALS, 1, START, &mark);
	assert_int_equal(mark.refused_s, 30);
	assert_int_equal(mark.left, 0);
	meter_look(*state, QUOTA_REFUSALS, 2, START, &mark);
	assert_int_equal(mark.refused_s, 0);
	meter_look(*state, QUOTA_REFUSALS, 1, START + 30 * SECOND, &mark);
	assert_int_equal(mark.refused_s, 0);
	/* Without a limit nothing is said. */
	meter_look(*state, QUOTA_QUESTIONS, 1, START, &mark);
	assert_int_equal(mark.most, 0);
	assert_int_equal(mark.refused_s, 0);
}

static void
it_is_won_back_evenly(void **state)
{
	for (unsigned i = 0; i < 6; i++)
		take(*state, QUOTA_GAMES, 1, START);
	/* One too many costs nothing. */
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START + 10 * SECOND - 1).refused_s, 1);
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START + 10 * SECOND).refused_s, 0);
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START + 10 * SECOND).refused_s, 10);
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START + 35 * SECOND).left, 1);
	/* However long nothing is done, there is no more than a minute's. */
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START + 5000 * (int64_t)SECOND).left, 5);
}

static void
what_does_not_divide_a_minute_is_there_too(void **state)
{
	for (unsigned i = 1; i <= 7; i++)
		assert_int_equal(take(*state, QUOTA_MOVES, 1, START).left, 7 - i);
	struct quota_mark mark = take(*state, QUOTA_MOVES, 1, START);
	assert_int_equal(mark.refused_s, 9);
	assert_int_equal(take(*state, QUOTA_MOVES, 1, START + 9 * SECOND).refused_s, 0);
}

static void
quotas_and_addresses_are_apart(void **state)
{
	for (unsigned i = 0; i < 6; i++)
		take(*state, QUOTA_GAMES, 1, START);
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START).refused_s, 10);
	assert_int_equal(take(*state, QUOTA_GAMES, 2, START).left, 5);
	assert_int_equal(take(*state, QUOTA_MOVES, 1, START).left, 6);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(take(*state, QUOTA_QUESTIONS, 1, START).refused_s, 0);
}

/* Whoever has done much is remembered, however many come that have done little. */
static void
a_crowd_makes_no_room_for_who_did_most(void **state)
{
	for (unsigned i = 0; i < 6; i++)
		take(*state, QUOTA_GAMES, 1, START);
	for (uint64_t crowd = 2; crowd < 20 * LIMIT_METERED; crowd++)
		assert_int_equal(take(*state, QUOTA_CHANGES, crowd << 32, START).left, 59);
	assert_int_equal(take(*state, QUOTA_GAMES, 1, START).refused_s, 10);
}

/* Nearly as many addresses as there are places: most find theirs again. */
static void
so_many_addresses_are_remembered(void **state)
{
	unsigned again = 0;
	for (uint64_t address = 1; address <= LIMIT_METERED / 2; address++)
		take(*state, QUOTA_GAMES, address, START);
	for (uint64_t address = 1; address <= LIMIT_METERED / 2; address++)
		again += take(*state, QUOTA_GAMES, address, START).left == 4;
	assert_true(again > LIMIT_METERED / 2 * 9 / 10);
}

/* ---- addresses ---- */

static struct ip
ip_of(const char *text)
{
	struct ip ip;
	assert_true(ip_read(text, strlen(text), &ip));
	return ip;
}

static void
addresses_are_read_and_written(void **state)
{
	static const char *const good[][2] = {{"192.0.2.1", "192.0.2.1"}, {"2001:db8::1", "2001:db8::1"},
	    {"2001:DB8:0:0::1", "2001:db8::1"}, {"::ffff:192.0.2.1", "192.0.2.1"}, {"::1", "::1"},
	    {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}};
	static const char *const bad[] = {"", "192.0.2", "192.0.2.256", "192.0.2.01", "192.0.2.1 ", " 192.0.2.1",
	    "192.0.2.1:80", "[::1]", "fe80::1%lo", "1:2:3:4:5:6:7:8:9", "::", "0.0.0.0", "::ffff:0.0.0.0", "unix",
	    "localhost", "2001:db8::12345", "1111:1111:1111:1111:1111:1111:1111:1111:1111:1111"};
	char text[IP_TEXT_MAX];
	struct ip ip = {{7}};
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_string_equal(ip_text(ip_of(good[i][0]), text), good[i][1]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(ip_read(bad[i], strlen(bad[i]), &ip));
	assert_false(ip_read("::1\0", 4, &ip));
	assert_int_equal(ip.bytes[0], 7);
}

static void
addresses_of_sockets(void **state)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
	struct sockaddr local = {.sa_family = AF_UNIX};
	char text[IP_TEXT_MAX];
	(void)state;
	inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr);
	assert_true(ip_equal(ip_of_socket((const void *)&v4), ip_of("192.0.2.1")));
	inet_pton(AF_INET6, "::ffff:192.0.2.1", &v6.sin6_addr);
	assert_true(ip_equal(ip_of_socket((const void *)&v6), ip_of("192.0.2.1")));
	inet_pton(AF_INET6, "2001:db8::2", &v6.sin6_addr);
	assert_true(ip_equal(ip_of_socket((const void *)&v6), ip_of("2001:db8::2")));
	assert_string_equal(ip_text(ip_of_socket(&local), text), "unix");
	assert_true(ip_is_local(ip_of_socket(&local)));
}

static void
what_is_of_this_machine(void **state)
{
	(void)state;
	assert_true(ip_is_local(ip_of("127.0.0.1")));
	assert_true(ip_is_local(ip_of("127.9.9.9")));
	assert_true(ip_is_local(ip_of("::ffff:127.0.0.1")));
	assert_true(ip_is_local(ip_of("::1")));
	assert_false(ip_is_local(ip_of("::2")));
	assert_false(ip_is_local(ip_of("128.0.0.1")));
	assert_false(ip_is_local(ip_of("7f00::1")));
	assert_false(ip_is_local(ip_of("1::")));
}

static void
what_counts_as_one_address(void **state)
{
	struct sockaddr local = {.sa_family = AF_UNIX};
	(void)state;
	assert_true(ip_key(ip_of("192.0.2.1")) == ip_key(ip_of("::ffff:192.0.2.1")));
	assert_false(ip_key(ip_of("192.0.2.1")) == ip_key(ip_of("192.0.2.2")));
	assert_true(ip_key(ip_of("2001:db8::1")) == ip_key(ip_of("2001:db8:0:0:ffff:ffff:ffff:ffff")));
	assert_false(ip_key(ip_of("2001:db8::1")) == ip_key(ip_of("2001:db8:0:1::1")));
	assert_false(ip_key(ip_of("::1")) == ip_key(ip_of_socket(&local)));
}

int
main(void)
{
#define METER(test) cmocka_unit_test_setup_teardown(test, open_meter, close_meter)
	const struct CMUnitTest tests[] = {
	    METER(a_minute_is_there_at_once),
	    METER(to_look_counts_nothing),
	    METER(it_is_won_back_evenly),
	    METER(what_does_not_divide_a_minute_is_there_too),
	    METER(quotas_and_addresses_are_apart),
	    METER(a_crowd_makes_no_room_for_who_did_most),
	    METER(so_many_addresses_are_remembered),
	    cmocka_unit_test(addresses_are_read_and_written),
	    cmocka_unit_test(addresses_of_sockets),
	    cmocka_unit_test(what_is_of_this_machine),
	    cmocka_unit_test(what_counts_as_one_address),
	};
#undef METER
	return cmocka_run_group_tests_name("meter", tests, NULL, NULL);
}

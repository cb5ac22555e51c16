/* Where a request came from, as proxies tell: whom to believe, and how it is written. */
#include "http/forwarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct trust
trust_of(const char *list)
{
	struct trust trust;
	char why[128] = "";
	if (!trust_read(list, &trust, why, sizeof why))
		fail_msg("%s", why);
	return trust;
}

static struct ip
ip_of(const char *text)
{
	struct ip ip = {{0}};
	if (strcmp(text, "unix") != 0)
		assert_true(ip_read(text, strlen(text), &ip));
	return ip;
}

static void
lists_of_proxies(void **state)
{
	struct trust trust = trust_of("127.0.0.1,10.0.0.0/8,192.0.2.128/25,2001:db8::/33,unix");
	static const char *const in[] = {"127.0.0.1", "::ffff:127.0.0.1", "10.0.0.0", "10.255.255.255", "192.0.2.128",
	    "192.0.2.255", "2001:db8:7fff::1", "unix"};
	static const char *const out[] = {
	    "127.0.0.2", "11.0.0.0", "9.255.255.255", "192.0.2.127", "2001:db8:8000::1", "2001:db9::", "::1", "a00::"};
	(void)state;
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		assert_true(trust_has(&trust, ip_of(in[i])));
	for (size_t i = 0; i < sizeof out / sizeof *out; i++)
		assert_false(trust_has(&trust, ip_of(out[i])));
	assert_false(trust_has(&(struct trust){0}, ip_of("unix")));
}

static void
lists_that_are_wrong(void **state)
{
	static const char *const bad[][2] = {{"", "must be an address"}, {"localhost", "must be an address"},
	    {"10.0.0.0/8,", "must be an address"}, {"10.0.0.1/8", "bits are set"}, {"10.0.0.0/33", "1 to 32"},
	    {"10.0.0.0/0", "1 to 32"}, {"10.0.0.0/", "1 to 32"}, {"10.0.0.0/8/8", "1 to 32"},
	    {"10.0.0.0/-1", "1 to 32"}, {"2001:db8::/129", "1 to 128"}, {"2001:db8::1/32", "bits are set"},
	    {" 10.0.0.1", "must be an address"}, {"10.0.0.1:80", "must be an address"},
	    {"unix/8", "must be an address"},
	    {"1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
	     "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,"
	     "1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1",
		"at most 32"}};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct trust trust = {.count = 9};
		char why[128] = "";
		assert_false(trust_read(bad[i][0], &trust, why, sizeof why));
		if (strstr(why, bad[i][1]) == NULL)
			fail_msg("%s: %s", bad[i][0], why);
		assert_int_equal(trust.count, 9);
	}
}

struct told {
	const char *lines[3];
	const char *client; /* NULL: it is not told, and the peer is taken */
};

/* 10/8 and the machine itself are proxies; the peer is one of them. */
static void
check(enum forwarded_header header, const struct told *told, size_t count)
{
	struct trust trust = trust_of("10.0.0.0/8,127.0.0.1,2001:db8:aaaa::/48");
	for (size_t i = 0; i < count; i++) {
		struct forwarded forwarded = {.trust = &trust, .header = header};
		for (unsigned j = 0; j < 3 && told[i].lines[j] != NULL; j++)
			forwarded_line(&forwarded, told[i].lines[j], strlen(told[i].lines[j]));
		char found[IP_TEXT_MAX];
		const char *expected = told[i].client == NULL ? "10.0.0.9" : told[i].client;
		ip_text(forwarded_client(&forwarded, ip_of("10.0.0.9")), found);
		if (strcmp(found, expected) != 0)
			fail_msg("%s: %s, not %s", told[i].lines[0], found, expected);
	}
}

static void
x_forwarded_for(void **state)
{
	static const struct told told[] = {
	    {{"192.0.2.1"}, "192.0.2.1"},
	    {{"  192.0.2.1\t"}, "192.0.2.1"},
	    {{"2001:db8::1"}, "2001:db8::1"},
	    {{"[2001:db8::1]"}, "2001:db8::1"},
	    {{"[2001:db8::1]:443"}, "2001:db8::1"},
	    {{"192.0.2.1:65000"}, "192.0.2.1"},
	    /* From the right, over those who are trusted. */
	    {{"192.0.2.7, 192.0.2.1"}, "192.0.2.1"},
	    {{"192.0.2.7,192.0.2.1 , 10.0.0.1,127.0.0.1"}, "192.0.2.1"},
	    {{"192.0.2.7", "192.0.2.1", "10.0.0.1"}, "192.0.2.1"},
	    {{"192.0.2.7, 192.0.2.1", "2001:db8:aaaa::5"}, "192.0.2.1"},
	    {{"10.0.0.1, 10.0.0.2"}, "10.0.0.1"},
	    /* What nobody trusted has written does not matter. */
	    {{"rubbish, 192.0.2.1"}, "192.0.2.1"},
	    {{"\", 192.0.2.1"}, "192.0.2.1"},
	    {{",, 192.0.2.1,"}, "192.0.2.1"},
	    /* Who cannot be told. */
	    {{""}, NULL},
	    {{" , "}, NULL},
	    {{"rubbish"}, NULL},
	    {{"192.0.2.1, rubbish"}, NULL},
	    {{"192.0.2.1, unknown, 10.0.0.1"}, NULL},
	    {{"192.0.2.1, _hidden"}, NULL},
	    {{"192.0.2.1 192.0.2.2"}, NULL},
	    {{"192.0.2.1:"}, NULL},
	    {{"192.0.2.1:123456"}, NULL},
	    {{"192.0.2.1:x"}, NULL},
	    {{"[192.0.2.1]"}, NULL},
	    {{"[2001:db8::1"}, NULL},
	    {{"[2001:db8::1]443"}, NULL},
	    {{"::"}, NULL},
	    {{"0.0.0.0"}, NULL},
	    {{"for=192.0.2.1"}, NULL},
	};
	(void)state;
	check(FORWARDED_X_FOR, told, sizeof told / sizeof *told);
}

static void
forwarded(void **state)
{
	static const struct told told[] = {
	    {{"for=192.0.2.1"}, "192.0.2.1"},
	    {{"For=\"[2001:db8:cafe::17]:4711\""}, "2001:db8:cafe::17"},
	    {{"for=192.0.2.60;proto=http;by=203.0.113.43"}, "192.0.2.60"},
	    {{"proto=https;for=\"192.0.2.1:80\""}, "192.0.2.1"},
	    {{"for=\"192.0.2.1:_port\""}, "192.0.2.1"},
	    {{"for=\"\\1\\92.0.2.1\""}, "192.0.2.1"},
	    {{"for=192.0.2.1;host=\"a,for=192.0.2.9;b\""}, "192.0.2.1"},
	    {{";for=192.0.2.1;;"}, "192.0.2.1"},
	    {{"for=192.0.2.7, for=192.0.2.1"}, "192.0.2.1"},
	    {{"for=192.0.2.7 ,\tfor=192.0.2.1,for=10.0.0.1"}, "192.0.2.1"},
	    {{"for=192.0.2.7", "for=192.0.2.1", "for=\"[2001:db8:aaaa::1]\""}, "192.0.2.1"},
	    {{"for=10.0.0.1,for=10.0.0.2"}, "10.0.0.1"},
	    {{", ,for=192.0.2.1, "}, "192.0.2.1"},
	    {{"for=rubbish, for=192.0.2.1"}, "192.0.2.1"},
	    /* Who does not want to be told, or is not. */
	    {{""}, NULL},
	    {{","}, NULL},
	    {{"for=unknown"}, NULL},
	    {{"for=\"_hidden\""}, NULL},
	    {{"for=192.0.2.1, for=unknown, for=10.0.0.1"}, NULL},
	    {{"for=192.0.2.1, proto=https"}, NULL},
	    {{"for=192.0.2.1, for=10.0.0.256"}, NULL},
	    {{"for=\"2001:db8::1\""}, NULL},
	    {{"for=\"[192.0.2.1]\""}, NULL},
	    {{"for=\"192.0.2.1 \""}, NULL},
	    {{"for=\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""},
		NULL},
	    /* What breaks the grammar anywhere may have moved where an element ends. */
	    {{"192.0.2.1"}, NULL},
	    {{"for=192.0.2.1;"
	      " proto=https"},
		NULL},
	    {{"for = 192.0.2.1"}, NULL},
	    {{"for="}, NULL},
	    {{"for"}, NULL},
	    {{"for=192.0.2.1:80"}, NULL},
	    {{"for=[2001:db8::1]"}, NULL},
	    {{"for=\"192.0.2.1"}, NULL},
	    {{"for=\"192.0.2.1\\"}, NULL},
	    {{"for=\"a, for=192.0.2.1"}, NULL},
	    {{"for=\"a, for=\"[2001:db8::1]\""}, NULL},
	    {{"for=\"192.0.2.1\"x"}, NULL},
	    {{"for=192.0.2.1;for=192.0.2.2"}, NULL},
	    {{"for=192.0.2.1 for=192.0.2.2"}, NULL},
	    {{"for=\"\x01\", for=192.0.2.1"}, NULL},
	    {{"for=192.0.2.1", "\""}, NULL},
	};
	(void)state;
	check(FORWARDED_RFC, told, sizeof told / sizeof *told);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_of_proxies),
	    cmocka_unit_test(lists_that_are_wrong),
	    cmocka_unit_test(x_forwarded_for),
	    cmocka_unit_test(forwarded),
	};
	return cmocka_run_group_tests_name("forwarded", tests, NULL, NULL);
}

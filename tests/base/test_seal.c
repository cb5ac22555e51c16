#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/seal.h"
#include "base/token.h"

static void
hash_of(const char *context, const char *first, const char *second, unsigned char hash[SEAL_KEY_LEN])
{
	const struct seal_part parts[] = {{first, strlen(first)}, {second, strlen(second)}};
	seal_hash(context, parts, second[0] == '\0' ? 1 : 2, hash);
}

/* What is hashed, how it is divided, and for what purpose: each gives another hash; the same gives the same. */
static void
hashes_tell_texts_divisions_and_purposes_apart(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
	    {"one", "ab", "c"},
	    {"one", "a", "bc"},
	    {"one", "abc", ""},
	    {"one", "", "abc"},
	    {"two", "ab", "c"},
	    {"sixteen  letters", "ab", "c"},
	    {"sixteen  letterz", "ab", "c"},
	};
	enum { CASES = sizeof cases / sizeof *cases };
	unsigned char hashes[CASES][SEAL_KEY_LEN], again[SEAL_KEY_LEN];
	for (unsigned i = 0; i < CASES; i++) {
		hash_of(cases[i][0], cases[i][1], cases[i][2], hashes[i]);
		hash_of(cases[i][0], cases[i][1], cases[i][2], again);
		assert_memory_equal(hashes[i], again, SEAL_KEY_LEN);
		for (unsigned k = 0; k < i; k++)
			assert_memory_not_equal(hashes[i], hashes[k], SEAL_KEY_LEN);
	}
}

static void
a_box_opens_with_its_key_alone(void **state)
{
	(void)state;
	static const char secret[] = "the token is abcdefgh";
	unsigned char key[SEAL_KEY_LEN], box[sizeof secret + SEAL_ADDED], other[sizeof box];
	char found[sizeof secret];
	hash_of("test", "key", "", key);
	seal_close(key, secret, sizeof secret, box);
	assert_true(seal_open(key, box, sizeof box, found));
	assert_memory_equal(found, secret, sizeof secret);
	for (size_t i = 0; i + 5 <= sizeof box; i++)
		assert_memory_not_equal(box + i, "token", 5);
	/* No two boxes are alike, though the same is in them. */
	seal_close(key, secret, sizeof secret, other);
	assert_memory_not_equal(box, other, sizeof box);
	/* A bit changed anywhere is seen; so is a cut. */
	for (unsigned i = 0; i < sizeof box; i++) {
		box[i] ^= 4;
		assert_false(seal_open(key, box, sizeof box, found));
		box[i] ^= 4;
	}
	for (unsigned len = 0; len < sizeof box; len++)
		assert_false(seal_open(key, box, len, found));
	for (unsigned i = 0; i < sizeof key; i++) {
		key[i] ^= 1;
		assert_false(seal_open(key, box, sizeof box, found));
		key[i] ^= 1;
	}
	assert_true(seal_open(key, box, sizeof box, found));
}

static void
an_empty_box_opens(void **state)
{
	(void)state;
	unsigned char key[SEAL_KEY_LEN] = {1}, box[SEAL_ADDED];
	seal_close(key, "", 0, box);
	assert_true(seal_open(key, box, sizeof box, key));
}

static int
begin(void **state)
{
	(void)state;
	return token_init() ? 0 : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hashes_tell_texts_divisions_and_purposes_apart),
	    cmocka_unit_test(a_box_opens_with_its_key_alone),
	    cmocka_unit_test(an_empty_box_opens),
	};
	return cmocka_run_group_tests_name("seal", tests, begin, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/token.h"

static void
ids_and_tokens_differ(void **state)
{
	(void)state;
	enum { COUNT = 500 };
	static char ids[COUNT][ID_LEN + 1], tokens[COUNT][TOKEN_LEN + 1];
	for (unsigned i = 0; i < COUNT; i++) {
		token_new_id(ids[i]);
		token_new(tokens[i]);
		assert_int_equal(strlen(ids[i]), ID_LEN);
		assert_int_equal(strlen(tokens[i]), TOKEN_LEN);
		assert_int_equal(strspn(tokens[i], "abcdefghijklmnopqrstuvwxyz234567"), TOKEN_LEN);
		assert_true(token_is_id(ids[i], ID_LEN));
		for (unsigned k = 0; k < i; k++) {
			assert_string_not_equal(ids[i], ids[k]);
			assert_string_not_equal(tokens[i], tokens[k]);
		}
	}
}

/* Every letter stands at every place but the last, which holds 3 bits: 130 - 128 are zero. */
static void
every_bit_is_random(void **state)
{
	(void)state;
	unsigned char seen[ID_LEN][256] = {{0}};
	char id[ID_LEN + 1];
	for (unsigned i = 0; i < 2000; i++) {
		token_new_id(id);
		for (unsigned k = 0; k < ID_LEN; k++)
			seen[k][(unsigned char)id[k]] = 1;
	}
	for (unsigned k = 0; k < ID_LEN; k++) {
		unsigned letters = 0;
		for (unsigned c = 0; c < 256; c++)
			letters += seen[k][c];
		assert_int_equal(letters, k + 1 < ID_LEN ? 32 : 8);
	}
}

static void
other_text_is_no_id(void **state)
{
	(void)state;
	static const char good[] = "abcdefghijklmnopqrstuvw234";
	assert_true(token_is_id(good, ID_LEN));
	assert_false(token_is_id(good, ID_LEN - 1));
	assert_false(token_is_id("abcdefghijklmnopqrstuvw2344", ID_LEN + 1));
	static const char bad[] = {'A', '1', '8', '=', '-', ' ', '\0', '\n', '\x80'};
	for (unsigned i = 0; i < sizeof bad; i++)
		for (unsigned k = 0; k < ID_LEN; k++) {
			char id[ID_LEN + 1];
			memcpy(id, good, sizeof id);
			id[k] = bad[i];
			assert_false(token_is_id(id, ID_LEN));
		}
	assert_false(token_is_id("abcdefghijklmnopqrstuvw235", ID_LEN));
}

/* BLAKE2b-256 of "abc", from another implementation (Python's hashlib). */
static void
hashes_are_blake2b(void **state)
{
	(void)state;
	static const unsigned char expected[TOKEN_HASH_LEN] = {0xBD, 0xDD, 0x81, 0x3C, 0x63, 0x42, 0x39, 0x72, 0x31,
	    0x71, 0xEF, 0x3F, 0xEE, 0x98, 0x57, 0x9B, 0x94, 0x96, 0x4E, 0x3B, 0xB1, 0xCB, 0x3E, 0x42, 0x72, 0x62, 0xC8,
	    0xC0, 0x68, 0xD5, 0x23, 0x19};
	unsigned char hash[TOKEN_HASH_LEN], other[TOKEN_HASH_LEN];
	token_hash("abc", 3, hash);
	assert_memory_equal(hash, expected, sizeof hash);
	assert_true(token_hash_equal(hash, expected));
	token_hash("", 0, other);
	assert_false(token_hash_equal(hash, other));
	for (unsigned i = 0; i < TOKEN_HASH_LEN; i++) {
		memcpy(other, hash, sizeof other);
		other[i] ^= 1;
		assert_false(token_hash_equal(hash, other));
	}
}

static int
prepare(void **state)
{
	(void)state;
	return token_init() ? 0 : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ids_and_tokens_differ),
	    cmocka_unit_test(every_bit_is_random),
	    cmocka_unit_test(other_text_is_no_id),
	    cmocka_unit_test(hashes_are_blake2b),
	};
	return cmocka_run_group_tests_name("base token", tests, prepare, NULL);
}

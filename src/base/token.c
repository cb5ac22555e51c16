#include "base/token.h"

#include <sodium.h>
#include <string.h>

enum { ID_BYTES = 16, TOKEN_BYTES = 32 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";

bool
token_init(void)
{
	return sodium_init() >= 0;
}

/* Five bits a letter, the first bit first; the last letter is filled up with zero bits. */
static void
base32(const unsigned char *bytes, size_t len, char *out)
{
	unsigned bits = 0, held = 0;
	for (size_t i = 0; i < len; i++) {
		bits = (bits << 8 | bytes[i]) & 0xFFF;
		held += 8;
		for (; held >= 5; held -= 5)
			*out++ = letters[bits >> (held - 5) & 31];
	}
	if (held > 0)
		*out++ = letters[bits << (5 - held) & 31];
	*out = '\0';
}

void
token_new_id(char id[ID_LEN + 1])
{
	unsigned char bytes[ID_BYTES];
	randombytes_buf(bytes, sizeof bytes);
	base32(bytes, sizeof bytes, id);
}

void
token_new(char token[TOKEN_LEN + 1])
{
	unsigned char bytes[TOKEN_BYTES];
	randombytes_buf(bytes, sizeof bytes);
	base32(bytes, sizeof bytes, token);
	sodium_memzero(bytes, sizeof bytes);
}

void
token_hash(const char *token, size_t len, unsigned char hash[TOKEN_HASH_LEN])
{
	crypto_generichash(hash, TOKEN_HASH_LEN, (const unsigned char *)token, len, NULL, 0);
}

bool
token_hash_equal(const unsigned char a[TOKEN_HASH_LEN], const unsigned char b[TOKEN_HASH_LEN])
{
	return sodium_memcmp(a, b, TOKEN_HASH_LEN) == 0;
}

bool
token_is_id(const char *text, size_t len)
{
	if (len != ID_LEN || memchr(text, '\0', len) != NULL)
		return false;
	for (size_t i = 0; i < len; i++)
		if (strchr(letters, text[i]) == NULL)
			return false;
	/* 26 letters hold 130 bits: the last two are zero. */
	return (strchr(letters, text[len - 1]) - letters) % 4 == 0;
}

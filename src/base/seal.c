#include "base/seal.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

_Static_assert(SEAL_KEY_LEN == crypto_secretbox_KEYBYTES, "a hash is a key");
_Static_assert(SEAL_ADDED == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES, "what a box adds");
_Static_assert(SEAL_CONTEXT_MAX == crypto_generichash_blake2b_PERSONALBYTES, "a context fills BLAKE2b's");

/* A length as eight bytes, whatever the machine. */
static void
put_length(crypto_generichash_blake2b_state *state, size_t len)
{
	unsigned char bytes[8];
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)((uint64_t)len >> (8 * i));
	crypto_generichash_blake2b_update(state, bytes, sizeof bytes);
}

void
seal_hash(const char *context, const struct seal_part *parts, unsigned count, unsigned char hash[SEAL_KEY_LEN])
{
	unsigned char personal[SEAL_CONTEXT_MAX] = {0};
	crypto_generichash_blake2b_state state;
	memcpy(personal, context, strnlen(context, sizeof personal));
	crypto_generichash_blake2b_init_salt_personal(&state, NULL, 0, SEAL_KEY_LEN, NULL, personal);
	for (unsigned i = 0; i < count; i++) {
		put_length(&state, parts[i].len);
		crypto_generichash_blake2b_update(&state, parts[i].bytes, parts[i].len);
	}
	crypto_generichash_blake2b_final(&state, hash, SEAL_KEY_LEN);
	sodium_memzero(&state, sizeof state);
}

void
seal_close(const unsigned char key[SEAL_KEY_LEN], const void *bytes, size_t len, unsigned char *box)
{
	randombytes_buf(box, crypto_secretbox_NONCEBYTES);
	crypto_secretbox_easy(box + crypto_secretbox_NONCEBYTES, bytes, len, box, key);
}

bool
seal_open(const unsigned char key[SEAL_KEY_LEN], const unsigned char *box, size_t box_len, void *bytes)
{
	return box_len >= SEAL_ADDED && crypto_secretbox_open_easy(bytes, box + crypto_secretbox_NONCEBYTES,
					    box_len - crypto_secretbox_NONCEBYTES, box, key) == 0;
}

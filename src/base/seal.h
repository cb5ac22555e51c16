/*
 * Secrets that are stored: hashes of several texts together, and boxes that
 * nobody opens who does not know the texts their key is made of (libsodium;
 * token_init comes first).  Any thread.
 */
#ifndef IUVOD_BASE_SEAL_H
#define IUVOD_BASE_SEAL_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SEAL_CONTEXT_MAX = 16, /* bytes of a context, its NUL not counted */
	SEAL_KEY_LEN = 32,     /* of a hash, which may serve as a key */
	SEAL_ADDED = 24 + 16   /* bytes that a box is longer than what is in it: nonce and authenticator */
};

struct seal_part {
	const void *bytes;
	size_t len;
};

/*
 * BLAKE2b-256 of the parts, each with its length, so that no other division of
 * the same bytes gives the same; for one purpose alone, which the context names:
 * of two hashes of the same parts with different contexts none tells the other.
 */
void seal_hash(const char *context, const struct seal_part *parts, unsigned count, unsigned char hash[SEAL_KEY_LEN]);

/* Puts len bytes into a box of len + SEAL_ADDED bytes (XSalsa20-Poly1305, a random nonce before it). */
void seal_close(const unsigned char key[SEAL_KEY_LEN], const void *bytes, size_t len, unsigned char *box);

/* What is in a box: box_len - SEAL_ADDED bytes.  False if the key is another or the box was changed. */
bool seal_open(const unsigned char key[SEAL_KEY_LEN], const unsigned char *box, size_t box_len, void *bytes);

#endif

/*
 * Random ids and tokens, and the hashes under which tokens are kept (libsodium).
 * token_init once before anything else; the rest on any thread.
 */
#ifndef IUVOD_BASE_TOKEN_H
#define IUVOD_BASE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum {
	ID_LEN = 26,        /* 128 random bits as lower-case base32 (RFC 4648 letters, no padding) */
	TOKEN_LEN = 52,     /* 256 random bits, likewise */
	TOKEN_HASH_LEN = 32 /* BLAKE2b-256 of the token's text */
};

/* Prepares libsodium; false if it cannot be. */
bool token_init(void);

/* Each NUL-terminated. */
void token_new_id(char id[ID_LEN + 1]);
void token_new(char token[TOKEN_LEN + 1]);

/* The hash of any text that was sent as a token. */
void token_hash(const char *token, size_t len, unsigned char hash[TOKEN_HASH_LEN]);

/* Compares two hashes in constant time. */
bool token_hash_equal(const unsigned char a[TOKEN_HASH_LEN], const unsigned char b[TOKEN_HASH_LEN]);

/* Whether the text has the form of an id. */
bool token_is_id(const char *text, size_t len);

#endif

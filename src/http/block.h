/*
 * Bytes on their way to readers of streams: a piece of a log, written once and
 * shared by all who want the same.  Framed as a chunk of HTTP/1.1; whoever reads
 * HTTP/1.0 gets what is inside.  The watch thread's own, once it was handed over.
 */
#ifndef IUVOD_HTTP_BLOCK_H
#define IUVOD_HTTP_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block {
	unsigned holders;
	bool last;                       /* the stream ends with it */
	int64_t from, to;                /* the cursor of a reader before and after it */
	size_t framed, plain, plain_end; /* len of all of it; where its content begins and ends */
	char bytes[];
};

/* A block with one holder; NULL if there is no memory.  Without content it is but the end of a stream, if it is the
 * last. */
struct block *block_new(const char *content, size_t len, bool last);

/* The same with the head of a reply before its content: all of it is sent, so it is framed here, or not. */
struct block *block_first(const char *head, size_t head_len, const char *content, size_t len, bool chunked);

struct block *block_hold(struct block *block);

/* NULL is allowed. */
void block_release(struct block *block);

/* What is to be sent of it, and how long that is. */
const char *block_bytes(const struct block *block, bool chunked, size_t *len);

#endif

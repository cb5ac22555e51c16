#include "http/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char end_of_stream[] = "0\r\n\r\n";

enum { FRAME_MAX = 32 };

/* Room for that many bytes; NULL if there is no memory. */
static struct block *
take(size_t len)
{
	struct block *block = memory_take(sizeof *block + len);
	if (block != NULL)
		*block = (struct block){.holders = 1};
	return block;
}

static void
put(struct block *block, const char *bytes, size_t len)
{
	memcpy(block->bytes + block->framed, bytes, len);
	block->framed += len;
}

/* A chunk of no length would be the end. */
static void
put_chunk(struct block *block, const char *content, size_t len)
{
	char size[FRAME_MAX];
	if (len > 0)
		put(block, size, (size_t)snprintf(size, sizeof size, "%zx\r\n", len));
	block->plain = block->framed;
	put(block, content, len);
	block->plain_end = block->framed;
	if (len > 0)
		put(block, "\r\n", 2);
}

struct block *
block_new(const char *content, size_t len, bool last)
{
	struct block *block = take(len + FRAME_MAX);
	if (block == NULL)
		return NULL;
	block->last = last;
	put_chunk(block, content, len);
	if (last)
		put(block, end_of_stream, sizeof end_of_stream - 1);
	return block;
}

struct block *
block_first(const char *head, size_t head_len, const char *content, size_t len, bool chunked)
{
	struct block *block = take(head_len + len + FRAME_MAX);
	if (block == NULL)
		return NULL;
	put(block, head, head_len);
	if (chunked)
		put_chunk(block, content, len);
	else
		put(block, content, len);
	block->plain = 0;
	block->plain_end = block->framed;
	return block;
}

struct block *
block_hold(struct block *block)
{
	block->holders++;
	return block;
}

void
block_release(struct block *block)
{
	if (block != NULL && --block->holders == 0)
		free(block);
}

const char *
block_bytes(const struct block *block, bool chunked, size_t *len)
{
	*len = chunked ? block->framed : block->plain_end - block->plain;
	return block->bytes + (chunked ? 0 : block->plain);
}

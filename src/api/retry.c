#include "api/retry.h"

#include <string.h>

#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"
#include "base/seal.h"
#include "store/retries.h"

/* Each hash for one purpose.  The number counts the layouts of what is kept: one of another layout is not found. */
static const char FIND[] = "iuvod retry1find", SEAL[] = "iuvod retry1seal", REQUEST[] = "iuvod retry1what";

struct retry {
	unsigned char find[SEAL_KEY_LEN];    /* under which the answer is stored */
	unsigned char key[SEAL_KEY_LEN];     /* that seals it */
	unsigned char request[SEAL_KEY_LEN]; /* what must be the same besides: query and body */
};

/* What is sealed: this, the headers (name, value, each with its NUL), the body. */
struct kept {
	unsigned char request[SEAL_KEY_LEN];
	unsigned char status[2]; /* the higher byte first */
	unsigned char header_count;
};

static struct seal_part
part(const char *text)
{
	return (struct seal_part){text, strlen(text)};
}

/* The key as it was sent; its len is 0 if there is none. */
static struct seal_part
key_of(const struct call *call)
{
	const char *text = call->header[HEADER_IDEMPOTENCY_KEY];
	return part(text == NULL ? "" : text);
}

static bool
is_visible(struct seal_part key)
{
	for (const char *c = key.bytes; c < (const char *)key.bytes + key.len; c++)
		if (*c < '!' || *c > '~')
			return false;
	return true;
}

enum fault
retry_check(struct call *call)
{
	struct seal_part key = key_of(call);
	if (call->header[HEADER_IDEMPOTENCY_KEY] == NULL)
		return FAULT_NONE;
	if (key.len == 0 || key.len > LIMIT_KEY || !is_visible(key))
		return problem_with(call, FAULT_INVALID_HEADER,
		    problem_text(call, "Idempotency-Key: expected 1 to %d visible ASCII characters", LIMIT_KEY),
		    "header", "Idempotency-Key");
	return call->header[HEADER_AUTHORIZATION] == NULL ? retry_check_alone(call) : FAULT_NONE;
}

enum fault
retry_check_alone(struct call *call)
{
	if (call->header[HEADER_IDEMPOTENCY_KEY] == NULL || key_of(call).len >= LIMIT_KEY_ALONE)
		return FAULT_NONE;
	return problem_with(call, FAULT_WEAK_IDEMPOTENCY_KEY,
	    problem_text(call, "expected %d characters or more", LIMIT_KEY_ALONE), "header", "Idempotency-Key");
}

/* Whose call it is, and to what: the path by its template, however it was written. */
static void
hash_identity(const struct call *call, struct retry *retry)
{
	const char *token = call_token(call);
	struct seal_part parts[4 + CALL_PARAMS_MAX] = {
	    key_of(call),
	    part(token == NULL ? "" : token),
	    part(call->method_text),
	    part(call_template(call)),
	};
	unsigned count = 4;
	for (unsigned i = 0; i < CALL_PARAMS_MAX && call->param[i] != NULL; i++)
		parts[count++] = part(call->param[i]);
	seal_hash(FIND, parts, count, retry->find);
	seal_hash(SEAL, parts, count, retry->key);
}

static void
hash_request(const struct call *call, struct retry *retry)
{
	struct seal_part parts[1 + 2 * LIMIT_QUERY] = {{call->body == NULL ? "" : call->body, call->body_len}};
	unsigned count = 1;
	for (unsigned i = 0; i < call->query_count; i++) {
		parts[count++] = part(call->query[i].name);
		parts[count++] = part(call->query[i].value);
	}
	seal_hash(REQUEST, parts, count, retry->request);
}

enum fault
retry_prepare(struct call *call)
{
	if (call->header[HEADER_IDEMPOTENCY_KEY] == NULL)
		return FAULT_NONE;
	struct retry *retry = arena_take(call->arena, sizeof *retry);
	if (retry == NULL)
		return FAULT_OUT_OF_MEMORY;
	hash_identity(call, retry);
	hash_request(call, retry);
	call->retry = retry;
	return FAULT_NONE;
}

/* The next text of a box and *at moved behind it; NULL if it does not end there. */
static const char *
next_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', (size_t)(end - text));
	if (nul == NULL)
		return NULL;
	*at = nul + 1;
	return text;
}

/* What was in the box as the reply. */
static enum fault
reply_kept(struct call *call, const struct kept *kept, size_t len)
{
	const char *at = (const char *)(kept + 1), *end = (const char *)kept + len;
	for (unsigned i = 0; i < kept->header_count; i++) {
		const char *name = next_text(&at, end), *value = name == NULL ? NULL : next_text(&at, end);
		if (value == NULL)
			return FAULT_INTERNAL;
		reply_header(call, name, value);
	}
	reply_header(call, "Idempotency-Replayed", "true");
	text_put(&call->reply.body, at, (size_t)(end - at));
	if (text_failed(&call->reply.body))
		return FAULT_OUT_OF_MEMORY;
	call->reply.status = (unsigned)kept->status[0] << 8 | kept->status[1];
	call->replied = true;
	return FAULT_NONE;
}

/* What was kept for the call; *kept is NULL if nothing was.  FAULT_ANSWER_ERASED. */
static enum fault
find_kept(struct call *call, struct kept **kept, size_t *len)
{
	const unsigned char *box;
	size_t box_len;
	*kept = NULL;
	enum fault fault = retries_find(call->db, call->arena, call->retry->find, &box, &box_len);
	if (fault != FAULT_NONE || box == NULL)
		return fault;
	if (box_len == 0)
		return FAULT_ANSWER_ERASED;
	if (box_len < SEAL_ADDED + sizeof(struct kept))
		return FAULT_INTERNAL;
	*len = box_len - SEAL_ADDED;
	*kept = arena_take(call->arena, *len);
	if (*kept == NULL)
		return FAULT_OUT_OF_MEMORY;
	return seal_open(call->retry->key, box, box_len, *kept) ? FAULT_NONE : FAULT_INTERNAL;
}

static bool
is_same_request(const struct retry *retry, const struct kept *kept)
{
	return memcmp(kept->request, retry->request, sizeof kept->request) == 0;
}

enum fault
retry_replay(struct call *call)
{
	struct kept *kept;
	size_t len;
	enum fault fault = find_kept(call, &kept, &len);
	if (fault != FAULT_NONE || kept == NULL)
		return fault;
	if (!is_same_request(call->retry, kept))
		return problem_with(call, FAULT_IDEMPOTENCY_KEY_REUSED, NULL, "header", "Idempotency-Key");
	return reply_kept(call, kept, len);
}

enum fault
retry_replay_dead(struct call *call)
{
	struct kept *kept;
	size_t len;
	if (key_of(call).len < LIMIT_KEY_ALONE)
		return FAULT_TOKEN_UNKNOWN;
	enum fault fault = find_kept(call, &kept, &len);
	if (fault != FAULT_NONE)
		return fault;
	return kept == NULL || !is_same_request(call->retry, kept) ? FAULT_TOKEN_UNKNOWN : reply_kept(call, kept, len);
}

static size_t
headers_size(const struct reply *reply)
{
	size_t size = 0;
	for (unsigned i = 0; i < reply->header_count; i++)
		size += strlen(reply->headers[i].name) + strlen(reply->headers[i].value) + 2;
	return size;
}

static char *
put(char *at, const char *bytes, size_t len)
{
	memcpy(at, bytes, len);
	return at + len;
}

static void
write_kept(const struct call *call, struct kept *kept)
{
	const struct reply *reply = &call->reply;
	char *at = (char *)(kept + 1);
	memcpy(kept->request, call->retry->request, sizeof kept->request);
	kept->status[0] = (unsigned char)(reply->status >> 8);
	kept->status[1] = (unsigned char)reply->status;
	kept->header_count = (unsigned char)reply->header_count;
	for (unsigned i = 0; i < reply->header_count; i++) {
		at = put(at, reply->headers[i].name, strlen(reply->headers[i].name) + 1);
		at = put(at, reply->headers[i].value, strlen(reply->headers[i].value) + 1);
	}
	if (reply->body.len > 0)
		put(at, reply->body.bytes, reply->body.len);
}

enum fault
retry_keep(struct call *call)
{
	const struct retry *retry = call->retry;
	size_t len = sizeof(struct kept) + headers_size(&call->reply) + call->reply.body.len;
	/* No answer to a change comes near; without its answer the change would not be safe to repeat. */
	if (len > LIMIT_KEPT)
		return FAULT_INTERNAL;
	struct kept *kept = arena_take(call->arena, len);
	unsigned char *box = arena_take(call->arena, len + SEAL_ADDED);
	if (kept == NULL || box == NULL)
		return FAULT_OUT_OF_MEMORY;
	write_kept(call, kept);
	seal_close(retry->key, kept, len, box);
	return retries_insert(call->db, retry->find, call->now_ms + LIMIT_KEPT_MS, &call->about, box, len + SEAL_ADDED);
}

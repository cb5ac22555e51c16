#include "api/reply.h"

#include <stdio.h>

/* Room for most bodies, so that they grow in one step. */
enum { BODY_FIRST = 4096, PATH_MAX_BYTES = 3 * LIMIT_TARGET };

void
reply_reset(struct call *call)
{
	text_free(&call->reply.body);
	call->reply = (struct reply){.close = call->reply.close};
	call->replied = false;
}

void
reply_header(struct call *call, const char *name, const char *value)
{
	struct reply *reply = &call->reply;
	if (reply->header_count < REPLY_HEADERS_MAX && value != NULL)
		reply->headers[reply->header_count++] = (struct reply_header){name, value};
}

struct writer
reply_begin(struct call *call, unsigned status)
{
	call->reply.status = status;
	text_reserve(&call->reply.body, BODY_FIRST);
	return writer_begin(&call->reply.body);
}

/* JSON ends its last line, so that a shell's prompt does not stick to it; what is in no JSON stays as it is. */
static void
end_line(struct text *body, const char *media)
{
	size_t len = media == NULL ? 0 : strlen(media);
	if (len >= 4 && strcmp(media + len - 4, "json") == 0 && body->len > 0 && body->bytes[body->len - 1] != '\n')
		text_char(body, '\n');
}

enum fault
reply_end(struct call *call, const char *media)
{
	end_line(&call->reply.body, media);
	if (text_failed(&call->reply.body))
		return FAULT_OUT_OF_MEMORY;
	if (media != NULL)
		reply_header(call, "Content-Type", media);
	reply_header(call, "X-Content-Type-Options", "nosniff");
	/* What is for the operator is not for the pages that his browser has open. */
	if (call->service->site == SITE_PUBLIC) {
		reply_header(call, "Access-Control-Allow-Origin", "*");
		reply_header(call, "Access-Control-Expose-Headers",
		    "ETag, Location, Link, Retry-After, Idempotency-Replayed, Preference-Applied, WWW-Authenticate, "
		    "Allow, RateLimit, RateLimit-Policy");
	}
	call->replied = true;
	return FAULT_NONE;
}

void
reply_no_store(struct call *call)
{
	reply_header(call, "Cache-Control", "no-store");
	reply_header(call, "Vary", "Authorization");
}

void
reply_public(struct call *call)
{
	reply_header(call, "Cache-Control", "public, max-age=300");
}

const char *
reply_path(const struct call *call, const char *format, ...)
{
	char path[PATH_MAX_BYTES];
	va_list values;
	va_start(values, format);
	int len = vsnprintf(path, sizeof path, format, values);
	va_end(values);
	if (len < 0 || (size_t)len >= sizeof path)
		return NULL;
	size_t base_len = strlen(call->service->base_path);
	char *whole = arena_take(call->arena, base_len + (size_t)len + 1);
	if (whole != NULL) {
		memcpy(whole, call->service->base_path, base_len);
		memcpy(whole + base_len, path, (size_t)len + 1);
	}
	return whole;
}

void
reply_link(const struct call *call, struct writer *writer, const char *key, const char *part1, const char *part2,
    const char *part3)
{
	const char *parts[] = {call->service->base_path, part1, part2, part3};
	writer_key_text(writer, key);
	writer_value(writer);
	writer_bytes(writer, "\"", 1);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i] != NULL)
			writer_bytes(writer, parts[i], strlen(parts[i]));
	}
	writer_bytes(writer, "\"", 1);
}

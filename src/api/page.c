#include "api/page.h"

#include <string.h>

#include "api/body.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/reply.h"

static void
put_encoded(struct text *out, const char *value)
{
	static const char hex[] = "0123456789ABCDEF";
	for (; *value != '\0'; value++) {
		unsigned char byte = (unsigned char)*value;
		bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
			     (byte >= '0' && byte <= '9') || strchr("-._~", byte) != NULL;
		if (plain)
			text_char(out, (char)byte);
		else
			text_put(out, (char[]){'%', hex[byte >> 4], hex[byte & 15]}, 3);
	}
}

static enum fault
write_target(struct call *call, const char *path, const char *const *names, struct page *page)
{
	struct text out = TEXT_EMPTY;
	text_puts(&out, path);
	text_char(&out, '?');
	for (; *names != NULL; names++) {
		const char *value = body_parameter(call, *names);
		if (value == NULL)
			continue;
		text_puts(&out, *names);
		text_char(&out, '=');
		put_encoded(&out, value);
		text_char(&out, '&');
	}
	page->target = text_failed(&out) ? NULL : arena_copy(call->arena, out.bytes, out.len);
	text_free(&out);
	return page->target == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
}

enum fault
page_prepare(struct call *call, const char *path, const char *const *names, struct page *page)
{
	enum fault fault = write_target(call, path, names, page);
	page->cursor = body_parameter(call, "cursor");
	if (fault == FAULT_NONE && page->cursor != NULL && !cursor_read(page->cursor, page->target, &page->after))
		fault = FAULT_INVALID_CURSOR;
	return fault;
}

enum fault
page_after(struct call *call, const struct page *page, int64_t *game)
{
	struct game_row row;
	if (page->cursor == NULL) {
		*game = 0;
		return FAULT_NONE;
	}
	enum fault fault = games_by_id(call->db, call->arena, page->after.id, &row);
	if (fault != FAULT_NONE)
		return fault == FAULT_NO_SUCH_GAME ? FAULT_INVALID_CURSOR : fault;
	*game = row.game;
	return FAULT_NONE;
}

/* The path of the next page; it stands in the body and in Link. */
static enum fault
write_next(struct call *call, struct writer *writer, const struct page *page, const char *last, int64_t place_ms)
{
	char cursor[CURSOR_LEN + 1];
	struct cursor after = {.updated_ms = place_ms};
	memcpy(after.id, last, sizeof after.id);
	cursor_write(&after, page->target, cursor);
	const char *path = reply_path(call, "%scursor=%s", page->target, cursor);
	const char *link = path == NULL ? NULL : problem_text(call, "<%s>; rel=\"next\"", path);
	if (link == NULL)
		return FAULT_OUT_OF_MEMORY;
	writer_plain(writer, path, strlen(path));
	reply_header(call, "Link", link);
	return FAULT_NONE;
}

static enum fault
write_games(struct call *call, struct writer *writer, const struct game_row *rows, unsigned count)
{
	enum fault fault = FAULT_NONE;
	writer_key(writer, "games");
	writer_open(writer, '[');
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++) {
		struct game game;
		fault = game_load_row(call->db, call->arena, &rows[i], &game);
		if (fault == FAULT_NONE)
			document_summary(writer, call, &game);
		else if (fault == FAULT_DAMAGED_GAME)
			fault = FAULT_NONE; /* left out: it keeps nobody from the others */
	}
	writer_close(writer, ']');
	return fault;
}

enum fault
page_reply(struct call *call, const struct page *page, const struct game_row *rows, unsigned count, bool more,
    int64_t place_ms)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	enum fault fault = write_games(call, &writer, rows, count);
	writer_key(&writer, "next");
	if (!more || count == 0)
		writer_null(&writer);
	else if (fault == FAULT_NONE)
		fault = write_next(call, &writer, page, rows[count - 1].id, place_ms);
	writer_close(&writer, '}');
	if (fault != FAULT_NONE)
		return fault;
	reply_header(call, "Vary", "Authorization");
	reply_header(
	    call, "Cache-Control", call->header[HEADER_AUTHORIZATION] != NULL ? "private, no-cache" : "no-cache");
	return reply_end(call, "application/json");
}

/* GET /v1/games: the public games, a page at a time. */
#include "api/body.h"
#include "api/cursor.h"
#include "api/document.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/words.h"
#include "base/clock.h"

struct wish {
	struct games_filter filter;
	const char *filters; /* the query of the page without its cursor, encoded, in one certain order */
	const char *cursor;
	struct cursor after;
};

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
write_filters(struct call *call, struct wish *wish)
{
	static const char *const names[] = {"variant", "status", "turn", "name", "updated_since", "limit"};
	struct text out = TEXT_EMPTY;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = body_parameter(call, names[i]);
		if (value == NULL)
			continue;
		text_puts(&out, names[i]);
		text_char(&out, '=');
		put_encoded(&out, value);
		text_char(&out, '&');
	}
	wish->filters = text_failed(&out) ? NULL : arena_copy(call->arena, out.bytes == NULL ? "" : out.bytes, out.len);
	text_free(&out);
	return wish->filters == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
}

static enum fault
read_words(struct call *call, struct games_filter *filter)
{
	unsigned index;
	enum fault fault = body_word(call, "variant", words_variants, &index);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_word(call, "status", words_status, &index);
	filter->variant = body_parameter(call, "variant");
	filter->status = body_parameter(call, "status");
	return fault;
}

static enum fault
read_numbers(struct call *call, struct games_filter *filter)
{
	uint64_t turn = 0, limit = LIMIT_PAGE_DEFAULT;
	enum fault fault = body_number(call, "turn", 1, SEATS_MAX, &turn);
	if (fault == FAULT_NONE && !call->replied)
		fault = body_number(call, "limit", 1, LIMIT_PAGE, &limit);
	filter->turn = (unsigned)turn;
	filter->limit = (unsigned)limit;
	return fault;
}

static bool
is_name(const char *text)
{
	size_t len = strlen(text), points = text_utf8_count(text, len);
	for (size_t at = 0; at < len;) {
		if (!text_name_char(text_utf8_next(text, len, &at)))
			return false;
	}
	return points >= 1 && points <= LIMIT_NAME;
}

static enum fault
read_texts(struct call *call, struct games_filter *filter)
{
	const char *since = body_parameter(call, "updated_since");
	filter->name = body_parameter(call, "name");
	filter->updated_since_ms = -1;
	if (filter->name != NULL && !is_name(filter->name))
		return body_refuse_parameter(
		    call, "name", "a name: 1 to 64 characters, none of them for control or text direction");
	if (since != NULL &&
	    (!clock_read(since, strlen(since), &filter->updated_since_ms) || filter->updated_since_ms < 0))
		return body_refuse_parameter(call, "updated_since",
		    "a time as 2026-01-02T03:04:05Z (a + of an offset is written %2B in a query)");
	return FAULT_NONE;
}

enum fault
games_prepare(struct call *call)
{
	struct wish *wish = arena_zero(call->arena, sizeof *wish);
	if (wish == NULL)
		return FAULT_OUT_OF_MEMORY;
	call->prepared = wish;
	enum fault fault = read_words(call, &wish->filter);
	if (fault == FAULT_NONE && !call->replied)
		fault = read_numbers(call, &wish->filter);
	if (fault == FAULT_NONE && !call->replied)
		fault = read_texts(call, &wish->filter);
	if (fault == FAULT_NONE && !call->replied)
		fault = write_filters(call, wish);
	if (fault != FAULT_NONE || call->replied)
		return fault;
	wish->cursor = body_parameter(call, "cursor");
	if (wish->cursor != NULL && !cursor_read(wish->cursor, wish->filters, &wish->after))
		return FAULT_INVALID_CURSOR;
	return FAULT_NONE;
}

/* From the id in the cursor to the key behind which the page begins. */
static enum fault
find_cursor(struct call *call, struct wish *wish)
{
	struct game_row row;
	if (wish->cursor == NULL)
		return FAULT_NONE;
	enum fault fault = games_by_id(call->db, call->arena, wish->after.id, &row);
	if (fault != FAULT_NONE)
		return fault == FAULT_NO_SUCH_GAME ? FAULT_INVALID_CURSOR : fault;
	wish->filter.after_game = row.game;
	wish->filter.after_updated_ms = wish->after.updated_ms;
	return FAULT_NONE;
}

static enum fault
refuse_filters(struct call *call)
{
	struct writer writer = problem_begin(call, FAULT_UNSUPPORTED_FILTERS, NULL);
	writer_key(&writer, "combinations");
	writer_open(&writer, '[');
	for (const char *const *filter = games_filters; *filter != NULL; filter++)
		writer_string(&writer, *filter);
	writer_close(&writer, ']');
	return problem_end(call, &writer);
}

/* The path of the next page; it stands in the body and in Link. */
static enum fault
write_next(struct call *call, struct writer *writer, const struct wish *wish, const struct game_row *last)
{
	char cursor[CURSOR_LEN + 1];
	struct cursor after = {.updated_ms = last->updated_ms};
	memcpy(after.id, last->id, sizeof after.id);
	cursor_write(&after, wish->filters, cursor);
	const char *path = reply_path(call, "/v1/games?%scursor=%s", wish->filters, cursor);
	const char *link = path == NULL ? NULL : problem_text(call, "<%s>; rel=\"next\"", path);
	if (link == NULL)
		return FAULT_OUT_OF_MEMORY;
	writer_plain(writer, path, strlen(path));
	reply_header(call, "Link", link);
	return FAULT_NONE;
}

static enum fault
write_page(struct call *call, const struct wish *wish, const struct game_row *rows, unsigned count, bool more)
{
	enum fault fault = FAULT_NONE;
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "games");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++) {
		struct seat_row seats[SEATS_MAX];
		unsigned seat_count;
		fault = seats_of(call->db, call->arena, rows[i].game, seats, SEATS_MAX, &seat_count);
		if (fault == FAULT_NONE)
			document_summary(&writer, call, &rows[i], seats, seat_count);
	}
	writer_close(&writer, ']');
	writer_key(&writer, "next");
	if (!more || count == 0)
		writer_null(&writer);
	else if (fault == FAULT_NONE)
		fault = write_next(call, &writer, wish, &rows[count - 1]);
	writer_close(&writer, '}');
	return fault;
}

enum fault
games_run(struct call *call)
{
	struct wish *wish = call->prepared;
	unsigned count = 0;
	bool more = false;
	struct game_row *rows = arena_take(call->arena, wish->filter.limit * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = find_cursor(call, wish);
	if (fault == FAULT_NONE)
		fault = games_list(call->db, call->arena, &wish->filter, rows, &count, &more);
	if (fault == FAULT_UNSUPPORTED_FILTERS)
		return refuse_filters(call);
	if (fault == FAULT_NONE)
		fault = write_page(call, wish, rows, count, more);
	if (fault != FAULT_NONE)
		return fault;
	reply_header(call, "Vary", "Authorization");
	reply_header(
	    call, "Cache-Control", call->header[HEADER_AUTHORIZATION] != NULL ? "private, no-cache" : "no-cache");
	return reply_end(call, "application/json");
}

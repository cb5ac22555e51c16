/* GET /v1/games: the public games, a page at a time. */
#include "api/body.h"
#include "api/page.h"
#include "api/problem.h"
#include "api/resources.h"
#include "api/words.h"
#include "base/clock.h"

struct wish {
	struct games_filter filter;
	struct page page;
};

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
	static const char *const names[] = {"variant", "status", "turn", "name", "updated_since", "limit", NULL};
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
		fault = page_prepare(call, "/v1/games", names, &wish->page);
	wish->filter.after_updated_ms = wish->page.after.updated_ms;
	return fault;
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

enum fault
games_run(struct call *call)
{
	struct wish *wish = call->prepared;
	unsigned count = 0;
	bool more = false;
	struct game_row *rows = arena_take(call->arena, wish->filter.limit * sizeof *rows);
	if (rows == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = page_after(call, &wish->page, &wish->filter.after_game);
	if (fault == FAULT_NONE)
		fault = games_list(call->db, call->arena, &wish->filter, rows, &count, &more);
	if (fault == FAULT_UNSUPPORTED_FILTERS)
		return refuse_filters(call);
	if (fault != FAULT_NONE)
		return fault;
	return page_reply(call, &wish->page, rows, count, more, count == 0 ? 0 : rows[count - 1].updated_ms);
}

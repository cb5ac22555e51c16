/* /problems: every error the service can give, from the tables that the code uses. */
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"

RESOURCE_NOTHING_TO_PREPARE(problems)
RESOURCE_NOTHING_TO_PREPARE(problems_one)

static void
begin_entry(struct writer *writer, const struct call *call, const char *slug, unsigned status, const char *title)
{
	writer_open(writer, '{');
	reply_link(call, writer, "type", "/problems/", slug, NULL);
	writer_key(writer, "code");
	writer_string(writer, slug);
	writer_key(writer, "status");
	writer_int(writer, status);
	writer_key(writer, "title");
	writer_string(writer, title);
}

static void
write_fault(struct writer *writer, const struct call *call, enum fault fault)
{
	const struct fault_row *row = fault_row(fault);
	begin_entry(writer, call, row->slug, row->status, row->title);
	writer_key(writer, "advice");
	writer_string(writer, row->advice);
	writer_key(writer, "rules");
	writer_literal(writer, "[]");
	writer_close(writer, '}');
}

/* The rules a verdict stands for, each once. */
static void
write_rules(struct writer *writer, const struct verdict_row *row)
{
	writer_key(writer, "rules");
	writer_open(writer, '[');
	for (unsigned i = 0; i < FAMILY_COUNT; i++) {
		bool seen = row->rule[i] == NULL;
		for (unsigned j = 0; j < i && !seen; j++)
			seen = row->rule[j] != NULL && strcmp(row->rule[i], row->rule[j]) == 0;
		if (!seen)
			writer_string(writer, row->rule[i]);
	}
	writer_close(writer, ']');
}

static void
write_verdict(struct writer *writer, const struct call *call, enum verdict verdict)
{
	const struct verdict_row *row = verdict_row(verdict);
	begin_entry(writer, call, row->slug, 409, row->title);
	writer_key(writer, "advice");
	writer_string(writer, row->advice);
	write_rules(writer, row);
	writer_close(writer, '}');
}

static enum fault
end(struct call *call)
{
	reply_public(call);
	return reply_end(call, "application/json");
}

enum fault
problems_run(struct call *call)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "problems");
	writer_open(&writer, '[');
	for (unsigned i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
		write_fault(&writer, call, (enum fault)i);
	for (unsigned i = VERDICT_LEGAL + 1; i < VERDICT_COUNT; i++)
		write_verdict(&writer, call, (enum verdict)i);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
	return end(call);
}

enum fault
problems_one_run(struct call *call)
{
	const char *slug = call->param[0];
	for (unsigned i = FAULT_NONE + 1; i < FAULT_COUNT; i++) {
		if (strcmp(fault_row((enum fault)i)->slug, slug) == 0) {
			struct writer writer = reply_begin(call, 200);
			write_fault(&writer, call, (enum fault)i);
			return end(call);
		}
	}
	for (unsigned i = VERDICT_LEGAL + 1; i < VERDICT_COUNT; i++) {
		if (strcmp(verdict_row((enum verdict)i)->slug, slug) == 0) {
			struct writer writer = reply_begin(call, 200);
			write_verdict(&writer, call, (enum verdict)i);
			return end(call);
		}
	}
	return FAULT_NO_SUCH_PROBLEM;
}

/* /v1/variants: the rule sets, with the reasons for which each refuses moves. */
#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"

RESOURCE_NOTHING_TO_PREPARE(variants)
RESOURCE_NOTHING_TO_PREPARE(variants_one)

static void
write_targets(struct writer *writer, enum variant variant)
{
	cell_t cells[STONES_MAX];
	writer_key(writer, "targets");
	writer_open(writer, '[');
	for (unsigned seat = 1; seat <= variant_row(variant)->seats; seat++) {
		unsigned count = position_targets(variant, seat, cells);
		writer_open(writer, '{');
		writer_key(writer, "seat");
		writer_int(writer, seat);
		writer_key(writer, "cells");
		writer_open(writer, '[');
		for (unsigned i = 0; i < count; i++)
			document_cell(writer, cells[i]);
		writer_close(writer, ']');
		writer_close(writer, '}');
	}
	writer_close(writer, ']');
}

static void
write_refusals(struct writer *writer, enum family family)
{
	writer_key(writer, "refusals");
	writer_open(writer, '[');
	for (unsigned i = VERDICT_LEGAL + 1; i < VERDICT_COUNT; i++) {
		const struct verdict_row *row = verdict_row((enum verdict)i);
		if (row->rule[family] == NULL)
			continue;
		writer_open(writer, '{');
		writer_key(writer, "code");
		writer_string(writer, row->slug);
		writer_key(writer, "rule");
		writer_string(writer, row->rule[family]);
		writer_key(writer, "title");
		writer_string(writer, row->title);
		writer_close(writer, '}');
	}
	writer_close(writer, ']');
}

static void
write_variant(struct writer *writer, const struct call *call, enum variant variant)
{
	const struct variant_row *row = variant_row(variant);
	struct position start;
	char text[POSITION_TEXT_MAX];
	position_start(variant, &start);
	writer_open(writer, '{');
	writer_key(writer, "id");
	writer_string(writer, row->id);
	writer_key(writer, "title");
	writer_string(writer, row->title);
	writer_key(writer, "files");
	writer_int(writer, row->files);
	writer_key(writer, "ranks");
	writer_int(writer, row->ranks);
	writer_key(writer, "seats");
	writer_int(writer, row->seats);
	writer_key(writer, "start");
	writer_plain(writer, text, notation_position(&start, text));
	write_targets(writer, variant);
	write_refusals(writer, row->family);
	writer_key(writer, "links");
	writer_open(writer, '{');
	reply_link(call, writer, "self", "/v1/variants/", row->id, NULL);
	writer_close(writer, '}');
	writer_close(writer, '}');
}

enum fault
variants_run(struct call *call)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "variants");
	writer_open(&writer, '[');
	for (unsigned i = 0; i < VARIANT_COUNT; i++)
		write_variant(&writer, call, (enum variant)i);
	writer_close(&writer, ']');
	writer_close(&writer, '}');
	reply_public(call);
	return reply_end(call, "application/json");
}

enum fault
variants_one_run(struct call *call)
{
	enum variant variant;
	if (!variant_find(call->param[0], strlen(call->param[0]), &variant))
		return FAULT_NO_SUCH_VARIANT;
	struct writer writer = reply_begin(call, 200);
	write_variant(&writer, call, variant);
	reply_public(call);
	return reply_end(call, "application/json");
}

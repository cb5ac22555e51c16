/* The record of a game, as JSON or as text. */
#include "play/record.h"

#include "api/document.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/subject.h"

RESOURCE_NOTHING_TO_PREPARE(record)

static void
write_names(struct writer *writer, const struct record *record)
{
	writer_key(writer, "seats");
	writer_open(writer, '[');
	for (unsigned i = 0; i < variant_row(record->variant)->seats; i++) {
		writer_open(writer, '{');
		writer_key(writer, "seat");
		writer_int(writer, i + 1);
		writer_key(writer, "name");
		writer_string(writer, record->names[i]);
		writer_close(writer, '}');
	}
	writer_close(writer, ']');
}

static void
write_tags(struct writer *writer, const struct record *record)
{
	writer_key(writer, "tags");
	writer_open(writer, '{');
	for (unsigned i = 0; i < record->tag_count; i++) {
		writer_key_text(writer, record->tags[i].name);
		writer_string(writer, record->tags[i].value);
	}
	writer_close(writer, '}');
}

static void
write_moves(struct writer *writer, const struct record *record)
{
	char text[MOVE_TEXT_MAX];
	writer_key(writer, "moves");
	writer_open(writer, '[');
	for (unsigned i = 0; i < record->move_count; i++)
		writer_plain(writer, text, notation_move(record->moves[i], text));
	writer_close(writer, ']');
}

static void
write_endings(struct writer *writer, const struct record *record)
{
	writer_key(writer, "endings");
	writer_open(writer, '[');
	for (unsigned i = 0; i < record->ending_count; i++) {
		const struct record_ending *ending = &record->endings[i];
		writer_open(writer, '{');
		writer_key(writer, "ply");
		writer_int(writer, ending->ply);
		writer_key(writer, "seat");
		writer_int_or_null(writer, ending->seat);
		writer_key(writer, "reason");
		writer_string(writer, reason_word(ending->reason));
		writer_close(writer, '}');
	}
	writer_close(writer, ']');
}

static void
write_record(struct writer *writer, const struct record *record)
{
	char start[POSITION_TEXT_MAX];
	writer_open(writer, '{');
	writer_key(writer, "format");
	writer_literal(writer, "\"" RECORD_FORMAT "\"");
	writer_key(writer, "variant");
	writer_string(writer, variant_row(record->variant)->id);
	writer_key(writer, "start");
	writer_plain(writer, start, notation_position(&record->start, start));
	write_names(writer, record);
	write_tags(writer, record);
	write_moves(writer, record);
	write_endings(writer, record);
	document_outcome(writer, record->over ? record->reason : REASON_NONE, record->winner);
	writer_close(writer, '}');
}

enum fault
record_run(struct call *call)
{
	bool text = strcmp(call->media, "text/plain") == 0;
	struct game game;
	struct record record = {0};
	enum fault fault = subject_load(call, &game);
	if (fault == FAULT_NONE)
		fault = record_of(call->db, call->arena, &game, &record);
	if (fault != FAULT_NONE)
		return fault;
	struct writer writer = reply_begin(call, 200);
	if (text)
		record_write(&record, &call->reply.body);
	else
		write_record(&writer, &record);
	fault = subject_headers(call, &game, false);
	return fault != FAULT_NONE ? fault : reply_end(call, text ? "text/plain; charset=utf-8" : "application/json");
}

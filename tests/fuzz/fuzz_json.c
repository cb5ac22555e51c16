/*
 * The strict reader of JSON.  What the scanner lets through cJSON takes (else it
 * would look like a lack of memory); written again by the writer of the interface
 * it is read as the same.
 */
#include <math.h>
#include <string.h>

#include "api/json.h"
#include "api/writer.h"
#include "base/limits.h"
#include "tests/fuzz/fuzz.h"

static void
write_value(struct writer *writer, const cJSON *value, unsigned depth)
{
	const cJSON *member;
	FUZZ_CHECK(depth <= LIMIT_JSON_DEPTH);
	if (cJSON_IsString(value)) {
		FUZZ_CHECK(
		    text_utf8_prefix(value->valuestring, strlen(value->valuestring)) == strlen(value->valuestring));
		writer_string(writer, value->valuestring);
	} else if (cJSON_IsNull(value)) {
		writer_null(writer);
	} else if (cJSON_IsBool(value)) {
		writer_bool(writer, cJSON_IsTrue(value));
	} else if (cJSON_IsNumber(value)) {
		char number[40];
		FUZZ_CHECK(isfinite(value->valuedouble) && fabs(value->valuedouble) < 0x1p53);
		writer_raw(writer, number, (size_t)snprintf(number, sizeof number, "%.17g", value->valuedouble));
	} else {
		bool object = cJSON_IsObject(value);
		FUZZ_CHECK(object || cJSON_IsArray(value));
		writer_open(writer, object ? '{' : '[');
		cJSON_ArrayForEach(member, value)
		{
			if (object)
				writer_key_text(writer, member->string);
			write_value(writer, member, depth + 1);
		}
		writer_close(writer, object ? '}' : ']');
	}
}

static void
check_value(struct arena *arena, const cJSON *value)
{
	const cJSON *again = NULL;
	struct json_fault where;
	struct text text = TEXT_EMPTY;
	struct writer writer = writer_begin(&text);
	write_value(&writer, value, 0);
	FUZZ_CHECK(!text_failed(&text));
	FUZZ_CHECK(json_read(arena, text.bytes, text.len, &again, &where) == FAULT_NONE);
	FUZZ_CHECK(cJSON_Compare(value, again, true));
	text_free(&text);
}

/* The place of a fault is in the text, or right behind it. */
static void
check_fault(const struct json_fault *where, const char *bytes, size_t len)
{
	unsigned lines = 1;
	for (size_t i = 0; i < len; i++)
		lines += bytes[i] == '\n';
	FUZZ_CHECK(where->why != NULL && where->line >= 1 && where->line <= lines);
	FUZZ_CHECK(where->column >= 1 && where->column <= len + 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	const cJSON *value = NULL;
	struct json_fault where = {0};
	FUZZ_CHECK(arena != NULL);
	enum fault fault = json_read(arena, (const char *)data, size, &value, &where);
	FUZZ_CHECK(fault == FAULT_NONE || fault == FAULT_MALFORMED_JSON || arena_capped(arena));
	if (fault == FAULT_NONE)
		check_value(arena, value);
	else if (fault == FAULT_MALFORMED_JSON)
		check_fault(&where, (const char *)data, size);
	arena_close(arena);
	return 0;
}

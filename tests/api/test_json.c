/* The strict reader of JSON, and the check of a body against its schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json.h"
#include "api/schema.h"
#include "base/limits.h"

/* Reads; the fault, with its place in *where. */
static enum fault
read_bytes(const char *bytes, size_t len, struct json_fault *where)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	const cJSON *value = NULL;
	/* A copy without anything behind it, so that a step too far is seen. */
	char *exact = malloc(len == 0 ? 1 : len);
	if (len > 0)
		memcpy(exact, bytes, len);
	enum fault fault = json_read(arena, exact, len, &value, where);
	assert_int_equal(fault == FAULT_NONE, value != NULL);
	free(exact);
	arena_close(arena);
	return fault;
}

static void
good_text_is_read(void **state)
{
	(void)state;
	static const char *const texts[] = {
	    "null",
	    " \t\r\n{ } ",
	    "[]",
	    "[[],{}]",
	    "\"\"",
	    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD834\\uDD1E\"",
	    "\"\xc3\xa4\xf0\x9d\x84\x9e\x7f\"",
	    "0",
	    "-0",
	    "12.50",
	    "1e3",
	    "1E+2",
	    "10e-1",
	    "1.50e1",
	    "0.000",
	    "0e999",
	    "0.0000000000000000000000001e25",
	    "10000000000000000000000000e-25",
	    "9007199254740991",
	    "-9007199254740991",
	    "{\"a\":1,\"b\":{\"a\":2},\"A\":[{\"a\":1},{\"a\":1}],\"\":0}",
	    "0e9999999999999999999999",
	    "0E-9999999999999999999999",
	    "true",
	    "false",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct json_fault where;
		if (read_bytes(texts[i], strlen(texts[i]), &where) != FAULT_NONE)
			fail_msg("%s: %u:%u %s", texts[i], where.line, where.column, where.why);
	}
}

static void
bad_text_is_refused_where_it_goes_wrong(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned line, column;
	} cases[] = {
	    {"", 1, 1},
	    {"  ", 1, 3},
	    {"nul", 1, 1},
	    {"True", 1, 1},
	    {"NaN", 1, 1},
	    {"Infinity", 1, 1},
	    {"'a'", 1, 1},
	    {"// x\n1", 1, 1},
	    {"1 2", 1, 3},
	    {"{} x", 1, 4},
	    {"\xef\xbb\xbf{}", 1, 1},
	    /* numbers */
	    {"01", 1, 1},
	    {"-01", 1, 1},
	    {"+1", 1, 1},
	    {".5", 1, 1},
	    {"1.", 1, 3},
	    {"1.e3", 1, 3},
	    {"1e", 1, 3},
	    {"1e+", 1, 4},
	    {"-", 1, 2},
	    {"0x10", 1, 2},
	    {"1e400", 1, 1},
	    {"9007199254740992", 1, 1},
	    {"9007199254740993", 1, 1},
	    {"-9007199254740993", 1, 1},
	    {"[1,99999999999999999999999999999999999]", 1, 4},
	    {"1.0000000000000000001", 1, 1},
	    {"1e-400", 1, 1},
	    {"1e-9999999999999999999999", 1, 1},
	    {"-4503599627370496.3", 1, 1},

	    /* strings */
	    {"\"", 1, 2},
	    {"\"a", 1, 3},
	    {"\"\\", 1, 3},
	    {"\"\\x\"", 1, 3},
	    {"\"a\nb\"", 1, 3},
	    {"\"\\u00g0\"", 1, 6},
	    {"\"\\u12\"", 1, 6},
	    {"\"x\\u0000\"", 1, 3},
	    {"\"\\ud834\"", 1, 2},
	    {"\"\\ud834x\"", 1, 2},
	    {"\"\\ud834\\n\"", 1, 2},
	    {"\"\\ud834\\u0041\"", 1, 2},
	    {"\"\\udd1e\"", 1, 2},
	    {"\"\xff\"", 1, 2},
	    {"\"\xc0\x80\"", 1, 2},
	    {"\"\xed\xa0\x80\"", 1, 2},
	    {"\"\xf4\x90\x80\x80\"", 1, 2},
	    {"\"\xc3", 1, 2},
	    {"\"\xc3\xa4\xc3\xa4\xff\"", 1, 4},
	    /* arrays and objects */
	    {"[", 1, 2},
	    {"[1", 1, 3},
	    {"[1,]", 1, 4},
	    {"[,1]", 1, 2},
	    {"[1 2]", 1, 4},
	    {"[1}", 1, 3},
	    {"{", 1, 2},
	    {"{\"a\"}", 1, 5},
	    {"{\"a\":}", 1, 6},
	    {"{\"a\":1,}", 1, 8},
	    {"{a:1}", 1, 2},
	    {"{\"a\":1 \"b\":2}", 1, 8},
	    {"{1:2}", 1, 2},
	    /* the same key twice, however it is written */
	    {"{\"a\":1,\"a\":1}", 1, 8},
	    {"{\"a\":1,\n \"\\u0061\":2}", 2, 2},
	    {"{\"\\ud834\\udd1e\":1,\"\xf0\x9d\x84\x9e\":2}", 1, 19},
	    {"[{\"x\":{\"b\":0,\"c\":1,\"b\":2}}]", 1, 20},
	    {"{\"\":1,\"\":2}", 1, 7},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct json_fault where = {0, 0, ""};
		enum fault fault = read_bytes(cases[i].text, strlen(cases[i].text), &where);
		if (fault != FAULT_MALFORMED_JSON || where.line != cases[i].line || where.column != cases[i].column)
			fail_msg("%s: fault %d at %u:%u, %s", cases[i].text, (int)fault, where.line, where.column,
			    where.why);
	}
}

static void
a_nul_byte_is_no_json(void **state)
{
	(void)state;
	struct json_fault where;
	assert_int_equal(read_bytes("{}\0", 3, &where), FAULT_MALFORMED_JSON);
	assert_int_equal(read_bytes("\"a\0b\"", 5, &where), FAULT_MALFORMED_JSON);
	assert_int_equal(where.column, 3);
}

static void
depth_is_bounded(void **state)
{
	(void)state;
	struct json_fault where;
	char text[2 * LIMIT_JSON_DEPTH + 3];
	memset(text, '[', LIMIT_JSON_DEPTH);
	memset(text + LIMIT_JSON_DEPTH, ']', LIMIT_JSON_DEPTH);
	assert_int_equal(read_bytes(text, 2 * LIMIT_JSON_DEPTH, &where), FAULT_NONE);
	memset(text, '[', LIMIT_JSON_DEPTH + 1);
	memset(text + LIMIT_JSON_DEPTH + 1, ']', LIMIT_JSON_DEPTH + 1);
	assert_int_equal(read_bytes(text, 2 * LIMIT_JSON_DEPTH + 2, &where), FAULT_MALFORMED_JSON);
	assert_int_equal(where.column, LIMIT_JSON_DEPTH + 1);

	/* A bomb is refused at the same place, whatever is behind. */
	size_t len = LIMIT_BODY_RECORD;
	char *bomb = malloc(len);
	for (size_t i = 0; i < len; i++)
		bomb[i] = "[{\"a\":"[i % 6];
	assert_int_equal(read_bytes(bomb, len, &where), FAULT_MALFORMED_JSON);
	free(bomb);
}

static void
the_number_of_values_is_bounded(void **state)
{
	(void)state;
	struct json_fault where;
	/* The array is a value too. */
	size_t count = LIMIT_JSON_VALUES - 1, len = 2 * count + 1;
	char *text = malloc(len + 2);
	for (size_t i = 0; i < count; i++)
		memcpy(text + 1 + 2 * i, "1,", 2);
	text[0] = '[';
	text[len - 1] = ']';
	assert_int_equal(read_bytes(text, len, &where), FAULT_NONE);
	memcpy(text + len - 1, ",1]", 3);
	assert_int_equal(read_bytes(text, len + 2, &where), FAULT_MALFORMED_JSON);
	free(text);
}

/* Every prefix of a good text is refused, and every byte of it replaced is survived. */
static void
what_is_cut_off_is_refused(void **state)
{
	(void)state;
	static const char text[] = "{\"a\\u0041\":[-1.5e2,\"\xc3\xa4\\ud834\\udd1e\",true,null],\"b\":{\"c\":false}}";
	struct json_fault where;
	char changed[sizeof text];
	for (size_t len = 0; len < sizeof text - 1; len++)
		assert_int_equal(read_bytes(text, len, &where), FAULT_MALFORMED_JSON);
	for (size_t i = 0; i < sizeof text - 1; i++) {
		for (unsigned byte = 0; byte < 256; byte++) {
			memcpy(changed, text, sizeof text);
			changed[i] = (char)byte;
			enum fault fault = read_bytes(changed, sizeof text - 1, &where);
			assert_true(fault == FAULT_NONE || fault == FAULT_MALFORMED_JSON);
		}
	}
}

static void
memory_that_fails_is_told_apart(void **state)
{
	(void)state;
	static const char text[] = "{\"key\":[1,2,3,4,\"a rather long text that needs some room of its own\"]}";
	unsigned failed = 0;
	for (size_t cap = 16; cap < 2048; cap += 16) {
		struct arena *arena = arena_open(cap);
		struct json_fault where;
		const cJSON *value = NULL;
		enum fault fault = json_read(arena, text, sizeof text - 1, &value, &where);
		assert_true(fault == FAULT_NONE || (fault == FAULT_OUT_OF_MEMORY && value == NULL));
		failed += fault != FAULT_NONE;
		arena_close(arena);
	}
	assert_true(failed > 0 && failed < 127);
}

/* Schemas. */

static const char *const colours[] = {"red", "green", NULL};
static const struct schema number_schema = {.type = SCHEMA_INTEGER, .min = 0, .max = 9};
static const struct schema text_schema = {.type = SCHEMA_STRING, .min = 0, .max = 3};
static const struct schema key_schema = {.type = SCHEMA_NAME, .min = 1, .max = 2};
static const struct schema_member pair_members[] = {
    {.name = "a", .value = {.type = SCHEMA_BOOLEAN}},
    {.name = "b", .value = {.type = SCHEMA_BOOLEAN}},
    {.name = NULL},
};
static const struct schema_member members[] = {
    {.name = "name", .required = true, .value = {.type = SCHEMA_NAME, .min = 1, .max = 4}},
    {.name = "colour", .value = {.type = SCHEMA_STRING, .words = colours}},
    {.name = "list", .value = {.type = SCHEMA_ARRAY, .min = 1, .max = 2, .each = &number_schema}},
    {.name = "tags", .value = {.type = SCHEMA_MAP, .min = 0, .max = 2, .each = &text_schema}},
    {.name = "names", .value = {.type = SCHEMA_MAP, .min = 0, .max = 2, .each = &text_schema, .keys = &key_schema}},
    {.name = "pair", .value = {.type = SCHEMA_OBJECT, .max = 1, .members = pair_members}},
    {.name = "flag", .value = {.type = SCHEMA_BOOLEAN}},
    {.name = "maybe", .value = {.type = SCHEMA_INTEGER, .nullable = true, .min = 1, .max = 2}},
    {.name = NULL},
};
static const struct schema schema = {.type = SCHEMA_OBJECT, .members = members};

/* The pointers of all faults, between spaces. */
static enum fault
check_text(const char *text, char *pointers, size_t room)
{
	struct arena *arena = arena_open(LIMIT_ARENA);
	struct json_fault where;
	struct schema_faults faults = {.arena = arena};
	const cJSON *value;
	pointers[0] = '\0';
	assert_int_equal(json_read(arena, text, strlen(text), &value, &where), FAULT_NONE);
	enum fault fault = schema_check(&schema, value, &faults);
	for (unsigned i = 0; i < faults.count; i++) {
		size_t len = strlen(pointers);
		snprintf(pointers + len, room - len, "%s%s", i == 0 ? "" : " ", faults.list[i].pointer);
		assert_true(strlen(faults.list[i].why) > 0);
	}
	arena_close(arena);
	return fault;
}

static void
faults_are_all_told_with_pointers(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pointers;
	} cases[] = {
	    {"{\"name\":\"Ada\"}", NULL},
	    {"{\"name\":\"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\",\"colour\":\"red\",\"list\":[0,9],\"flag\":false,"
	     "\"maybe\":null}",
		NULL},
	    {"{\"name\":\"A\",\"list\":[1.0],\"tags\":{\"\":\"\",\"b\":\"abc\"}}", NULL},
	    {"[]", ""},
	    {"null", ""},
	    {"{}", "/name"},
	    {"{\"name\":null}", "/name"},
	    {"{\"name\":\"\"}", "/name"},
	    {"{\"name\":\"abcde\"}", "/name"},
	    {"{\"name\":\"a\\nb\"}", "/name"},
	    {"{\"name\":\"a\\u202eb\"}", "/name"},
	    {"{\"name\":\"A\",\"Name\":\"B\"}", "/Name"},
	    {"{\"name\":\"A\",\"a/b~c\":0}", "/a~1b~0c"},
	    {"{\"name\":\"A\",\"colour\":\"blue\"}", "/colour"},
	    {"{\"name\":\"A\",\"colour\":1}", "/colour"},
	    {"{\"name\":\"A\",\"list\":[]}", "/list"},
	    {"{\"name\":\"A\",\"list\":[1,2,3]}", "/list"},
	    {"{\"name\":\"A\",\"list\":[-1,1.5]}", "/list/0 /list/1"},
	    {"{\"name\":\"A\",\"list\":[\"1\",10]}", "/list/0 /list/1"},
	    {"{\"name\":\"A\",\"list\":{\"0\":1}}", "/list"},
	    {"{\"name\":\"A\",\"tags\":{\"x/y\":\"abcd\",\"z\":1}}", "/tags/x~1y /tags/z"},
	    {"{\"name\":\"A\",\"tags\":{\"x\":\"\",\"y\":\"\",\"z\":\"\"}}", "/tags"},
	    {"{\"name\":\"A\",\"names\":{\"ab\":\"\",\"\":\"\"}}", "/names/"},
	    {"{\"name\":\"A\",\"names\":{\"abc\":\"\",\"\\u0001\":\"\"}}", "/names/abc /names/\x01"},
	    {"{\"name\":\"A\",\"pair\":{\"a\":true}}", NULL},
	    {"{\"name\":\"A\",\"pair\":{\"a\":true,\"b\":true}}", "/pair"},
	    {"{\"name\":\"A\",\"flag\":0}", "/flag"},
	    {"{\"name\":\"A\",\"flag\":null}", "/flag"},
	    {"{\"name\":\"A\",\"maybe\":3}", "/maybe"},
	    {"{\"flag\":\"x\",\"extra\":1,\"list\":[11]}", "/flag /extra /list/0 /name"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char pointers[512];
		enum fault fault = check_text(cases[i].text, pointers, sizeof pointers);
		bool good = cases[i].pointers == NULL;
		if (fault != (good ? FAULT_NONE : FAULT_INVALID_BODY) ||
		    strcmp(pointers, good ? "" : cases[i].pointers) != 0)
			fail_msg("%s: %d, %s", cases[i].text, (int)fault, pointers);
	}
}

static void
the_list_of_faults_is_bounded(void **state)
{
	(void)state;
	char text[2048] = "{\"name\":\"A\",\"list\":[", pointers[2048];
	for (int i = 0; i < 2 * LIMIT_JSON_ERRORS; i++)
		strcat(text, "99,");
	strcat(text, "99]}");
	assert_int_equal(check_text(text, pointers, sizeof pointers), FAULT_INVALID_BODY);
	unsigned count = 1;
	for (const char *c = pointers; *c != '\0'; c++)
		count += *c == ' ';
	assert_int_equal(count, LIMIT_JSON_ERRORS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_text_is_read),
	    cmocka_unit_test(bad_text_is_refused_where_it_goes_wrong),
	    cmocka_unit_test(a_nul_byte_is_no_json),
	    cmocka_unit_test(depth_is_bounded),
	    cmocka_unit_test(the_number_of_values_is_bounded),
	    cmocka_unit_test(what_is_cut_off_is_refused),
	    cmocka_unit_test(memory_that_fails_is_told_apart),
	    cmocka_unit_test(faults_are_all_told_with_pointers),
	    cmocka_unit_test(the_list_of_faults_is_bounded),
	};
	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}

/* The command line: every kind of value, what is wrong with it, and what --help shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option.h"

static const char *const colours[] = {"red", "green", NULL};
static const char *file;
static uint64_t number;
static unsigned colour;
static bool loud;

static const struct option_row rows[] = {
    {"file", OPTION_TEXT, &file, "FILE", .help = "the file"},
    {"number", OPTION_NUMBER, &number, "N", 2, 9, .help = "the number"},
    {"colour", OPTION_CHOICE, &colour, "COLOUR", .choices = colours, .help = "the colour"},
    {"loud", OPTION_FLAG, &loud, .help = "more noise"},
    {"hidden", OPTION_NUMBER, &number, "N", 0, UINT64_MAX, .help = NULL},
};

static const struct option_set set = {
    .usage = "iuvod test [OPTION]... [OPERAND]",
    .about = "About it.",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operands = 1,
    .number = "an operand is from 0 to 9",
};

static char printed[4096];
static int first;

/* Runs option_read on words, with what goes to one descriptor caught in printed. */
static enum option_end
read_words(int caught, const char *line)
{
	static char words[512], name[] = "test", empty[] = "";
	char *argv[16] = {name};
	int argc = 1;
	snprintf(words, sizeof words, "%s", line);
	for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
		argv[argc++] = strcmp(word, "EMPTY") == 0 ? empty : word;
	file = "default";
	number = 5;
	colour = 1;
	loud = false;
	FILE *out = tmpfile();
	assert_non_null(out);
	fflush(NULL);
	int before = dup(caught);
	dup2(fileno(out), caught);
	enum option_end end = option_read(&set, argc, argv, &first);
	fflush(NULL);
	dup2(before, caught);
	close(before);
	rewind(out);
	printed[fread(printed, 1, sizeof printed - 1, out)] = '\0';
	fclose(out);
	return end;
}

static void
nothing_leaves_the_defaults(void **state)
{
	(void)state;
	assert_int_equal(read_words(STDERR_FILENO, ""), OPTION_GO);
	assert_string_equal(file, "default");
	assert_int_equal(number, 5);
	assert_int_equal(colour, 1);
	assert_false(loud);
	assert_int_equal(first, 1);
	assert_string_equal(printed, "");
}

static void
values_are_read(void **state)
{
	(void)state;
	assert_int_equal(
	    read_words(STDERR_FILENO, "--file a --number=9 operand --colour red --loud --file=b"), OPTION_GO);
	assert_string_equal(file, "b");
	assert_int_equal(number, 9);
	assert_int_equal(colour, 0);
	assert_true(loud);
	assert_int_equal(first, 8);
	assert_int_equal(read_words(STDERR_FILENO, "--hidden 18446744073709551615"), OPTION_GO);
	assert_true(number == UINT64_MAX);
	assert_int_equal(read_words(STDERR_FILENO, "-- --file"), OPTION_GO);
	assert_string_equal(file, "default");
}

static void
what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *line, *said;
	} cases[] = {
	    {"--number 1", "--number '1': must be a whole number from 2 to 9"},
	    {"--number 10", "--number '10': must be a whole number from 2 to 9"},
	    {"--number 3x", "--number '3x': must be a whole number"},
	    {"--number -3", "--number '-3': must be a whole number"},
	    {"--number EMPTY", "--number '': must be a whole number"},
	    {"--number 99999999999999999999999", "must be a whole number"},
	    {"--colour blue", "--colour 'blue': must be one of red, green"},
	    {"--file EMPTY", "--file '': must not be empty"},
	    {"--file", "--file: a value is missing"},
	    {"--loud=yes", "--loud=yes: there is no such option, or it takes no value"},
	    {"--nothing", "--nothing: there is no such option"},
	    {"-x", "-x: there is no such option"},
	    {"-1", "iuvod: an operand is from 0 to 9"},
	    {"a -12", "iuvod: an operand is from 0 to 9"},
	    {"a b", "'b': not expected here"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(read_words(STDERR_FILENO, cases[i].line), OPTION_WRONG);
		if (strstr(printed, cases[i].said) == NULL)
			fail_msg("%s: %s", cases[i].line, printed);
		assert_non_null(strstr(printed, "Try 'iuvod test --help'."));
	}
}

static void
help_shows_names_defaults_and_no_secrets(void **state)
{
	(void)state;
	assert_int_equal(read_words(STDOUT_FILENO, "--number 3 --help"), OPTION_SHOWN);
	assert_non_null(strstr(printed, "Usage: iuvod test [OPTION]... [OPERAND]\nAbout it.\n"));
	assert_non_null(strstr(printed, "--file FILE"));
	assert_non_null(strstr(printed, "the file (default)\n"));
	assert_non_null(strstr(printed, "the colour (green)\n"));
	assert_non_null(strstr(printed, "more noise\n"));
	assert_null(strstr(printed, "hidden"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_leaves_the_defaults),
	    cmocka_unit_test(values_are_read),
	    cmocka_unit_test(what_is_wrong_is_named),
	    cmocka_unit_test(help_shows_names_defaults_and_no_secrets),
	};
	return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}

/* The command line, the environment and the file of options: every kind of value, what is wrong with it, and what
 * --help shows. */
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
static uint64_t two_words;
static const char *word;

static const char *config;

static const struct option_row rows[] = {
    {"config", OPTION_FILE, &config, "FILE", .help = "more of them"},
    {"file", OPTION_TEXT, &file, "FILE", .help = "the file"},
    {"number", OPTION_NUMBER, &number, "N", 2, 9, .help = "the number"},
    {"colour", OPTION_CHOICE, &colour, "COLOUR", .choices = colours, .help = "the colour"},
    {"loud", OPTION_FLAG, &loud, .help = "more noise"},
    {"two-words", OPTION_NUMBER, &two_words, "N", 0, 9, .help = "two words"},
    {"word", OPTION_TEXT, &word, "WORD", .allowed = "a word of a letter", .help = "a word"},
    {"hidden", OPTION_NUMBER, &number, "N", 0, UINT64_MAX, .help = NULL},
};

static const struct option_set set = {
    .usage = "iuvod test [OPTION]... [OPERAND]",
    .about = "About it.",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operands = 1,
    .meant = "file",
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
	for (char *each = strtok(words, " "); each != NULL; each = strtok(NULL, " "))
		argv[argc++] = strcmp(each, "EMPTY") == 0 ? empty : each;
	file = "default";
	number = 5;
	colour = 1;
	loud = false;
	two_words = 0;
	word = NULL;
	config = NULL;
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
	    {"--loud=maybe", "--loud 'maybe': must be yes or no"},
	    {"--loud=", "--loud '': must be yes or no"},
	    {"--loud a no", "iuvod: 'no': not expected here; --file no may be meant\n"},
	    {"--nothing", "--nothing: there is no such option"},
	    {"-x", "-x: there is no such option"},
	    {"-1", "iuvod: an operand is from 0 to 9"},
	    {"a -12", "iuvod: an operand is from 0 to 9"},
	    {"a b", "iuvod: 'b': not expected here; --file b may be meant\n"},
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
	assert_non_null(strstr(printed, "  --loud[=yes|no]             more noise\n"));
	assert_null(strstr(printed, "hidden"));
}

/* A page that is made of it is split at the tabs. */
static void
the_table_tells_all_of_a_row(void **state)
{
	(void)state;
	assert_int_equal(read_words(STDOUT_FILENO, "--number 3 --help=table"), OPTION_SHOWN);
	assert_string_equal(printed,
	    "--config\tFILE\tIUVOD_CONFIG\t\t\tthe name of a file\tmore of them\n"
	    "--file\tFILE\tIUVOD_FILE\tfile\tdefault\tthe name of a file\tthe file\n"
	    "--number\tN\tIUVOD_NUMBER\tnumber\t5\ta whole number from 2 to 9\tthe number\n"
	    "--colour\tCOLOUR\tIUVOD_COLOUR\tcolour\tgreen\tone of red, green\tthe colour\n"
	    "--loud\t\tIUVOD_LOUD\tloud\tno\tyes or no\tmore noise\n"
	    "--two-words\tN\tIUVOD_TWO_WORDS\ttwo-words\t0\ta whole number from 0 to 9\ttwo words\n"
	    "--word\tWORD\tIUVOD_WORD\tword\t\ta word of a letter\ta word\n");
	assert_int_equal(read_words(STDERR_FILENO, "--help=more"), OPTION_WRONG);
	assert_non_null(strstr(printed, "iuvod: --help 'more': must be table, or nothing\n"));
}

static char path[] = "/tmp/iuvod-option-XXXXXX";

static void
write_file(const char *bytes, size_t len)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

/* Reads a command line with a file of options and a variable (name and value, or neither). */
static enum option_end
read_all(const char *text, const char *variable, const char *value, const char *line)
{
	char words[512];
	write_file(text, strlen(text));
	if (variable != NULL)
		setenv(variable, value, 1);
	snprintf(words, sizeof words, "--config %s %s", path, line);
	enum option_end end = read_words(STDERR_FILENO, words);
	if (variable != NULL)
		unsetenv(variable);
	return end;
}

static void
the_line_wins_over_the_environment_and_that_over_the_file(void **state)
{
	(void)state;
	const char *text = "# a comment\n\n  number = 3 \r\ntwo-words=4\nfile = a b # = c\nloud = yes\ncolour =\tred";
	assert_int_equal(read_all(text, NULL, NULL, ""), OPTION_GO);
	assert_int_equal(number, 3);
	assert_int_equal(two_words, 4);
	assert_string_equal(file, "a b # = c");
	assert_int_equal(colour, 0);
	assert_true(loud);
	assert_int_equal(read_all(text, "IUVOD_TWO_WORDS", "5", ""), OPTION_GO);
	assert_int_equal(two_words, 5);
	assert_int_equal(read_all(text, "IUVOD_TWO_WORDS", "5", "--two-words 6"), OPTION_GO);
	assert_int_equal(two_words, 6);
	assert_int_equal(read_all(text, "IUVOD_TWO_WORDS", "", ""), OPTION_GO);
	assert_int_equal(two_words, 4);
	assert_int_equal(read_all(text, "IUVOD_LOUD", "no", ""), OPTION_GO);
	assert_false(loud);
	assert_int_equal(read_all(text, "IUVOD_LOUD", "yes", "--loud=no"), OPTION_GO);
	assert_false(loud);
	assert_int_equal(read_all(text, "IUVOD_LOUD", "no", "--loud=no --loud=yes"), OPTION_GO);
	assert_true(loud);
	assert_int_equal(read_all(text, "IUVOD_HIDDEN", "7", ""), OPTION_GO);
	assert_int_equal(number, 3);
}

static void
the_file_is_named_by_a_variable_too(void **state)
{
	(void)state;
	write_file("number = 4\n", 11);
	setenv("IUVOD_CONFIG", path, 1);
	assert_int_equal(read_words(STDERR_FILENO, ""), OPTION_GO);
	assert_int_equal(number, 4);
	assert_int_equal(read_words(STDERR_FILENO, "--config /dev/null"), OPTION_GO);
	assert_int_equal(number, 5);
	unsetenv("IUVOD_CONFIG");
}

static void
what_is_wrong_is_named_with_its_place(void **state)
{
	static const struct {
		const char *text, *variable, *value, *said;
	} cases[] = {
	    {"\n#\nnumber = 1", NULL, NULL, ", line 3: number '1': must be a whole number from 2 to 9\n"},
	    {"number =", NULL, NULL, ", line 1: number '': must be a whole number from 2 to 9\n"},
	    {"file =", NULL, NULL, ", line 1: file '': must not be empty\n"},
	    {"loud = true", NULL, NULL, ", line 1: loud 'true': must be yes or no\n"},
	    {"loud", NULL, NULL, ", line 1: must be `name = value`\n"},
	    {"colour = blue", NULL, NULL, ", line 1: colour 'blue': must be one of red, green\n"},
	    {"hidden = 3", NULL, NULL, ", line 1: 'hidden': there is no such option\n"},
	    {"Number = 3", NULL, NULL, ", line 1: 'Number': there is no such option\n"},
	    {"= 3", NULL, NULL, ", line 1: '': there is no such option\n"},
	    {"config = x", NULL, NULL, ", line 1: 'config': there is no such option\n"},
	    {"\033[2J = 3", NULL, NULL, ", line 1: '\\x1b[2J': there is no such option\n"},
	    {"number = 3\nnumber = 3", NULL, NULL, ", line 2: number stands in the file twice\n"},
	    {"", "IUVOD_TWO_WORDS", "12", "iuvod: IUVOD_TWO_WORDS '12': must be a whole number from 0 to 9\n"},
	    {"", "IUVOD_LOUD", "1", "iuvod: IUVOD_LOUD '1': must be yes or no\n"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(read_all(cases[i].text, cases[i].variable, cases[i].value, ""), OPTION_WRONG);
		if (strstr(printed, cases[i].said) == NULL)
			fail_msg("%s: %s", cases[i].text, printed);
		if (cases[i].variable == NULL)
			assert_non_null(strstr(printed, path));
	}
}

static void
a_file_that_cannot_be_read_is_named(void **state)
{
	static char much[OPTION_FILE_MAX + 1];
	(void)state;
	memset(much, '\n', sizeof much);
	write_file(much, OPTION_FILE_MAX);
	assert_int_equal(read_words(STDERR_FILENO, "--config /nowhere/at-all"), OPTION_WRONG);
	assert_non_null(strstr(printed, "--config '/nowhere/at-all': No such file or directory\n"));
	assert_int_equal(read_words(STDERR_FILENO, "--config /"), OPTION_WRONG);
	assert_non_null(strstr(printed, "--config '/': Is a directory\n"));
	setenv("IUVOD_CONFIG", path, 1);
	assert_int_equal(read_words(STDERR_FILENO, ""), OPTION_GO);
	write_file(much, sizeof much);
	assert_int_equal(read_words(STDERR_FILENO, ""), OPTION_WRONG);
	assert_non_null(strstr(printed, "iuvod: IUVOD_CONFIG '"));
	assert_non_null(strstr(printed, "is too long to be a file of options\n"));
	write_file("a\0b", 3);
	assert_int_equal(read_words(STDERR_FILENO, ""), OPTION_WRONG);
	assert_non_null(strstr(printed, "is no text\n"));
	unsetenv("IUVOD_CONFIG");
}

/* Prints what option_refuse says of a value, the file's name in most cases. */
static const char *
refused_value(
    const void *value_of, const char *why, const char *text, const char *variable, const char *value, const char *line)
{
	FILE *out = tmpfile();
	assert_non_null(out);
	assert_int_equal(read_all(text, variable, value, line), OPTION_GO);
	fflush(NULL);
	int before = dup(STDERR_FILENO);
	dup2(fileno(out), STDERR_FILENO);
	assert_int_equal(option_refuse(&set, value_of, why), OPTION_WRONG);
	fflush(NULL);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(out);
	printed[fread(printed, 1, sizeof printed - 1, out)] = '\0';
	fclose(out);
	return printed;
}

static const char *
refused(const char *text, const char *variable, const char *value, const char *line)
{
	return refused_value(&file, "is not nice", text, variable, value, line);
}

static void
a_value_is_refused_where_it_was_given(void **state)
{
	(void)state;
	assert_non_null(strstr(refused("", NULL, NULL, ""), "iuvod: --file 'default': is not nice\n"));
	assert_non_null(strstr(refused("\nfile = x", NULL, NULL, ""), ", line 2: file 'x': is not nice\n"));
	assert_non_null(strstr(refused("file = x", "IUVOD_FILE", "y", ""), "iuvod: IUVOD_FILE 'y': is not nice\n"));
	assert_non_null(strstr(refused("file = x", "IUVOD_FILE", "y", "--file z"), "iuvod: --file 'z': is not nice\n"));
	assert_non_null(strstr(refused_value(&word, NULL, "word = long", NULL, NULL, ""),
	    ", line 1: word 'long': must be a word of a letter\n"));
}

static void
variables_that_nobody_takes_are_found(void **state)
{
	unsigned found = 0;
	char name[64];
	(void)state;
	setenv("IUVOD_NUMBR", "3", 1);
	setenv("IUVOD_HIDDEN", "3", 1);
	setenv("IUVOD_NUMBER", "3", 1);
	setenv("IUVODX", "3", 1);
	for (size_t at = 0; option_stray(&set, &at, name, sizeof name);) {
		assert_string_not_equal(name, "IUVOD_NUMBER");
		found += strcmp(name, "IUVOD_NUMBR") == 0 || strcmp(name, "IUVOD_HIDDEN") == 0;
		assert_string_not_equal(name, "IUVODX");
	}
	assert_int_equal(found, 2);
	unsetenv("IUVOD_NUMBR");
	unsetenv("IUVOD_HIDDEN");
	unsetenv("IUVOD_NUMBER");
	unsetenv("IUVODX");
}

static void
a_set_without_environment_reads_none(void **state)
{
	uint64_t value = 1;
	const struct option_row row = {"number", OPTION_NUMBER, &value, "N", 0, 9, .help = "the number"};
	struct option_set alone = {.usage = "iuvod test", .about = "", .rows = &row, .count = 1};
	char name[] = "test", *argv[] = {name, NULL};
	(void)state;
	setenv("IUVOD_NUMBER", "3", 1);
	assert_int_equal(option_read(&alone, 1, argv, &first), OPTION_GO);
	assert_int_equal(value, 1);
	alone.environment = true;
	assert_int_equal(option_read(&alone, 1, argv, &first), OPTION_GO);
	assert_int_equal(value, 3);
	unsetenv("IUVOD_NUMBER");
}

static int
make_path(void **state)
{
	(void)state;
	int made = mkstemp(path);
	return made < 0 ? -1 : close(made);
}

static int
remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_leaves_the_defaults),
	    cmocka_unit_test(values_are_read),
	    cmocka_unit_test(what_is_wrong_is_named),
	    cmocka_unit_test(help_shows_names_defaults_and_no_secrets),
	    cmocka_unit_test(the_table_tells_all_of_a_row),
	    cmocka_unit_test(the_line_wins_over_the_environment_and_that_over_the_file),
	    cmocka_unit_test(the_file_is_named_by_a_variable_too),
	    cmocka_unit_test(what_is_wrong_is_named_with_its_place),
	    cmocka_unit_test(a_file_that_cannot_be_read_is_named),
	    cmocka_unit_test(a_value_is_refused_where_it_was_given),
	    cmocka_unit_test(variables_that_nobody_takes_are_found),
	    cmocka_unit_test(a_set_without_environment_reads_none),
	};
	return cmocka_run_group_tests_name("option", tests, make_path, remove_path);
}

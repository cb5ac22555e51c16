#include "base/option.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

extern char **environ;

#define PREFIX "IUVOD_"
#define BLANKS " \t\r\v\f"

enum { HELP = OPTION_ROWS_MAX, LEFT_COLUMN = 27, VARIABLE_MAX = 64, SOURCE_MAX = 512, WRONG_MAX = 2048 };

static void
print_default(const struct option_row *row)
{
	if (row->kind == OPTION_NUMBER)
		printf(" (%" PRIu64 ")", *(const uint64_t *)row->value);
	else if (row->kind == OPTION_CHOICE)
		printf(" (%s)", row->choices[*(const unsigned *)row->value]);
	else if ((row->kind == OPTION_TEXT || row->kind == OPTION_FILE) && *(const char *const *)row->value != NULL)
		printf(" (%s)", *(const char *const *)row->value);
}

void
option_print(const struct option_row *rows, unsigned count)
{
	for (const struct option_row *row = rows; row < rows + count; row++) {
		char left[64];
		if (row->help == NULL)
			continue;
		int len = snprintf(left, sizeof left, "--%s%s%s", row->name, row->shown == NULL ? "" : " ",
		    row->shown == NULL ? "" : row->shown);
		printf("  %-*s %s", LEFT_COLUMN, left, len > LEFT_COLUMN ? "\n" : row->help);
		if (len > LEFT_COLUMN)
			printf("  %-*s %s", LEFT_COLUMN, "", row->help);
		print_default(row);
		putchar('\n');
	}
}

static void
print_help(const struct option_set *set)
{
	printf("Usage: %s\n%s\n\nOptions, with their defaults:\n", set->usage, set->about);
	option_print(set->rows, set->count);
	printf("  %-*s %s\n", LEFT_COLUMN, "--help", "prints this");
}

enum option_end
option_wrong(const struct option_set *set, const char *format, ...)
{
	char what[WRONG_MAX];
	/* The usage begins with the words that the command was called by. */
	int words = (int)strcspn(set->usage, "[A-Z");
	while (words > 0 && set->usage[words - 1] == ' ')
		words--;
	va_list values;
	va_start(values, format);
	vsnprintf(what, sizeof what, format, values);
	va_end(values);
	fputs("iuvod: ", stderr);
	text_show(stderr, what);
	fprintf(stderr, "\nTry '%.*s --help'.\n", words, set->usage);
	return OPTION_WRONG;
}

/* Where a value was given, as it is named to whoever gave it. */
struct source {
	char name[SOURCE_MAX]; /* --loops, IUVOD_LOOPS, or `/etc/iuvod.conf, line 3: loops` */
};

/* Of each row of the set that was read last; empty: the default. */
static struct source sources[OPTION_ROWS_MAX];

static bool
read_flag(const struct option_row *row, const char *text, char *what, size_t room)
{
	bool yes = text == NULL || strcmp(text, "yes") == 0;
	if (!yes && strcmp(text, "no") != 0) {
		snprintf(what, room, "must be yes or no");
		return false;
	}
	*(bool *)row->value = yes;
	return true;
}

static bool
read_text(const struct option_row *row, const char *text, char *what, size_t room)
{
	if (*text == '\0') {
		snprintf(what, room, "must not be empty");
		return false;
	}
	*(const char **)row->value = text;
	return true;
}

static bool
read_number(const struct option_row *row, const char *text, char *what, size_t room)
{
	uint64_t value;
	if (!text_read_uint(text, strlen(text), row->most, &value) || value < row->least) {
		snprintf(what, room, "must be a whole number from %" PRIu64 " to %" PRIu64, row->least, row->most);
		return false;
	}
	*(uint64_t *)row->value = value;
	return true;
}

static bool
read_choice(const struct option_row *row, const char *text, char *what, size_t room)
{
	for (unsigned i = 0; row->choices[i] != NULL; i++)
		if (strcmp(row->choices[i], text) == 0) {
			*(unsigned *)row->value = i;
			return true;
		}
	int at = snprintf(what, room, "must be one of");
	for (unsigned i = 0; row->choices[i] != NULL && at > 0 && (size_t)at < room; i++)
		at += snprintf(what + at, room - (size_t)at, "%s %s", i == 0 ? "" : ",", row->choices[i]);
	return false;
}

static bool
read_value(const struct option_row *row, const char *text, char *what, size_t room)
{
	switch (row->kind) {
	case OPTION_FLAG:
		return read_flag(row, text, what, room);
	case OPTION_TEXT:
	case OPTION_FILE:
		return read_text(row, text, what, room);
	case OPTION_NUMBER:
		return read_number(row, text, what, room);
	case OPTION_CHOICE:
		return read_choice(row, text, what, room);
	}
	return false;
}

/* Reads a value that was given under a name; says what is wrong with it. */
static enum option_end
take(const struct option_set *set, unsigned i, const char *name, const char *text)
{
	char what[512];
	if (!read_value(&set->rows[i], text, what, sizeof what))
		return option_wrong(set, "%s '%s': %s", name, text, what);
	snprintf(sources[i].name, sizeof sources[i].name, "%s", name);
	return OPTION_GO;
}

enum option_end
option_refuse(const struct option_set *set, const void *value, const char *why)
{
	const char *text = *(const char *const *)value;
	for (unsigned i = 0; i < set->count; i++)
		if (set->rows[i].value == value && sources[i].name[0] != '\0')
			return option_wrong(set, "%s '%s': %s", sources[i].name, text, why);
		else if (set->rows[i].value == value)
			return option_wrong(set, "--%s '%s': %s", set->rows[i].name, text, why);
	return option_wrong(set, "'%s': %s", text, why);
}

static void
fill(const struct option_set *set, struct option options[])
{
	for (unsigned i = 0; i < set->count; i++)
		options[i] = (struct option){
		    .name = set->rows[i].name,
		    .has_arg = set->rows[i].kind == OPTION_FLAG ? no_argument : required_argument,
		    .val = (int)i,
		};
	options[set->count] = (struct option){.name = "help", .has_arg = no_argument, .val = HELP};
	options[set->count + 1] = (struct option){0};
}

/* An option that getopt does not know; the word is meaningful for those with two hyphens alone. */
static enum option_end
unknown(const struct option_set *set, const char *word)
{
	if (set->number != NULL && optopt >= '0' && optopt <= '9')
		return option_wrong(set, "%s", set->number);
	if (optopt > ' ')
		return option_wrong(set, "-%c: there is no such option", optopt);
	return option_wrong(set, "%s: there is no such option, or it takes no value", word);
}

/* The command line is gone through twice: for the file and --help first, and for the values at the end. */
static enum option_end
read_line(const struct option_set *set, int argc, char **argv, bool ahead)
{
	struct option options[OPTION_ROWS_MAX + 2];
	fill(set, options);
	opterr = 0;
	optind = 0; /* 0, not 1: getopt forgets the command line that it read before */
	for (int found; (found = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
		char name[SOURCE_MAX];
		if (found == HELP) {
			print_help(set);
			return OPTION_SHOWN;
		}
		if (found == ':')
			return option_wrong(set, "%s: a value is missing", argv[optind - 1]);
		if (found == '?')
			return unknown(set, argv[optind - 1]);
		if (ahead && set->rows[found].kind != OPTION_FILE)
			continue;
		snprintf(name, sizeof name, "--%s", set->rows[found].name);
		if (take(set, (unsigned)found, name, optarg) != OPTION_GO)
			return OPTION_WRONG;
	}
	return OPTION_GO;
}

/* The variable of an option: IUVOD_ and its name, in capitals. */
static void
name_variable(const struct option_row *row, char name[static VARIABLE_MAX])
{
	size_t at = (size_t)snprintf(name, VARIABLE_MAX, PREFIX "%s", row->name);
	for (size_t i = sizeof PREFIX - 1; i < at && i < VARIABLE_MAX; i++)
		name[i] = name[i] == '-' ? '_' : (char)toupper((unsigned char)name[i]);
}

static enum option_end
read_variables(const struct option_set *set, bool ahead)
{
	enum option_end end = OPTION_GO;
	for (unsigned i = 0; i < set->count && end == OPTION_GO; i++) {
		char name[VARIABLE_MAX];
		const struct option_row *row = &set->rows[i];
		if (row->help == NULL || ahead != (row->kind == OPTION_FILE))
			continue;
		name_variable(row, name);
		const char *text = getenv(name);
		if (text != NULL && *text != '\0')
			end = take(set, i, name, text);
	}
	return end;
}

static bool
is_taken(const struct option_set *set, const char *variable, size_t len)
{
	for (unsigned i = 0; i < set->count; i++) {
		char name[VARIABLE_MAX];
		if (set->rows[i].help == NULL)
			continue;
		name_variable(&set->rows[i], name);
		if (strlen(name) == len && memcmp(name, variable, len) == 0)
			return true;
	}
	return false;
}

bool
option_stray(const struct option_set *set, size_t *at, char *name, size_t room)
{
	while (environ[*at] != NULL) {
		const char *variable = environ[(*at)++];
		size_t len = strcspn(variable, "=");
		if (strncmp(variable, PREFIX, sizeof PREFIX - 1) == 0 && !is_taken(set, variable, len)) {
			snprintf(name, room, "%.*s", (int)len, variable);
			return true;
		}
	}
	return false;
}

/* The file as it was read; values point into it. */
static char file_text[OPTION_FILE_MAX + 1];

static bool
load_file(const char *path, const char **why)
{
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		*why = strerror(errno);
		return false;
	}
	errno = 0;
	size_t len = fread(file_text, 1, sizeof file_text, file);
	*why = ferror(file) ? strerror(errno) : NULL;
	fclose(file);
	if (*why == NULL && len > OPTION_FILE_MAX)
		*why = "is too long to be a file of options";
	else if (*why == NULL && memchr(file_text, '\0', len) != NULL)
		*why = "is no text";
	if (*why == NULL)
		file_text[len] = '\0';
	return *why == NULL;
}

/* Cuts off blanks on both sides. */
static char *
trim(char *text)
{
	text += strspn(text, BLANKS);
	size_t len = strlen(text);
	while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL)
		len--;
	text[len] = '\0';
	return text;
}

static const struct option_row *
find_name(const struct option_set *set, const char *name)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->rows[i].help != NULL && set->rows[i].kind != OPTION_FILE &&
		    strcmp(set->rows[i].name, name) == 0)
			return &set->rows[i];
	return NULL;
}

/* One line of the file: `name = value`, a comment, or nothing. */
static enum option_end
read_file_line(const struct option_set *set, const char *path, unsigned line, char *text)
{
	char name[SOURCE_MAX];
	text = trim(text);
	if (*text == '\0' || *text == '#')
		return OPTION_GO;
	char *equals = strchr(text, '=');
	if (equals == NULL)
		return option_wrong(set, "%s, line %u: must be `name = value`", path, line);
	*equals = '\0';
	text = trim(text);
	const struct option_row *row = find_name(set, text);
	if (row == NULL)
		return option_wrong(set, "%s, line %u: '%s': there is no such option", path, line, text);
	unsigned i = (unsigned)(row - set->rows);
	if (sources[i].name[0] != '\0')
		return option_wrong(set, "%s, line %u: %s stands in the file twice", path, line, text);
	snprintf(name, sizeof name, "%s, line %u: %s", path, line, text);
	return take(set, i, name, trim(equals + 1));
}

static enum option_end
read_file(const struct option_set *set, unsigned file)
{
	enum option_end end = OPTION_GO;
	const char *path = *(const char *const *)set->rows[file].value, *why;
	if (path == NULL)
		return OPTION_GO;
	if (!load_file(path, &why))
		return option_wrong(set, "%s '%s': %s", sources[file].name, path, why);
	char *next = file_text;
	for (unsigned line = 1; next != NULL && end == OPTION_GO; line++) {
		char *text = strsep(&next, "\n");
		end = read_file_line(set, path, line, text);
	}
	return end;
}

/* The row of the file of options; count: there is none. */
static unsigned
find_file(const struct option_set *set)
{
	unsigned i = 0;
	while (i < set->count && set->rows[i].kind != OPTION_FILE)
		i++;
	return i;
}

enum option_end
option_read(const struct option_set *set, int argc, char **argv, int *first)
{
	unsigned file = find_file(set);
	bool environment = set->environment || file < set->count;
	memset(sources, 0, sizeof sources);
	/* What is ahead: the file's name in the environment, and on the command line, which wins. */
	enum option_end end = environment ? read_variables(set, true) : OPTION_GO;
	if (end == OPTION_GO)
		end = read_line(set, argc, argv, true);
	if (end == OPTION_GO && file < set->count)
		end = read_file(set, file);
	if (end == OPTION_GO && environment)
		end = read_variables(set, false);
	if (end == OPTION_GO)
		end = read_line(set, argc, argv, false);
	if (end == OPTION_GO && (unsigned)(argc - optind) > set->operands)
		return option_wrong(set, "'%s': not expected here", argv[optind + (int)set->operands]);
	if (end == OPTION_GO)
		*first = optind;
	return end;
}

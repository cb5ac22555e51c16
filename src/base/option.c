#include "base/option.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_inside.h"
#include "base/text.h"

extern char **environ;

enum { HELP = OPTION_ROWS_MAX, WRONG_MAX = 2048 };

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
	char name[OPTION_SOURCE_MAX]; /* --loops, IUVOD_LOOPS, or `/etc/iuvod.conf, line 3: loops` */
};

/* Of each row of the set that was read last; empty: the default. */
static struct source sources[OPTION_ROWS_MAX];

const char *
option_source(unsigned i)
{
	return sources[i].name;
}

enum option_end
option_take(const struct option_set *set, unsigned i, const char *name, const char *text)
{
	const struct option_row *row = &set->rows[i];
	char allowed[OPTION_ALLOWED_MAX];
	if (!option_read_value(row, text)) {
		bool empty = row->kind == OPTION_TEXT || row->kind == OPTION_FILE;
		option_allowed(row, allowed, sizeof allowed);
		return option_wrong(
		    set, "%s '%s': must %s%s", name, text, empty ? "not be empty" : "be ", empty ? "" : allowed);
	}
	snprintf(sources[i].name, sizeof sources[i].name, "%s", name);
	return OPTION_GO;
}

static unsigned
row_of(const struct option_set *set, const void *value)
{
	unsigned i = 0;
	while (set->rows[i].value != value)
		i++;
	return i;
}

bool
option_given(const struct option_set *set, const void *value)
{
	return sources[row_of(set, value)].name[0] != '\0';
}

enum option_end
option_refuse(const struct option_set *set, const void *value, const char *why)
{
	unsigned i = row_of(set, value);
	char must[OPTION_ALLOWED_MAX] = "must be ", flag[OPTION_SOURCE_MAX];
	size_t at = strlen(must);
	option_allowed(&set->rows[i], must + at, sizeof must - at);
	snprintf(flag, sizeof flag, "--%s", set->rows[i].name);
	return option_wrong(set, "%s '%s': %s", sources[i].name[0] != '\0' ? sources[i].name : flag,
	    *(const char *const *)value, why == NULL ? must : why);
}

static void
fill(const struct option_set *set, struct option options[])
{
	for (unsigned i = 0; i < set->count; i++)
		options[i] = (struct option){
		    .name = set->rows[i].name,
		    .has_arg = set->rows[i].kind == OPTION_FLAG ? optional_argument : required_argument,
		    .val = (int)i,
		};
	options[set->count] = (struct option){.name = "help", .has_arg = optional_argument, .val = HELP};
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
	return option_wrong(set, "%s: there is no such option", word);
}

static enum option_end
show(const struct option_set *set, const char *how)
{
	if (how != NULL && strcmp(how, "table") != 0)
		return option_wrong(set, "--help '%s': must be table, or nothing", how);
	(how == NULL ? option_help : option_table)(set);
	return OPTION_SHOWN;
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
		char name[OPTION_SOURCE_MAX];
		if (found == HELP)
			return show(set, optarg);
		if (found == ':')
			return option_wrong(set, "%s: a value is missing", argv[optind - 1]);
		if (found == '?')
			return unknown(set, argv[optind - 1]);
		if (ahead && set->rows[found].kind != OPTION_FILE)
			continue;
		snprintf(name, sizeof name, "--%s", set->rows[found].name);
		if (option_take(set, (unsigned)found, name, optarg) != OPTION_GO)
			return OPTION_WRONG;
	}
	return OPTION_GO;
}

void
option_variable(const struct option_row *row, char name[static OPTION_VARIABLE_MAX])
{
	size_t at = (size_t)snprintf(name, OPTION_VARIABLE_MAX, OPTION_PREFIX "%s", row->name);
	for (size_t i = sizeof OPTION_PREFIX - 1; i < at && i < OPTION_VARIABLE_MAX; i++)
		name[i] = name[i] == '-' ? '_' : (char)toupper((unsigned char)name[i]);
}

bool
option_has_variables(const struct option_set *set)
{
	return set->environment || option_file_row(set) < set->count;
}

static enum option_end
read_variables(const struct option_set *set, bool ahead)
{
	enum option_end end = OPTION_GO;
	for (unsigned i = 0; i < set->count && end == OPTION_GO; i++) {
		char name[OPTION_VARIABLE_MAX];
		const struct option_row *row = &set->rows[i];
		if (row->help == NULL || ahead != (row->kind == OPTION_FILE))
			continue;
		option_variable(row, name);
		const char *text = getenv(name);
		if (text != NULL && *text != '\0')
			end = option_take(set, i, name, text);
	}
	return end;
}

static bool
is_taken(const struct option_set *set, const char *variable, size_t len)
{
	for (unsigned i = 0; i < set->count; i++) {
		char name[OPTION_VARIABLE_MAX];
		if (set->rows[i].help == NULL)
			continue;
		option_variable(&set->rows[i], name);
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
		if (strncmp(variable, OPTION_PREFIX, sizeof OPTION_PREFIX - 1) == 0 && !is_taken(set, variable, len)) {
			snprintf(name, room, "%.*s", (int)len, variable);
			return true;
		}
	}
	return false;
}

unsigned
option_file_row(const struct option_set *set)
{
	unsigned i = 0;
	while (i < set->count && set->rows[i].kind != OPTION_FILE)
		i++;
	return i;
}

/* An operand too many. */
static enum option_end
unexpected(const struct option_set *set, const char *word)
{
	if (set->meant == NULL)
		return option_wrong(set, "'%s': not expected here", word);
	return option_wrong(set, "'%s': not expected here; --%s %s may be meant", word, set->meant, word);
}

enum option_end
option_read(const struct option_set *set, int argc, char **argv, int *first)
{
	unsigned file = option_file_row(set);
	bool environment = option_has_variables(set);
	memset(sources, 0, sizeof sources);
	/* What is ahead: the file's name in the environment, and on the command line, which wins. */
	enum option_end end = environment ? read_variables(set, true) : OPTION_GO;
	if (end == OPTION_GO)
		end = read_line(set, argc, argv, true);
	if (end == OPTION_GO && file < set->count)
		end = option_read_file(set, file);
	if (end == OPTION_GO && environment)
		end = read_variables(set, false);
	if (end == OPTION_GO)
		end = read_line(set, argc, argv, false);
	if (end == OPTION_GO && (unsigned)(argc - optind) > set->operands)
		return unexpected(set, argv[optind + (int)set->operands]);
	if (end == OPTION_GO)
		*first = optind;
	return end;
}

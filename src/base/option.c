#include "base/option.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { HELP = OPTION_ROWS_MAX, LEFT_COLUMN = 27 };

static void
print_default(const struct option_row *row)
{
	if (row->kind == OPTION_NUMBER)
		printf(" (%" PRIu64 ")", *(const uint64_t *)row->value);
	else if (row->kind == OPTION_CHOICE)
		printf(" (%s)", row->choices[*(const unsigned *)row->value]);
	else if (row->kind == OPTION_TEXT && *(const char *const *)row->value != NULL)
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
	/* The usage begins with the words that the command was called by. */
	int words = (int)strcspn(set->usage, "[A-Z");
	while (words > 0 && set->usage[words - 1] == ' ')
		words--;
	va_list values;
	va_start(values, format);
	fputs("iuvod: ", stderr);
	vfprintf(stderr, format, values);
	va_end(values);
	fprintf(stderr, "\nTry '%.*s --help'.\n", words, set->usage);
	return OPTION_WRONG;
}

static bool
read_number(const struct option_row *row, const char *text, char *what, size_t room)
{
	uint64_t value;
	if (!text_read_uint(text, strlen(text), row->most, &value) || value < row->least) {
		snprintf(what, room, "--%s '%s': must be a whole number from %" PRIu64 " to %" PRIu64, row->name, text,
		    row->least, row->most);
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
	int at = snprintf(what, room, "--%s '%s': must be one of", row->name, text);
	for (unsigned i = 0; row->choices[i] != NULL && at > 0 && (size_t)at < room; i++)
		at += snprintf(what + at, room - (size_t)at, "%s %s", i == 0 ? "" : ",", row->choices[i]);
	return false;
}

static bool
read_value(const struct option_row *row, const char *text, char *what, size_t room)
{
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)row->value = true;
		return true;
	case OPTION_TEXT:
		if (*text == '\0') {
			snprintf(what, room, "--%s '': must not be empty", row->name);
			return false;
		}
		*(const char **)row->value = text;
		return true;
	case OPTION_NUMBER:
		return read_number(row, text, what, room);
	case OPTION_CHOICE:
		return read_choice(row, text, what, room);
	}
	return false;
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

enum option_end
option_read(const struct option_set *set, int argc, char **argv, int *first)
{
	struct option options[OPTION_ROWS_MAX + 2];
	char what[512];
	fill(set, options);
	opterr = 0;
	optind = 0; /* 0, not 1: getopt forgets the command line that it read before */
	for (int found; (found = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
		if (found == HELP) {
			print_help(set);
			return OPTION_SHOWN;
		}
		if (found == ':')
			return option_wrong(set, "%s: a value is missing", argv[optind - 1]);
		if (found == '?')
			return unknown(set, argv[optind - 1]);
		if (!read_value(&set->rows[found], optarg, what, sizeof what))
			return option_wrong(set, "%s", what);
	}
	if ((unsigned)(argc - optind) > set->operands)
		return option_wrong(set, "'%s': not expected here", argv[optind + (int)set->operands]);
	*first = optind;
	return OPTION_GO;
}

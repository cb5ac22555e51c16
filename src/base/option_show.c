/* What is told of options: --help for people, and --help=table for what makes pages of it. */
#include <stdio.h>

#include "base/option_inside.h"

enum { LEFT_COLUMN = 27, VALUE_MAX = 512 };

static void
print_default(const struct option_row *row)
{
	char value[VALUE_MAX];
	option_value(row, value, sizeof value);
	if (row->kind != OPTION_FLAG && value[0] != '\0')
		printf(" (%s)", value);
}

void
option_print(const struct option_row *rows, unsigned count)
{
	for (const struct option_row *row = rows; row < rows + count; row++) {
		char left[64];
		if (row->help == NULL)
			continue;
		int len = row->kind == OPTION_FLAG ? snprintf(left, sizeof left, "--%s[=yes|no]", row->name)
						   : snprintf(left, sizeof left, "--%s %s", row->name, row->shown);
		printf("  %-*s %s", LEFT_COLUMN, left, len > LEFT_COLUMN ? "\n" : row->help);
		if (len > LEFT_COLUMN)
			printf("  %-*s %s", LEFT_COLUMN, "", row->help);
		print_default(row);
		putchar('\n');
	}
}

void
option_help(const struct option_set *set)
{
	printf("Usage: %s\n%s\n\nOptions, with their defaults:\n", set->usage, set->about);
	option_print(set->rows, set->count);
	printf("  %-*s %s\n", LEFT_COLUMN, "--help", "prints this");
}

/* A line a row, tabs between: the option, its argument, variable, name in a file, default, what it must be, what for.
 */
void
option_table(const struct option_set *set)
{
	bool variables = option_has_variables(set), file = option_file_row(set) < set->count;
	for (const struct option_row *row = set->rows; row < set->rows + set->count; row++) {
		char variable[OPTION_VARIABLE_MAX], value[VALUE_MAX], allowed[OPTION_ALLOWED_MAX];
		if (row->help == NULL)
			continue;
		option_variable(row, variable);
		option_value(row, value, sizeof value);
		option_allowed(row, allowed, sizeof allowed);
		printf("--%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row->name, row->shown == NULL ? "" : row->shown,
		    variables ? variable : "", file && row->kind != OPTION_FILE ? row->name : "", value, allowed,
		    row->help);
	}
}

/* What the files of base/option have in common; nobody else includes this. */
#ifndef IUVOD_BASE_OPTION_INSIDE_H
#define IUVOD_BASE_OPTION_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/option.h"

#define OPTION_PREFIX "IUVOD_"

enum {
	OPTION_VARIABLE_MAX = 64,
	OPTION_SOURCE_MAX = 512, /* where a value was given, as it is named */
	OPTION_ALLOWED_MAX = 256
};

/* The variable of an option: IUVOD_ and its name, in capitals. */
void option_variable(const struct option_row *row, char name[static OPTION_VARIABLE_MAX]);

/* The environment is read: the set says so, or it has a file. */
bool option_has_variables(const struct option_set *set);

/* The row of the file of options; count: there is none. */
unsigned option_file_row(const struct option_set *set);

/* Writes what a value of the row must be, behind "must be", with a '\0' and cut off at room. */
void option_allowed(const struct option_row *row, char *text, size_t room);

/* Writes the value that the row has now, as it would be given; nothing where there is none. */
void option_value(const struct option_row *row, char *text, size_t room);

/* Reads a value into the row; NULL is that of a flag without one.  False: it must be what option_allowed says. */
bool option_read_value(const struct option_row *row, const char *text);

/* Reads a value of row i that was given under a name; says what is wrong with it. */
enum option_end option_take(const struct option_set *set, unsigned i, const char *name, const char *text);

/* Where the value of row i was given; "" for the default. */
const char *option_source(unsigned i);

/* Reads the file that the row `file` names, if it names one. */
enum option_end option_read_file(const struct option_set *set, unsigned file);

/* What --help prints, and what --help=table does. */
void option_help(const struct option_set *set);
void option_table(const struct option_set *set);

#endif

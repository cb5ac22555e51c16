/*
 * Options of the command line: one table per command makes both what is read
 * and what --help prints, with the defaults as they are.
 */
#ifndef IUVOD_BASE_OPTION_H
#define IUVOD_BASE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,   /* value: bool; takes no argument */
	OPTION_TEXT,   /* value: const char *, NULL allowed */
	OPTION_NUMBER, /* value: uint64_t, least..most */
	OPTION_CHOICE  /* value: unsigned, an index of choices */
};

struct option_row {
	const char *name; /* without the two hyphens */
	enum option_kind kind;
	void *value;       /* holds the default; written when the option is given */
	const char *shown; /* the argument as --help names it: FILE */
	uint64_t least, most;
	const char *const *choices; /* NULL-terminated */
	const char *help;           /* 50 characters with the default; NULL: read, but not listed */
};

enum { OPTION_ROWS_MAX = 48 };

struct option_set {
	const char *usage; /* iuvod serve [OPTION]... */
	const char *about; /* one line or more under it */
	const struct option_row *rows;
	unsigned count;     /* at most OPTION_ROWS_MAX */
	unsigned operands;  /* how many arguments without hyphens are allowed */
	const char *number; /* what is told of an operand like -1, which looks like an option; NULL: no more */
};

enum option_end {
	OPTION_GO,    /* *first is the index of the first operand in argv */
	OPTION_SHOWN, /* --help was asked for and printed on standard output */
	OPTION_WRONG  /* what is wrong was printed on standard error */
};

/*
 * Reads argv[1..] (argv[0] is the command's own name).  An option may stand
 * after an operand; values of options given twice: the last one counts.
 * Not thread-safe, since getopt_long is not.
 */
enum option_end option_read(const struct option_set *set, int argc, char **argv, int *first);

/* Prints on standard error what is wrong with a value or an operand, as option_read does. */
enum option_end option_wrong(const struct option_set *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the rows on standard output as --help does, in 80 columns. */
void option_print(const struct option_row *rows, unsigned count);

#endif

/*
 * Options of a command: one table makes what is read of the command line, of
 * the environment and of a file, what --help prints, with the defaults as they
 * are, and what --help=table does, of which the manual and README.md are made.
 * An option `a-b` is `--a-b` on the command line, IUVOD_A_B in the environment
 * and `a-b = value` in a file; the command line wins over the environment, and
 * the environment over the file.
 */
#ifndef IUVOD_BASE_OPTION_H
#define IUVOD_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,   /* value: bool; --name is yes, and so is --name=yes; --name=no takes it back */
	OPTION_TEXT,   /* value: const char *, NULL allowed */
	OPTION_NUMBER, /* value: uint64_t, least..most */
	OPTION_CHOICE, /* value: unsigned, an index of choices */
	OPTION_FILE    /* value: const char *, NULL allowed: the file of options, at most one row a table */
};

struct option_row {
	const char *name; /* without the two hyphens */
	enum option_kind kind;
	void *value;       /* holds the default; written when the option is given */
	const char *shown; /* the argument as --help names it: FILE */
	uint64_t least, most;
	const char *const *choices; /* NULL-terminated */
	const char *allowed;        /* of a text: what it must be, told behind "must be"; NULL: any */
	const char *help;           /* 50 characters with the default; NULL: not listed, read as --name alone */
};

enum { OPTION_ROWS_MAX = 64, OPTION_FILE_MAX = 64 * 1024 };

struct option_set {
	const char *usage; /* iuvod serve [OPTION]... */
	const char *about; /* one line or more under it */
	const struct option_row *rows;
	unsigned count;     /* at most OPTION_ROWS_MAX */
	unsigned operands;  /* how many arguments without hyphens are allowed */
	const char *meant;  /* the option that is told to whoever gives one more, without the two hyphens; NULL: none */
	const char *number; /* what is told of an operand like -1, which looks like an option; NULL: no more */
	bool environment;   /* IUVOD_… is read, too; always so where there is a file */
};

enum option_end {
	OPTION_GO,    /* *first is the index of the first operand in argv */
	OPTION_SHOWN, /* --help or --help=table was asked for and printed on standard output */
	OPTION_WRONG  /* what is wrong was printed on standard error */
};

/*
 * Reads the file, the environment and argv[1..] (argv[0] is the command's own
 * name), in this order.  An option may stand after an operand; values of
 * options given twice: the last one counts, but in the file it is an error.
 * An empty variable is as none.  Values of the file are valid until the next
 * call.  Not thread-safe, since getopt_long is not.
 */
enum option_end option_read(const struct option_set *set, int argc, char **argv, int *first);

/* Prints on standard error what is wrong with a value or an operand, as option_read does. */
enum option_end option_wrong(const struct option_set *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The same, of the value of a row that option_read has taken: names where it
 * was given (the option, the variable, or file and line) and what it is, which
 * must be OPTION_TEXT.  `value` is that of the row; NULL for `why` is what the
 * row says of what is allowed.
 */
enum option_end option_refuse(const struct option_set *set, const void *value, const char *why);

/* Whether the value of a row was given, wherever that was; false: it is the default. */
bool option_given(const struct option_set *set, const void *value);

/*
 * The next variable IUVOD_… of the environment that no row takes: a slip of
 * the pen, or somebody else's.  Its name is written to `name`, at most room
 * bytes of it; *at is 0 before the first call.  False: there are no more.
 */
bool option_stray(const struct option_set *set, size_t *at, char *name, size_t room);

/* Prints the rows on standard output as --help does, in 80 columns. */
void option_print(const struct option_row *rows, unsigned count);

#endif

/*
 * The commands of the program.  Each reads its own command line, argv[0] being
 * the command's name, and returns the status with which the program ends.
 */
#ifndef IUVOD_COMMAND_H
#define IUVOD_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"
#include "store/copy.h"

enum {
	COMMAND_GO = -1, /* it may begin: none with which a program ends */
	COMMAND_DONE = 0,
	COMMAND_FAILED = 1, /* it could not be done, or a difference was found */
	COMMAND_USAGE = 2   /* the command line is wrong */
};

enum { COMMAND_SEARCH_MIB_MOST = 65536 }; /* the most memory of a search */

int command_serve(int argc, char **argv);
void command_serve_options(void); /* prints them, for iuvod --help */
int command_verify(int argc, char **argv);
int command_backup(int argc, char **argv);
int command_restore(int argc, char **argv);
int command_dump(int argc, char **argv);
int command_load(int argc, char **argv);
int command_migrate(int argc, char **argv);
int command_perft(int argc, char **argv);
int command_engine(int argc, char **argv);
int command_match(int argc, char **argv);

/* Reads a command line as option_read does; COMMAND_GO, or the status with which the command ends. */
int command_read(const struct option_set *set, int argc, char **argv, int *first);

/* The data file where none is named. */
#define COMMAND_DATABASE "iuvod.sqlite"

/* What --help says of a command whose one option is the data file: the usage, what is below it, and what the file is.
 */
struct command_words {
	const char *usage, *about, *database;
};

/*
 * The same for such a command: *database holds the default, and is written.  Where copy is not NULL there must be one
 * operand, which is written to it.
 */
int command_read_file(
    const struct command_words *words, int argc, char **argv, const char **database, const char **copy);

/* What was found in a data file. */
struct command_finding {
	uint64_t games, plies, differences;
	unsigned schema;
};

/*
 * Looks through a data file as `iuvod verify` does, and prints each difference on standard output; `shown` is the
 * file's name there.  A file of an older schema is not replayed, where that is `allowed`.  False, said on standard
 * error, if it could not be looked through.
 */
bool command_examine(const char *path, const char *shown, bool allowed, struct command_finding *finding);

/*
 * Makes the data file `to` of what `filler` puts into a copy, which is looked through
 * before it gets its name; what became of it is printed.  `from` names the source.
 */
int command_make(const char *to, enum copy_over over, const char *from,
    bool (*filler)(struct copy *copy, const char *from, char *why, size_t room));

/*
 * The end of a command whose output is all that it is for: the status, or COMMAND_FAILED, said on standard error, where
 * that could not be written.
 */
int command_end(int status);

/* One line to standard error, `iuvod: WHY`; a damaged file's own words may stand in it. */
void command_say(const char *why);

#endif

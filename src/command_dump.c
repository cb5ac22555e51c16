#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/option.h"
#include "command.h"
#include "store/dump.h"

/* The operands are none; the option is the file alone. */
static enum option_end
read_options(int argc, char **argv, const char **database, const char *usage, const char *about, const char *help)
{
	int first;
	const struct option_row rows[] = {
	    {"database", OPTION_TEXT, database, "FILE", .help = help},
	};
	const struct option_set set = {.usage = usage, .about = about, .rows = rows, .count = 1, .environment = true};
	return option_read(&set, argc, argv, &first);
}

static int
dump(const char *database)
{
	char why[512];
	struct db *db = db_open(database, DB_INSPECT, why, sizeof why);
	bool done = db != NULL && dump_write(db, stdout, why, sizeof why);
	if (done && fflush(stdout) != 0) {
		snprintf(why, sizeof why, "cannot write: %s", strerror(errno));
		done = false;
	}
	if (!done)
		command_say(why);
	db_close(db);
	return done ? COMMAND_DONE : COMMAND_FAILED;
}

static bool
fill(struct copy *copy, const char *from, char *why, size_t room)
{
	(void)from;
	return dump_read(copy, stdin, why, room);
}

int
command_dump(int argc, char **argv)
{
	const char *database = "iuvod.sqlite";
	switch (read_options(argc, argv, &database, "iuvod dump [OPTION]...",
	    "Writes all that the file of data holds, as it stands at one moment, to standard\n"
	    "output: a line of JSON for each row, which `iuvod load` reads.  A server goes on\n"
	    "meanwhile.",
	    "the file of data; it is not changed")) {
	case OPTION_GO:
		return dump(database);
	case OPTION_SHOWN:
		return COMMAND_DONE;
	case OPTION_WRONG:
		break;
	}
	return COMMAND_USAGE;
}

int
command_load(int argc, char **argv)
{
	const char *database = "iuvod.sqlite";
	switch (read_options(argc, argv, &database, "iuvod load [OPTION]...",
	    "Makes a file of data of what `iuvod dump` has written, read from standard input:\n"
	    "the whole of it, looked through as by `iuvod verify`, or nothing.",
	    "the file of data; it must not be there yet")) {
	case OPTION_GO:
		return command_make(database, COPY_NEW, "the dump", fill);
	case OPTION_SHOWN:
		return COMMAND_DONE;
	case OPTION_WRONG:
		break;
	}
	return COMMAND_USAGE;
}
